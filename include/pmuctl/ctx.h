/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: all events of one task, or of one CPU, whatever their PMU; and the part of a context
 * that belongs to one PMU.
 *
 * A context is "in" on a CPU while its task runs there (a CPU's own context: while the CPU is
 * online). Only then do its events count and does its time run.
 */
#ifndef PMUCTL_CTX_H
#define PMUCTL_CTX_H

#include <pmuctl/class.h>

/**
 * struct pmuctl_on - one class that a context has on
 * @class: which
 * @users: active events of the context that count it
 * @slot:  where, while the context is in on a CPU; else NULL
 * @base:  @slot's total when the context came in
 * @sum:   counted in earlier residencies since the class came on for this context
 *
 * What the context has counted of the class is @sum, plus (total - @base) while it is in.
 */
struct pmuctl_on {
	struct pmuctl_class *class;
	u32 users;
	struct pmuctl_slot *slot;
	u64 base;
	u64 sum;
};

/**
 * struct pmuctl_pmu_ctx - one PMU's part of a context
 * @ctx, @pmu: whose
 * @groups:    all groups, by struct pmuctl_group.node
 * @recheck:   some group may want to go on or off when the context next comes in
 * @nr_on:     used entries of @on
 * @on:        classes that are on for this context: compact, walked at each switch
 */
struct pmuctl_pmu_ctx {
	struct pmuctl_ctx *ctx;
	struct pmuctl_pmu *pmu;
	struct list_head groups;
	bool recheck;
	u32 nr_on;
	struct pmuctl_on on[PMUCTL_COUNTERS_MAX];
};

/**
 * struct pmuctl_ctx - all events of one task or one CPU
 * @lock:   guards everything below it here and in the context's pmu contexts, groups and events.
 *          Taken with interrupts off, also under the run-queue lock. Innermost.
 * @node:   task contexts: in the hash by task; under the hash's lock
 * @task:   the task, with a reference; NULL for a CPU's context
 * @home:   the CPU of a CPU's context, -1 for a task's
 * @cpu:    the CPU on which it is in, or -1
 * @dead:   the task exited or the last event was closed: it never comes in again
 * @hashed: in the hash; under the hash's lock
 * @time:   nanoseconds it has been in. Brought up to date once per entry into the core and still
 *          in between, so that two states settled in one entry leave no gap between them
 * @since:  the clock when @time was last brought up to date; only while in
 * @events: all its events, by struct pmuctl_event.ctx_node; also under pmuctl_open_mutex
 * @nr_filtered: events bound to one CPU in a task's context
 * @pmus:   its pmu contexts by pmuctl_pmu.index, NULL where it has no event
 * @refs:   events, and the hash; a CPU's context is never freed
 */
struct pmuctl_ctx {
	raw_spinlock_t lock;
	struct hlist_node node;
	struct task_struct *task;
	int home;
	int cpu;
	bool dead;
	bool hashed;
	u64 time;
	u64 since;
	struct list_head events;
	u32 nr_events;
	u32 nr_filtered;
	struct pmuctl_pmu_ctx *pmus[PMUCTL_PMUS_MAX];
	refcount_t refs;
	struct rcu_head rcu;
};

/* Set up the memory of a context. @task or @home says whose it is. */
void pmuctl_ctx_init(struct pmuctl_ctx *ctx, struct task_struct *task, int home);

/*
 * The context of @task, made if there is none, or of CPU @cpu if @task is NULL; with a reference.
 * ENOMEM; ESRCH if the task is exiting. Under pmuctl_open_mutex.
 */
struct pmuctl_ctx *pmuctl_ctx_get(struct task_struct *task, int cpu);
void pmuctl_ctx_put(struct pmuctl_ctx *ctx);

/* The context of @task or NULL, without a reference: for hooks, interrupts off. */
struct pmuctl_ctx *pmuctl_ctx_find(const struct task_struct *task);

/* Make sure that @ctx has a pmu context for @pmu. ENOMEM. Under pmuctl_open_mutex. */
int pmuctl_ctx_add_pmu(struct pmuctl_ctx *ctx, struct pmuctl_pmu *pmu);

/*
 * Call @fn(@ctx, @arg) with the context's lock held, interrupts off, where the context is: on the
 * CPU on which it is in, or here if it is in nowhere. Sleeps; not with interrupts off.
 */
void pmuctl_ctx_call(struct pmuctl_ctx *ctx, void (*fn)(struct pmuctl_ctx *ctx, void *arg),
		     void *arg);

/* Bring @ctx in if its task runs (its CPU is online) but it was not in yet. */
void pmuctl_ctx_enter(struct pmuctl_ctx *ctx);

/* If no event is left, take a task's context out for good. Under pmuctl_open_mutex. */
void pmuctl_ctx_retire(struct pmuctl_ctx *ctx);

/* Come in on this CPU, go out; lock held. */
void __pmuctl_ctx_in(struct pmuctl_ctx *ctx);
void __pmuctl_ctx_out(struct pmuctl_ctx *ctx);

/* Bring the context's time up to date at an entry into the core; lock held. */
void __pmuctl_ctx_update_time(struct pmuctl_ctx *ctx);

/* The task is gone for us: go out, let nobody find it again. Events are settled; lock held. */
void __pmuctl_ctx_kill(struct pmuctl_ctx *ctx);

/* Take @ctx out of the hash, if it is in, with its reference. */
void pmuctl_ctx_unhash(struct pmuctl_ctx *ctx);

/* Find the entry of @class among the classes on, or NULL; lock held. */
struct pmuctl_on *__pmuctl_on_find(struct pmuctl_pmu_ctx *pmu_ctx,
				   const struct pmuctl_class *class);

/* One more event counts @class, whose slot is on this CPU; lock held, context in. */
struct pmuctl_on *__pmuctl_on_get(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_class *class);

/* One event less; lock held. */
void __pmuctl_on_put(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_on *on);

/* What the context counted of @on's class since it came on; lock held, on its CPU if it is in. */
u64 __pmuctl_on_count(const struct pmuctl_on *on);

#endif /* PMUCTL_CTX_H */
