// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cgroups: which scopes of a CPU's context are in. Events of a cgroup count its tasks and those of
 * all cgroups below it (checklist CG-01).
 */
#include <pmuctl/cpu.h>
#include <pmuctl/pass.h>

/* Those of @cgroup and of all above it that are not in yet come in. */
void __pmuctl_cgroup_in(struct pmuctl_cpu *cpu, struct cgroup *cgroup)
{
	struct pmuctl_ctx *ctx = &cpu->ctx;
	struct pmuctl_scope *scope;

	cpu->cgroup = cgroup;
	for (; cgroup; cgroup = plat_cgroup_parent(cgroup)) {
		scope = __pmuctl_scope_find(ctx, ctx->home, plat_cgroup_id(cgroup));
		if (scope && !scope->in)
			__pmuctl_scope_in(scope);
	}
}

/*
 * Those of the last cgroup that do not contain @next go out. One of them hands over to @next's own:
 * mostly cgroups are siblings, and that is all.
 */
static void out(struct pmuctl_ctx *ctx, struct cgroup *next)
{
	struct pmuctl_scope *to = __pmuctl_scope_find(ctx, ctx->home, plat_cgroup_id(next));
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
	if (cpu->cgroup == next || cpu->ctx.cpu < 0)
		return;
	out(&cpu->ctx, next);
	__pmuctl_cgroup_in(cpu, next);
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
