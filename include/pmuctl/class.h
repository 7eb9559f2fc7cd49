/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A class: all counting events that would count the same thing on the same PMU. One class needs
 * one counter on a CPU, whoever wants it.
 */
#ifndef PMUCTL_CLASS_H
#define PMUCTL_CLASS_H

#include <pmuctl/pmu.h>

struct pmuctl_slot;

/**
 * struct pmuctl_class - one thing that can be counted
 * @node:      in @pmu->classes; under pmuctl_open_mutex
 * @pmu, @key: what it is; never change
 * @id:        its number while the module is loaded
 * @nr_events: events of it. 0: idle, kept for who asks again
 * @slots:     indexed by CPU: where it is on hardware there, or NULL. Touched only by that CPU,
 *             interrupts off
 *
 * Allocated at open. Freed when idle and in the way, or when the PMU is released; never while a
 * slot refers to it.
 */
struct pmuctl_class {
	struct hlist_node node;
	struct pmuctl_pmu *pmu;
	struct pmuctl_class_key key;
	u64 id;
	atomic_t nr_events;
	struct pmuctl_slot *slots[];
};

/*
 * Find or make the class of @key and count one more event in it. NULL: no memory. Under
 * pmuctl_open_mutex.
 */
struct pmuctl_class *pmuctl_class_get(struct pmuctl_pmu *pmu, const struct pmuctl_class_key *key);

/* One event more, of somebody who has one. Any context. */
void pmuctl_class_hold(struct pmuctl_class *class);

/* One event less. The class stays, idle: its counters run on until somebody needs them. Any context. */
void pmuctl_class_put(struct pmuctl_class *class);

/* Classes of @pmu with events; under pmuctl_open_mutex. */
u32 pmuctl_class_count(const struct pmuctl_pmu *pmu);

/* Free every idle class of @pmu and the slots they still occupy on any CPU. */
void pmuctl_class_reap(struct pmuctl_pmu *pmu);

#endif /* PMUCTL_CLASS_H */
