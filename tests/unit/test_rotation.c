// SPDX-License-Identifier: GPL-2.0-only
/* Rotation: everybody who waits gets his share, and the timer runs only while somebody waits. */
#include "world.h"

#define MAX_EVENTS 160

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };
static struct pmuctl_event *events[MAX_EVENTS];
static int nr_events;

/* Everything here is of class {kind, i}, so that nothing is shared unless a test wants it. */
static struct pmuctl_event *open_at(struct task_struct *whose, int i, u64 mask,
				    struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(1 + i % (WORLD_KINDS - 1));

	attr.config1 = WORLD_CLASS(1 + i) | mask;
	attr.disabled = !leader;
	events[nr_events] = world_open_attr(whose, whose ? -1 : 0, &attr, leader);
	return events[nr_events++];
}

static void close_all(void)
{
	while (nr_events)
		pmuctl_event_close(events[--nr_events]);
}

static void open_groups(struct task_struct *whose, int n, int size, u64 mask)
{
	int i, k;

	for (i = 0; i < n; i++) {
		struct pmuctl_event *leader = open_at(whose, i * size, mask, NULL);

		for (k = 1; k < size; k++)
			open_at(whose, i * size + k, mask, leader);
	}
	for (i = 0; i < n; i++)
		world_enable(events[i * size]);
}

static const struct {
	const char *what;
	int n, size;
	u64 mask;
	int at_once;	/* groups that fit */
} cases[] = {
	{ "one more than counters", 5, 1, 0, 4 },
	{ "many", 33, 1, 0, 4 },
	{ "pairs", 7, 2, 0, 2 },
	{ "groups of three", 5, 3, 0, 1 },
	{ "as large as the PMU", 4, 4, 0, 1 },
	{ "on one counter", 6, 1, 0x2, 1 },
	{ "on two counters", 9, 1, 0x5, 2 },
	{ "pairs on two counters", 5, 2, 0xa, 1 },
	{ "pairs on three counters", 8, 2, 0x7, 1 },
};

/* Within 5 % of equal shares, and no counter idle that could be used. */
static void check_shares(int n, int size, int at_once, int ticks)
{
	double share = (double)ticks * at_once / n * shim_rotate_ns;
	int i;

	for (i = 0; i < n * size; i++) {
		struct world_reading reading = world_read(events[i]);

		assert_int_equal(reading.enabled, ticks * shim_rotate_ns);
		if (reading.running < 0.95 * share || reading.running > 1.05 * share)
			fail_msg("event %d ran for %.1f of %.1f intervals", i,
				 (double)reading.running / shim_rotate_ns,
				 share / shim_rotate_ns);
	}
}

static void rotate(struct task_struct *whose)
{
	int i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int ticks = 100 * cases[i].n;

		print_message("  %s\n", cases[i].what);
		open_groups(whose, cases[i].n, cases[i].size, cases[i].mask);
		for (k = 0; k < ticks; k++)
			world_pass(shim_rotate_ns, 1);
		check_shares(cases[i].n, cases[i].size, cases[i].at_once, ticks);
		close_all();
		world_pass(2 * shim_rotate_ns, 1);
	}
}

static void rot_03_equal_groups_of_a_task_get_equal_shares(void **state)
{
	(void)state;
	world_switch(0, &task);
	rotate(&task);
}

static void rot_03_equal_groups_of_a_cpu_get_equal_shares(void **state)
{
	(void)state;
	rotate(NULL);
}

/* Ticks do not start anew with each residency, and nobody is forgotten meanwhile. */
static void shares_are_equal_for_a_task_that_comes_and_goes(void **state)
{
	unsigned int seed = 20261201;
	u64 least = ~0ULL, most = 0;
	int i;

	(void)state;
	open_groups(&task, 9, 1, 0);
	for (i = 0; i < 20000; i++) {
		int cpu = rand_r(&seed) % SHIM_CPUS;

		world_switch(cpu, &task);
		world_pass(rand_r(&seed) % shim_rotate_ns, 1);
		world_switch(cpu, NULL);
		world_pass(rand_r(&seed) % 1000, 1);
	}
	for (i = 0; i < 9; i++) {
		u64 running = world_read(events[i]).running;

		least = min(least, running);
		most = max(most, running);
	}
	assert_true(most < 1.1 * least);
	close_all();
}

/* Who is of a better level rotates within what it has; the worse level gets the rest. */
static void rot_03_cpu_and_task_rotate_each_in_its_own(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	/* Six of the CPU on counters 0 and 1, six of the task wherever there is room. */
	for (i = 0; i < 6; i++)
		world_enable(open_at(NULL, i, 0x3, NULL));
	for (i = 6; i < 12; i++)
		world_enable(open_at(&task, i, 0, NULL));
	for (i = 0; i < 600; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < 12; i++)
		assert_in_range(world_read(events[i]).running / shim_rotate_ns, 190, 210);
	close_all();
}

/* What cannot go on whatever rotates does not keep those behind it from their turn. */
static void a_group_without_a_chance_does_not_block_the_line(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *pinned;
	int i;

	(void)state;
	world_switch(0, &task);
	attr.pinned = 1;
	attr.config1 = 0x1;
	pinned = world_open_attr(NULL, 0, &attr, NULL);
	world_enable(pinned);
	world_enable(open_at(&task, 0, 0x1, NULL));	/* only where the pinned one is */
	for (i = 1; i < 7; i++)
		world_enable(open_at(&task, i, 0xe, NULL));
	for (i = 0; i < 600; i++)
		world_pass(shim_rotate_ns, 1);
	assert_int_equal(world_read(events[0]).running, 0);
	for (i = 1; i < 7; i++)
		assert_in_range(world_read(events[i]).running / shim_rotate_ns, 250, 310);
	pmuctl_event_close(pinned);
	close_all();
}

/* RB-05: events bound to this CPU and those that are not stand in one line. */
static void rb_05_bound_and_unbound_events_stand_in_one_line(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 9; i++) {
		struct perf_event_attr attr = world_attr(1 + i);

		events[nr_events] = world_open_attr(&task, i % 3 - 1, &attr, NULL);
		world_enable(events[nr_events++]);
	}
	for (i = 0; i < 600; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < 9; i++) {
		assert_int_equal(world_read(events[i]).enabled, 600 * shim_rotate_ns);
		if (i % 3 == 2)
			assert_int_equal(world_read(events[i]).running, 0);
		else
			assert_in_range(world_read(events[i]).running / shim_rotate_ns, 380, 420);
	}
	close_all();
	world_pass(shim_rotate_ns, 1);
}

/* Large and small groups: no equal shares, but nobody starves. */
static void nobody_starves_whatever_its_size(void **state)
{
	static const int sizes[] = { 4, 1, 1, 2, 3, 1, 2, 4, 1 };
	int i, k, first[ARRAY_SIZE(sizes)];

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		first[i] = nr_events;
		for (k = 0; k < sizes[i]; k++)
			open_at(&task, nr_events, 0, k ? events[first[i]] : NULL);
		world_enable(events[first[i]]);
	}
	for (i = 0; i < 900; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		assert_true(world_read(events[first[i]]).running >= 50 * shim_rotate_ns);
	close_all();
}

/* Groups that share a class with what is on ride along; those that ride do not pay for it. */
static void who_shares_rides_along(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 6; i++)
		world_enable(open_at(&task, i, 0, NULL));
	for (i = 0; i < 6; i++)
		world_enable(open_at(&task, i, 0, NULL));
	for (i = 0; i < 600; i++) {
		world_pass(shim_rotate_ns, 1);
		assert_int_equal(world_counters_on(0), WORLD_GP);
	}
	for (i = 0; i < 6; i++) {
		struct world_reading a = world_read(events[i]), b = world_read(events[6 + i]);

		assert_in_range(a.running / shim_rotate_ns, 300, 500);
		assert_in_range(b.running / shim_rotate_ns, 300, 500);
	}
	close_all();
}

/*
 * Who has been on longest goes; a class that somebody joined since is not the oldest any more.
 * Coming and going with the task makes nobody younger.
 */
static void longest_first(bool come_and_go)
{
	int i;

	world_switch(0, &task);
	for (i = 0; i < 4; i++) {
		world_enable(open_at(&task, i, 0, NULL));
		world_pass(1, 1);
	}
	world_enable(open_at(&task, 0, 0, NULL));	/* joins the first */
	world_enable(open_at(&task, 9, 0, NULL));
	if (come_and_go) {
		world_switch(0, NULL);
		world_pass(1, 1);
		world_switch(0, &task);
	}
	for (i = 1; i < 4; i++) {
		world_pass(shim_rotate_ns, 1);
		assert_int_equal(events[i]->state, PMUCTL_STATE_INACTIVE);
		assert_int_equal(events[0]->state, PMUCTL_STATE_ACTIVE);
	}
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(events[0]->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(events[4]->state, PMUCTL_STATE_INACTIVE);
	close_all();
	world_pass(shim_rotate_ns, 1);
}

static void who_has_been_on_longest_goes_first(void **state)
{
	(void)state;
	longest_first(false);
	longest_first(true);
}

static void rot_02_timer_runs_only_while_somebody_waits(void **state)
{
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 4; i++)
		world_enable(open_at(&task, i, 0, NULL));
	assert_false(shim_rotate_due[0][0]);
	world_enable(open_at(&task, 4, 0, NULL));
	assert_true(shim_rotate_due[0][0]);
	assert_false(shim_rotate_due[1][0]);
	world_pass(10 * shim_rotate_ns, 1);
	assert_true(shim_rotate_due[0][0]);
	world_disable(events[0]);
	world_pass(shim_rotate_ns, 1);
	assert_false(shim_rotate_due[0][0]);
	/* Started anew for who waits anew. */
	world_enable(events[0]);
	assert_true(shim_rotate_due[0][0]);
	close_all();
	world_pass(shim_rotate_ns, 1);
	assert_false(shim_rotate_due[0][0]);
}

static void rot_01_turns_are_taken_once_an_interval(void **state)
{
	u64 before;
	int i;

	(void)state;
	world_switch(0, &task);
	shim_rotate_ns = 100;
	for (i = 0; i < 5; i++)
		world_enable(open_at(&task, i, 0, NULL));
	before = world_cpc(0)->rotations;
	for (i = 0; i < 1000; i++)
		world_pass(1, 1);
	assert_int_equal(world_cpc(0)->rotations - before, 10);
	close_all();
	world_pass(100, 1);
}

/* ROT-08: who waits elsewhere, or for another cgroup, is no reason to take turns here. */
static void rot_08_timer_stops_when_who_waits_is_out(void **state)
{
	struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };
	struct task_struct member = { .refs = 1, .cgroup = &group };
	int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct perf_event_attr attr = world_attr(1);

		attr.config1 = WORLD_CLASS(i);
		events[nr_events] = world_open_cgroup(&group, 0, &attr, NULL);
		world_enable(events[nr_events++]);
	}
	assert_false(shim_rotate_due[0][0]);
	world_switch(0, &member);
	assert_true(shim_rotate_due[0][0]);
	world_switch(0, &other);
	world_pass(shim_rotate_ns, 1);
	assert_false(shim_rotate_due[0][0]);
	world_switch(0, &member);
	assert_true(shim_rotate_due[0][0]);
	world_switch(0, NULL);
	close_all();
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(group.refs, 1);
}

/* ROT-07: enabled time goes on evenly, running time belongs to who was on in the interval. */
static void rot_07_times_of_a_cgroup_are_settled_when_turns_are_taken(void **state)
{
	struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };
	struct task_struct member = { .refs = 1, .cgroup = &group };
	u64 running = 0;
	int i;

	(void)state;
	world_switch(0, &member);
	for (i = 0; i < 6; i++) {
		struct perf_event_attr attr = world_attr(1);

		attr.config1 = WORLD_CLASS(i);
		events[nr_events] = world_open_cgroup(&group, 0, &attr, NULL);
		world_enable(events[nr_events++]);
	}
	for (i = 0; i < 60; i++)
		world_pass(shim_rotate_ns, 1);
	for (i = 0; i < 6; i++) {
		assert_int_equal(world_read(events[i]).enabled, 60 * shim_rotate_ns);
		running += world_read(events[i]).running;
	}
	assert_int_equal(running, 4 * 60 * shim_rotate_ns);
	close_all();
	world_pass(shim_rotate_ns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rot_03_equal_groups_of_a_task_get_equal_shares),
		TEST(rot_03_equal_groups_of_a_cpu_get_equal_shares),
		TEST(shares_are_equal_for_a_task_that_comes_and_goes),
		TEST(rot_03_cpu_and_task_rotate_each_in_its_own),
		TEST(a_group_without_a_chance_does_not_block_the_line),
		TEST(rb_05_bound_and_unbound_events_stand_in_one_line),
		TEST(nobody_starves_whatever_its_size),
		TEST(who_shares_rides_along),
		TEST(who_has_been_on_longest_goes_first),
		TEST(rot_02_timer_runs_only_while_somebody_waits),
		TEST(rot_01_turns_are_taken_once_an_interval),
		TEST(rot_08_timer_stops_when_who_waits_is_out),
		TEST(rot_07_times_of_a_cgroup_are_settled_when_turns_are_taken),
	};

	return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
