// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes and rotation.
 *
 * A group goes on in one of two ways. As the first in line of its level it may take counters: free
 * ones, idle ones, those of worse levels. The first that finds no room blocks the line, and is not
 * tried again before something was freed. Any other group goes on only if all its classes are on
 * already, for whomever: that costs no counter. It watches one class that is not on, and is
 * looked at only when that one comes on; then it goes on or watches another.
 */
#include <pmuctl/event.h>
#include <pmuctl/pass.h>

/* This CPU's contexts, better first; the second may be missing. */
#define NR_CTXS 2

static struct pmuctl_ctx *ctx_at(struct pmuctl_cpu *cpu, int i)
{
	return i ? cpu->task_ctx : &cpu->ctx;
}

/* ---- waking ---- */

static void wake(struct pmuctl_pmu_ctx *pmu_ctx, const struct pmuctl_class *class)
{
	struct pmuctl_tally *tally = __pmuctl_tally_find(pmu_ctx, class);
	struct pmuctl_group *group, *next;

	if (!tally)
		return;
	list_for_each_entry_safe(group, next, &tally->watchers, watch_node)
		__pmuctl_group_wake(group);
}

void pmuctl_pass_wake(struct pmuctl_cpu *cpu, const struct pmuctl_class *class)
{
	struct pmuctl_scope *scope;
	int i;

	for (i = 0; i < NR_CTXS; i++) {
		struct pmuctl_ctx *ctx = ctx_at(cpu, i);

		if (!ctx)
			continue;
		list_for_each_entry(scope, &ctx->in, in_node) {
			struct pmuctl_pmu_ctx *pmu_ctx = scope->pmus[class->pmu->index];

			if (pmu_ctx && pmu_ctx->nr_waiting)
				wake(pmu_ctx, class);
		}
	}
}

void pmuctl_pass_wake_all(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	if (pmu_ctx->seen_cpu == smp_processor_id() && pmu_ctx->seen == cpc->nr_starts)
		return;
	for (i = 0; i < cpc->nr_slots; i++) {
		if (cpc->slots[i].class)
			wake(pmu_ctx, cpc->slots[i].class);
	}
}

/* ---- evicting ---- */

static void evict_from(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_slot *slot)
{
	struct pmuctl_tally *tally = __pmuctl_tally_find(pmu_ctx, slot->class);

	while (tally && tally->slot && !list_empty(&tally->active)) {
		struct pmuctl_event *event = list_first_entry(&tally->active, struct pmuctl_event,
							      tally_node);

		__pmuctl_group_off(event->group);
	}
}

void pmuctl_pass_evict(struct pmuctl_cpu *cpu, struct pmuctl_slot *slot)
{
	struct pmuctl_scope *scope;
	int i;

	for (i = 0; i < NR_CTXS; i++) {
		struct pmuctl_ctx *ctx = ctx_at(cpu, i);

		if (!ctx)
			continue;
		list_for_each_entry(scope, &ctx->in, in_node) {
			if (scope->pmus[slot->class->pmu->index])
				evict_from(scope->pmus[slot->class->pmu->index], slot);
		}
	}
}

/* ---- the line ---- */

/* Of all scopes of @ctx that are in, the first group of @rank: the one with the lowest ticket. */
static struct pmuctl_group *first(struct pmuctl_ctx *ctx, const struct pmuctl_tree *tree,
				  int index, enum pmuctl_rank rank)
{
	struct pmuctl_group *best = NULL, *group;
	struct pmuctl_scope *scope;

	list_for_each_entry(scope, &ctx->in, in_node) {
		struct pmuctl_pmu_ctx *pmu_ctx = scope->pmus[index];

		if (!pmu_ctx || (rank == PMUCTL_RANK_WAITING && !pmu_ctx->nr_waiting))
			continue;
		group = pmuctl_tree_first(tree, pmu_ctx, rank);
		if (group && (!best || group->ticket < best->ticket))
			best = group;
	}
	return best;
}

/* It had no room, and nothing happened since that could have made some. */
static bool still_stuck(const struct pmuctl_group *group, const struct pmuctl_cpu_pmu_ctx *cpc)
{
	const struct pmuctl_pmu_ctx *pmu_ctx = group->pmu_ctx;

	if (pmu_ctx->stuck != group)
		return false;
	return pmu_ctx->stuck_alone ||
	       (pmu_ctx->stuck_cpu == smp_processor_id() &&
		pmu_ctx->stuck_freed == pmuctl_slot_freed(cpc, pmuctl_group_level(group)));
}

static void note_stuck(const struct pmuctl_group *group, const struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_pmu_ctx *pmu_ctx = group->pmu_ctx;
	enum pmuctl_level level = pmuctl_group_level(group);

	pmu_ctx->stuck = group;
	pmu_ctx->stuck_cpu = smp_processor_id();
	pmu_ctx->stuck_freed = pmuctl_slot_freed(cpc, level);
	/* Every counter that it might not take holds something of its own. */
	pmu_ctx->stuck_alone = !cpc->exclusive &&
			       pmuctl_slot_count_used(cpc, level) == pmu_ctx->nr_on;
}

static bool try_on(struct pmuctl_group *group, struct pmuctl_cpu_pmu_ctx *cpc)
{
	cpc->visits++;
	return __pmuctl_group_on(group, pmuctl_group_level(group));
}

/* All its classes on already? Then it joins; else it waits for one that is not. */
static void look_at(struct pmuctl_group *group, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_tally *missing = __pmuctl_group_missing(group);

	cpc->visits++;
	if (missing)
		__pmuctl_group_watch(group, missing);
	else if (group->exclusive || !__pmuctl_group_on(group, pmuctl_group_level(group)))
		/* Who is exclusive joins nobody; nothing that comes on helps it. It stands in line. */
		__pmuctl_group_watch(group, pmuctl_group_leader(group)->tally);
}

static void look_at_woken(struct pmuctl_ctx *ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_scope *scope;

	/* Nobody joins an exclusive group. Who was woken stays so until it is off. */
	if (cpc->exclusive)
		return;
	list_for_each_entry(scope, &ctx->in, in_node) {
		struct pmuctl_pmu_ctx *pmu_ctx = scope->pmus[cpc->pmu->index];

		while (pmu_ctx && !list_empty(&pmu_ctx->woken))
			look_at(list_first_entry(&pmu_ctx->woken, struct pmuctl_group, watch_node),
				cpc);
	}
}

/* SCH-07: who is pinned goes on or is in error. */
static void pinned_pass(struct pmuctl_ctx *ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_group *group;

	while ((group = first(ctx, &ctx->pinned, cpc->pmu->index, PMUCTL_RANK_WAITING))) {
		if (!try_on(group, cpc))
			__pmuctl_group_fail(group);
	}
}

static void flexible_pass(struct pmuctl_ctx *ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_group *group;

	while ((group = first(ctx, &ctx->flexible, cpc->pmu->index, PMUCTL_RANK_WAITING))) {
		if (still_stuck(group, cpc))
			break;
		if (!try_on(group, cpc)) {
			note_stuck(group, cpc);
			break;
		}
	}
	look_at_woken(ctx, cpc);
}

/* SCH-01. What a task's pinned group takes from the CPU's flexible ones, these may find elsewhere. */
static void pmu_pass(struct pmuctl_cpu *cpu, struct pmuctl_cpu_pmu_ctx *cpc)
{
	int i;

	cpc->passes++;
	for (i = 0; i < NR_CTXS; i++) {
		if (ctx_at(cpu, i))
			pinned_pass(ctx_at(cpu, i), cpc);
	}
	for (i = 0; i < NR_CTXS; i++) {
		if (ctx_at(cpu, i))
			flexible_pass(ctx_at(cpu, i), cpc);
	}
	/* What came on for the task may be what somebody of the CPU's has watched. */
	look_at_woken(&cpu->ctx, cpc);
	if (cpc->nr_waiting && !cpc->rotating) {
		cpc->rotating = true;
		plat_rotate_timer(cpc->pmu->index, true);
	}
}

void __pmuctl_pass(struct pmuctl_cpu *cpu)
{
	int i;

	for (i = 0; i < pmuctl_nr_pmus; i++) {
		if (cpu->pmus[i]->nr_waiting)
			pmu_pass(cpu, cpu->pmus[i]);
	}
}

/* ---- rotation ---- */

/*
 * The one that waits longest comes on; whose counters it takes, those that have been on longest,
 * queue up behind all others. The pass lets those join again that cost nothing.
 */
static void rotate_ctx(struct pmuctl_ctx *ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_group *next = first(ctx, &ctx->flexible, cpc->pmu->index,
					  PMUCTL_RANK_WAITING);

	if (!next)
		return;
	cpc->visits++;
	/* If better levels leave it no room at all, let another be the first. */
	if (!__pmuctl_group_on(next, (int)pmuctl_group_level(next) - 1))
		__pmuctl_group_off(next);
}

bool pmuctl_rotate(int index)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();
	struct pmuctl_cpu_pmu_ctx *cpc = cpu->pmus[index];
	int i;

	/* ROT-08: somebody who cannot be on now, of another cgroup, is no reason to go on. */
	if (!cpc->nr_waiting) {
		cpc->rotating = false;
		return false;
	}
	cpc->rotations++;
	for (i = 0; i < NR_CTXS; i++) {
		struct pmuctl_ctx *ctx = ctx_at(cpu, i);

		if (!ctx)
			continue;
		__pmuctl_ctx_update_time(ctx);	/* ROT-07 */
		rotate_ctx(ctx, cpc);
	}
	pmuctl_pass(cpu);
	return true;
}
