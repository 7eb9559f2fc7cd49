/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only door from src/core to the outside. In the kernel it is a handful of kernel headers and
 * the few calls the core makes upwards into src/kern; in the unit tests, tests/shim stands in for
 * both. Nothing below src/core may include a kernel header by itself.
 */
#ifndef PMUCTL_PLAT_H
#define PMUCTL_PLAT_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rbtree.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>

#else
#include "shim.h"
#endif

struct cgroup;
struct pmuctl_msg;

#ifdef CONFIG_X86
/* Read a counter without a call: @index as in RDPMC. The backend says which counters can. */
static inline u64 plat_read_counter(u32 index)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (index));
	return low | (u64)high << 32;
}
#elif defined(__KERNEL__)
static inline u64 plat_read_counter(u32 index)
{
	return 0;
}
#endif

/*
 * What the core asks of its surroundings. src/kern/plat.c answers in the kernel, tests/shim in the
 * unit tests.
 */

/* Nanoseconds of this CPU's clock; never goes back on one CPU. Safe anywhere, NMI included. */
u64 plat_clock(void);

/*
 * Run @fn(@arg) on @cpu with interrupts off and wait for it. Returns 0, or ENXIO (negative) if
 * that CPU is offline and @fn did not run. Not to be called with interrupts off.
 */
int plat_call_cpu(int cpu, void (*fn)(void *arg), void *arg);

/* Run @fn(@arg) on every CPU that is online, interrupts off, and wait. */
void plat_call_all(void (*fn)(void *arg), void *arg);

/* The CPU on which @task runs or last ran. It may move at any time. */
int plat_task_cpu(struct task_struct *task);

/* True if @task is what runs on this CPU. Interrupts are off. */
bool plat_task_is_current(struct task_struct *task);

/* True once @task has begun to exit. */
bool plat_task_exiting(struct task_struct *task);

/* The task that runs on this CPU. Interrupts are off. */
struct task_struct *plat_current(void);

/* The number of @task as the caller sees it, or 0; and its name. Interrupts may be off. */
s32 plat_task_name(struct task_struct *task, char *name, size_t size);

/* Page faults of @task since it was made, minor or major. It runs here, or is being switched. */
u64 plat_task_faults(const struct task_struct *task, bool major);

#ifdef __KERNEL__
/* The cgroup (v2) of @task, whose structure lives as long as interrupts stay off. */
static inline struct cgroup *plat_task_cgroup(const struct task_struct *task)
{
	return task_dfl_cgroup((struct task_struct *)task);
}

/* Of cgroups: the one above, or NULL; never 0; is @cgroup the same or below; references. */
static inline struct cgroup *plat_cgroup_parent(struct cgroup *cgroup)
{
	return cgroup_parent(cgroup);
}

static inline u64 plat_cgroup_id(const struct cgroup *cgroup)
{
	return cgroup_id((struct cgroup *)cgroup);
}

static inline bool plat_cgroup_contains(struct cgroup *ancestor, const struct cgroup *cgroup)
{
	return cgroup_is_descendant((struct cgroup *)cgroup, ancestor);
}

static inline void plat_cgroup_get(struct cgroup *cgroup)
{
	cgroup_get(cgroup);
}

static inline void plat_cgroup_put(struct cgroup *cgroup)
{
	cgroup_put(cgroup);
}
#else
struct cgroup *plat_task_cgroup(const struct task_struct *task);
struct cgroup *plat_cgroup_parent(struct cgroup *cgroup);
u64 plat_cgroup_id(const struct cgroup *cgroup);
bool plat_cgroup_contains(struct cgroup *ancestor, const struct cgroup *cgroup);
void plat_cgroup_get(struct cgroup *cgroup);
void plat_cgroup_put(struct cgroup *cgroup);
#endif

/*
 * Call pmuctl_rotate(@pmu) on this CPU once an interval has passed, and again as long as it returns
 * true; or stop that. Interrupts are off.
 */
void plat_rotate_timer(int pmu, bool run);

/*
 * Call pmuctl_cpu_fold() on this CPU every @period_ns from now on; 0 stops it. Interrupts are off.
 * It may be called again from the fold itself.
 */
void plat_fold_timer(u64 period_ns);

/*
 * One more, one less event that needs them: while there is any, switch, fork, exec and exit of tasks
 * and changes of their cgroups are reported (sched.h, family.h, cgroup.h). Sleeps, and takes the CPU lock by itself, so it comes before plat_cpus_lock().
 */
int plat_task_hooks_get(struct pmuctl_msg *msg);
void plat_task_hooks_put(void);

/* No CPU comes or goes in between. Outside pmuctl_open_mutex. */
void plat_cpus_lock(void);
void plat_cpus_unlock(void);

#endif /* PMUCTL_PLAT_H */
