// SPDX-License-Identifier: GPL-2.0-only
/* Who takes counters from whom (checklist SCH-01): CPU pinned, task pinned, CPU, task. */
#include "world.h"

static struct task_struct task = { .refs = 1 };

/* An event that only counter 0 can count: two of different kinds exclude each other. */
static struct pmuctl_event *open_one(struct task_struct *whose, int kind, bool pinned)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.config1 = 1;
	attr.pinned = pinned;
	return world_open_attr(whose, whose ? -1 : 0, &attr, NULL);
}

static int state_of(const struct pmuctl_event *event)
{
	return event->state;
}

static void close_all(struct pmuctl_event **events, int n)
{
	while (n--)
		pmuctl_event_close(events[n]);
}

/* Worst first: each that is enabled takes the counter; then, as the best go, it falls back. */
static void sch_01_better_levels_take_counters(void **state)
{
	struct pmuctl_event *e[4] = {
		open_one(&task, 1, false), open_one(NULL, 2, false), open_one(&task, 3, true),
		open_one(NULL, 4, true),
	};
	int i, k;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 4; i++) {
		world_enable(e[i]);
		for (k = 0; k < i; k++)
			assert_int_equal(state_of(e[k]), k == 2 ? PMUCTL_STATE_ERROR
								: PMUCTL_STATE_INACTIVE);
		assert_int_equal(state_of(e[i]), PMUCTL_STATE_ACTIVE);
	}
	world_disable(e[3]);
	assert_int_equal(state_of(e[1]), PMUCTL_STATE_ACTIVE);
	/* SCH-07: what was pinned and failed stays so until it is enabled again. */
	assert_int_equal(state_of(e[2]), PMUCTL_STATE_ERROR);
	world_enable(e[2]);
	assert_int_equal(state_of(e[2]), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(e[1]), PMUCTL_STATE_INACTIVE);
	world_disable(e[2]);
	world_disable(e[1]);
	assert_int_equal(state_of(e[0]), PMUCTL_STATE_ACTIVE);
	close_all(e, 4);
}

/* The other way round: the best is there first, and nobody disturbs it. */
static void sch_01_worse_levels_wait(void **state)
{
	struct pmuctl_event *e[4] = {
		open_one(NULL, 1, true), open_one(&task, 2, true), open_one(NULL, 3, false),
		open_one(&task, 4, false),
	};
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 4; i++)
		world_enable(e[i]);
	assert_int_equal(state_of(e[0]), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(e[1]), PMUCTL_STATE_ERROR);
	assert_int_equal(state_of(e[2]), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(e[3]), PMUCTL_STATE_INACTIVE);
	close_all(e, 4);
}

static void sch_02_task_pinned_comes_in_over_cpu_flexible(void **state)
{
	struct pmuctl_event *cpu = open_one(NULL, 1, false), *pinned = open_one(&task, 2, true);
	struct pmuctl_event *flexible = open_one(&task, 3, false);

	(void)state;
	world_enable(cpu);
	world_enable(pinned);
	world_enable(flexible);
	world_pass(10, 1);
	world_switch(0, &task);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(pinned), PMUCTL_STATE_ACTIVE);
	world_pass(20, 1);
	world_switch(0, NULL);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_ACTIVE);
	world_pass(40, 1);
	assert_int_equal(world_read(cpu).enabled, 70);
	assert_int_equal(world_read(cpu).running, 50);
	assert_int_equal(world_read(cpu).count, 2 * world_amount(0, 1, 1));
	assert_int_equal(world_read(pinned).running, 20);
	pmuctl_event_close(cpu);
	pmuctl_event_close(pinned);
	pmuctl_event_close(flexible);
}

/* SCH-02: without pinned ones, the CPU's events are left alone. */
static void sch_02_task_flexible_comes_in_beside_cpu_flexible(void **state)
{
	struct pmuctl_event *cpu = open_one(NULL, 1, false);
	struct pmuctl_event *mine = open_one(&task, 2, false);
	struct pmuctl_event *other = world_open(&task, -1, 3, NULL);

	(void)state;
	world_enable(mine);
	world_enable(other);
	world_switch(0, &task);
	world_switch(0, NULL);
	world_enable(cpu);
	world_pass(10, 1);
	world_switch(0, &task);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(mine), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(other), PMUCTL_STATE_ACTIVE);
	world_pass(20, 1);
	assert_int_equal(world_read(mine).enabled, 20);
	assert_int_equal(world_read(mine).running, 0);
	assert_int_equal(world_read(cpu).running, 30);
	pmuctl_event_close(cpu);
	pmuctl_event_close(mine);
	pmuctl_event_close(other);
}

/*
 * TIM-01, REG-10, REG-21: whoever is put on or taken off on account of another context has its
 * times settled at that moment, not when its own context was looked at last.
 */
static void tim_01_times_of_a_bystander_are_settled_now(void **state)
{
	struct pmuctl_event *cpu = open_one(NULL, 1, false), *pinned = open_one(&task, 2, true);

	(void)state;
	world_switch(0, &task);
	world_enable(cpu);
	world_pass(10, 1);
	world_enable(pinned);	/* an entry for the task's context takes the CPU's off */
	world_pass(20, 1);
	world_disable(pinned);	/* and puts it on again */
	world_pass(40, 1);
	assert_int_equal(world_read(cpu).enabled, 70);
	assert_int_equal(world_read(cpu).running, 50);
	assert_int_equal(world_read(cpu).count, 2 * world_amount(0, 1, 1));
	pmuctl_event_close(cpu);
	pmuctl_event_close(pinned);
}

/* The same for an event bound to a CPU, whose two times are those of two scopes. */
static void tim_01_times_of_a_bound_bystander_are_settled_now(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *bound, *best = open_one(NULL, 2, true);

	(void)state;
	attr.pinned = 1;
	attr.config1 = 1;
	bound = world_open_attr(&task, 0, &attr, NULL);
	world_switch(0, &task);
	world_enable(bound);
	world_pass(10, 1);
	world_enable(best);
	assert_true(pmuctl_event_failed(bound));
	world_disable(best);
	world_pass(20, 1);
	world_enable(bound);
	world_pass(40, 1);
	assert_int_equal(world_read(bound).enabled, 50);
	assert_int_equal(world_read(bound).running, 50);
	pmuctl_event_close(bound);
	pmuctl_event_close(best);
}

static void fd_01_pinned_error_reads_nothing_until_enabled_again(void **state)
{
	struct pmuctl_event *best = open_one(NULL, 1, true), *loser = open_one(&task, 2, true);

	(void)state;
	world_switch(0, &task);
	world_enable(loser);
	world_pass(10, 1);
	world_enable(best);
	assert_true(pmuctl_event_failed(loser));
	assert_int_equal(world_read_result(loser), 0);
	world_pass(20, 1);
	pmuctl_event_close(best);
	assert_int_equal(world_read_result(loser), 0);
	world_enable(loser);
	assert_false(pmuctl_event_failed(loser));
	world_pass(40, 1);
	assert_int_equal(world_read(loser).count, 2 * world_amount(0, 2, 1));
	/* In error it is not enabled: perf counts no time then. */
	assert_int_equal(world_read(loser).enabled, 50);
	assert_int_equal(world_read(loser).running, 50);
	pmuctl_event_close(loser);
}

/* A pinned group that cannot come in where its task arrives fails there, members and all. */
static void sch_07_pinned_group_fails_where_it_arrives(void **state)
{
	struct pmuctl_event *cpu = open_one(NULL, 1, true), *leader = open_one(&task, 2, true);
	struct pmuctl_event *sibling = world_open(&task, -1, 3, leader);

	(void)state;
	world_enable(cpu);
	world_enable(sibling);
	world_enable(leader);
	world_switch(1, &task);
	assert_int_equal(state_of(sibling), PMUCTL_STATE_ACTIVE);
	world_pass(10, 1);
	world_switch(1, NULL);
	world_switch(0, &task);
	assert_int_equal(state_of(leader), PMUCTL_STATE_ERROR);
	assert_int_equal(state_of(sibling), PMUCTL_STATE_OFF);
	world_pass(10, 1);
	assert_int_equal(world_read(sibling).enabled, 10);
	pmuctl_event_close(leader);
	pmuctl_event_close(sibling);
	pmuctl_event_close(cpu);
}

/* SHR-13: a pinned event shares; its class is as good as pinned, and falls back when it leaves. */
static void shr_13_class_is_pinned_while_a_pinned_event_counts_it(void **state)
{
	struct pmuctl_event *flexible = open_one(&task, 1, false);
	struct pmuctl_event *pinned = open_one(&task, 1, true);
	struct pmuctl_event *cpu = open_one(NULL, 2, false);

	(void)state;
	world_switch(0, &task);
	world_enable(flexible);
	world_enable(pinned);
	world_enable(cpu);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(flexible), PMUCTL_STATE_ACTIVE);
	world_disable(pinned);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(flexible), PMUCTL_STATE_INACTIVE);
	pmuctl_event_close(flexible);
	pmuctl_event_close(pinned);
	pmuctl_event_close(cpu);
}

/* Of all that are worse, the worst gives way: nobody is moved about in vain. */
static void sch_01_the_worst_level_gives_way_first(void **state)
{
	struct pmuctl_event *e[WORLD_GP], *pinned;
	struct perf_event_attr attr = world_attr(9);
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < WORLD_GP; i++) {
		e[i] = world_open(i < 2 ? NULL : &task, i < 2 ? 0 : -1, 1 + i, NULL);
		world_enable(e[i]);
		world_pass(1, 1);
	}
	attr.pinned = 1;
	pinned = world_open_attr(NULL, 0, &attr, NULL);
	world_hw.starts = world_hw.stops = 0;
	world_enable(pinned);
	assert_int_equal(world_hw.starts, 1);
	assert_int_equal(world_hw.stops, 1);
	assert_int_equal(state_of(e[0]) + state_of(e[1]), 2);
	assert_int_equal(state_of(e[2]) + state_of(e[3]), 1);
	pmuctl_event_close(pinned);
	close_all(e, WORLD_GP);
}

/* Whoever need not go, as the counter he has is not what is wanted, stays. */
static void sch_06_only_who_is_in_the_way_gives_way(void **state)
{
	struct pmuctl_event *e[WORLD_GP], *pinned;
	struct perf_event_attr attr = world_attr(1);
	int i;

	(void)state;
	world_switch(0, &task);
	/* Counter 0 last, so that it is the last of which one would think. */
	for (i = 0; i < WORLD_GP; i++) {
		attr.config = 1 + i;
		attr.config1 = 1 << (i + 1) % WORLD_GP;
		e[i] = world_open_attr(&task, -1, &attr, NULL);
		world_enable(e[i]);
		world_pass(1, 1);
	}
	pinned = open_one(NULL, 9, true);
	world_hw.starts = world_hw.stops = 0;
	world_enable(pinned);
	assert_int_equal(world_hw.starts, 1);
	assert_int_equal(world_hw.stops, 1);
	assert_int_equal(state_of(e[3]), PMUCTL_STATE_INACTIVE);
	pmuctl_event_close(pinned);
	close_all(e, WORLD_GP);
	world_pass(shim_rotate_ns, 1);
}

/* SCH-06: a group that finds room for all but one of its members takes none of it. */
static void sch_06_group_goes_on_whole_or_not_at_all(void **state)
{
	struct pmuctl_event *pinned = open_one(&task, 1, true), *e[3];
	int i;

	(void)state;
	world_switch(0, &task);
	world_enable(pinned);
	for (i = 0; i < 3; i++)
		e[i] = world_open(&task, -1, 2 + i, i ? e[0] : NULL);
	/* The fourth, on counter 0 only, which is taken. */
	{
		struct perf_event_attr attr = world_attr(9);
		struct pmuctl_event *last;

		attr.config1 = 1;
		last = world_open_attr(&task, -1, &attr, e[0]);
		for (i = 1; i < 3; i++)
			world_enable(e[i]);
		world_enable(last);
		world_hw.starts = 0;
		world_enable(e[0]);
		assert_int_equal(world_hw.starts, 0);
		for (i = 0; i < 3; i++)
			assert_int_equal(state_of(e[i]), PMUCTL_STATE_INACTIVE);
		world_pass(10, 1);
		assert_int_equal(world_read(e[0]).running, 0);
		assert_int_equal(world_read(e[0]).enabled, 10);
		world_disable(last);
		for (i = 0; i < 3; i++)
			assert_int_equal(state_of(e[i]), PMUCTL_STATE_ACTIVE);
		pmuctl_event_close(last);
	}
	close_all(e, 3);
	pmuctl_event_close(pinned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sch_01_better_levels_take_counters),
		TEST(sch_01_worse_levels_wait),
		TEST(sch_02_task_pinned_comes_in_over_cpu_flexible),
		TEST(sch_02_task_flexible_comes_in_beside_cpu_flexible),
		TEST(tim_01_times_of_a_bystander_are_settled_now),
		TEST(tim_01_times_of_a_bound_bystander_are_settled_now),
		TEST(fd_01_pinned_error_reads_nothing_until_enabled_again),
		TEST(sch_07_pinned_group_fails_where_it_arrives),
		TEST(shr_13_class_is_pinned_while_a_pinned_event_counts_it),
		TEST(sch_01_the_worst_level_gives_way_first),
		TEST(sch_06_only_who_is_in_the_way_gives_way),
		TEST(sch_06_group_goes_on_whole_or_not_at_all),
	};

	return cmocka_run_group_tests_name("priority", tests, NULL, NULL);
}
