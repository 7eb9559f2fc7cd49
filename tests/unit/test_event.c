// SPDX-License-Identifier: GPL-2.0-only
/* Events: what they count, their times, and the errors of opening them. */
#include "world.h"

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static void counts_only_while_its_task_runs(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);

	(void)state;
	world_enable(event);
	world_pass(10, 100);
	assert_int_equal(world_read(event).count, 0);
	world_switch(2, &task);
	world_pass(10, 100);
	world_switch(2, NULL);
	world_pass(10, 100);
	assert_int_equal(world_read(event).count, world_amount(2, 1, 100));
	assert_int_equal(world_read(event).enabled, 10);
	assert_int_equal(world_read(event).running, 10);
	pmuctl_event_close(event);
}

static void counts_a_running_task_from_the_moment_it_is_enabled(void **state)
{
	struct pmuctl_event *event;

	(void)state;
	world_switch(1, &task);
	event = world_open(&task, -1, 0, NULL);
	world_pass(5, 50);
	world_enable(event);
	world_pass(7, 70);
	assert_int_equal(world_read(event).count, world_amount(1, 0, 70));
	world_disable(event);
	world_pass(9, 90);
	assert_int_equal(world_read(event).count, world_amount(1, 0, 70));
	assert_int_equal(world_read(event).enabled, 7);
	pmuctl_event_close(event);
}

static void counts_a_cpu_whoever_runs(void **state)
{
	struct pmuctl_event *event = world_open(NULL, 3, 2, NULL);

	(void)state;
	world_enable(event);
	world_pass(1, 10);
	world_switch(3, &task);
	world_pass(1, 20);
	world_switch(3, &other);
	world_pass(1, 30);
	assert_int_equal(world_read(event).count, world_amount(3, 2, 60) + 2 * 3);
	assert_int_equal(world_read(event).enabled, 3);
	pmuctl_event_close(event);
}

static void a_task_event_bound_to_a_cpu_runs_only_there(void **state)
{
	struct pmuctl_event *event = world_open(&task, 1, 1, NULL);

	(void)state;
	world_enable(event);
	world_switch(0, &task);
	world_pass(5, 10);
	world_switch(0, NULL);
	world_switch(1, &task);
	world_pass(7, 20);
	world_switch(1, NULL);
	world_switch(0, &task);
	world_pass(11, 30);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 20));
	assert_int_equal(world_read(event).enabled, 5 + 7 + 11);
	assert_int_equal(world_read(event).running, 7);
	pmuctl_event_close(event);
}

static void counters_narrower_than_64_bits_lose_nothing(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 5, NULL);
	u64 expected = 0;
	int i;

	(void)state;
	world_switch(0, &task);
	world_enable(event);
	for (i = 0; i < 1000; i++) {
		world_pass(1, 30000);
		expected += world_amount(0, 5, 30000);
	}
	assert_true(expected > 100ULL << WORLD_WIDTH);
	assert_int_equal(world_read(event).count, expected);
	pmuctl_event_close(event);
}

static void fd_06_reset_clears_the_count_and_keeps_the_times(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);

	(void)state;
	world_switch(0, &task);
	world_enable(event);
	world_pass(10, 100);
	pmuctl_event_control(event, PMUCTL_EVENT_RESET, false);
	assert_int_equal(world_read(event).count, 0);
	assert_int_equal(world_read(event).enabled, 10);
	world_pass(10, 7);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 7));
	assert_int_equal(world_read(event).enabled, 20);
	pmuctl_event_close(event);
}

static void tim_01_enabled_equals_running_for_who_never_waited(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);
	struct world_reading reading;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		world_switch(i % 4, &task);
		world_pass(i, 1);
		if (i % 3)
			world_enable(event);
		else
			world_disable(event);
		world_pass(3, 1);
		world_switch(i % 4, NULL);
		reading = world_read(event);
		assert_int_equal(reading.enabled, reading.running);
	}
	assert_true(reading.enabled > 0);
	pmuctl_event_close(event);
}

static void exec_enables_who_waits_for_it(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *event;

	(void)state;
	attr.enable_on_exec = 1;
	event = world_open_attr(&task, -1, &attr, NULL);
	world_switch(0, &task);
	world_pass(1, 10);
	assert_int_equal(world_read(event).count, 0);
	world_exec(&task, false);
	world_pass(1, 20);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 20));
	/* Once only: a second exec does not enable again what was disabled since. */
	world_disable(event);
	world_exec(&task, false);
	world_pass(1, 30);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 20));
	pmuctl_event_close(event);
}

static void exec_of_a_privileged_program_detaches(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *event;

	(void)state;
	attr.enable_on_exec = 1;
	event = world_open_attr(&task, -1, &attr, NULL);
	world_switch(0, &task);
	world_exec(&task, true);
	world_pass(1, 20);
	assert_int_equal(world_read(event).count, 0);
	assert_true(pmuctl_event_finished(event));
	pmuctl_event_close(event);
}

static void fd_16_count_stays_readable_after_exit(void **state)
{
	struct task_struct mortal = { .refs = 1 };
	struct pmuctl_event *event = world_open(&mortal, -1, 3, NULL);

	(void)state;
	world_enable(event);
	world_switch(2, &mortal);
	world_pass(4, 40);
	assert_false(pmuctl_event_finished(event));
	world_exit(&mortal);
	world_pass(4, 40);
	assert_true(pmuctl_event_finished(event));
	world_enable(event);
	assert_int_equal(world_read(event).count, world_amount(2, 3, 40));
	assert_int_equal(world_read(event).enabled, 4);
	pmuctl_event_close(event);
	assert_int_equal(mortal.refs, 1);
}

/* The other's context is dead, but to be found still, when the scheduler comes upon it. */
static void switch_to_the_other(void)
{
	unsigned long flags;
	struct pmuctl_ctx *ctx;
	bool dead;

	local_irq_save(flags);
	ctx = pmuctl_ctx_find(&other);
	dead = ctx && ctx->dead;
	local_irq_restore(flags);
	if (!dead)
		return;
	shim_interlude = NULL;
	world_switch(0, &other);
}

static void a_context_that_is_being_retired_does_not_come_in(void **state)
{
	struct pmuctl_event *mine = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *others = world_open(&other, -1, 1, NULL);

	(void)state;
	world_enable(mine);
	world_enable(others);
	world_switch(0, &task);
	world_pass(3, 10);
	shim_interlude = switch_to_the_other;
	pmuctl_event_close(others);
	assert_null(shim_interlude);
	shim_grace_period();
	world_pass(5, 100);
	assert_int_equal(world_read(mine).count, world_amount(0, 1, 10));
	assert_int_equal(world_read(mine).enabled, 3);
	world_switch(0, &task);
	world_pass(7, 1000);
	assert_int_equal(world_read(mine).count, world_amount(0, 1, 10) + world_amount(0, 1, 1000));
	world_switch(0, NULL);
	pmuctl_event_close(mine);
}

static void open_23_exiting_task_is_refused(void **state)
{
	struct task_struct going = { .refs = 1, .exiting = true };
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	assert_int_equal(world_refused(&going, -1, &attr, NULL), ESRCH);
	assert_int_equal(going.refs, 1);
}

static void open_15_unknown_pmu_and_event(void **state)
{
	struct perf_event_attr attr = world_attr(WORLD_KINDS);

	(void)state;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), ENOENT);
	attr = world_attr(1);
	attr.type = 77;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), ENOENT);
	assert_non_null(strstr(world_msg.text, "type 77"));
	attr = world_software_attr(PERF_COUNT_SW_MAX);
	assert_int_equal(world_refused(&task, -1, &attr, NULL), ENOENT);
	assert_non_null(strstr(world_msg.text, "software"));
}

/* REG-11: the core PMU has generic events whatever its type; another one if it is named. */
static void reg_11_generic_events_are_the_core_pmus(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *core, *named;

	(void)state;
	world_pmu.type = 10;
	attr.type = PERF_TYPE_HARDWARE;
	core = world_open_attr(&task, -1, &attr, NULL);
	attr.config = (u64)WORLD_SECOND_TYPE << PERF_PMU_TYPE_SHIFT | 1;
	named = world_open_attr(&task, -1, &attr, NULL);
	attr.config = 78ULL << PERF_PMU_TYPE_SHIFT | 1;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), ENOENT);
	world_pmu.type = PERF_TYPE_RAW;
	assert_ptr_equal(core->class->pmu, &world_pmu);
	assert_ptr_equal(named->class->pmu, &world_second);
	world_switch(0, &task);
	world_enable(core);
	world_enable(named);
	world_pass(1, 10);
	assert_int_equal(world_read(core).count, world_amount(0, 1, 10));
	assert_int_equal(world_read(named).count, world_amount(0, 1, 10));
	pmuctl_event_close(core);
	pmuctl_event_close(named);
}

static void x86_11_busy_pmu_is_refused_and_asked_again(void **state)
{
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	world_hw.busy = true;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), EBUSY);
	assert_non_null(strstr(world_msg.text, "somebody else"));
	world_hw.busy = false;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), 0);
	assert_false(world_hw.acquired);
}

static void open_25_offline_cpu_is_refused(void **state)
{
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	world_cpu_down(2);
	assert_int_equal(world_refused(NULL, 2, &attr, NULL), ENODEV);
	assert_non_null(strstr(world_msg.text, "CPU 2 is offline"));
}

/* Every allocation of an open fails once; nothing is left, and the next open works. */
static void open_31_failed_allocation_leaks_nothing(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	int before = shim_allocated, nth, err = ENOMEM;

	(void)state;
	for (nth = 0; err; nth++) {
		shim_fail_after = nth;
		err = world_refused(&task, -1, &attr, NULL);
		assert_true(!err || err == ENOMEM);
		assert_false(world_hw.acquired);
		shim_fail_after = -1;
		shim_grace_period();
		assert_int_equal(shim_allocated, before);
		assert_int_equal(task.refs, 1);
	}
	/* Class, context, event, tally, pmu context: the loop met each of them. */
	assert_true(nth > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_only_while_its_task_runs),
		TEST(counts_a_running_task_from_the_moment_it_is_enabled),
		TEST(counts_a_cpu_whoever_runs),
		TEST(a_task_event_bound_to_a_cpu_runs_only_there),
		TEST(counters_narrower_than_64_bits_lose_nothing),
		TEST(fd_06_reset_clears_the_count_and_keeps_the_times),
		TEST(tim_01_enabled_equals_running_for_who_never_waited),
		TEST(exec_enables_who_waits_for_it),
		TEST(exec_of_a_privileged_program_detaches),
		TEST(fd_16_count_stays_readable_after_exit),
		TEST(a_context_that_is_being_retired_does_not_come_in),
		TEST(open_23_exiting_task_is_refused),
		TEST(open_15_unknown_pmu_and_event),
		TEST_TWO(reg_11_generic_events_are_the_core_pmus),
		TEST(x86_11_busy_pmu_is_refused_and_asked_again),
		TEST(open_25_offline_cpu_is_refused),
		TEST(open_31_failed_allocation_leaks_nothing),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
