// SPDX-License-Identifier: GPL-2.0-only
/*
 * Families: counting what children count, exactly, while children come and go.
 *
 * A round visits every child once and adds what it has counted to its parent's sum. A child that
 * exits leaves its count in the parent's folded; if the round had visited it already, what the
 * round added is taken back in the same moment. At the end folded and sum together hold each
 * child once.
 */
#include <pmuctl/event.h>

static void add(struct pmuctl_values *to, const struct pmuctl_values *values)
{
	to->count += values->count;
	to->enabled += values->enabled;
	to->running += values->running;
}

bool pmuctl_family_add(struct pmuctl_event *parent, struct pmuctl_event *child)
{
	unsigned long flags;
	bool closed;

	raw_spin_lock_irqsave(&parent->ctx->family_lock, flags);
	closed = parent->family.closed;
	/* In front, so that a round that goes on meets it: who visits moves to the end. */
	if (!closed)
		list_add(&child->family.node, &parent->family.children);
	raw_spin_unlock_irqrestore(&parent->ctx->family_lock, flags);
	return !closed;
}

bool pmuctl_family_is_child(struct pmuctl_event *child)
{
	raw_spinlock_t *lock = &child->parent->ctx->family_lock;
	unsigned long flags;
	bool is_child;

	raw_spin_lock_irqsave(lock, flags);
	is_child = !list_empty(&child->family.node);
	raw_spin_unlock_irqrestore(lock, flags);
	return is_child;
}

void pmuctl_family_leave(struct pmuctl_event *child)
{
	raw_spinlock_t *lock = &child->parent->ctx->family_lock;
	unsigned long flags;

	raw_spin_lock_irqsave(lock, flags);
	list_del_init(&child->family.node);
	raw_spin_unlock_irqrestore(lock, flags);
}

static void fold(struct pmuctl_event *child)
{
	struct pmuctl_family *parent = &child->parent->family;
	struct pmuctl_family *own = &child->family;

	if (list_empty(&own->node))
		return;
	list_del_init(&own->node);
	add(&parent->folded, &child->settled);
	if (own->round != child->parent->ctx->family_round)
		return;
	parent->sum.count -= own->read.count;
	parent->sum.enabled -= own->read.enabled;
	parent->sum.running -= own->read.running;
}

void pmuctl_family_fold(struct list_head *children)
{
	struct pmuctl_event *child;
	struct pmuctl_ctx *ctx;
	unsigned long flags;

	if (list_empty(children))
		return;
	/* Members of one group have parents in one context. */
	ctx = list_first_entry(children, struct pmuctl_event, ctx_node)->parent->ctx;
	raw_spin_lock_irqsave(&ctx->family_lock, flags);
	list_for_each_entry(child, children, ctx_node)
		fold(child);
	raw_spin_unlock_irqrestore(&ctx->family_lock, flags);
}

struct pmuctl_event *pmuctl_family_disown(struct pmuctl_event *parent)
{
	struct pmuctl_event *child = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&parent->ctx->family_lock, flags);
	parent->family.closed = true;
	if (!list_empty(&parent->family.children)) {
		child = list_first_entry(&parent->family.children, struct pmuctl_event,
					 family.node);
		list_del_init(&child->family.node);
		pmuctl_event_get(child);
	}
	raw_spin_unlock_irqrestore(&parent->ctx->family_lock, flags);
	return child;
}

void pmuctl_family_begin(struct pmuctl_event *parent)
{
	unsigned long flags;

	mutex_lock(&parent->ctx->family_mutex);
	raw_spin_lock_irqsave(&parent->ctx->family_lock, flags);
	parent->ctx->family_round++;
	raw_spin_unlock_irqrestore(&parent->ctx->family_lock, flags);
}

struct pmuctl_event *pmuctl_family_next(struct pmuctl_event *parent)
{
	struct list_head *children = &parent->family.children;
	struct pmuctl_event *child = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&parent->ctx->family_lock, flags);
	if (!list_empty(children))
		child = list_first_entry(children, struct pmuctl_event, family.node);
	if (child && child->family.round == parent->ctx->family_round)
		child = NULL;
	if (child) {
		child->family.round = parent->ctx->family_round;
		memset(&child->family.read, 0, sizeof(child->family.read));
		list_move_tail(&child->family.node, children);
		pmuctl_event_get(child);
	}
	raw_spin_unlock_irqrestore(&parent->ctx->family_lock, flags);
	return child;
}

void pmuctl_family_end(struct pmuctl_event *parent)
{
	mutex_unlock(&parent->ctx->family_mutex);
}

void pmuctl_family_reset(struct pmuctl_member *parents, u32 n)
{
	struct pmuctl_ctx *ctx = parents[0].event->ctx;
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&ctx->family_lock, flags);
	for (i = 0; i < n; i++)
		memset(&parents[i].event->family.sum, 0, sizeof(struct pmuctl_values));
	raw_spin_unlock_irqrestore(&ctx->family_lock, flags);
}

void pmuctl_family_add_values(struct pmuctl_member *parents, struct pmuctl_member *children, u32 n)
{
	struct pmuctl_ctx *ctx = parents[0].event->ctx;
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&ctx->family_lock, flags);
	for (i = 0; i < n; i++) {
		struct pmuctl_family *child = &children[i].event->family;

		if (list_empty(&child->node))
			continue;
		child->round = ctx->family_round;
		child->read = children[i].values;
		add(&parents[i].event->family.sum, &children[i].values);
	}
	raw_spin_unlock_irqrestore(&ctx->family_lock, flags);
}

void pmuctl_family_sum(struct pmuctl_member *parents, u32 n)
{
	struct pmuctl_ctx *ctx = parents[0].event->ctx;
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&ctx->family_lock, flags);
	for (i = 0; i < n; i++) {
		add(&parents[i].values, &parents[i].event->family.folded);
		add(&parents[i].values, &parents[i].event->family.sum);
	}
	raw_spin_unlock_irqrestore(&ctx->family_lock, flags);
}

bool pmuctl_family_exists(const struct pmuctl_event *event)
{
	return event->attr.inherit && event->ctx->task;
}
