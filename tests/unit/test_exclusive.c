// SPDX-License-Identifier: GPL-2.0-only
/* Exclusive groups (checklist SCH-05). */
#include "world.h"

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

/* An event that only counter 0 can count: two of different kinds exclude each other. */
static struct pmuctl_event *open_one(struct task_struct *whose, int kind, bool pinned)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.config1 = 1;
	attr.pinned = pinned;
	return world_open_attr(whose, whose ? -1 : 0, &attr, NULL);
}

static struct pmuctl_event *open_exclusive(struct task_struct *whose, int kind)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.exclusive = 1;
	return world_open_attr(whose, whose ? -1 : 0, &attr, NULL);
}

static int state_of(const struct pmuctl_event *event)
{
	return event->state;
}

static void sch_05_exclusive_group_is_alone(void **state)
{
	struct pmuctl_event *alone = open_exclusive(&task, 1);
	struct pmuctl_event *other = world_open(&task, -1, 2, NULL);

	(void)state;
	world_switch(0, &task);
	world_enable(alone);
	world_enable(other);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(other), PMUCTL_STATE_INACTIVE);
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(state_of(alone), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(other), PMUCTL_STATE_ACTIVE);
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	world_disable(alone);
	assert_int_equal(state_of(other), PMUCTL_STATE_ACTIVE);
	pmuctl_event_close(alone);
	pmuctl_event_close(other);
}

/*
 * Being alone is a matter between events of one context: what another has on already may stay.
 * Whoever comes later, of a better level, ends it.
 */
static void sch_05_better_levels_end_an_exclusive_group(void **state)
{
	struct pmuctl_event *alone = open_exclusive(&task, 1), *cpu = world_open(NULL, 0, 2, NULL);
	struct pmuctl_event *mine = world_open(&task, -1, 4, NULL);
	struct pmuctl_event *pinned = open_one(&task, 3, true);

	(void)state;
	world_switch(0, &task);
	world_enable(cpu);
	world_enable(alone);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	world_enable(mine);
	assert_int_equal(state_of(mine), PMUCTL_STATE_INACTIVE);
	world_disable(cpu);
	world_enable(cpu);
	assert_int_equal(state_of(cpu), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(alone), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(mine), PMUCTL_STATE_ACTIVE);
	world_disable(mine);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	world_enable(pinned);
	assert_int_equal(state_of(alone), PMUCTL_STATE_INACTIVE);
	assert_int_equal(state_of(pinned), PMUCTL_STATE_ACTIVE);
	pmuctl_event_close(alone);
	pmuctl_event_close(cpu);
	pmuctl_event_close(mine);
	pmuctl_event_close(pinned);
	world_pass(shim_rotate_ns, 1);
}

static void sch_05_exclusive_of_the_cpu_keeps_tasks_out(void **state)
{
	struct pmuctl_event *alone = open_exclusive(NULL, 1);
	struct pmuctl_event *mine = world_open(&task, -1, 2, NULL);

	(void)state;
	world_enable(mine);
	world_switch(0, &task);
	world_switch(0, NULL);
	world_enable(alone);
	world_switch(0, &task);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(mine), PMUCTL_STATE_INACTIVE);
	world_disable(alone);
	assert_int_equal(state_of(mine), PMUCTL_STATE_ACTIVE);
	pmuctl_event_close(alone);
	pmuctl_event_close(mine);
}

/* An exclusive group may hold no counter at all: its end makes room all the same. */
static void sch_05_exclusive_group_without_counters_ends(void **state)
{
	struct perf_event_attr attr = world_software_attr(PERF_COUNT_SW_DUMMY);
	struct pmuctl_event *alone, *sibling, *other = world_open(&task, -1, 2, NULL);

	(void)state;
	attr.exclusive = 1;
	alone = world_open_attr(&task, -1, &attr, NULL);
	sibling = world_open(&task, -1, 1, alone);	/* never enabled */
	world_switch(0, &task);
	world_enable(alone);
	world_enable(other);
	assert_int_equal(state_of(other), PMUCTL_STATE_INACTIVE);
	world_disable(alone);
	assert_int_equal(state_of(other), PMUCTL_STATE_ACTIVE);
	world_enable(alone);
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(state_of(other), PMUCTL_STATE_ACTIVE);
	pmuctl_event_close(sibling);
	pmuctl_event_close(alone);
	pmuctl_event_close(other);
}

/* What was there before an exclusive group of a better level may stay; who comes later is out. */
static void sch_05_the_next_task_does_not_inherit_a_place_beside_it(void **state)
{
	struct pmuctl_event *alone = open_exclusive(NULL, 2);
	struct pmuctl_event *mine = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *others = world_open(&other, -1, 1, NULL);

	(void)state;
	world_enable(mine);
	world_enable(others);
	world_switch(0, &other);
	world_switch(0, &task);
	world_enable(alone);
	assert_int_equal(state_of(mine), PMUCTL_STATE_ACTIVE);
	world_switch(0, &other);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	assert_int_equal(state_of(others), PMUCTL_STATE_INACTIVE);
	pmuctl_event_close(alone);
	assert_int_equal(state_of(others), PMUCTL_STATE_ACTIVE);
	pmuctl_event_close(mine);
	pmuctl_event_close(others);
	world_pass(shim_rotate_ns, 1);
}

/* It is alone again when its task comes back, even if it takes over what another counted. */
static void sch_05_exclusive_group_comes_back_as_such(void **state)
{
	struct pmuctl_event *mine = world_open(&task, -1, 1, NULL), *alone, *waits;
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	attr.exclusive = 1;
	alone = world_open_attr(&other, -1, &attr, NULL);
	waits = world_open(&other, -1, 2, NULL);
	world_switch(0, &other);
	world_enable(mine);
	world_enable(alone);
	world_switch(0, &task);
	world_switch(0, &other);
	assert_int_equal(state_of(alone), PMUCTL_STATE_ACTIVE);
	assert_ptr_equal(world_cpc(0)->exclusive, &alone->own);
	world_enable(waits);
	assert_int_equal(state_of(waits), PMUCTL_STATE_INACTIVE);
	pmuctl_event_close(waits);
	pmuctl_event_close(alone);
	pmuctl_event_close(mine);
	world_pass(shim_rotate_ns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sch_05_exclusive_group_is_alone),
		TEST(sch_05_better_levels_end_an_exclusive_group),
		TEST(sch_05_exclusive_of_the_cpu_keeps_tasks_out),
		TEST(sch_05_exclusive_group_without_counters_ends),
		TEST(sch_05_the_next_task_does_not_inherit_a_place_beside_it),
		TEST(sch_05_exclusive_group_comes_back_as_such),
	};

	return cmocka_run_group_tests_name("exclusive", tests, NULL, NULL);
}
