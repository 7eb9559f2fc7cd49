/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups: events that go on and off together, a leader first. A single event is a group of one.
 */
#ifndef PMUCTL_GROUP_H
#define PMUCTL_GROUP_H

#include <pmuctl/ctx.h>

struct pmuctl_event;

/**
 * struct pmuctl_group - events that are on together or not at all
 * @node:    in the context's tree of pinned or of flexible groups
 * @rank, @ticket: its index there
 * @pmu_ctx: whose turn it is part of: that of its hardware events if it has any
 * @members: events by struct pmuctl_event.group_node, the leader first
 * @nr:      how many; what PERF_FORMAT_GROUP gives first
 * @generation: raised whenever members come or go
 * @pinned:  always on, or in error
 * @exclusive: alone on its PMU
 * @watch:   while it waits: a tally whose class has to come on first, or NULL if it is to be looked
 *           at in the next pass
 * @watch_node: in @watch->watchers or @pmu_ctx->woken, while it waits
 *
 * Embedded in its leader. When a leader closes, each sibling goes on as a group of its own. Owned
 * as the context is.
 */
struct pmuctl_group {
	struct rb_node node;
	enum pmuctl_rank rank;
	u64 ticket;
	struct pmuctl_pmu_ctx *pmu_ctx;
	struct list_head members;
	u32 nr;
	u32 generation;
	bool pinned;
	bool exclusive;
	struct pmuctl_tally *watch;
	struct list_head watch_node;
};

/* Make @event the leader of a group of its own, off. */
void __pmuctl_group_init(struct pmuctl_event *event);

/*
 * @event joins @group, leaves its group. The first hardware event takes a software group with it
 * to its PMU; a leader that leaves dissolves its group.
 */
void __pmuctl_group_add(struct pmuctl_group *group, struct pmuctl_event *event);
void __pmuctl_group_del(struct pmuctl_event *event);

/*
 * Somebody was enabled, disabled, came or left: settle who is off and who is to wait. The pass
 * that ends the entry (pass.h) puts on what may go on.
 */
void __pmuctl_group_update(struct pmuctl_group *group);

/*
 * Put a waiting group on, whole, taking counters from levels worse than @level if need be; false if
 * there is no room.
 */
bool __pmuctl_group_on(struct pmuctl_group *group, int level);

/* Put a group on whose context is out: only for one that is known to fit (inherit.c). */
void __pmuctl_group_on_outside(struct pmuctl_group *group);

/* Take a group that is on off: it waits from now on, behind all others. */
void __pmuctl_group_off(struct pmuctl_group *group);

/* A pinned group found no room: its leader is in error until it is enabled again. */
void __pmuctl_group_fail(struct pmuctl_group *group);

/* A class of the group that is not on hardware on this CPU, the rarest of its scope; or NULL. */
struct pmuctl_tally *__pmuctl_group_missing(const struct pmuctl_group *group);

/* Look at @group in the next pass; look when @tally's class has come on. It waits. */
void __pmuctl_group_wake(struct pmuctl_group *group);
void __pmuctl_group_watch(struct pmuctl_group *group, struct pmuctl_tally *tally);

/* The leader of @group. */
struct pmuctl_event *pmuctl_group_leader(const struct pmuctl_group *group);

/* Its tree in its context. */
struct pmuctl_tree *pmuctl_group_tree(const struct pmuctl_group *group);

/* Its priority on a CPU. */
enum pmuctl_level pmuctl_group_level(const struct pmuctl_group *group);

#endif /* PMUCTL_GROUP_H */
