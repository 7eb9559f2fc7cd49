// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that are overtaken: a task comes, moves or gives way to another while somebody elsewhere
 * opens, controls or closes its events. Each test lets that happen once at every moment at which
 * the core lets interrupts in.
 */
#include "world.h"

static struct cgroup a, b;
static struct task_struct task = { .refs = 1 };
static struct task_struct in_a = { .refs = 1, .cgroup = &a };
static struct task_struct in_b = { .refs = 1, .cgroup = &b };

static int race_setup(void **state)
{
	a = (struct cgroup){ &shim_root_cgroup, 2, 1 };
	b = (struct cgroup){ &shim_root_cgroup, 3, 1 };
	return world_setup(state);
}

static int race_teardown(void **state)
{
	int err = world_teardown(state);

	assert_int_equal(a.refs + b.refs, 2);
	assert_int_equal(task.refs + in_a.refs + in_b.refs, 3);
	return err;
}

/* What happens when interrupts have come back on once more than so often. */
static void (*overtaker)(void);
static int overtake_after;

static void overtake(void)
{
	if (overtake_after--)
		return;
	shim_interlude = NULL;
	overtaker();
}

static void arm(int nth, void (*fn)(void))
{
	overtake_after = nth;
	overtaker = fn;
	shim_interlude = overtake;
}

/* False if the call was over before. */
static bool was_overtaken(void)
{
	bool yes = !shim_interlude;

	shim_interlude = NULL;
	return yes;
}

static struct pmuctl_event *open_enabled(struct task_struct *whose, int kind)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.disabled = 0;
	return world_open_attr(whose, -1, &attr, NULL);
}

/* From now on it counts what its task does on @cpu, and the time it takes, and nothing twice. */
static void check_counts(struct pmuctl_event *event, int cpu)
{
	struct world_reading before = world_read(event), now;

	world_pass(10, 10);
	now = world_read(event);
	assert_int_equal(now.count - before.count,
			 world_amount(cpu, event->attr.config, 10));
	assert_int_equal(now.enabled - before.enabled, 10);
	assert_int_equal(now.running, now.enabled);
}

static void come_in(void)
{
	world_switch(2, &task);
}

static void move(void)
{
	world_switch(1, NULL);
	world_switch(2, &task);
}

static void leave(void)
{
	world_switch(1, NULL);
}

/* LCK-04: the task comes in, or moves, between any two steps of an open. */
static void lck_04_an_open_meets_its_task_wherever_it_is_by_then(void **state)
{
	bool again = true;
	int nth;

	(void)state;
	for (nth = 0; again; nth++) {
		struct pmuctl_event *event;

		/* It sleeps at first every other time. */
		world_switch(1, nth % 2 ? &task : NULL);
		arm(nth / 2, nth % 2 ? move : come_in);
		event = open_enabled(&task, 1);
		again = was_overtaken();
		if (!again)
			overtaker();
		check_counts(event, 2);
		pmuctl_event_close(event);
		world_switch(2, NULL);
	}
	assert_true(nth > 8);
}

static void run_on_1(void)
{
	if (shim_current[task.cpu] == &task)
		world_switch(task.cpu, NULL);
	world_switch(1, &task);
}

/* LCK-08, REG-22: a call that finds its context gone, to another CPU or to sleep, is made again. */
static void lck_08_an_order_follows_a_context_that_moves(void **state)
{
	bool again = true;
	int nth;

	(void)state;
	for (nth = 0; again; nth++) {
		struct pmuctl_event *event = open_enabled(&task, 1);

		run_on_1();
		world_pass(10, 10);
		arm(nth / 2, nth % 2 ? move : leave);
		world_disable(event);
		again = was_overtaken();
		run_on_1();
		world_pass(10, 100);
		assert_int_equal(world_read(event).count, world_amount(1, 1, 10));
		assert_int_equal(world_read(event).enabled, 10);
		arm(nth / 2, nth % 2 ? move : leave);
		world_enable(event);
		was_overtaken();
		run_on_1();
		check_counts(event, 1);
		pmuctl_event_close(event);
		world_switch(1, NULL);
	}
	assert_true(nth > 2);
}

/* REG-06: the last event of a PMU goes and another comes, in a context that somebody else keeps. */
static void reg_06_a_pmus_last_event_goes_and_another_comes(void **state)
{
	struct perf_event_attr attr = world_software_attr(PERF_COUNT_SW_DUMMY);
	struct pmuctl_event *keeper = world_open_attr(&task, -1, &attr, NULL);
	bool again = true;
	int nth;

	(void)state;
	for (nth = 0; again; nth++) {
		struct pmuctl_event *event = open_enabled(&task, 1);

		world_switch(1, &task);
		check_counts(event, 1);
		arm(nth, move);
		pmuctl_event_close(event);
		again = was_overtaken();
		event = open_enabled(&task, 2);
		check_counts(event, task.cpu);
		pmuctl_event_close(event);
		world_switch(task.cpu, NULL);
	}
	assert_true(nth > 2);
	pmuctl_event_close(keeper);
}

static struct pmuctl_event *open_cgroup(struct cgroup *cgroup)
{
	struct perf_event_attr attr = world_attr(1);

	attr.disabled = 0;
	return world_open_cgroup(cgroup, 0, &attr, NULL);
}

static void change_cgroup(void)
{
	world_switch(0, &in_b);
}

/* REG-31: an event is disabled from another CPU while its cgroup goes out. */
static void reg_31_an_order_from_elsewhere_meets_a_change_of_cgroups(void **state)
{
	bool again = true;
	int nth;

	(void)state;
	for (nth = 0; again; nth++) {
		struct pmuctl_event *of_a = open_cgroup(&a), *of_b = open_cgroup(&b);

		world_switch(0, &in_a);
		world_pass(10, 10);
		shim_cpu = 1;
		arm(nth, change_cgroup);
		world_disable(of_a);
		again = was_overtaken();
		shim_cpu = 0;
		world_switch(0, &in_a);
		world_pass(10, 100);
		assert_int_equal(world_read(of_a).count, world_amount(0, 1, 10));
		assert_int_equal(world_read(of_a).enabled, 10);
		world_enable(of_a);
		check_counts(of_a, 0);
		world_switch(0, &in_b);
		check_counts(of_b, 0);
		assert_int_equal(pmuctl_cpus[0].ctx.nr_scopes, 2);
		pmuctl_event_close(of_a);
		pmuctl_event_close(of_b);
		world_switch(0, NULL);
	}
	assert_true(nth > 1);
}

static void exec_now(void)
{
	world_exec(&task, false);
}

/* Either the open is refused, or the sibling was there in time and goes on alone. */
static void open_09_leader_that_ends_while_a_sibling_opens(void **state)
{
	struct perf_event_attr ends = world_attr(1), attr = world_attr(2);
	bool again = true;
	int nth, refused = 0;

	(void)state;
	ends.disabled = attr.disabled = 0;
	ends.remove_on_exec = 1;
	for (nth = 0; again; nth++) {
		struct pmuctl_event *leader = world_open_attr(&task, -1, &ends, NULL), *sibling;
		struct pmuctl_event_spec spec = {
			.attr = &attr, .task = &task, .cpu = -1, .leader = leader,
		};
		struct pmuctl_msg msg = {};

		world_switch(1, &task);
		arm(nth, exec_now);
		sibling = pmuctl_event_open(&spec, &msg);
		again = was_overtaken();
		if (IS_ERR(sibling)) {
			assert_int_equal(PTR_ERR(sibling), -ENODEV);
			assert_true(msg.text[0]);
			refused++;
		} else if (again) {
			check_counts(sibling, 1);
		}
		if (!IS_ERR(sibling))
			pmuctl_event_close(sibling);
		pmuctl_event_close(leader);
		world_switch(1, NULL);
	}
	assert_true(refused && nth > refused);
}

#define RACE_TEST(name) cmocka_unit_test_setup_teardown(name, race_setup, race_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RACE_TEST(lck_04_an_open_meets_its_task_wherever_it_is_by_then),
		RACE_TEST(lck_08_an_order_follows_a_context_that_moves),
		RACE_TEST(reg_06_a_pmus_last_event_goes_and_another_comes),
		RACE_TEST(reg_31_an_order_from_elsewhere_meets_a_change_of_cgroups),
		RACE_TEST(open_09_leader_that_ends_while_a_sibling_opens),
	};

	return cmocka_run_group_tests_name("race", tests, NULL, NULL);
}
