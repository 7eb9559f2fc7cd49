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
 * @node:    in its pmu context
 * @pmu_ctx: that pmu context
 * @members: events by struct pmuctl_event.group_node, the leader first
 * @nr:      how many; what PERF_FORMAT_GROUP gives first
 * @cpu:     the only CPU on which it may count, or -1
 *
 * Embedded in its leader. When a leader closes, each sibling goes on as a group of its own.
 * Under the context's lock.
 */
struct pmuctl_group {
	struct list_head node;
	struct pmuctl_pmu_ctx *pmu_ctx;
	struct list_head members;
	u32 nr;
	int cpu;
};

/* Make @event the leader of a group of its own in @pmu_ctx; lock held. */
void __pmuctl_group_init(struct pmuctl_event *event, struct pmuctl_pmu_ctx *pmu_ctx);

/* @event joins @group, leaves its group; lock held. A leader that leaves dissolves its group. */
void __pmuctl_group_add(struct pmuctl_group *group, struct pmuctl_event *event);
void __pmuctl_group_del(struct pmuctl_event *event);

/*
 * Somebody was enabled, disabled, added, or the context came in: put the group on if it should be
 * and fits, off otherwise, and settle the state of each member. Lock held, on its CPU if it is in.
 */
void __pmuctl_group_update(struct pmuctl_group *group);

/* Nothing of @pmu_ctx fits on this CPU: take every group off until it comes in again; lock held. */
void __pmuctl_groups_off(struct pmuctl_pmu_ctx *pmu_ctx);

/* The leader of @group. */
struct pmuctl_event *pmuctl_group_leader(const struct pmuctl_group *group);

#endif /* PMUCTL_GROUP_H */
