// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switch, exec and exit of tasks.
 *
 * The switch runs under the run-queue lock. Two tasks that count the same classes cost each other
 * a read of each counter and no write.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>
#include <pmuctl/sched.h>

static void out(struct pmuctl_cpu *cpu, struct pmuctl_ctx *ctx)
{
	raw_spin_lock(&ctx->lock);
	__pmuctl_ctx_out(ctx);
	raw_spin_unlock(&ctx->lock);
	cpu->task_ctx = NULL;
}

static void in(struct pmuctl_cpu *cpu, struct pmuctl_ctx *ctx)
{
	raw_spin_lock(&ctx->lock);
	if (!ctx->dead && cpu->online) {
		__pmuctl_ctx_in(ctx);
		cpu->task_ctx = ctx;
	}
	raw_spin_unlock(&ctx->lock);
}

void pmuctl_sched_switch(const struct task_struct *next)
{
	struct pmuctl_ctx *prev_ctx = pmuctl_cpu_this()->task_ctx;
	struct pmuctl_ctx *next_ctx = pmuctl_ctx_find(next);
	struct pmuctl_cpu *cpu;

	if (likely(!prev_ctx && !next_ctx))
		return;
	cpu = pmuctl_cpu_enter();
	if (prev_ctx)
		out(cpu, prev_ctx);
	if (next_ctx)
		in(cpu, next_ctx);
}

static void exec_here(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (event->on_exec) {
			event->on_exec = false;
			event->asked = true;
		}
	}
	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (pmuctl_group_leader(event->group) == event)
			__pmuctl_group_update(event->group);
	}
}

static void exit_here(struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &ctx->events, ctx_node)
		__pmuctl_event_deactivate(event, PMUCTL_STATE_EXIT);
	__pmuctl_ctx_kill(ctx);
}

/* Call @fn for the context of @task, which is what runs here, if it has one. */
static struct pmuctl_ctx *for_running(struct task_struct *task,
				      void (*fn)(struct pmuctl_ctx *ctx))
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
	return ctx;
}

void pmuctl_sched_exit(struct task_struct *task)
{
	struct pmuctl_ctx *ctx;
	unsigned long flags;

	/* Pairs with the barrier in ctx.c:create(). */
	smp_mb();
	local_irq_save(flags);
	ctx = for_running(task, exit_here);
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
	for_running(task, exec_here);
	local_irq_restore(flags);
}
