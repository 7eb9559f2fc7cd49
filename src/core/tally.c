// SPDX-License-Identifier: GPL-2.0-only
/* Tallies: base and sum of one class in one scope, and which of them a scope has on. */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>

void pmuctl_tally_init(struct pmuctl_tally *tally, struct pmuctl_class *class)
{
	tally->class = class;
	tally->kind = (unsigned long)class;
	INIT_LIST_HEAD(&tally->active);
	INIT_LIST_HEAD(&tally->watchers);
}

static struct pmuctl_tally *of_node(struct rb_node *node)
{
	return rb_entry(node, struct pmuctl_tally, node);
}

struct pmuctl_tally *__pmuctl_tally_find(const struct pmuctl_pmu_ctx *pmu_ctx,
					 const struct pmuctl_class *class)
{
	struct rb_node *node = pmu_ctx->tallies.rb_node;

	while (node) {
		struct pmuctl_tally *tally = of_node(node);

		if (tally->class == class)
			return tally;
		node = class < tally->class ? node->rb_left : node->rb_right;
	}
	return NULL;
}

void __pmuctl_tally_add(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_tally *tally)
{
	struct rb_node **link = &pmu_ctx->tallies.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = tally->class < of_node(parent)->class ? &parent->rb_left : &parent->rb_right;
	}
	tally->pmu_ctx = pmu_ctx;
	rb_link_node(&tally->node, parent, link);
	rb_insert_color(&tally->node, &pmu_ctx->tallies);
}

void __pmuctl_tally_del(struct pmuctl_tally *tally)
{
	rb_erase(&tally->node, &tally->pmu_ctx->tallies);
}

/* SHR-13: one pinned event makes the class as good as pinned for the whole scope. */
static enum pmuctl_level level(const struct pmuctl_tally *tally)
{
	bool of_task = tally->pmu_ctx->scope->ctx->task;

	if (tally->pinned)
		return of_task ? PMUCTL_LEVEL_TASK_PINNED : PMUCTL_LEVEL_CPU_PINNED;
	return of_task ? PMUCTL_LEVEL_TASK_FLEXIBLE : PMUCTL_LEVEL_CPU_FLEXIBLE;
}

void __pmuctl_tally_attach(struct pmuctl_tally *tally)
{
	tally->slot = tally->class->slots[smp_processor_id()];
	pmuctl_slot_use(tally->slot, level(tally));
	tally->slot->joined = max(tally->slot->joined, tally->joined);
	tally->sum -= pmuctl_slot_read(tally->slot);
}

void __pmuctl_tally_detach(struct pmuctl_tally *tally)
{
	tally->sum += pmuctl_slot_read(tally->slot);
	pmuctl_slot_unuse(tally->slot, level(tally));
	tally->slot = NULL;
}

static void put_on(struct pmuctl_tally *tally)
{
	struct pmuctl_pmu_ctx *pmu_ctx = tally->pmu_ctx;

	tally->place = pmu_ctx->nr_on;
	pmu_ctx->on[pmu_ctx->nr_on++] = tally;
	tally->sum = 0;
	if (pmu_ctx->scope->in)
		__pmuctl_tally_attach(tally);
}

static void take_off(struct pmuctl_tally *tally)
{
	struct pmuctl_pmu_ctx *pmu_ctx = tally->pmu_ctx;
	struct pmuctl_tally *last = pmu_ctx->on[--pmu_ctx->nr_on];

	if (tally->slot)
		__pmuctl_tally_detach(tally);
	pmu_ctx->on[tally->place] = last;
	last->place = tally->place;
	pmu_ctx->stuck = NULL;	/* there may be room now */
}

/* Count one more or one less user, pinned or not, and tell the slot if that changes the level. */
static void count_user(struct pmuctl_tally *tally, bool pinned, int one)
{
	enum pmuctl_level before = level(tally);

	tally->users += one;
	tally->pinned += pinned ? one : 0;
	tally->kind = (unsigned long)tally->class + !!tally->pinned;
	if (tally->slot && level(tally) != before) {
		pmuctl_slot_use(tally->slot, level(tally));
		pmuctl_slot_unuse(tally->slot, before);
	}
}

void __pmuctl_tally_use(struct pmuctl_tally *tally, struct pmuctl_event *event)
{
	count_user(tally, event->group->pinned, 1);
	tally->joined = pmuctl_cpu_now(pmuctl_cpu_this());
	if (tally->users == 1)
		put_on(tally);
	else if (tally->slot)
		tally->slot->joined = tally->joined;
	list_add_tail(&event->tally_node, &tally->active);
}

void __pmuctl_tally_unuse(struct pmuctl_tally *tally, struct pmuctl_event *event)
{
	list_del(&event->tally_node);
	if (tally->users == 1)
		take_off(tally);
	count_user(tally, event->group->pinned, -1);
}
