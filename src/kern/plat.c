// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's answers to what the core asks in plat.h.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/moduleparam.h>
#include <pmuctl/compat.h>
#include <pmuctl/cpu.h>
#include <pmuctl/module.h>
#include <pmuctl/pass.h>

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

struct task_struct *plat_current(void)
{
	return current;
}

s32 plat_task_name(struct task_struct *task, char *name, size_t size)
{
	strscpy(name, task->comm, size);
	return task_pid_vnr(task);
}

u64 plat_task_faults(const struct task_struct *task, bool major)
{
	return READ_ONCE(*(major ? &task->maj_flt : &task->min_flt));
}

/* ---- CPUs ---- */

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

/* ---- rotation (checklist ROT-01, ROT-02) ---- */

#define ROTATE_DEFAULT_MS 4
static unsigned int rotate_ms = ROTATE_DEFAULT_MS;

static int set_rotate_ms(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 1, 60 * 1000);
}

static const struct kernel_param_ops rotate_ms_ops = {
	.set = set_rotate_ms,
	.get = param_get_uint,
};

/* Timers that run take it up when they next expire. */
module_param_cb(rotate_ms, &rotate_ms_ops, &rotate_ms, 0644);
MODULE_PARM_DESC(rotate_ms, "milliseconds after which events that wait for a counter take turns (default 4, at least 1)");

struct rotate_timer {
	struct hrtimer timer;
	int pmu;
};

static DEFINE_PER_CPU(struct rotate_timer[PMUCTL_PMUS_MAX], rotate_timers);

static u64 rotate_ns(void)
{
	return (u64)READ_ONCE(rotate_ms) * NSEC_PER_MSEC;
}

static enum hrtimer_restart rotate_timer_fired(struct hrtimer *timer)
{
	struct rotate_timer *rotate = container_of(timer, struct rotate_timer, timer);

	if (!pmuctl_rotate(rotate->pmu))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(rotate_ns()));
	return HRTIMER_RESTART;
}

void plat_rotate_timer(int pmu, bool run)
{
	struct hrtimer *timer = &(*this_cpu_ptr(&rotate_timers))[pmu].timer;

	if (run)
		hrtimer_start(timer, ns_to_ktime(rotate_ns()), HRTIMER_MODE_REL_PINNED_HARD);
	else
		hrtimer_try_to_cancel(timer);
}

static void setup_timer(struct hrtimer *timer, enum hrtimer_restart (*fired)(struct hrtimer *))
{
	hrtimer_setup(timer, fired, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

void pmuctl_plat_init(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		struct rotate_timer *rotate = *per_cpu_ptr(&rotate_timers, cpu);

		setup_timer(&per_cpu_ptr(&fold_timers, cpu)->timer, fold_timer_fired);
		for (i = 0; i < PMUCTL_PMUS_MAX; i++) {
			rotate[i].pmu = i;
			setup_timer(&rotate[i].timer, rotate_timer_fired);
		}
	}
}

void pmuctl_plat_exit(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		hrtimer_cancel(&per_cpu_ptr(&fold_timers, cpu)->timer);
		for (i = 0; i < PMUCTL_PMUS_MAX; i++)
			hrtimer_cancel(&(*per_cpu_ptr(&rotate_timers, cpu))[i].timer);
	}
}
