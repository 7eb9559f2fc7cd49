// SPDX-License-Identifier: GPL-2.0-only
/* Groups: together or not at all, and what a read of one gives. */
#include "world.h"

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static struct pmuctl_event *open_group_member(u64 config, struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(config);

	attr.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	attr.disabled = !leader;
	return world_open_attr(&task, -1, &attr, leader);
}

static void sibling_counts_with_its_leader(void **state)
{
	struct pmuctl_event *leader = open_group_member(1, NULL);
	struct pmuctl_event *sibling = open_group_member(2, leader);
	u64 values[16];

	(void)state;
	world_switch(0, &task);
	world_pass(1, 10);	/* the leader is off, so the sibling is */
	world_enable(leader);
	world_pass(5, 20);
	world_disable(leader);
	world_pass(1, 30);
	assert_int_equal(pmuctl_event_read(leader, values, sizeof(values)), 7 * 8);
	assert_int_equal(values[0], 2);
	assert_int_equal(values[1], 5);
	assert_int_equal(values[2], 5);
	assert_int_equal(values[3], world_amount(0, 1, 20));
	assert_int_equal(values[4], leader->id);
	assert_int_equal(values[5], world_amount(0, 2, 20));
	assert_int_equal(values[6], sibling->id);
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

/* Also abi.md 30: the first value of a sibling's group read is the leader's. */
static void fd_04_group_read_of_a_sibling_gives_the_group(void **state)
{
	struct pmuctl_event *leader = open_group_member(1, NULL);
	struct pmuctl_event *sibling = open_group_member(2, leader);
	u64 a[7], b[7];

	(void)state;
	world_switch(0, &task);
	world_enable(leader);
	world_pass(5, 20);
	assert_int_equal(pmuctl_event_read(leader, a, sizeof(a)), sizeof(a));
	assert_int_equal(pmuctl_event_read(sibling, b, sizeof(b)), sizeof(b));
	assert_memory_equal(a, b, sizeof(a));
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

static void fd_02_short_buffer_is_enospc(void **state)
{
	struct pmuctl_event *leader = open_group_member(1, NULL);
	struct pmuctl_event *sibling = open_group_member(2, leader);
	u64 values[7];

	(void)state;
	assert_int_equal(pmuctl_event_read(leader, values, sizeof(values) - 1), -ENOSPC);
	assert_int_equal(pmuctl_event_read(sibling, values, 0), -ENOSPC);
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

static void fd_04_read_layouts(void **state)
{
	static const struct {
		u64 format;
		int words;
	} cases[] = {
		{ 0, 1 },
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, 2 },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID, 3 },
		{ PERF_FORMAT_ID | PERF_FORMAT_LOST, 3 },
		{ PERF_FORMAT_GROUP, 4 },
		{ PERF_FORMAT_GROUP | PERF_FORMAT_ID, 7 },
		{ PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
		  PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING, 12 },
	};
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(pmuctl_read_size(cases[i].format, 3), cases[i].words * 8);
}

static void closing_the_leader_leaves_singletons_that_count(void **state)
{
	struct pmuctl_event *leader = open_group_member(1, NULL);
	struct pmuctl_event *sibling = open_group_member(2, leader);
	u64 values[5];

	(void)state;
	world_switch(0, &task);
	world_enable(leader);
	world_pass(5, 20);
	pmuctl_event_close(leader);
	world_pass(5, 30);
	assert_int_equal(pmuctl_event_read(sibling, values, sizeof(values)), sizeof(values));
	assert_int_equal(values[0], 1);
	assert_int_equal(values[3], world_amount(0, 2, 50));
	pmuctl_event_close(sibling);
}

static void group_flag_reaches_every_member(void **state)
{
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *sibling = world_open(&task, -1, 2, leader);

	(void)state;
	world_switch(0, &task);
	world_enable(leader);
	world_pass(1, 10);
	assert_int_equal(world_read(sibling).count, 0);
	pmuctl_event_control(sibling, PMUCTL_EVENT_ENABLE, true);
	world_pass(1, 20);
	assert_int_equal(world_read(leader).count, world_amount(0, 1, 10) + world_amount(0, 1, 20));
	assert_int_equal(world_read(sibling).count, world_amount(0, 2, 20));
	pmuctl_event_control(sibling, PMUCTL_EVENT_RESET, true);
	assert_int_equal(world_read(leader).count, 0);
	pmuctl_event_control(leader, PMUCTL_EVENT_DISABLE, true);
	world_pass(1, 30);
	assert_int_equal(world_read(leader).count + world_read(sibling).count, 0);
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

static void open_26_what_a_group_refuses(void **state)
{
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *sibling = world_open(&task, -1, 2, leader);
	struct perf_event_attr attr = world_attr(3);

	(void)state;
	assert_int_equal(world_refused(&task, -1, &attr, sibling), EINVAL);
	assert_int_equal(world_refused(&other, -1, &attr, leader), EINVAL);
	assert_int_equal(world_refused(&task, 1, &attr, leader), EINVAL);
	assert_int_equal(world_refused(NULL, 1, &attr, leader), EINVAL);
	attr.pinned = 1;
	assert_int_equal(world_refused(&task, -1, &attr, leader), EINVAL);
	attr.pinned = 0;
	attr.exclusive = 1;
	assert_int_equal(world_refused(&task, -1, &attr, leader), EINVAL);
	attr.exclusive = 0;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	assert_int_equal(world_refused(&task, -1, &attr, leader), EINVAL);
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

static void open_12_all_members_are_inherited_or_none(void **state)
{
	struct perf_event_attr plain = world_attr(2), inherited = world_attr(1);
	struct pmuctl_event *leader, *of_cpu = world_open(NULL, 0, 1, NULL);

	(void)state;
	inherited.inherit = 1;
	leader = world_open_attr(&task, -1, &inherited, NULL);
	assert_int_equal(world_refused(&task, -1, &plain, leader), EINVAL);
	assert_non_null(strstr(world_msg.text, "inherit alike"));
	assert_int_equal(world_refused(&task, -1, &inherited, leader), 0);
	/* Nobody inherits a CPU's. */
	assert_int_equal(world_refused(NULL, 0, &inherited, of_cpu), 0);
	pmuctl_event_close(leader);
	pmuctl_event_close(of_cpu);
}

/* SCH-11: while its leader is off a sibling is off too, its times stand still. */
static void sch_11_a_leader_that_is_off_keeps_its_siblings_off(void **state)
{
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *sibling = world_open(&task, -1, 2, leader);

	(void)state;
	world_switch(0, &task);
	world_enable(sibling);
	world_pass(5, 10);
	assert_int_equal(sibling->state, PMUCTL_STATE_OFF);
	assert_int_equal(world_read(sibling).enabled, 0);
	world_enable(leader);
	world_pass(7, 20);
	assert_int_equal(sibling->state, PMUCTL_STATE_ACTIVE);
	world_disable(leader);
	world_pass(11, 30);
	assert_int_equal(sibling->state, PMUCTL_STATE_OFF);
	assert_int_equal(world_read(sibling).enabled, 7);
	assert_int_equal(world_read(sibling).running, 7);
	assert_int_equal(world_read(sibling).count, world_amount(0, 2, 20));
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

static void open_09_leader_whose_task_exited(void **state)
{
	struct task_struct mortal = { .refs = 1 };
	struct pmuctl_event *leader = world_open(&mortal, -1, 1, NULL);
	struct perf_event_attr attr = world_attr(2);

	(void)state;
	world_switch(1, &mortal);
	world_exit(&mortal);
	assert_int_equal(world_refused(&mortal, -1, &attr, leader), ENODEV);
	pmuctl_event_close(leader);
}

/* abi.md 7: the open of one member too many fails; it must not open and then read zeroes. */
static void group_that_never_fits_is_refused_at_open(void **state)
{
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *members[WORLD_GP];
	struct perf_event_attr attr = world_attr(5);
	int i;

	(void)state;
	for (i = 1; i < WORLD_GP; i++) {
		members[i] = world_open(&task, -1, 1 + i, leader);
		world_enable(members[i]);
	}
	assert_int_equal(world_refused(&task, -1, &attr, leader), EINVAL);
	/* What a member counts already costs no counter more. */
	members[0] = world_open(&task, -1, 2, leader);
	pmuctl_event_close(members[0]);
	/* perf's rule: who is disabled does not count. */
	world_disable(members[1]);
	assert_int_equal(world_refused(&task, -1, &attr, leader), 0);
	for (i = 1; i < WORLD_GP; i++)
		pmuctl_event_close(members[i]);
	pmuctl_event_close(leader);
}

/* So a group can come to need more than there is. It waits, and keeps nobody from his turn. */
static void group_that_never_fits_waits_for_ever(void **state)
{
	struct pmuctl_event *members[40], *others[6];
	struct perf_event_attr attr = world_attr(1);
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < ARRAY_SIZE(members); i++) {
		attr.config1 = WORLD_CLASS(i);
		members[i] = world_open_attr(&task, -1, &attr, i ? members[0] : NULL);
	}
	pmuctl_event_control(members[0], PMUCTL_EVENT_ENABLE, true);
	attr.config1 = WORLD_CLASS(99);
	assert_int_equal(world_refused(&task, -1, &attr, members[0]), EINVAL);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		others[i] = world_open(&task, -1, 2 + i, NULL);
		world_enable(others[i]);
	}
	for (i = 0; i < 60; i++)
		world_pass(shim_rotate_ns, 1);
	assert_int_equal(world_read(members[0]).running, 0);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		assert_true(world_read(others[i]).running > 20 * shim_rotate_ns);
		pmuctl_event_close(others[i]);
	}
	for (i = ARRAY_SIZE(members) - 1; i >= 0; i--)
		pmuctl_event_close(members[i]);
	world_pass(shim_rotate_ns, 1);
}

static void open_28_group_that_outgrows_a_read(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *events[1100];
	int n = 1, err = 0;

	(void)state;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	events[0] = world_open_attr(&task, -1, &attr, NULL);
	while (n < ARRAY_SIZE(events) && !(err = world_refused(&task, -1, &attr, events[0])))
		events[n++] = world_open_attr(&task, -1, &attr, events[0]);
	assert_int_equal(err, E2BIG);
	assert_int_equal(n, (PMUCTL_READ_SIZE_MAX / 8 - 1) / 2);
	while (n--)
		pmuctl_event_close(events[n]);
}

/* REG-16 (CVE-2023-6931): nor may that of a sibling, however little the others read. */
static void reg_16_group_that_outgrows_a_siblings_read(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *events[1100];
	int n = 2, err = 0;

	(void)state;
	attr.read_format = 0;
	events[0] = world_open_attr(&task, -1, &attr, NULL);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	events[1] = world_open_attr(&task, -1, &attr, events[0]);
	attr.read_format = 0;
	while (n < ARRAY_SIZE(events) && !(err = world_refused(&task, -1, &attr, events[0])))
		events[n++] = world_open_attr(&task, -1, &attr, events[0]);
	assert_int_equal(err, E2BIG);
	assert_int_equal(n, (PMUCTL_READ_SIZE_MAX / 8 - 1) / 2);
	while (n--)
		pmuctl_event_close(events[n]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sibling_counts_with_its_leader),
		TEST(fd_04_group_read_of_a_sibling_gives_the_group),
		TEST(fd_02_short_buffer_is_enospc),
		TEST(fd_04_read_layouts),
		TEST(closing_the_leader_leaves_singletons_that_count),
		TEST(group_flag_reaches_every_member),
		TEST(open_26_what_a_group_refuses),
		TEST(open_12_all_members_are_inherited_or_none),
		TEST(sch_11_a_leader_that_is_off_keeps_its_siblings_off),
		TEST(open_09_leader_whose_task_exited),
		TEST(group_that_never_fits_is_refused_at_open),
		TEST(group_that_never_fits_waits_for_ever),
		TEST(open_28_group_that_outgrows_a_read),
		TEST(reg_16_group_that_outgrows_a_siblings_read),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
