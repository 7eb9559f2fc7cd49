/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scopes: the part of a context that comes in and goes out as one. And pmu contexts: the part of
 * a scope that belongs to one PMU.
 *
 *	a task's context	the main scope, in wherever the task runs, and one for each CPU to
 *				which events of the task are bound
 *	a CPU's context		the main scope, in while the CPU is online, and one for each cgroup
 *				with events there, in while a task of the cgroup or below runs
 */
#ifndef PMUCTL_SCOPE_H
#define PMUCTL_SCOPE_H

#include <pmuctl/tally.h>

struct pmuctl_ctx;
struct pmuctl_group;
struct pmuctl_scope;
struct pmuctl_tree;

/**
 * struct pmuctl_pmu_ctx - one PMU's part of a scope
 * @scope, @pmu: whose
 * @nr_on, @on:  tallies of classes that are on: compact, walked at each switch
 * @nr_waiting:  groups that want to go on and are not
 * @nr_exclusive: exclusive groups that are on
 * @tallies:     all tallies, by class
 * @woken:       waiting groups to be looked at, by struct pmuctl_group.watch_node
 * @seen_cpu, @seen: the CPU where it was in last, and the number of classes that had come on there
 *               by then (struct pmuctl_cpu_pmu_ctx.nr_starts): nothing new, nobody to wake
 * @stuck:       the first waiting group, if it was tried and had no room
 * @stuck_alone: it had no room because of what this pmu context itself has on
 * @stuck_cpu, @stuck_freed: where it was tried, and what had been freed there by then
 */
struct pmuctl_pmu_ctx {
	struct pmuctl_scope *scope;
	struct pmuctl_pmu *pmu;
	u32 nr_on;
	u32 nr_waiting;
	u32 nr_exclusive;
	int seen_cpu;
	u64 seen;
	struct pmuctl_tally *on[PMUCTL_COUNTERS_MAX];
	struct rb_root tallies;
	struct list_head woken;
	const struct pmuctl_group *stuck;
	bool stuck_alone;
	int stuck_cpu;
	u64 stuck_freed;
};

/**
 * struct pmuctl_scope - a part of a context
 * @ctx:       the context
 * @cpu:       the only CPU on which it counts, or -1
 * @cgroup:    whose tasks it counts, with a reference, or NULL for all
 * @cgroup_id: its id, 0 for none
 * @in:        it counts now, on the CPU of the context
 * @time:      nanoseconds it has been in. Brought up to date once per entry into the core and still
 *             in between, so that two states settled in one entry leave no gap between them
 * @clock:     the scope by whose time the events of this one are enabled: a cgroup's own, else the
 *             context's main one
 * @since:     the clock when @time was last brought up to date; only while in
 * @nr_events: its events
 * @node:      in the context's scopes; not the main one
 * @in_node:   among the context's scopes that are in; the main one is always there
 * @pmus:      its pmu contexts by pmuctl_pmu.index, NULL where it has no event
 */
struct pmuctl_scope {
	struct pmuctl_ctx *ctx;
	int cpu;
	struct cgroup *cgroup;
	u64 cgroup_id;
	bool in;
	u64 time;
	const struct pmuctl_scope *clock;
	u64 since;
	u32 nr_events;
	struct rb_node node;
	struct list_head in_node;
	struct pmuctl_pmu_ctx *pmus[PMUCTL_PMUS_MAX];
};

/* Set up fresh memory. @cgroup keeps the caller's reference. */
void pmuctl_scope_init(struct pmuctl_scope *scope, struct pmuctl_ctx *ctx, int cpu,
		       struct cgroup *cgroup);
void pmuctl_pmu_ctx_init(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_scope *scope,
			 struct pmuctl_pmu *pmu);

/* The scope of @ctx for @cpu (-1: any) and @cgroup_id (0: none), or NULL. */
struct pmuctl_scope *__pmuctl_scope_find(struct pmuctl_ctx *ctx, int cpu, u64 cgroup_id);
void __pmuctl_scope_add(struct pmuctl_scope *scope);
void __pmuctl_scope_del(struct pmuctl_scope *scope);

/* Free the pmu contexts, and the scope itself unless it is its context's main one. */
void pmuctl_scope_free(struct pmuctl_scope *scope);

/* Come in on this CPU, go out. */
void __pmuctl_scope_in(struct pmuctl_scope *scope);
void __pmuctl_scope_out(struct pmuctl_scope *scope);

/*
 * @from goes out and @to, of a context of the same kind, comes in. What both count costs one read
 * and nothing else.
 */
void __pmuctl_scope_hand_over(struct pmuctl_scope *from, struct pmuctl_scope *to);

/* Take all groups of one of the context's trees off. */
void __pmuctl_pmu_ctx_shed(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_tree *tree);

/* Bring the scope's time up to date at an entry into the core. */
void __pmuctl_scope_update_time(struct pmuctl_scope *scope);

#endif /* PMUCTL_SCOPE_H */
