// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's answers to what the core asks in plat.h.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <pmuctl/compat.h>
#include <pmuctl/cpu.h>
#include <pmuctl/module.h>

u64 plat_clock(void)
{
	return local_clock();
}

int plat_call_cpu(int cpu, void (*fn)(void *arg), void *arg)
{
	return smp_call_function_single(cpu, fn, arg, true);
}

void plat_call_all(void (*fn)(void *arg), void *arg)
{
	on_each_cpu(fn, arg, true);
}

int plat_task_cpu(struct task_struct *task)
{
	return task_cpu(task);
}

bool plat_task_is_current(struct task_struct *task)
{
	return task == current;
}

bool plat_task_exiting(struct task_struct *task)
{
	return READ_ONCE(task->flags) & PF_EXITING;
}

void plat_cpus_lock(void)
{
	cpus_read_lock();
}

void plat_cpus_unlock(void)
{
	cpus_read_unlock();
}

/*
 * The fold timer of each CPU. It expires in hard interrupt context also on PREEMPT_RT, and may be
 * started under the run-queue lock, as in-tree perf starts its own: a hard, pinned timer wakes
 * nobody.
 */
struct fold_timer {
	struct hrtimer timer;
	u64 period_ns;
};

static DEFINE_PER_CPU(struct fold_timer, fold_timers);

static enum hrtimer_restart fold_timer_fired(struct hrtimer *timer)
{
	struct fold_timer *fold = container_of(timer, struct fold_timer, timer);

	if (!fold->period_ns)
		return HRTIMER_NORESTART;
	pmuctl_cpu_fold();
	hrtimer_forward_now(timer, ns_to_ktime(fold->period_ns));
	return HRTIMER_RESTART;
}

void plat_fold_timer(u64 period_ns)
{
	struct fold_timer *fold = this_cpu_ptr(&fold_timers);

	fold->period_ns = period_ns;
	if (period_ns)
		hrtimer_start(&fold->timer, ns_to_ktime(period_ns), HRTIMER_MODE_REL_PINNED_HARD);
	else
		hrtimer_try_to_cancel(&fold->timer);
}

void pmuctl_plat_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_setup(&per_cpu_ptr(&fold_timers, cpu)->timer, fold_timer_fired,
			      CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

void pmuctl_plat_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu_ptr(&fold_timers, cpu)->timer);
}
