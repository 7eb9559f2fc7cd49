// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inheriting: what a task's events do when it makes another task.
 *
 * The hook may not sleep, so memory is asked for atomically. If there is none, the events that
 * should have been inherited go into error: a count that silently lacks a child is worse than none.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/install.h>
#include <pmuctl/pass.h>

#define GFP_HOOK (GFP_ATOMIC | __GFP_NOWARN)

/* SW-06 */
static bool inherits(const struct pmuctl_event *leader, bool thread)
{
	if (!leader->attr.inherit || leader->state <= PMUCTL_STATE_EXIT)
		return false;
	return thread || !leader->attr.inherit_thread;
}

/* SW-05: the child follows the state of the event it is made of, its settings are the parent's. */
static struct pmuctl_event *copy(struct pmuctl_event *event, struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *parent = event->parent ?: event;
	struct pmuctl_event *child = pmuctl_event_alloc(&parent->attr, event->class, ctx, GFP_HOOK);

	if (!child)
		return NULL;
	child->cpu = event->cpu;
	child->asked = event->asked && event->state != PMUCTL_STATE_ERROR;
	child->on_exec = event->on_exec;
	child->parent = pmuctl_event_get(parent);
	return child;
}

/* Copy @event into @ctx, as a member of @group if there is one. NULL for an orphan's. */
static struct pmuctl_event *inherit_event(struct pmuctl_event *event, struct pmuctl_ctx *ctx,
					  struct pmuctl_group *group)
{
	struct pmuctl_event *child = copy(event, ctx);
	struct pmuctl_parts parts;

	if (!child)
		return ERR_PTR(-ENOMEM);
	if (pmuctl_parts_alloc(&parts, child, GFP_HOOK)) {
		pmuctl_event_put(child);
		return ERR_PTR(-ENOMEM);
	}
	if (pmuctl_family_add(child->parent, child)) {
		__pmuctl_install(child, group, &parts);
	} else {
		pmuctl_event_put(child);
		child = NULL;
	}
	pmuctl_parts_free(&parts);
	return child;
}

static void undo(struct pmuctl_event *leader)
{
	while (leader) {
		struct pmuctl_event *child = list_last_entry(&leader->own.members,
							     struct pmuctl_event, group_node);
		struct pmuctl_parts parts;

		if (child == leader)
			leader = NULL;
		pmuctl_family_leave(child);
		__pmuctl_event_remove(child, PMUCTL_STATE_DEAD, &parts);
		pmuctl_parts_free(&parts);
		pmuctl_event_put(child);
	}
}

static void fail(struct pmuctl_group *group)
{
	struct pmuctl_event *event;

	pr_warn_once("pmuctl: no memory to inherit an event, which is in error from now on\n");
	if (group->rank == PMUCTL_RANK_ON)
		__pmuctl_group_off(group);
	__pmuctl_group_fail(group);
	/* Who reads the opened events must hear of it as well. */
	list_for_each_entry(event, &group->members, group_node) {
		if (event->parent)
			WRITE_ONCE(event->parent->family.incomplete, true);
	}
}

/* What is on where it comes from fits: it is on from the start, and costs the first switch nothing. */
static void inherit_group(struct pmuctl_group *group, struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event, *child, *leader = NULL;
	bool alone = false;
	u32 orphans = 0;

	list_for_each_entry(event, &group->members, group_node) {
		child = inherit_event(event, ctx, leader ? &leader->own : NULL);
		if (IS_ERR(child)) {
			undo(leader);
			fail(group);
			return;
		}
		/*
		 * The close that is under way changes the other groups of the family too: it
		 * takes a member out, or dissolves the group if that is the leader.
		 */
		orphans += !child;
		alone |= !child && event == pmuctl_group_leader(group);
		if (!alone)
			leader = leader ?: child;
	}
	if (!leader)
		return;
	leader->own.generation = group->generation + orphans;
	if (group->rank == PMUCTL_RANK_ON && leader->own.rank == PMUCTL_RANK_WAITING)
		__pmuctl_group_on_outside(&leader->own);
}

static void inherit_groups(struct pmuctl_ctx *from, struct pmuctl_ctx *ctx, bool thread)
{
	bool fresh = !ctx->nr_events;
	struct pmuctl_event *event;

	list_for_each_entry(event, &from->events, ctx_node) {
		if (event->group == &event->own && inherits(event, thread))
			inherit_group(&event->own, ctx);
	}
	if (fresh && ctx->nr_events == from->nr_events)
		ctx->lineage = from->lineage;
}

/* False if the context ended meanwhile, because somebody closed the last event he had opened on it. */
static bool inherit_into(struct pmuctl_ctx *from, struct pmuctl_ctx *ctx, bool thread)
{
	bool alive;

	raw_spin_lock_nested(&ctx->lock, SINGLE_DEPTH_NESTING);
	alive = !ctx->dead;
	if (alive)
		inherit_groups(from, ctx, thread);
	ctx->dead = !ctx->nr_events;
	raw_spin_unlock(&ctx->lock);
	return alive;
}

static void fail_all(struct pmuctl_ctx *from, bool thread)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &from->events, ctx_node) {
		if (event->group == &event->own && inherits(event, thread))
			fail(&event->own);
	}
}

static void inherit_all(struct pmuctl_ctx *from, struct task_struct *task, bool thread)
{
	struct pmuctl_ctx *ctx;
	bool done;

	do {
		ctx = pmuctl_ctx_get(task, -1, GFP_HOOK);
		if (IS_ERR(ctx)) {
			fail_all(from, thread);
			return;
		}
		done = inherit_into(from, ctx, thread);
		if (ctx->dead)
			pmuctl_ctx_unhash(ctx);
		pmuctl_ctx_put(ctx);
	} while (!done);
}

/*
 * The one place where two contexts' locks nest, a forking task's and that of the new one. The new
 * task does not run and has no children, so nobody nests them the other way round.
 */
void pmuctl_inherit(struct task_struct *task, bool thread)
{
	struct pmuctl_ctx *from;
	unsigned long flags;

	local_irq_save(flags);
	from = pmuctl_ctx_find(plat_current());
	if (from && READ_ONCE(from->nr_inherit)) {
		pmuctl_cpu_enter();
		raw_spin_lock(&from->lock);
		__pmuctl_ctx_update_time(from);
		if (!from->dead)
			inherit_all(from, task, thread);
		raw_spin_unlock(&from->lock);
		pmuctl_pass(pmuctl_cpu_this());
	}
	local_irq_restore(flags);
}
