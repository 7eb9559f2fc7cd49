// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that come and go, under events that stay. */
#include "world.h"

static struct task_struct task = { .refs = 1 };

static void hp_01_cpu_goes_and_comes_back_without_loss(void **state)
{
	struct pmuctl_event *on_cpu = world_open(NULL, 2, 1, NULL);
	struct pmuctl_event *of_task = world_open(&task, -1, 1, NULL);

	(void)state;
	world_enable(on_cpu);
	world_enable(of_task);
	world_switch(2, &task);
	world_pass(1, 10);
	world_cpu_down(2);
	assert_int_equal(world_counters_on(2), 0);
	world_switch(2, NULL);
	world_pass(1, 20);
	assert_int_equal(world_read(on_cpu).count, world_amount(2, 1, 10));
	world_switch(1, &task);
	world_pass(1, 30);
	world_cpu_up(2);
	world_pass(1, 40);
	assert_int_equal(world_read(on_cpu).count, world_amount(2, 1, 10) + world_amount(2, 1, 40));
	assert_int_equal(world_read(on_cpu).enabled, 2);
	assert_int_equal(world_read(of_task).count, world_amount(2, 1, 10) +
			 world_amount(1, 1, 30) + world_amount(1, 1, 40));
	pmuctl_event_close(on_cpu);
	pmuctl_event_close(of_task);
}

static void hp_01_twice_down_and_twice_up_are_as_good_as_once(void **state)
{
	struct pmuctl_event *event = world_open(NULL, 1, 1, NULL);

	(void)state;
	world_enable(event);
	world_cpu_up(1);
	world_pass(1, 10);
	world_cpu_down(1);
	shim_cpu = 1;
	pmuctl_cpu_offline();
	shim_cpu = 0;
	world_pass(1, 20);
	world_cpu_up(1);
	world_cpu_up(1);
	world_pass(1, 30);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 10) + world_amount(1, 1, 30));
	pmuctl_event_close(event);
}

/* Events of a CPU that is down are there for their files, with all that can be done to them. */
static void hp_01_events_of_a_cpu_that_is_down_obey(void **state)
{
	struct pmuctl_event *event = world_open(NULL, 3, 1, NULL);
	struct pmuctl_event *closed = world_open(NULL, 3, 2, NULL);
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	world_enable(event);
	world_enable(closed);
	world_pass(1, 10);
	world_cpu_down(3);
	world_disable(event);
	world_reset(event);
	assert_int_equal(world_read(event).count, 0);
	world_enable(event);
	pmuctl_event_close(closed);
	assert_int_equal(world_refused(NULL, 3, &attr, NULL), ENODEV);
	world_cpu_up(3);
	world_pass(1, 20);
	assert_int_equal(world_read(event).count, world_amount(3, 1, 20));
	assert_int_equal(world_read(event).enabled, 2);
	pmuctl_event_close(event);
}

/* The timer of a CPU that goes is stopped (the shim aborts else), and started when it is back. */
static void hp_01_rotation_stops_and_goes_on(void **state)
{
	struct pmuctl_event *events[6];
	u64 running = 0;
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		events[i] = world_open(NULL, 2, 1 + i, NULL);
		world_enable(events[i]);
	}
	assert_true(shim_rotate_due[2][0]);
	world_cpu_down(2);
	assert_false(shim_rotate_due[2][0]);
	world_pass(10 * shim_rotate_ns, 1);
	world_cpu_up(2);
	assert_true(shim_rotate_due[2][0]);
	for (i = 0; i < 60; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		running += world_read(events[i]).running;
		assert_true(world_read(events[i]).running > 30 * shim_rotate_ns);
		pmuctl_event_close(events[i]);
	}
	assert_int_equal(running, 60 * 4 * shim_rotate_ns);
}

/* A cgroup's scope comes in with its CPU if a task of the cgroup runs there. */
static void hp_01_cgroup_scopes_come_back_with_their_cpu(void **state)
{
	struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };
	struct task_struct member = { .refs = 1, .cgroup = &group };
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *event = world_open_cgroup(&group, 1, &attr, NULL);

	(void)state;
	world_enable(event);
	world_switch(1, &member);
	world_pass(3, 10);
	world_cpu_down(1);
	world_pass(5, 20);
	world_cpu_up(1);
	world_pass(7, 30);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 10) + world_amount(1, 1, 30));
	assert_int_equal(world_read(event).enabled, 10);
	/* Down with a member on it, up with another task. */
	world_cpu_down(1);
	world_switch(1, NULL);
	world_cpu_up(1);
	world_pass(9, 40);
	assert_int_equal(world_read(event).enabled, 10);
	pmuctl_event_close(event);
	assert_int_equal(group.refs, 1);
}

/* HP-01, REG-36: nothing comes in before the CPU says so itself. */
static void reg_36_task_on_a_cpu_that_is_not_up_yet_waits(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);

	(void)state;
	world_enable(event);
	world_cpu_down(1);
	shim_online[1] = true;	/* it runs tasks already, or still */
	world_switch(1, &task);
	world_pass(1, 10);
	assert_int_equal(world_read(event).count, 0);
	assert_int_equal(world_counters_on(1), 0);
	world_switch(1, NULL);
	world_cpu_up(1);
	world_switch(1, &task);
	world_pass(1, 20);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 20));
	pmuctl_event_close(event);
}

/* REG-12: coming and going leaves no reference behind; world_teardown() counts them. */
static void reg_12_hotplug_keeps_references(void **state)
{
	struct pmuctl_event *event = world_open(NULL, 2, 1, NULL);
	int i, refs = pmuctl_cpus[2].ctx.refs.n;

	(void)state;
	world_enable(event);
	for (i = 0; i < 100; i++) {
		world_cpu_down(2);
		world_cpu_up(2);
	}
	assert_int_equal(pmuctl_cpus[2].ctx.refs.n, refs);
	pmuctl_event_close(event);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hp_01_cpu_goes_and_comes_back_without_loss),
		TEST(hp_01_twice_down_and_twice_up_are_as_good_as_once),
		TEST(hp_01_events_of_a_cpu_that_is_down_obey),
		TEST(hp_01_rotation_stops_and_goes_on),
		TEST(hp_01_cgroup_scopes_come_back_with_their_cpu),
		TEST(reg_36_task_on_a_cpu_that_is_not_up_yet_waits),
		TEST(reg_12_hotplug_keeps_references),
	};

	return cmocka_run_group_tests_name("hotplug", tests, NULL, NULL);
}
