// SPDX-License-Identifier: GPL-2.0-only
/* Linking an event into its context, and taking it out. */
#include <pmuctl/cpu.h>
#include <pmuctl/install.h>

static bool in_main_scope(const struct pmuctl_event *event)
{
	return !event->cgroup && (!event->ctx->task || event->cpu < 0);
}

/* Main scopes and their pmu contexts live as long as the context: a look without lock will do. */
static bool needs_pmu_ctx(const struct pmuctl_event *event)
{
	return !in_main_scope(event) ||
	       !READ_ONCE(event->ctx->main.pmus[event->class->pmu->index]);
}

int pmuctl_parts_alloc(struct pmuctl_parts *parts, const struct pmuctl_event *event, gfp_t gfp)
{
	*parts = (struct pmuctl_parts){ .tally = kzalloc(sizeof(*parts->tally), gfp) };
	if (needs_pmu_ctx(event))
		parts->pmu_ctx = kzalloc(sizeof(*parts->pmu_ctx), gfp);
	if (!in_main_scope(event))
		parts->scope = kzalloc(sizeof(*parts->scope), gfp);
	if (!parts->tally || (needs_pmu_ctx(event) && !parts->pmu_ctx) ||
	    (!in_main_scope(event) && !parts->scope)) {
		kfree(parts->tally);
		kfree(parts->pmu_ctx);
		kfree(parts->scope);
		return -ENOMEM;
	}
	pmuctl_tally_init(parts->tally, event->class);
	if (parts->scope) {
		if (event->cgroup)
			plat_cgroup_get(event->cgroup);
		pmuctl_scope_init(parts->scope, event->ctx, event->cpu, event->cgroup);
	}
	return 0;
}

void pmuctl_parts_free(struct pmuctl_parts *parts)
{
	kfree(parts->tally);
	kfree(parts->pmu_ctx);
	if (parts->scope)
		pmuctl_scope_free(parts->scope);
}

/* A new scope comes in at once if its CPU, or its cgroup, is what runs here. */
static void enter(struct pmuctl_scope *scope)
{
	struct pmuctl_ctx *ctx = scope->ctx;

	if (ctx->cpu < 0)
		return;
	if (scope->cgroup)
		__pmuctl_cgroup_in(pmuctl_cpu_this(), plat_task_cgroup(plat_current()));
	else if (scope->cpu == ctx->cpu)
		__pmuctl_scope_in(scope);
}

static struct pmuctl_scope *link_scope(struct pmuctl_parts *parts, struct pmuctl_event *event)
{
	u64 cgroup_id = event->cgroup ? plat_cgroup_id(event->cgroup) : 0;
	struct pmuctl_scope *scope = __pmuctl_scope_find(event->ctx, event->cpu, cgroup_id);

	if (!scope) {
		scope = parts->scope;
		parts->scope = NULL;
		__pmuctl_scope_add(scope);
		enter(scope);
	}
	return scope;
}

static struct pmuctl_pmu_ctx *link_pmu_ctx(struct pmuctl_parts *parts, struct pmuctl_scope *scope,
					   struct pmuctl_pmu *pmu)
{
	if (!scope->pmus[pmu->index]) {
		pmuctl_pmu_ctx_init(parts->pmu_ctx, scope, pmu);
		WRITE_ONCE(scope->pmus[pmu->index], parts->pmu_ctx);
		parts->pmu_ctx = NULL;
	}
	return scope->pmus[pmu->index];
}

void __pmuctl_parts_link(struct pmuctl_parts *parts, struct pmuctl_event *event)
{
	struct pmuctl_scope *scope = link_scope(parts, event);
	struct pmuctl_pmu_ctx *pmu_ctx = link_pmu_ctx(parts, scope, event->class->pmu);
	struct pmuctl_tally *tally = __pmuctl_tally_find(pmu_ctx, event->class);

	if (!tally) {
		tally = parts->tally;
		parts->tally = NULL;
		__pmuctl_tally_add(pmu_ctx, tally);
	}
	tally->nr_events++;
	scope->nr_events++;
	event->tally = tally;
}

void __pmuctl_parts_unlink(struct pmuctl_parts *parts, struct pmuctl_event *event)
{
	struct pmuctl_tally *tally = event->tally;
	struct pmuctl_scope *scope = tally->pmu_ctx->scope;

	*parts = (struct pmuctl_parts){};
	event->tally = NULL;
	if (!--tally->nr_events) {
		__pmuctl_tally_del(tally);
		parts->tally = tally;
	}
	if (!--scope->nr_events && scope != &scope->ctx->main) {
		__pmuctl_scope_del(scope);
		parts->scope = scope;
	}
}

void __pmuctl_install(struct pmuctl_event *event, struct pmuctl_group *group,
		      struct pmuctl_parts *parts)
{
	struct pmuctl_ctx *ctx = event->ctx;

	__pmuctl_parts_link(parts, event);
	list_add_tail(&event->ctx_node, &ctx->events);
	ctx->nr_events++;
	ctx->nr_inherit += event->attr.inherit;
	ctx->nr_opened += !event->parent;
	ctx->nr_stat += event->attr.inherit_stat;
	__pmuctl_ctx_diverge(ctx);
	if (group)
		__pmuctl_group_add(group, event);
	else
		__pmuctl_group_init(event);
	__pmuctl_group_update(event->group);
}
