// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cgroups: which scopes of a CPU's context are in. Events of a cgroup count its tasks and those of
 * all cgroups below it (checklist CG-01).
 */
#include <pmuctl/cpu.h>
#include <pmuctl/pass.h>

static struct pmuctl_scope *find(struct pmuctl_ctx *ctx, struct cgroup *cgroup)
{
	return __pmuctl_scope_find(ctx, ctx->home, plat_cgroup_id(cgroup));
}

/* Those of @cgroup and of all above it that are not in yet come in. */
void __pmuctl_cgroup_in(struct pmuctl_cpu *cpu, struct cgroup *cgroup)
{
	struct pmuctl_scope *scope;

	cpu->cgroup = cgroup;
	for (; cgroup; cgroup = plat_cgroup_parent(cgroup)) {
		scope = find(&cpu->ctx, cgroup);
		if (scope && !scope->in)
			__pmuctl_scope_in(scope);
	}
}

/*
 * Scopes that do not contain @next go out. One of them hands over to @to, @next's own: mostly cgroups
 * are siblings, and that is all.
 */
static void out(struct pmuctl_ctx *ctx, struct cgroup *next, struct pmuctl_scope *to)
{
	struct pmuctl_scope *scope, *tmp;

	list_for_each_entry_safe(scope, tmp, &ctx->in, in_node) {
		if (!scope->cgroup || plat_cgroup_contains(scope->cgroup, next))
			continue;
		if (to && !to->in)
			__pmuctl_scope_hand_over(scope, to);
		else
			__pmuctl_scope_out(scope);
	}
}

/* The context is in here, so it is ours. */
void pmuctl_cgroup_switch(struct pmuctl_cpu *cpu, struct cgroup *next)
{
	struct pmuctl_scope *to;

	if (cpu->cgroup == next || cpu->ctx.cpu < 0)
		return;
	to = find(&cpu->ctx, next);
	out(&cpu->ctx, next, to);
	if (to && !to->in)
		__pmuctl_scope_in(to);
	__pmuctl_cgroup_in(cpu, plat_cgroup_parent(next));
	cpu->cgroup = next;
}

void pmuctl_cgroup_moved(void)
{
	struct pmuctl_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	if (pmuctl_cpu_this()->ctx.nr_scopes) {
		cpu = pmuctl_cpu_enter();
		pmuctl_cgroup_switch(cpu, plat_task_cgroup(plat_current()));
		pmuctl_pass(cpu);
	}
	local_irq_restore(flags);
}
