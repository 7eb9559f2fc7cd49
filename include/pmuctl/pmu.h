/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PMU, and the table of operations by which the core drives its hardware. arch/ fills in both;
 * it knows nothing of tasks, files or contexts.
 */
#ifndef PMUCTL_PMU_H
#define PMUCTL_PMU_H

#include <pmuctl/msg.h>
#include <pmuctl/plat.h>

/*
 * Counters are numbered as bits of a u64: general-purpose counter i is bit i, fixed counter i is
 * bit PMUCTL_FIXED + i (the numbering of Intel's GLOBAL_CTRL, SDM vol. 3B 20.2).
 */
#define PMUCTL_FIXED		32
/* Most counters of one PMU; bounds every array that is walked at a context switch. */
#define PMUCTL_COUNTERS_MAX	32

/**
 * struct pmuctl_class_key - what makes two counting events count the same thing
 * @config:   the encoding as the hardware takes it, privilege bits included, enable bit clear
 * @config1:  an extra register's value, 0 if there is none
 * @counters: the counters that can count it; follows from the above, so it is not compared
 */
struct pmuctl_class_key {
	u64 config;
	u64 config1;
	u64 counters;
};

/**
 * struct pmuctl_want - one line of a placement
 * @counters: in: the counters that would do
 * @current_counter: in: where it is now, or -1
 * @counter:  out: where it shall be
 */
struct pmuctl_want {
	u64 counters;
	int current_counter;
	int counter;
};

struct pmuctl_pmu;

/**
 * struct pmuctl_pmu_ops - what a backend does
 *
 * Operations marked "on a CPU" run there with interrupts off and touch only that CPU.
 */
struct pmuctl_pmu_ops {
	/*
	 * Take the PMU from in-tree perf, all of it or nothing, and bring every CPU to a known
	 * state: nothing counts. EBUSY with a text that names the holder as far as it can be known.
	 * Process context.
	 */
	int (*acquire)(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg);

	/* Stop everything, put back what was there and give the PMU back. Process context. */
	void (*release)(struct pmuctl_pmu *pmu);

	/* True if somebody else holds the PMU; then @msg says who. Only while it is not ours. */
	bool (*held_elsewhere)(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg);

	/* Check the encoding of @attr and make the class key; ENOENT, EINVAL, EOPNOTSUPP. */
	int (*classify)(struct pmuctl_pmu *pmu, const struct perf_event_attr *attr,
			struct pmuctl_class_key *key, struct pmuctl_msg *msg);

	/*
	 * Choose a counter for each of @n wants, without touching hardware; EAGAIN and no change
	 * of meaning in @wants if they do not all fit. Any context.
	 */
	int (*place)(struct pmuctl_pmu *pmu, struct pmuctl_want *wants, int n);

	/* On a CPU: count @key on @counter; returns its value at the start. */
	u64 (*start)(struct pmuctl_pmu *pmu, int counter, const struct pmuctl_class_key *key);

	/* On a CPU: stop @counter. Its value stays readable. */
	void (*stop)(struct pmuctl_pmu *pmu, int counter);

	/* On a CPU: the value of @counter, as wide as the counter is. */
	u64 (*raw)(struct pmuctl_pmu *pmu, int counter);

	/* The number by which plat_read_counter() reads @counter. NULL if it cannot. */
	u32 (*index)(struct pmuctl_pmu *pmu, int counter);

	/* On a CPU that comes up while the PMU is ours: bring it to a known state. */
	void (*cpu_up)(struct pmuctl_pmu *pmu);

	/* On a CPU that goes down while the PMU is ours: leave it as in-tree perf would find it. */
	void (*cpu_down)(struct pmuctl_pmu *pmu);
};

/**
 * struct pmuctl_pmu - one PMU
 * @name, @type: as in /sys/bus/event_source/devices
 * @ops:         its backend
 * @version:     the architecture's version of the PMU, for people
 * @nr_gp, @nr_fixed, @width_gp, @width_fixed: its counters and their bits
 * @features:    PMUCTL_PMU_* of <linux/pmuctl.h>
 * @branch_depth, @branch_counters, @branch_counter_width: its branch recorder
 * @counters:    all counters, as bits
 * @index:       place in pmuctl_pmus[], and in every per-CPU array of cpu-pmu contexts
 * @nr_events:   event files open on it; the PMU is ours while it is not 0
 * @nr_idle:     classes kept without events (see class.c)
 * @classes:     hash of all classes
 *
 * The first group never changes after probe. The counts and the hash change under
 * pmuctl_open_mutex only.
 */
struct pmuctl_pmu {
	const char *name;
	u32 type;
	const struct pmuctl_pmu_ops *ops;
	u32 version;
	u32 nr_gp, nr_fixed;
	u32 width_gp, width_fixed;
	u64 features;
	u32 branch_depth, branch_counters, branch_counter_width;
	u64 counters;
	int index;

	u32 nr_events;
	atomic_t nr_idle;
#define PMUCTL_CLASS_HASH_BITS 6
	struct hlist_head classes[1 << PMUCTL_CLASS_HASH_BITS];
};

/* One core PMU today, and software; hybrid parts and uncore units will be more. */
#define PMUCTL_PMUS_MAX 4

extern struct pmuctl_pmu *pmuctl_pmus[PMUCTL_PMUS_MAX];
/* All, and those that are hardware: the first of them. */
extern int pmuctl_nr_pmus;
extern int pmuctl_nr_hardware;

/*
 * Guards everything that happens when events are opened and closed: the registry, classes, the
 * shape of contexts and groups. Outermost of all locks; never taken while scheduling.
 */
extern struct mutex pmuctl_open_mutex;

/*
 * Add @pmu to the registry, software last. Only while the module loads. ENOSPC if the registry is
 * full.
 */
int pmuctl_pmu_register(struct pmuctl_pmu *pmu);

/* The PMU that answers for @attr, or NULL. Takes the PMU out of a generic event's config. */
struct pmuctl_pmu *pmuctl_pmu_find(struct perf_event_attr *attr);

/* Bits of @counter. */
static inline u32 pmuctl_pmu_width(const struct pmuctl_pmu *pmu, int counter)
{
	return counter < PMUCTL_FIXED ? pmu->width_gp : pmu->width_fixed;
}

static inline u64 pmuctl_pmu_mask(const struct pmuctl_pmu *pmu, int counter)
{
	return ~0ULL >> (64 - pmuctl_pmu_width(pmu, counter));
}

/*
 * Where a hardware counter should start: a little before it wraps. Counts are differences, so any value would do;
 * this one makes every real program cross the wrap within its first moments, and the wrap is
 * exercised all day instead of once in a blue moon.
 */
static inline u64 pmuctl_pmu_start_value(const struct pmuctl_pmu *pmu, int counter)
{
	return pmuctl_pmu_mask(pmu, counter) & ~0xffffULL;
}

/* Nanoseconds between two folds such that no counter of @pmu can advance by half its range. */
u64 pmuctl_pmu_fold_period(const struct pmuctl_pmu *pmu);

/* One more, one less event on @pmu: acquires it for the first, releases it after the last. */
int pmuctl_pmu_get(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg);
void pmuctl_pmu_put(struct pmuctl_pmu *pmu);

/* Free what classes are left. While the module unloads. */
void pmuctl_pmu_free_classes(void);

#endif /* PMUCTL_PMU_H */
