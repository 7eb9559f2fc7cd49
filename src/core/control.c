// SPDX-License-Identifier: GPL-2.0-only
/* Enable, disable, reset: what the user says of an event, a group, and all that is inherited from them. */
#include <pmuctl/event.h>

struct control {
	struct pmuctl_event *event;
	enum pmuctl_event_cmd cmd;
};

/* ERROR ends when the user enables the event again. */
static void enable(struct pmuctl_event *event)
{
	event->asked = true;
	WRITE_ONCE(event->family.incomplete, false);
	if (event->state == PMUCTL_STATE_ERROR)
		__pmuctl_event_set_state(event, PMUCTL_STATE_OFF);
}

static void control_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct control *control = arg;
	struct pmuctl_event *event = control->event;

	switch (control->cmd) {
	case PMUCTL_EVENT_ENABLE:
		enable(event);
		break;
	case PMUCTL_EVENT_DISABLE:
		event->asked = false;
		break;
	case PMUCTL_EVENT_RESET:
		/* The times go on: perf's RESET leaves them alone. */
		event->settled.count -= __pmuctl_event_values(event).count;
		return;
	}
	/* A child on its way into its context is settled when it gets there. */
	if (event->group && !ctx->dead)
		__pmuctl_group_update(event->group);
}

/* Everything inherited from @event. */
static void control_children(struct pmuctl_event *event, enum pmuctl_event_cmd cmd)
{
	struct control control = { .cmd = cmd };
	struct pmuctl_event *child;

	if (!pmuctl_family_exists(event))
		return;
	pmuctl_family_begin(event);
	while ((child = pmuctl_family_next(event))) {
		control.event = child;
		pmuctl_ctx_call(child->ctx, control_here, &control);
		pmuctl_event_put(child);
	}
	pmuctl_family_end(event);
}

static void control_one(struct pmuctl_event *event, enum pmuctl_event_cmd cmd)
{
	struct control control = { .event = event, .cmd = cmd };

	pmuctl_ctx_call(event->ctx, control_here, &control);
	control_children(event, cmd);
}

struct control_group {
	struct pmuctl_event *event;
	enum pmuctl_event_cmd cmd;
	bool of_tasks;	/* there may be children */
	u32 max, n;
	struct pmuctl_event **members;
};

/* All members in one moment; and who they are, for their children. */
static void control_group_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct control_group *all = arg;
	struct control control = { .cmd = all->cmd };

	all->n = all->event->group->nr;
	if (all->of_tasks && all->n > all->max)
		return;
	all->n = 0;
	list_for_each_entry(control.event, &all->event->group->members, group_node) {
		control_here(ctx, &control);
		if (all->of_tasks)
			all->members[all->n++] = pmuctl_event_get(control.event);
	}
}

static void control_group(struct pmuctl_event *event, enum pmuctl_event_cmd cmd)
{
	struct pmuctl_event *few[8];
	struct control_group all = {
		.event = event, .cmd = cmd, .of_tasks = pmuctl_family_exists(event),
		.max = ARRAY_SIZE(few), .members = few,
	};
	u32 i;

	for (;;) {
		pmuctl_ctx_call(event->ctx, control_group_here, &all);
		if (!all.of_tasks || all.n <= all.max)
			break;
		if (all.members != few)
			kfree(all.members);
		all.max = all.n;
		all.members = kcalloc(all.max, sizeof(*all.members), GFP_KERNEL | __GFP_NOFAIL);
	}
	for (i = 0; all.of_tasks && i < all.n; i++) {
		control_children(all.members[i], cmd);
		pmuctl_event_put(all.members[i]);
	}
	if (all.members != few)
		kfree(all.members);
}

void pmuctl_event_control(struct pmuctl_event *event, enum pmuctl_event_cmd cmd, bool group)
{
	if (group)
		control_group(event, cmd);
	else
		control_one(event, cmd);
}
