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
#include <linux/pmuctl.h>

struct pmuctl_group;

/**
 * struct pmuctl_slot - one class on one counter of one CPU
 * @class:   who counts here, or NULL if the slot is free
 * @counter: on which counter
 * @users:   scopes in on this CPU that have the class on, by level; all 0: idle, but the counter runs
 * @left:    pmuctl_cpu.seq when a user last left
 * @joined:  the clock when the latest of its users came on, however often it went out since
 * @index:   how plat_read_counter() calls the counter, if the PMU's can be read so
 * @mask:    as many ones as the counter has bits
 * @raw:     the counter when it was last folded
 * @total:   everything counted here since the class came on
 * @stamp:   pmuctl_cpu.seq of the last fold: within one entry into the core, a slot is read once
 */
struct pmuctl_slot {
	struct pmuctl_class *class;
	int counter;
	u32 users[PMUCTL_LEVELS];
	u64 left;
	u64 joined;
	u32 index;
	u64 mask;
	u64 raw;
	u64 total;
	u64 stamp;
};

/**
 * struct pmuctl_plan - a placement being worked out
 * @n:       lines of it: one for each class that shall be on
 * @gone:    slots to be given up, as bits of their index
 * @wants:   what the backend is asked
 * @slots:   the slot that holds the class now, or NULL for one that comes on
 * @classes: the class
 *
 * Too large for the stack that is left under the run-queue lock, so each CPU has one ready.
 */
struct pmuctl_plan {
	int n;
	u64 gone;
	struct pmuctl_want wants[PMUCTL_COUNTERS_MAX];
	struct pmuctl_slot *slots[PMUCTL_COUNTERS_MAX];
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
};

/**
 * struct pmuctl_cpu_pmu_ctx - what one PMU has on one CPU
 * @pmu:   the PMU
 * @nr_used: slots with a class, idle ones included
 * @nr_waiting: groups of scopes that are in here which want to go on and are not
 * @rotating: the rotation timer runs
 * @exclusive: the group that has the PMU for itself, or NULL
 * @freed: by level, times a user of it left a slot
 * @passes, @visits, @rotations, @nr_starts, @nr_stops: what the scheduler did, for people
 * @plan:  scratch of pmuctl_slot_place()
 * @nr_slots: as many as the PMU has counters
 * @slots: order means nothing
 */
struct pmuctl_cpu_pmu_ctx {
	struct pmuctl_pmu *pmu;
	u32 nr_used;
	u32 nr_waiting;
	bool rotating;
	struct pmuctl_group *exclusive;
	u64 freed[PMUCTL_LEVELS];
	u64 passes;
	u64 visits;
	u64 rotations;
	u64 nr_starts;
	u64 nr_stops;
	struct pmuctl_plan plan;
	u32 nr_slots;
	struct pmuctl_slot slots[];
};

/*
 * Make sure that each of the @n classes has a slot on this CPU. Slots with users of @level or better
 * stay (they may move to another counter); idle ones give way, least recently used first, then
 * those whose users are all of worse levels, longest on first. All or nothing: EAGAIN leaves everything as it was.
 */
int pmuctl_slot_place(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes, int n,
		      int level);

/* Nobody has the PMU for himself any more: whoever was stuck may try again, slots freed or not. */
static inline void pmuctl_slot_end_exclusive(struct pmuctl_cpu_pmu_ctx *cpc)
{
	cpc->exclusive = NULL;
	cpc->freed[0]++;
}

/* Slots in use by somebody of @level or better. */
u32 pmuctl_slot_count_used(const struct pmuctl_cpu_pmu_ctx *cpc, int level);

/* Times a user of @level or better left a slot: as long as it is the same, nothing was freed. */
u64 pmuctl_slot_freed(const struct pmuctl_cpu_pmu_ctx *cpc, int level);

static inline void __pmuctl_slot_add(struct pmuctl_slot *slot, u64 raw)
{
	slot->total += (raw - slot->raw) & slot->mask;
	slot->raw = raw;
}

/* Read the counter and add what came since the last time; differences survive a wrap. */
static inline void pmuctl_slot_fold(struct pmuctl_slot *slot)
{
	struct pmuctl_pmu *pmu = slot->class->pmu;

	__pmuctl_slot_add(slot, pmu->ops->index ? plat_read_counter(slot->index) :
						  pmu->ops->raw(pmu, slot->counter));
}

/* Bring @slot->total up to date, once per entry into the core, of which @seq is the number. */
static inline u64 __pmuctl_slot_read(struct pmuctl_slot *slot, u64 seq)
{
	if (slot->stamp != seq) {
		pmuctl_slot_fold(slot);
		slot->stamp = seq;
	}
	return slot->total;
}

u64 pmuctl_slot_read(struct pmuctl_slot *slot);

/* One scope more wants @slot, at @level. */
static inline void pmuctl_slot_use(struct pmuctl_slot *slot, enum pmuctl_level level)
{
	slot->users[level]++;
}

/* One less. The last one leaves it idle and running. */
void pmuctl_slot_unuse(struct pmuctl_slot *slot, enum pmuctl_level level);

/* The best level that uses @slot, PMUCTL_LEVELS if it is idle. */
int pmuctl_slot_level(const struct pmuctl_slot *slot);

/* Stop and free the slots of classes that no event counts. */
void pmuctl_slot_drop_idle(struct pmuctl_cpu_pmu_ctx *cpc);

/* The CPU goes down: stop and free all slots. No context is in any more. */
void pmuctl_slot_drop_all(struct pmuctl_cpu_pmu_ctx *cpc);

/* Fold every slot, so that no counter wraps unseen. */
void pmuctl_slot_fold_all(struct pmuctl_cpu_pmu_ctx *cpc);

#endif /* PMUCTL_SLOT_H */
