// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups: on together or not at all. Every change, whoever asks for it, ends in
 * __pmuctl_group_update(), which compares what should be with what is.
 */
#include <pmuctl/event.h>
#include <pmuctl/slot.h>

struct pmuctl_event *pmuctl_group_leader(const struct pmuctl_group *group)
{
	return list_first_entry(&group->members, struct pmuctl_event, group_node);
}

void __pmuctl_group_add(struct pmuctl_group *group, struct pmuctl_event *event)
{
	list_add_tail(&event->group_node, &group->members);
	event->group = group;
	group->nr++;
}

void __pmuctl_group_init(struct pmuctl_event *event, struct pmuctl_pmu_ctx *pmu_ctx)
{
	struct pmuctl_group *group = &event->own;

	INIT_LIST_HEAD(&group->members);
	group->pmu_ctx = pmu_ctx;
	group->cpu = event->cpu;
	group->nr = 0;
	list_add_tail(&group->node, &pmu_ctx->groups);
	__pmuctl_group_add(group, event);
}

/* Siblings of a leader that goes are on their own from now on, in the state they were asked for. */
static void dissolve(struct pmuctl_group *group)
{
	struct pmuctl_event *event, *next;
	LIST_HEAD(members);

	list_del(&group->node);
	list_splice_init(&group->members, &members);
	list_for_each_entry_safe(event, next, &members, group_node) {
		list_del(&event->group_node);
		__pmuctl_group_init(event, group->pmu_ctx);
		__pmuctl_group_update(&event->own);
	}
}

void __pmuctl_group_del(struct pmuctl_event *event)
{
	struct pmuctl_group *group = event->group;

	list_del(&event->group_node);
	group->nr--;
	if (group == &event->own)
		dissolve(group);
	event->group = NULL;
}

/* The different classes of the members that are asked for. */
static int collect(const struct pmuctl_group *group, struct pmuctl_class **classes)
{
	struct pmuctl_event *event;
	int i, n = 0;

	list_for_each_entry(event, &group->members, group_node) {
		if (!event->asked)
			continue;
		for (i = 0; i < n && classes[i] != event->class; i++)
			;
		if (i < n)
			continue;
		if (n == PMUCTL_COUNTERS_MAX)
			return -EAGAIN;
		classes[n++] = event->class;
	}
	return n;
}

/* Have a slot on this CPU for every member that is asked for, or change nothing. */
static bool place(struct pmuctl_group *group)
{
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
	int n = collect(group, classes);

	return n >= 0 && !pmuctl_slot_place(group->pmu_ctx->pmu, classes, n);
}

/* The state of a member, given that its group may be on. */
static enum pmuctl_state target(const struct pmuctl_event *event, bool leader_asked, bool on)
{
	if (!leader_asked || !event->asked)
		return PMUCTL_STATE_OFF;
	return on ? PMUCTL_STATE_ACTIVE : PMUCTL_STATE_INACTIVE;
}

static void settle(struct pmuctl_event *event, enum pmuctl_state state)
{
	if (event->state <= PMUCTL_STATE_EXIT || event->state == state)
		return;
	if (state == PMUCTL_STATE_ACTIVE)
		__pmuctl_event_activate(event);
	else
		__pmuctl_event_deactivate(event, state);
}

/*
 * While the context is out nothing can come on: who counts stays as it is, who was added waits
 * for the next time in.
 */
static void update_out(struct pmuctl_group *group, bool asked)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &group->members, group_node) {
		bool on = event->state == PMUCTL_STATE_ACTIVE;
		enum pmuctl_state state = target(event, asked, on);

		settle(event, state);
		if (state == PMUCTL_STATE_INACTIVE)
			group->pmu_ctx->recheck = true;
	}
}

static void update_in(struct pmuctl_group *group, bool asked)
{
	bool may = group->cpu < 0 || group->cpu == smp_processor_id();
	bool on = asked && may && place(group);
	struct pmuctl_event *event;

	list_for_each_entry(event, &group->members, group_node)
		settle(event, target(event, asked, on));
	if (asked && may && !on)
		group->pmu_ctx->recheck = true;
}

void __pmuctl_group_update(struct pmuctl_group *group)
{
	bool asked = pmuctl_group_leader(group)->asked;

	lockdep_assert_held(&group->pmu_ctx->ctx->lock);
	if (group->pmu_ctx->ctx->cpu < 0)
		update_out(group, asked);
	else
		update_in(group, asked);
}

void __pmuctl_groups_off(struct pmuctl_pmu_ctx *pmu_ctx)
{
	struct pmuctl_group *group;
	struct pmuctl_event *event;

	list_for_each_entry(group, &pmu_ctx->groups, node) {
		list_for_each_entry(event, &group->members, group_node) {
			if (event->state == PMUCTL_STATE_ACTIVE)
				settle(event, PMUCTL_STATE_INACTIVE);
		}
	}
	pmu_ctx->recheck = true;
}
