// SPDX-License-Identifier: GPL-2.0-only
/* Passes: who waits is visited only when there is something in it for him. */
#include "world.h"

#define MANY 10000

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };
static struct pmuctl_event *events[2 * MANY];
static int nr_events;

static struct pmuctl_event *open_class(struct task_struct *whose, u64 kind, u64 tag,
				       struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.config1 = WORLD_CLASS(tag);
	attr.disabled = !leader;
	events[nr_events] = world_open_attr(whose, whose ? -1 : 0, &attr, leader);
	return events[nr_events++];
}

static void close_all(void)
{
	while (nr_events)
		pmuctl_event_close(events[--nr_events]);
}

/* Four that fill the counters; then groups that wait, every second led by a class that is on. */
static void open_many(struct task_struct *whose)
{
	int i;

	for (i = 0; i < WORLD_GP; i++)
		world_enable(open_class(whose, 1 + i, 0, NULL));
	for (i = 0; i < MANY; i++) {
		struct pmuctl_event *leader = open_class(whose, i % 2 ? 1 + i % WORLD_GP : 9,
							 i % 2 ? 0 : 1000 + i, NULL);

		if (i % 2)
			open_class(whose, 10, 1000 + i, leader);
		world_enable(leader);
	}
}

static u64 visits_since(int cpu)
{
	static u64 before[SHIM_CPUS];
	u64 now = world_cpc(cpu)->visits, since = now - before[cpu];

	before[cpu] = now;
	return since;
}

static int count_active(void)
{
	int i, n = 0;

	for (i = 0; i < nr_events; i++)
		n += events[i]->state == PMUCTL_STATE_ACTIVE && events[i]->group == &events[i]->own;
	return n;
}

static void nothing_new_visits_nobody(void **state)
{
	u64 passes;
	int i;

	(void)state;
	world_switch(0, &task);
	open_many(&task);
	visits_since(0);
	passes = world_cpc(0)->passes;
	for (i = 0; i < 100; i++)
		world_reset(events[i]);
	assert_true(world_cpc(0)->passes >= passes + 100);
	assert_int_equal(visits_since(0), 0);
	close_all();
}

static void coming_back_to_the_same_cpu_visits_nobody(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	open_many(&task);
	visits_since(0);
	for (i = 0; i < 100; i++) {
		world_switch(0, i % 2 ? &task : &other);
		assert_int_equal(visits_since(0), 0);
	}
	close_all();
}

/* On another CPU the same is full: whoever looks, looks at the counters, not at the queue. */
static void another_cpu_costs_no_more_than_its_counters(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	open_many(&task);
	for (i = 0; i < 100; i++) {
		int cpu = i % SHIM_CPUS;

		world_switch(task.cpu, NULL);
		visits_since(cpu);
		world_switch(cpu, &task);
		assert_in_range(visits_since(cpu), 0, WORLD_GP);
	}
	close_all();
}

/* Brief: at most counters + groups that go on. */
static void rotation_visits_who_goes_on(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	open_many(&task);
	visits_since(0);
	for (i = 0; i < 2000; i++) {
		int before = count_active();

		world_pass(shim_rotate_ns, 1);
		/* Whoever is on now and was not before has been visited, and few others. */
		assert_in_range(visits_since(0), 1, WORLD_GP + 1 + count_active() + before);
	}
	close_all();
}

static void a_class_that_everybody_leads_with_wakes_nobody(void **state)
{
	struct pmuctl_event *popular;
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < WORLD_GP; i++)
		world_enable(open_class(NULL, 1 + i, 0, NULL));
	for (i = 0; i < 1000; i++) {
		struct pmuctl_event *leader = open_class(&task, 9, 0, NULL);

		open_class(&task, 10, 1000 + i, leader);
		world_enable(leader);
	}
	popular = open_class(NULL, 9, 0, NULL);
	visits_since(0);
	/* The first in line, with two classes, has no room still. */
	world_disable(events[0]);
	visits_since(0);
	world_enable(popular);
	assert_int_equal(popular->state, PMUCTL_STATE_ACTIVE);
	assert_in_range(visits_since(0), 0, WORLD_GP);
	close_all();
}

static void a_group_whose_classes_are_on_joins_at_no_cost(void **state)
{
	struct pmuctl_event *first, *joins;
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < WORLD_GP; i++)
		world_enable(open_class(NULL, 1 + i, 0, NULL));
	first = open_class(&task, 9, 0, NULL);
	world_enable(first);
	joins = open_class(&task, 2, 0, NULL);
	open_class(&task, 3, 0, joins);
	world_hw.starts = 0;
	world_enable(joins);
	assert_int_equal(first->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(joins->state, PMUCTL_STATE_ACTIVE);
	assert_int_equal(world_hw.starts, 0);
	world_pass(1, 10);
	assert_int_equal(world_read(joins).count, world_amount(0, 2, 10));
	close_all();
}

/* The watched class comes on for somebody else, of another context, while the watcher is out. */
static void a_class_that_came_on_meanwhile_is_noticed_on_return(void **state)
{
	struct pmuctl_event *first, *watcher, *cpu[WORLD_GP];
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < WORLD_GP; i++) {
		cpu[i] = open_class(NULL, 1 + i, 0, NULL);
		world_enable(cpu[i]);
	}
	first = open_class(&task, 9, 0, NULL);
	watcher = open_class(&task, 10, 0, NULL);
	world_enable(first);
	world_enable(watcher);
	assert_int_equal(watcher->state, PMUCTL_STATE_INACTIVE);
	world_switch(0, &other);
	world_disable(cpu[0]);
	world_enable(open_class(NULL, 10, 0, NULL));
	world_switch(0, &task);
	assert_int_equal(first->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(watcher->state, PMUCTL_STATE_ACTIVE);
	close_all();
}

/* The same while the watcher is in: a better level brings the class on at somebody's expense. */
static void a_class_that_comes_on_for_another_wakes_its_watchers(void **state)
{
	struct pmuctl_event *first, *watcher;
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < WORLD_GP; i++)
		world_enable(open_class(&task, 1 + i, 0, NULL));
	first = open_class(&task, 9, 0, NULL);
	watcher = open_class(&task, 10, 0, NULL);
	world_enable(first);
	world_enable(watcher);
	world_enable(open_class(NULL, 10, 0, NULL));
	assert_int_equal(first->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(watcher->state, PMUCTL_STATE_ACTIVE);
	close_all();
}

/* A better level's watcher joins what a worse one brought on, in the same pass. */
static void what_comes_on_for_a_task_serves_the_cpu_too(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *watcher;

	(void)state;
	world_switch(0, &task);
	attr.config1 = 1;
	attr.pinned = 1;
	events[nr_events++] = world_open_attr(NULL, 0, &attr, NULL);
	attr.config = 2;
	attr.pinned = 0;
	/* Wants the same counter. */
	events[nr_events++] = world_open_attr(NULL, 0, &attr, NULL);
	watcher = open_class(NULL, 10, 0, NULL);
	world_enable(events[0]);
	world_enable(events[1]);
	world_enable(watcher);
	assert_int_equal(events[1]->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(watcher->state, PMUCTL_STATE_INACTIVE);
	world_enable(open_class(&task, 10, 0, NULL));
	assert_int_equal(watcher->state, PMUCTL_STATE_ACTIVE);
	close_all();
}

/* What is freed goes to the first in line, then to the next: at once, not at the next tick. */
static void room_is_taken_at_once_and_in_order(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 8; i++)
		world_enable(open_class(&task, 1 + i, 0, NULL));
	for (i = 0; i < 4; i++) {
		world_disable(events[i]);
		assert_int_equal(events[4 + i]->state, PMUCTL_STATE_ACTIVE);
	}
	close_all();
}

/* SCH-04: software never lacks room, however full the PMU is. */
static void sch_04_software_groups_pass_by(void **state)
{
	struct perf_event_attr attr = world_software_attr(PERF_COUNT_SW_CONTEXT_SWITCHES);
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 8; i++)
		world_enable(open_class(&task, 1 + i, 0, NULL));
	events[nr_events] = world_open_attr(&task, -1, &attr, NULL);
	world_enable(events[nr_events]);
	assert_int_equal(events[nr_events++]->state, PMUCTL_STATE_ACTIVE);
	close_all();
}

/* A fork that fails for want of memory takes a group off: the room is not left empty. */
static void room_that_a_failed_fork_made_is_used(void **state)
{
	struct task_struct child = { .refs = 1 };
	struct perf_event_attr attr = world_attr(1);
	int i;

	(void)state;
	world_switch(0, &task);
	attr.inherit = 1;
	events[nr_events] = world_open_attr(&task, -1, &attr, NULL);
	world_enable(events[nr_events++]);
	for (i = 1; i < 5; i++)
		world_enable(open_class(&task, 1 + i, 0, NULL));
	assert_int_equal(events[4]->state, PMUCTL_STATE_INACTIVE);
	shim_fail_after = 0;
	world_fork(&task, &child, false);
	assert_int_equal(events[0]->state, PMUCTL_STATE_ERROR);
	assert_int_equal(events[4]->state, PMUCTL_STATE_ACTIVE);
	close_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_new_visits_nobody),
		TEST(coming_back_to_the_same_cpu_visits_nobody),
		TEST(another_cpu_costs_no_more_than_its_counters),
		TEST(rotation_visits_who_goes_on),
		TEST(a_class_that_everybody_leads_with_wakes_nobody),
		TEST(a_group_whose_classes_are_on_joins_at_no_cost),
		TEST(a_class_that_came_on_meanwhile_is_noticed_on_return),
		TEST(a_class_that_comes_on_for_another_wakes_its_watchers),
		TEST(what_comes_on_for_a_task_serves_the_cpu_too),
		TEST(room_is_taken_at_once_and_in_order),
		TEST(sch_04_software_groups_pass_by),
		TEST(room_that_a_failed_fork_made_is_used),
	};

	return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
