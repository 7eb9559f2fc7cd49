// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scopes and their pmu contexts: coming in and going out.
 *
 * This happens under the run-queue lock: it reads counters and, where a class is not on hardware
 * yet, programs it; it allocates nothing and wakes nobody.
 */
#include <pmuctl/event.h>
#include <pmuctl/pass.h>

void pmuctl_scope_init(struct pmuctl_scope *scope, struct pmuctl_ctx *ctx, int cpu,
		       struct cgroup *cgroup)
{
	scope->ctx = ctx;
	scope->cpu = cpu;
	scope->cgroup = cgroup;
	scope->clock = cgroup ? scope : &ctx->main;
	scope->cgroup_id = cgroup ? plat_cgroup_id(cgroup) : 0;
	INIT_LIST_HEAD(&scope->in_node);
}

void pmuctl_pmu_ctx_init(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_scope *scope,
			 struct pmuctl_pmu *pmu)
{
	pmu_ctx->scope = scope;
	pmu_ctx->pmu = pmu;
	pmu_ctx->seen_cpu = -1;
	INIT_LIST_HEAD(&pmu_ctx->woken);
}

static inline int order_scope(int cpu, u64 cgroup_id, const struct pmuctl_scope *scope)
{
	if (cpu != scope->cpu)
		return cpu < scope->cpu ? -1 : 1;
	if (cgroup_id != scope->cgroup_id)
		return cgroup_id < scope->cgroup_id ? -1 : 1;
	return 0;
}

static bool is_main(const struct pmuctl_scope *scope)
{
	return scope == &scope->ctx->main;
}

struct pmuctl_scope *__pmuctl_scope_find(struct pmuctl_ctx *ctx, int cpu, u64 cgroup_id)
{
	struct rb_node *node = ctx->scopes.rb_node;

	if (!order_scope(cpu, cgroup_id, &ctx->main))
		return &ctx->main;
	while (node) {
		struct pmuctl_scope *scope = rb_entry(node, struct pmuctl_scope, node);
		int way = order_scope(cpu, cgroup_id, scope);

		if (!way)
			return scope;
		node = way < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

void __pmuctl_scope_add(struct pmuctl_scope *scope)
{
	struct rb_node **link = &scope->ctx->scopes.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		if (order_scope(scope->cpu, scope->cgroup_id,
				rb_entry(parent, struct pmuctl_scope, node)) < 0)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&scope->node, parent, link);
	rb_insert_color(&scope->node, &scope->ctx->scopes);
	scope->ctx->nr_scopes++;
}

void __pmuctl_scope_del(struct pmuctl_scope *scope)
{
	if (scope->in)
		__pmuctl_scope_out(scope);
	rb_erase(&scope->node, &scope->ctx->scopes);
	scope->ctx->nr_scopes--;
}

void pmuctl_scope_free(struct pmuctl_scope *scope)
{
	int i;

	for (i = 0; i < PMUCTL_PMUS_MAX; i++)
		kfree(scope->pmus[i]);
	if (is_main(scope))
		return;
	if (scope->cgroup)
		plat_cgroup_put(scope->cgroup);
	kfree(scope);
}

void __pmuctl_scope_update_time(struct pmuctl_scope *scope)
{
	u64 now = pmuctl_cpu_now(pmuctl_cpu_this());

	scope->time += now - scope->since;
	scope->since = now;
}

/* ---- in and out ---- */

void __pmuctl_pmu_ctx_shed(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_tree *tree)
{
	struct pmuctl_group *group;

	while ((group = pmuctl_tree_first(tree, pmu_ctx, PMUCTL_RANK_ON)))
		__pmuctl_group_off(group);
}

/* Find a slot on this CPU for everything that is on, taking counters from what is worse than @level. */
static bool place_on(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_cpu_pmu_ctx *cpc, int level)
{
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
	u32 i, cpu = smp_processor_id();
	bool missing = false;

	for (i = 0; i < pmu_ctx->nr_on; i++) {
		classes[i] = pmu_ctx->on[i]->class;
		missing |= !classes[i]->slots[cpu];
	}
	return !missing || !pmuctl_slot_place(cpc, classes, pmu_ctx->nr_on, level);
}

/*
 * What is on stays on if it fits beside what is in already. If not, the flexible groups queue up
 * again, and the pinned ones take what they need; those that find nothing fail in the pass.
 */
static void make_room(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_ctx *ctx = pmu_ctx->scope->ctx;
	bool alone = cpc->exclusive || pmu_ctx->nr_exclusive;

	if (!alone && place_on(pmu_ctx, cpc, ctx->task ? PMUCTL_LEVEL_TASK_FLEXIBLE :
							 PMUCTL_LEVEL_CPU_FLEXIBLE))
		return;
	__pmuctl_pmu_ctx_shed(pmu_ctx, &ctx->flexible);
	if (!alone && place_on(pmu_ctx, cpc, ctx->task ? PMUCTL_LEVEL_TASK_PINNED :
					     PMUCTL_LEVEL_CPU_PINNED))
		return;
	__pmuctl_pmu_ctx_shed(pmu_ctx, &ctx->pinned);
}

static struct pmuctl_cpu_pmu_ctx *cpc_of(const struct pmuctl_pmu_ctx *pmu_ctx)
{
	return pmuctl_cpu_this()->pmus[pmu_ctx->pmu->index];
}

static void count_waiting_in(struct pmuctl_pmu_ctx *pmu_ctx)
{
	cpc_of(pmu_ctx)->nr_waiting += pmu_ctx->nr_waiting;
	pmuctl_cpu_this()->nr_waiting += pmu_ctx->nr_waiting;
}

static void count_waiting_out(struct pmuctl_pmu_ctx *pmu_ctx)
{
	cpc_of(pmu_ctx)->nr_waiting -= pmu_ctx->nr_waiting;
	pmuctl_cpu_this()->nr_waiting -= pmu_ctx->nr_waiting;
	pmu_ctx->seen_cpu = smp_processor_id();
	pmu_ctx->seen = cpc_of(pmu_ctx)->nr_starts;
}

/* @done: tallies that have their slot already, the first ones. */
static void pmu_ctx_in(struct pmuctl_pmu_ctx *pmu_ctx, u32 done)
{
	struct pmuctl_cpu_pmu_ctx *cpc = cpc_of(pmu_ctx);
	u32 i;

	if (unlikely(pmu_ctx->nr_waiting))
		count_waiting_in(pmu_ctx);
	if (done < pmu_ctx->nr_on)
		make_room(pmu_ctx, cpc);
	for (i = 0; i < pmu_ctx->nr_on; i++) {
		if (!pmu_ctx->on[i]->slot)
			__pmuctl_tally_attach(pmu_ctx->on[i]);
	}
	if (unlikely(pmu_ctx->nr_waiting))
		pmuctl_pass_wake_all(pmu_ctx, cpc);
}

/* @done: tallies that gave their slot away already, the first ones. */
static void pmu_ctx_out(struct pmuctl_pmu_ctx *pmu_ctx, u32 done)
{
	u32 i;

	for (i = done; i < pmu_ctx->nr_on; i++)
		__pmuctl_tally_detach(pmu_ctx->on[i]);
	if (unlikely(pmu_ctx->nr_waiting))
		count_waiting_out(pmu_ctx);
	if (unlikely(pmu_ctx->nr_exclusive))
		pmuctl_slot_end_exclusive(cpc_of(pmu_ctx));
}

/* A scope that is always in with its context stays in the list. */
static inline void enter(struct pmuctl_scope *scope, u64 now)
{
	scope->in = true;
	scope->since = now;
	if (!is_main(scope))
		list_add_tail(&scope->in_node, &scope->ctx->in);
}

static inline void leave(struct pmuctl_scope *scope)
{
	if (!is_main(scope))
		list_del_init(&scope->in_node);
	scope->in = false;
}

void __pmuctl_scope_in(struct pmuctl_scope *scope)
{
	int i;

	enter(scope, pmuctl_cpu_now(pmuctl_cpu_this()));
	for (i = 0; i < pmuctl_nr_pmus; i++) {
		if (scope->pmus[i])
			pmu_ctx_in(scope->pmus[i], 0);
	}
}

void __pmuctl_scope_out(struct pmuctl_scope *scope)
{
	int i;

	__pmuctl_scope_update_time(scope);
	for (i = 0; i < pmuctl_nr_pmus; i++) {
		if (scope->pmus[i])
			pmu_ctx_out(scope->pmus[i], 0);
	}
	leave(scope);
}

/* ---- handing over ---- */

/*
 * As long as both have the same class on at the same level, its slot changes hands: one read, and
 * no user comes or goes. Returns for how many that was so. Nothing was read before in this entry, so
 * the stamps need no look. This loop is what a context switch costs.
 */
static u32 hand_slots_over(struct pmuctl_pmu_ctx *from, struct pmuctl_pmu_ctx *to)
{
	u32 i, n = min(from->nr_on, to->nr_on);
	u64 seq = pmuctl_cpu_this()->seq;

	for (i = 0; i < n; i++) {
		struct pmuctl_tally *a = from->on[i], *b = to->on[i];
		struct pmuctl_slot *slot = a->slot;

		if (a->kind != b->kind)
			break;
		__pmuctl_slot_add(slot, plat_read_counter(slot->index));
		slot->stamp = seq;
		a->sum += slot->total;
		a->slot = NULL;
		b->sum -= slot->total;
		b->slot = slot;
	}
	return i;
}

static void pmu_ctx_hand_over(struct pmuctl_pmu_ctx *from, struct pmuctl_pmu_ctx *to)
{
	u32 done = 0;

	if (from && to && from->pmu->ops->index && !cpc_of(to)->exclusive && !to->nr_exclusive)
		done = hand_slots_over(from, to);
	if (from && (done < from->nr_on || from->nr_waiting || from->nr_exclusive))
		pmu_ctx_out(from, done);
	if (to && (done < to->nr_on || to->nr_waiting))
		pmu_ctx_in(to, done);
}

void __pmuctl_scope_hand_over(struct pmuctl_scope *from, struct pmuctl_scope *to)
{
	int i;

	__pmuctl_scope_update_time(from);
	enter(to, from->since);
	for (i = 0; i < pmuctl_nr_pmus; i++) {
		if (from->pmus[i] || to->pmus[i])
			pmu_ctx_hand_over(from->pmus[i], to->pmus[i]);
	}
	leave(from);
}
