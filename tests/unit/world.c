// SPDX-License-Identifier: GPL-2.0-only
/* Simulated tasks, CPUs and time. Judges nothing but what is left behind: the tests do. */
#include "world.h"

#include <pmuctl/cgroup.h>
#include <pmuctl/family.h>

/* ---- fixtures ---- */

static void hotplug(int cpu, void (*fn)(void))
{
	int from = shim_cpu;

	shim_cpu = cpu;
	fn();
	shim_cpu = from;
}

/* A test that failed leaves things behind, on which the next would fail for no fault of its own. */
static bool dirty;

/* PMUCTL_TEST in the environment: only tests with such a name ("*" is a wildcard). */
static void __attribute__((constructor)) choose_tests(void)
{
	if (getenv("PMUCTL_TEST"))
		cmocka_set_test_filter(getenv("PMUCTL_TEST"));
}

static int setup(bool two, bool index)
{
	int cpu;

	if (dirty)
		skip();
	dirty = true;
	memset(pmuctl_cpus, 0, sizeof(pmuctl_cpus));
	world_pmu_reset();
	world_pmu_use_index(index);
	shim_reset();
	pmuctl_nr_pmus = pmuctl_nr_hardware = 0;
	pmuctl_cpu_init_all();
	assert_int_equal(pmuctl_pmu_register(&world_pmu), 0);
	if (two)
		assert_int_equal(pmuctl_pmu_register(&world_second), 0);
	assert_int_equal(pmuctl_pmu_register(&pmuctl_software), 0);
	for_each_possible_cpu(cpu)
		hotplug(cpu, pmuctl_cpu_online);
	return 0;
}

int world_setup(void **state)
{
	(void)state;
	return setup(false, true);
}

int world_setup_two(void **state)
{
	(void)state;
	return setup(true, true);
}

int world_setup_raw(void **state)
{
	(void)state;
	return setup(false, false);
}

static void check_cpu(int cpu)
{
	int i;

	assert_int_equal(world_counters_on(cpu), 0);
	assert_int_equal(shim_fold_period[cpu], 0);
	for (i = 0; i < pmuctl_nr_pmus; i++) {
		struct pmuctl_cpu_pmu_ctx *cpc = pmuctl_cpus[cpu].pmus[i];

		assert_int_equal(cpc->nr_used + cpc->nr_waiting, 0);
		assert_null(cpc->exclusive);
		assert_int_equal(shim_rotate_due[cpu][i], 0);
	}
	assert_int_equal(pmuctl_cpus[cpu].ctx.nr_events + pmuctl_cpus[cpu].ctx.nr_scopes, 0);
	assert_int_equal(pmuctl_cpus[cpu].ctx.refs.n, 1);
}

int world_teardown(void **state)
{
	int cpu, i;

	(void)state;
	shim_interlude = NULL;
	for_each_possible_cpu(cpu) {
		world_switch(cpu, NULL);
		hotplug(cpu, pmuctl_cpu_offline);
		check_cpu(cpu);
	}
	assert_false(world_hw.acquired);
	for (i = 0; i < pmuctl_nr_pmus; i++)
		assert_int_equal(pmuctl_pmus[i]->nr_events + pmuctl_pmus[i]->nr_idle.counter, 0);
	assert_int_equal(pmuctl_ctx_count(), 0);
	assert_int_equal(shim_hook_users, 0);
	assert_int_equal(shim_spinlocks_held, 0);
	assert_int_equal(shim_root_cgroup.refs, 1);
	shim_grace_period();
	pmuctl_pmu_free_classes();
	pmuctl_cpu_free_all();
	assert_int_equal(shim_allocated, 0);
	dirty = false;
	return 0;
}

/* ---- tasks ---- */

void world_on_cpu(int cpu, void (*fn)(void))
{
	int from = shim_cpu;

	SHIM_RULE(!shim_irqs_off, "interrupts come when they are on");
	shim_cpu = cpu;
	shim_irqs_off = true;
	fn();
	SHIM_RULE(shim_irqs_off && !shim_spinlocks_held, "an interrupt leaves things as they were");
	shim_irqs_off = false;
	shim_cpu = from;
}

/* As in __schedule(): the old task still is the current one while the hook runs. */
static void switch_here(void)
{
	if (shim_hook_users)
		pmuctl_sched_switch(shim_current[shim_cpu], shim_next[shim_cpu]);
}

void world_switch(int cpu, struct task_struct *task)
{
	struct task_struct *next = task ?: &shim_idle[cpu];

	if (shim_current[cpu] == next)
		return;
	if (next->cpu != cpu) {
		SHIM_RULE(shim_current[next->cpu] != next, "a task runs on one CPU");
		if (shim_hook_users)
			pmuctl_software_migrate(next);
	}
	next->cpu = cpu;
	shim_next[cpu] = next;
	world_on_cpu(cpu, switch_here);
	shim_current[cpu] = next;
	shim_next[cpu] = NULL;
}

/* Go to where @task runs; returns from where. */
static int go_to(const struct task_struct *task)
{
	int from = shim_cpu;

	SHIM_RULE(shim_current[task->cpu] == task, "who calls the kernel runs");
	shim_cpu = task->cpu;
	return from;
}

void world_exit(struct task_struct *task)
{
	int from = go_to(task);

	task->exiting = true;
	if (shim_hook_users)
		pmuctl_sched_exit(task);
	world_switch(task->cpu, NULL);
	shim_cpu = from;
}

void world_exec(struct task_struct *task, bool secure)
{
	int from = go_to(task);

	if (shim_hook_users)
		pmuctl_sched_exec(task, secure);
	shim_cpu = from;
}

void world_fork(struct task_struct *parent, struct task_struct *child, bool thread)
{
	int from = go_to(parent);

	child->cpu = parent->cpu;
	child->cgroup = parent->cgroup;
	if (shim_hook_users)
		pmuctl_inherit(child, thread);
	shim_cpu = from;
}

void world_move(struct task_struct *task, struct cgroup *cgroup)
{
	int cpu;

	task->cgroup = cgroup;
	for_each_possible_cpu(cpu) {
		if (shim_online[cpu] && shim_hook_users)
			world_on_cpu(cpu, pmuctl_cgroup_moved);
	}
}

void world_cpu_down(int cpu)
{
	SHIM_RULE(!shim_cpus_locked, "no CPU goes while somebody keeps it");
	hotplug(cpu, pmuctl_cpu_offline);
	shim_online[cpu] = false;
}

void world_cpu_up(int cpu)
{
	SHIM_RULE(!shim_cpus_locked, "no CPU comes while somebody forbids it");
	shim_online[cpu] = true;
	hotplug(cpu, pmuctl_cpu_online);
}

/* ---- time ---- */

/* The fold timer: before half the range of a counter has passed, but no sooner than it must. */
static void fold_if_due(int cpu, u64 amount)
{
	static u64 passed[SHIM_CPUS];

	SHIM_RULE(amount < 1ULL << (WORLD_WIDTH - 1), "time passes in steps the timer can follow");
	passed[cpu] += amount;
	if (!shim_fold_period[cpu])
		passed[cpu] = 0;
	if (passed[cpu] < 1ULL << (WORLD_WIDTH - 2))
		return;
	passed[cpu] = 0;
	world_on_cpu(cpu, pmuctl_cpu_fold);
}

static int rotating_pmu;

static void rotate_here(void)
{
	u64 *due = &shim_rotate_due[shim_cpu][rotating_pmu];
	bool again = pmuctl_rotate(rotating_pmu);

	*due = again ? shim_clock + shim_rotate_ns : 0;
}

void world_timers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		for (rotating_pmu = 0; rotating_pmu < SHIM_PMUS; rotating_pmu++) {
			u64 due = shim_rotate_due[cpu][rotating_pmu];

			if (due && due <= shim_clock)
				world_on_cpu(cpu, rotate_here);
		}
	}
}

void world_elapse(u64 ns, u64 n)
{
	int cpu;

	shim_clock += ns;
	for_each_possible_cpu(cpu)
		fold_if_due(cpu, world_pmu_count(cpu, n));
}

void world_pass(u64 ns, u64 n)
{
	world_elapse(ns, n);
	world_timers();
}
