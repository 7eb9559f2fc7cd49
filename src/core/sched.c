// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switch, exec and exit of tasks.
 *
 * The switch runs under the run-queue lock. Two tasks that count the same classes cost each other
 * a read of each counter and no write.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/install.h>
#include <pmuctl/pass.h>
#include <pmuctl/sched.h>

/* ---- switch ---- */

static void in(struct pmuctl_cpu *cpu, struct pmuctl_ctx *ctx, struct pmuctl_ctx *prev)
{
	raw_spin_lock(&ctx->lock);
	if (likely(!ctx->dead && cpu->online)) {
		cpu->task_ctx = ctx;
		if (prev)
			__pmuctl_ctx_hand_over(prev, ctx);
		else
			__pmuctl_ctx_in(ctx);
		prev = NULL;
	}
	raw_spin_unlock(&ctx->lock);
	if (unlikely(prev))
		__pmuctl_ctx_out(prev);
}

/*
 * Mostly the tasks' contexts change and nothing else: then what both count is handed over. Where
 * cgroups are counted, what goes makes room before what comes takes it.
 */
static void switch_ctx(struct pmuctl_cpu *cpu, struct pmuctl_ctx *prev, struct pmuctl_ctx *next,
		       const struct task_struct *task)
{
	bool swapped = prev && next && prev->lineage == READ_ONCE(next->lineage) &&
		       pmuctl_ctx_swap(prev, next);

	if (!swapped)
		cpu->task_ctx = NULL;
	if (!swapped && prev && (!next || cpu->ctx.nr_scopes)) {
		__pmuctl_ctx_out(prev);
		prev = NULL;
	}
	if (unlikely(cpu->ctx.nr_scopes))
		pmuctl_cgroup_switch(cpu, plat_task_cgroup(task));
	if (!swapped && next)
		in(cpu, next, prev);
}

void pmuctl_sched_switch(const struct task_struct *prev, struct task_struct *next)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();
	struct pmuctl_ctx *prev_ctx = cpu->task_ctx;
	struct pmuctl_ctx *next_ctx = pmuctl_ctx_find(next);

	if (likely(!prev_ctx && !next_ctx && !cpu->ctx.nr_scopes &&
		   !pmuctl_cpu_counts_software(cpu)))
		return;
	pmuctl_cpu_enter();
	cpu->next = next;
	if (unlikely(pmuctl_cpu_counts_software(cpu)))
		pmuctl_software_switch(cpu, prev, next);
	switch_ctx(cpu, prev_ctx, next_ctx, next);
	/* Perhaps only since @next came in. */
	if (unlikely(pmuctl_cpu_counts_software(cpu)))
		pmuctl_software_arrive(cpu, next);
	pmuctl_pass(cpu);
	cpu->next = NULL;
}

/* ---- exec and exit ---- */

/* As owner of the context of @task, which is what runs here, call @fn; NULL if it has none. */
static struct pmuctl_ctx *own_running(struct task_struct *task, void (*fn)(struct pmuctl_ctx *ctx))
{
	struct pmuctl_ctx *ctx = pmuctl_ctx_find(task);

	if (!ctx)
		return NULL;
	pmuctl_cpu_enter();
	raw_spin_lock(&ctx->lock);
	__pmuctl_ctx_update_time(ctx);
	if (!ctx->dead)
		fn(ctx);
	raw_spin_unlock(&ctx->lock);
	pmuctl_pass(pmuctl_cpu_this());
	return ctx;
}

/* Inherited events that were taken out: what they counted is their parents' from now on. */
static void end_children(struct list_head *children)
{
	struct pmuctl_event *event, *next;

	pmuctl_family_fold(children);
	list_for_each_entry_safe(event, next, children, ctx_node) {
		list_del(&event->ctx_node);
		pmuctl_event_put(event);
	}
}

static void take_out(struct pmuctl_event *event, struct list_head *children)
{
	struct pmuctl_parts parts;

	__pmuctl_event_remove(event, PMUCTL_STATE_EXIT, &parts);
	pmuctl_parts_free(&parts);
	list_add(&event->ctx_node, children);
}

/* Inherited groups end one by one, each in one moment for its parents' readers; the leader last. */
static void end_inherited(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event, *next;

	list_for_each_entry_safe(event, next, &ctx->events, ctx_node) {
		struct pmuctl_group *group = event->group;
		LIST_HEAD(children);

		if (!event->parent || group != &event->own)
			continue;
		while (group->nr > 1)
			take_out(list_last_entry(&group->members, struct pmuctl_event, group_node),
				 &children);
		/* Siblings were behind their leader, so @next may be gone. */
		next = list_next_entry(event, ctx_node);
		take_out(event, &children);
		end_children(&children);
	}
}

static void end_on_exec(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event, *next;

	list_for_each_entry_safe(event, next, &ctx->events, ctx_node) {
		LIST_HEAD(children);

		if (!event->attr.remove_on_exec || event->state <= PMUCTL_STATE_EXIT)
			continue;
		if (!event->parent) {
			__pmuctl_event_end(event);
			continue;
		}
		take_out(event, &children);
		end_children(&children);
	}
}

static void update_groups(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (event->group == &event->own)
			__pmuctl_group_update(event->group);
	}
}

/* SW-08 */
static void exec_here(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event;

	end_on_exec(ctx);
	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (event->on_exec) {
			event->on_exec = false;
			event->asked = true;
			__pmuctl_ctx_diverge(ctx);
		}
	}
	update_groups(ctx);
}

static void exit_here(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event;

	end_inherited(ctx);
	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (event->state > PMUCTL_STATE_EXIT)
			__pmuctl_event_set_state(event, PMUCTL_STATE_EXIT);
	}
	update_groups(ctx);
	__pmuctl_ctx_kill(ctx);
}

void pmuctl_sched_exit(struct task_struct *task)
{
	struct pmuctl_ctx *ctx;
	unsigned long flags;

	/* Pairs with the barrier in ctx.c:create(). */
	smp_mb();
	local_irq_save(flags);
	ctx = own_running(task, exit_here);
	if (ctx)
		pmuctl_ctx_unhash(ctx);
	local_irq_restore(flags);
}

void pmuctl_sched_exec(struct task_struct *task, bool secure)
{
	unsigned long flags;

	if (secure) {
		pmuctl_sched_exit(task);
		return;
	}
	local_irq_save(flags);
	own_running(task, exec_here);
	local_irq_restore(flags);
}
