/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: all events of one task, or of one CPU, whatever their PMU.
 *
 * A context is "in" on a CPU while its task runs there (a CPU's own context: while the CPU is
 * online). Only then do its events count and does its time run.
 *
 * Who owns a context: while it is in, its CPU, with interrupts off; while it is in nowhere, who
 * holds its lock. Who brings it in needs the lock too; its CPU lets go of it without. So on a CPU everything that is
 * in there can be scheduled without taking a lock, and two contexts' locks never nest. Functions
 * with two leading underscores want an owner.
 */
#ifndef PMUCTL_CTX_H
#define PMUCTL_CTX_H

#include <pmuctl/scope.h>
#include <pmuctl/tree.h>

/**
 * struct pmuctl_task - a task that has a context
 * @node: in the hash by task; under the hash's lock
 * @task: the task; its context has the reference
 * @ctx:  its context now, with a reference. Tasks whose contexts are alike may exchange them
 */
struct pmuctl_task {
	struct hlist_node node;
	struct task_struct *task;
	struct pmuctl_ctx *ctx;
	struct rcu_head rcu;
};

/**
 * struct pmuctl_ctx - all events of one task or one CPU
 * @lock:   see above. Taken with interrupts off, also under the run-queue lock
 * @entry:  task contexts: through which the task finds it; NULL once it does not. Under the hash's
 *          lock and, when it changes hands, the context's
 * @task:   the task, with a reference; NULL for a CPU's context
 * @home:   the CPU of a CPU's context, -1 for a task's
 * @cpu:    the CPU on which it is in, or -1
 * @dead:   the task exited or the last event was closed: it never comes in again
 * @main:   the scope that is always in while the context is
 * @scopes: the others, by {cpu, cgroup}
 * @nr_scopes: how many
 * @in:     scopes that are in, the main one first
 * @pinned, @flexible: all groups
 * @events: all events, by struct pmuctl_event.ctx_node
 * @nr_inherit: events to be inherited
 * @nr_opened: events that were opened, not inherited
 * @nr_stat: events whose counts must stay with their task (attr.inherit_stat)
 * @nr_waiting: groups that want to go on and are not
 * @lineage: contexts with the same number hold copies of the same events
 * @family_mutex: one at a time goes through the children of the context's events (inherit.c)
 * @family_lock:  guards the lists of children; innermost but for nothing
 * @family_round: number of the last such going through; under @family_lock
 * @refs:   events, and the hash; a CPU's context is never freed
 */
struct pmuctl_ctx {
	raw_spinlock_t lock;
	struct pmuctl_task *entry;
	struct task_struct *task;
	int home;
	int cpu;
	bool dead;
	struct pmuctl_scope main;
	struct rb_root scopes;
	u32 nr_scopes;
	struct list_head in;
	struct pmuctl_tree pinned;
	struct pmuctl_tree flexible;
	struct list_head events;
	u32 nr_events;
	u32 nr_inherit;
	u32 nr_opened;
	u32 nr_stat;
	u32 nr_waiting;
	u64 lineage;
	struct mutex family_mutex;
	raw_spinlock_t family_lock;
	u64 family_round;
	refcount_t refs;
	struct rcu_head rcu;
};

/* Set up the memory of a context. @task or @home says whose it is. */
void pmuctl_ctx_init(struct pmuctl_ctx *ctx, struct task_struct *task, int home);

/*
 * The context of @task, made if there is none, or of CPU @cpu if @task is NULL; with a reference.
 * ENOMEM; ESRCH if the task is exiting. Any context for a task, interrupts on or off.
 */
struct pmuctl_ctx *pmuctl_ctx_get(struct task_struct *task, int cpu, gfp_t gfp);
void pmuctl_ctx_put(struct pmuctl_ctx *ctx);

#define PMUCTL_TASK_HASH_BITS 10
extern struct hlist_head pmuctl_task_hash[1 << PMUCTL_TASK_HASH_BITS];

static inline struct hlist_head *pmuctl_task_bucket(const struct task_struct *task)
{
	return &pmuctl_task_hash[hash_ptr((void *)task, PMUCTL_TASK_HASH_BITS)];
}

/*
 * The context of @task or NULL, without a reference: for hooks. Interrupts are off, which RCU takes
 * for a reader; memory of an entry and of a context goes after a grace period.
 */
static inline struct pmuctl_ctx *pmuctl_ctx_find(const struct task_struct *task)
{
	struct pmuctl_task *entry;

	hlist_for_each_entry_rcu(entry, pmuctl_task_bucket(task), node, true) {
		if (entry->task == task)
			return READ_ONCE(entry->ctx);
	}
	return NULL;
}

/* With the lock held, interrupts off: is the caller the owner? */
static inline bool pmuctl_ctx_is_ours(const struct pmuctl_ctx *ctx)
{
	int cpu = smp_load_acquire(&ctx->cpu);

	return cpu < 0 || cpu == smp_processor_id();
}

/* Task contexts there are. Collect them, with references; returns how many were stored. */
u32 pmuctl_ctx_count(void);
u32 pmuctl_ctx_collect(struct pmuctl_ctx **ctxs, u32 max);

/*
 * Call @fn(@ctx, @arg) as owner of the context, interrupts off, where the context is: on the CPU on
 * which it is in, or here if it is in nowhere; then end the entry with a pass. Sleeps; not with
 * interrupts off.
 */
void pmuctl_ctx_call(struct pmuctl_ctx *ctx, void (*fn)(struct pmuctl_ctx *ctx, void *arg),
		     void *arg);

/* Bring @ctx in if its task runs (its CPU is online) but it was not in yet. */
void pmuctl_ctx_enter(struct pmuctl_ctx *ctx);

/* The same if that is here. Interrupts off. */
void pmuctl_ctx_enter_here(void *ctx);

/* If no event is left, take a task's context out for good. */
void pmuctl_ctx_retire(struct pmuctl_ctx *ctx);

/*
 * Come in on this CPU, lock held; go out, after which the context is not ours any more unless we
 * hold its lock.
 */
void __pmuctl_ctx_in(struct pmuctl_ctx *ctx);
void __pmuctl_ctx_out(struct pmuctl_ctx *ctx);

/* Task context @from goes out and @to, whose lock is held, comes in. */
void __pmuctl_ctx_hand_over(struct pmuctl_ctx *from, struct pmuctl_ctx *to);

/*
 * The task of @in goes, that of @out comes, and both contexts hold nothing but events inherited from
 * the same, all of them on: let the tasks exchange them, so that nothing has to be read. True if they did: @in stays
 * in, now for the other task. Checklist SW-02.
 */
bool pmuctl_ctx_swap(struct pmuctl_ctx *in, struct pmuctl_ctx *out);

/* The events of @ctx are not, or no more, those of any other context. */
void __pmuctl_ctx_diverge(struct pmuctl_ctx *ctx);

/* Bring the times of all scopes that are in up to date at an entry into the core. */
void __pmuctl_ctx_update_time(struct pmuctl_ctx *ctx);

/* The task is gone for us: go out, never come in again. Events are settled; lock held. */
void __pmuctl_ctx_kill(struct pmuctl_ctx *ctx);

/* Take @ctx out of the hash, if it is in, with its reference. */
void pmuctl_ctx_unhash(struct pmuctl_ctx *ctx);

/* A function with two underscores was called by an owner. */
#define pmuctl_ctx_assert_owned(ctx) \
	lockdep_assert((ctx)->cpu == smp_processor_id() || lockdep_is_held(&(ctx)->lock))

#endif /* PMUCTL_CTX_H */
