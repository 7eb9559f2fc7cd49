// SPDX-License-Identifier: GPL-2.0-only
/* Cgroups: events of one count its tasks and those of all below, on one CPU. */
#include "world.h"

/* root - a - aa - aaa; root - b */
static struct cgroup a, aa, aaa, b;
static struct task_struct in_a = { .refs = 1, .cgroup = &a };
static struct task_struct in_aa = { .refs = 1, .cgroup = &aa };
static struct task_struct in_aaa = { .refs = 1, .cgroup = &aaa };
static struct task_struct in_b = { .refs = 1, .cgroup = &b };
static struct task_struct in_root = { .refs = 1 };

static int cgroup_setup(void **state)
{
	a = (struct cgroup){ &shim_root_cgroup, 2, 1 };
	aa = (struct cgroup){ &a, 3, 1 };
	aaa = (struct cgroup){ &aa, 4, 1 };
	b = (struct cgroup){ &shim_root_cgroup, 5, 1 };
	in_a.cgroup = &a;
	in_aa.cgroup = &aa;
	in_aaa.cgroup = &aaa;
	in_b.cgroup = &b;
	in_root.cgroup = NULL;
	return world_setup(state);
}

static int cgroup_teardown(void **state)
{
	int err = world_teardown(state);

	assert_int_equal(a.refs + aa.refs + aaa.refs + b.refs, 4);
	return err;
}

static struct pmuctl_event *open_on(struct cgroup *cgroup, int cpu, int kind)
{
	struct perf_event_attr attr = world_attr(kind);
	struct pmuctl_event *event = world_open_cgroup(cgroup, cpu, &attr, NULL);

	world_enable(event);
	return event;
}

static void run(struct task_struct *task, u64 ns, u64 n)
{
	world_switch(0, task);
	world_pass(ns, n);
}

/* Count, enabled and running of who was in for @ns while @n happened; always the same kind. */
static void check(struct pmuctl_event *event, u64 ns, u64 n)
{
	struct world_reading reading = world_read(event);

	assert_int_equal(reading.enabled, ns);
	assert_int_equal(reading.running, ns);
	assert_int_equal(reading.count, world_amount(0, 1, n));
	pmuctl_event_close(event);
}

static void cg_01_counts_its_tasks_and_those_below(void **state)
{
	struct pmuctl_event *of_root = open_on(&shim_root_cgroup, 0, 1), *of_a = open_on(&a, 0, 1);
	struct pmuctl_event *of_aa = open_on(&aa, 0, 1), *of_aaa = open_on(&aaa, 0, 1);
	struct pmuctl_event *of_b = open_on(&b, 0, 1), *elsewhere = open_on(&a, 1, 1);

	(void)state;
	run(&in_a, 1, 1);
	run(&in_aa, 2, 10);
	run(&in_root, 4, 100);
	run(&in_aaa, 8, 1000);
	run(&in_b, 16, 10000);
	run(NULL, 32, 100000);
	check(of_root, 63, 111111);
	check(of_a, 11, 1011);
	check(of_aa, 10, 1010);
	check(of_aaa, 8, 1000);
	check(of_b, 16, 10000);
	check(elsewhere, 0, 0);
}

/* SHR-10: the first read after enabling holds nothing of another cgroup's interval. */
static void shr_10_enabling_while_another_runs_counts_nothing_of_it(void **state)
{
	struct pmuctl_event *of_a;

	(void)state;
	run(&in_b, 5, 50);
	of_a = open_on(&a, 0, 1);
	world_pass(7, 70);
	assert_int_equal(world_read(of_a).count + world_read(of_a).enabled, 0);
	run(&in_a, 3, 30);
	check(of_a, 3, 30);
}

static void enabling_while_its_task_runs_counts_from_now_on(void **state)
{
	struct pmuctl_event *of_a, *of_aa;

	(void)state;
	run(&in_aa, 5, 50);
	of_a = open_on(&a, 0, 1);
	world_pass(7, 70);
	of_aa = open_on(&aa, 0, 1);
	world_pass(3, 20);
	check(of_a, 10, 90);
	check(of_aa, 3, 20);
}

static void cg_07_a_task_that_moves_takes_effect_at_once(void **state)
{
	struct pmuctl_event *of_a = open_on(&a, 0, 1), *of_b = open_on(&b, 0, 1);
	struct pmuctl_event *of_aa = open_on(&aa, 0, 1);

	(void)state;
	run(&in_a, 1, 1);
	world_move(&in_a, &b);
	world_pass(2, 10);
	world_move(&in_a, &aa);
	world_pass(4, 100);
	world_move(&in_a, &a);
	world_pass(8, 1000);
	/* Who does not run moves without a trace. */
	world_move(&in_b, &aa);
	world_pass(16, 10000);
	run(&in_b, 32, 100000);
	check(of_a, 61, 111101);
	check(of_b, 2, 10);
	check(of_aa, 36, 100100);
}

/* CG-02, REG-05, REG-31: opened and closed while tasks come and go, scopes follow. */
static void reg_05_open_and_close_while_switching(void **state)
{
	struct task_struct *tasks[] = { &in_a, &in_aa, &in_aaa, &in_b, &in_root, NULL };
	struct cgroup *cgroups[] = { &a, &aa, &aaa, &b, &shim_root_cgroup };
	unsigned int seed = 20261201;
	int i;

	(void)state;
	for (i = 0; i < 3000; i++) {
		struct cgroup *cgroup = cgroups[rand_r(&seed) % ARRAY_SIZE(cgroups)];
		struct task_struct *next = tasks[rand_r(&seed) % ARRAY_SIZE(tasks)];
		struct pmuctl_event *event = open_on(cgroup, 0, 1);
		struct cgroup *of_next;

		world_switch(0, next);
		of_next = next && next->cgroup ? next->cgroup : &shim_root_cgroup;
		world_pass(3, 10);
		if (plat_cgroup_contains(cgroup, of_next))
			check(event, 3, 10);
		else
			check(event, 0, 0);
	}
}

static void cg_06_time_of_a_cgroup_is_the_time_its_tasks_ran(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *of_a = world_open_cgroup(&a, 0, &attr, NULL), *cpu;

	(void)state;
	cpu = world_open(NULL, 0, 1, NULL);
	world_enable(cpu);
	run(&in_a, 5, 1);
	world_enable(of_a);
	run(&in_b, 7, 1);
	world_disable(of_a);
	run(&in_a, 9, 1);
	world_enable(of_a);
	run(&in_aa, 11, 1);
	run(NULL, 13, 1);
	assert_int_equal(world_read(of_a).enabled, 11);
	assert_int_equal(world_read(of_a).running, 11);
	assert_int_equal(world_read(cpu).enabled, 45);
	pmuctl_event_close(of_a);
	pmuctl_event_close(cpu);
}

/* SHR-09 for cgroups: one counter for the CPU's, the cgroup's and the task's event of a class. */
static void cgroups_cpus_and_tasks_share_a_counter(void **state)
{
	struct pmuctl_event *of_a = open_on(&a, 0, 1), *of_aa = open_on(&aa, 0, 1);
	struct pmuctl_event *cpu = world_open(NULL, 0, 1, NULL);
	struct pmuctl_event *task = world_open(&in_aa, -1, 1, NULL);
	int i;

	(void)state;
	world_enable(cpu);
	world_enable(task);
	run(&in_aa, 1, 10);
	assert_int_equal(world_counters_on(0), 1);
	world_hw.starts = world_hw.stops = world_hw.raws = 0;
	for (i = 0; i < 10; i++)
		world_switch(0, i % 2 ? &in_aa : &in_a);
	assert_int_equal(world_hw.starts + world_hw.stops, 0);
	assert_int_equal(world_hw.raws, 10);
	pmuctl_event_close(of_a);
	pmuctl_event_close(of_aa);
	pmuctl_event_close(cpu);
	pmuctl_event_close(task);
}

/* A switch within a cgroup touches nothing. */
static void cg_04_switch_within_a_cgroup_reads_nothing(void **state)
{
	static struct task_struct another = { .refs = 1, .cgroup = &a };
	struct pmuctl_event *of_a = open_on(&a, 0, 1);

	(void)state;
	world_switch(0, &in_a);
	world_hw.starts = world_hw.stops = world_hw.raws = 0;
	world_switch(0, &another);
	world_switch(0, &in_a);
	/* Nor does one to a cgroup below. */
	world_switch(0, &in_aa);
	world_switch(0, &in_aaa);
	world_switch(0, &in_a);
	assert_int_equal(world_hw.starts + world_hw.stops + world_hw.raws, 0);
	pmuctl_event_close(of_a);
}

/* CG-08: a reference is given back on every way an open can fail. */
static void cg_08_failed_open_keeps_no_reference(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	int before = shim_allocated, nth, err = ENOMEM;

	(void)state;
	for (nth = 0; err; nth++) {
		shim_fail_after = nth;
		err = world_refused_cgroup(&a, 0, &attr, NULL);
		assert_true(!err || err == ENOMEM);
		shim_fail_after = -1;
		shim_grace_period();
		assert_int_equal(a.refs, 1);
		assert_int_equal(shim_allocated, before);
	}
	/* Class, event, tally, pmu context, scope. */
	assert_true(nth > 5);
	world_cpu_down(2);
	assert_int_equal(world_refused_cgroup(&a, 2, &attr, NULL), ENODEV);
	assert_int_equal(a.refs, 1);
	world_cpu_up(2);
}

static void group_of_one_cgroup_takes_no_event_of_another(void **state)
{
	struct pmuctl_event *leader = open_on(&a, 0, 1);
	struct perf_event_attr attr = world_attr(2);

	(void)state;
	assert_int_equal(world_refused_cgroup(&b, 0, &attr, leader), EINVAL);
	assert_int_equal(world_refused_cgroup(&a, 1, &attr, leader), EINVAL);
	assert_int_equal(world_refused_cgroup(&a, 0, &attr, leader), 0);
	pmuctl_event_close(leader);
}

/* Who names no cgroup counts while its group does, which is while the leader's cgroup runs. */
static void member_without_cgroup_counts_with_its_leader(void **state)
{
	struct pmuctl_event *leader = open_on(&a, 0, 1), *member = world_open(NULL, 0, 1, leader);

	(void)state;
	world_enable(member);
	run(&in_aa, 3, 10);
	run(&in_b, 5, 100);
	check(member, 3, 10);
	check(leader, 3, 10);
}

/* Scopes wait for each other in one line, whichever cgroup came first. */
static void cgroups_in_a_line_take_turns(void **state)
{
	struct cgroup *cgroups[] = { &a, &aa, &aaa };
	struct pmuctl_event *events[9];
	int i;

	(void)state;
	world_switch(0, &in_aaa);
	for (i = 0; i < 9; i++) {
		struct perf_event_attr attr = world_attr(1 + i);

		events[i] = world_open_cgroup(cgroups[i % 3], 0, &attr, NULL);
		world_enable(events[i]);
	}
	for (i = 0; i < 900; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < 9; i++) {
		assert_in_range(world_read(events[i]).running / shim_rotate_ns, 380, 420);
		pmuctl_event_close(events[i]);
	}
	world_pass(shim_rotate_ns, 1);
}

/*
 * REG-32, CG-03: a cgroup's events go off in every way there is, with their cgroup in and out. Who
 * remains counts on, and who went counts again once it is enabled.
 */
static void reg_32_off_and_in_error_leaves_the_cgroup_right(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *best, *pinned, *sibling, *plain = open_on(&a, 0, 1);

	(void)state;
	attr.config1 = 1;
	attr.pinned = 1;
	best = world_open_attr(NULL, 0, &attr, NULL);
	attr.config = 2;
	pinned = world_open_cgroup(&a, 0, &attr, NULL);
	attr.pinned = 0;
	attr.config1 = 0;
	sibling = world_open_cgroup(&a, 0, &attr, pinned);
	world_enable(best);
	world_enable(sibling);
	world_enable(pinned);
	run(&in_b, 1, 1);
	assert_int_equal(pinned->state, PMUCTL_STATE_INACTIVE);
	run(&in_a, 2, 10);
	assert_true(pmuctl_event_failed(pinned));
	assert_int_equal(sibling->state, PMUCTL_STATE_OFF);
	run(&in_b, 4, 100);
	world_disable(plain);
	world_disable(best);
	run(&in_a, 8, 1000);
	assert_int_equal(world_read(plain).enabled, 2);
	world_enable(plain);
	world_enable(pinned);
	run(&in_aa, 16, 10000);
	run(&in_b, 32, 100000);
	world_disable(pinned);
	run(&in_a, 64, 20000);
	assert_int_equal(world_read(pinned).running, 16);
	assert_int_equal(world_read(sibling).count, world_amount(0, 2, 10000));
	assert_int_equal(world_read(plain).running, 2 + 16 + 64);
	pmuctl_event_close(plain);
	assert_int_equal(pmuctl_cpus[0].ctx.nr_scopes, 1);
	pmuctl_event_close(pinned);
	pmuctl_event_close(sibling);
	assert_int_equal(pmuctl_cpus[0].ctx.nr_scopes, 0);
	pmuctl_event_close(best);
}

#define CG_TEST(name) cmocka_unit_test_setup_teardown(name, cgroup_setup, cgroup_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CG_TEST(cg_01_counts_its_tasks_and_those_below),
		CG_TEST(shr_10_enabling_while_another_runs_counts_nothing_of_it),
		CG_TEST(enabling_while_its_task_runs_counts_from_now_on),
		CG_TEST(cg_07_a_task_that_moves_takes_effect_at_once),
		CG_TEST(reg_05_open_and_close_while_switching),
		CG_TEST(reg_32_off_and_in_error_leaves_the_cgroup_right),
		CG_TEST(cg_06_time_of_a_cgroup_is_the_time_its_tasks_ran),
		CG_TEST(cgroups_cpus_and_tasks_share_a_counter),
		CG_TEST(cg_04_switch_within_a_cgroup_reads_nothing),
		CG_TEST(cg_08_failed_open_keeps_no_reference),
		CG_TEST(group_of_one_cgroup_takes_no_event_of_another),
		CG_TEST(member_without_cgroup_counts_with_its_leader),
		CG_TEST(cgroups_in_a_line_take_turns),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
