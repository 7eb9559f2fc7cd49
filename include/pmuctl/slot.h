/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots: the classes that one PMU has on hardware on one CPU. A slot's counter runs freely; users
 * take the difference of its total.
 *
 * Everything here belongs to one CPU and is touched by that CPU alone, interrupts off. So there is
 * no lock, and a context switch pays for none.
 */
#ifndef PMUCTL_SLOT_H
#define PMUCTL_SLOT_H

#include <pmuctl/class.h>

/**
 * struct pmuctl_slot - one class on one counter of one CPU
 * @class:   who counts here, or NULL if the slot is free
 * @counter: on which counter
 * @users:   contexts in on this CPU that have the class on; 0: idle, but the counter runs
 * @left:    pmuctl_cpu.seq when the last user left
 * @raw:     the counter when it was last folded
 * @total:   everything counted here since the class came on
 * @stamp:   pmuctl_cpu.seq of the last fold: within one entry into the core, a slot is read once
 */
struct pmuctl_slot {
	struct pmuctl_class *class;
	int counter;
	u32 users;
	u64 left;
	u64 raw;
	u64 total;
	u64 stamp;
};

/**
 * struct pmuctl_plan - a placement being worked out
 * @n:       lines of it: one for each class that shall be on
 * @wants:   what the backend is asked
 * @slots:   the slot that holds the class now, or NULL for one that comes on
 * @classes: the class
 *
 * Too large for the stack that is left under the run-queue lock, so each CPU has one ready.
 */
struct pmuctl_plan {
	int n;
	struct pmuctl_want wants[PMUCTL_COUNTERS_MAX];
	struct pmuctl_slot *slots[PMUCTL_COUNTERS_MAX];
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
};

/**
 * struct pmuctl_cpu_pmu_ctx - what one PMU has on one CPU
 * @pmu:   the PMU
 * @nr_used: slots with a class, idle ones included
 * @plan:  scratch of pmuctl_slot_place()
 * @nr_slots: as many as the PMU has counters
 * @slots: order means nothing
 */
struct pmuctl_cpu_pmu_ctx {
	struct pmuctl_pmu *pmu;
	u32 nr_used;
	struct pmuctl_plan plan;
	u32 nr_slots;
	struct pmuctl_slot slots[];
};

/*
 * Make sure that each of the @n classes has a slot on this CPU: the ones which have users stay
 * (they may move to another counter), idle ones give way, least recently used first. All or
 * nothing: EAGAIN leaves everything as it was.
 */
int pmuctl_slot_place(struct pmuctl_pmu *pmu, struct pmuctl_class *const *classes, int n);

/* Bring @slot->total up to date, once per entry into the core, and return it. */
u64 pmuctl_slot_read(struct pmuctl_slot *slot);

/* One context more wants @slot. */
static inline void pmuctl_slot_use(struct pmuctl_slot *slot)
{
	slot->users++;
}

/* One less. The last one leaves it idle and running. */
void pmuctl_slot_unuse(struct pmuctl_slot *slot);

/* Stop and free the slots of classes that no event counts. */
void pmuctl_slot_drop_idle(struct pmuctl_cpu_pmu_ctx *cpc);

/* The CPU goes down: stop and free all slots. No context is in any more. */
void pmuctl_slot_drop_all(struct pmuctl_cpu_pmu_ctx *cpc);

/* Fold every slot, so that no counter wraps unseen. */
void pmuctl_slot_fold_all(struct pmuctl_cpu_pmu_ctx *cpc);

#endif /* PMUCTL_SLOT_H */
