// SPDX-License-Identifier: GPL-2.0-only
/* Programs that are executed: who starts with them, who ends, and what their groups do then. */
#include "family.h"

/* REG-07, REG-43, SW-08, SW-10: who is not to survive goes alone, outside its group. */
static void reg_43_exec_removes_some_members_of_a_group(void **state)
{
	struct perf_event_attr attr = inherited(2);
	struct pmuctl_event *leader = open_group_inherited(1, NULL), *goes, *stays;
	u64 values[64];

	(void)state;
	attr.read_format |= PERF_FORMAT_GROUP;
	attr.remove_on_exec = 1;
	goes = open_with(attr, leader);
	stays = open_group_inherited(3, leader);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	world_exec(&parent, false);
	assert_true(pmuctl_event_finished(goes));
	assert_ptr_equal(goes->group, &goes->own);
	world_pass(10, 10);
	/* The child did not execute anything: its group has all three still. */
	assert_int_equal(world_read_result(leader), -ECHILD);
	world_exec(&child, false);
	read_group(leader, values, 2);
	assert_int_equal(values[4], 2 * (world_amount(0, 3, 10) + world_amount(1, 3, 10)));
	/* What ended stays readable: 10 of the parent's, and all of its child until the exec. */
	assert_int_equal(pmuctl_event_read(goes, values, sizeof(values)), 4 * 8);
	assert_int_equal(values[3], world_amount(0, 2, 10) + 2 * world_amount(1, 2, 10));
	world_enable(goes);
	world_pass(10, 10);
	pmuctl_event_read(goes, values, sizeof(values));
	assert_int_equal(values[3], world_amount(0, 2, 10) + 2 * world_amount(1, 2, 10));
	pmuctl_event_close(goes);
	pmuctl_event_close(stays);
	pmuctl_event_close(leader);
}

static void reg_07_exec_removes_a_leader(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *leader, *sibling;
	int round;

	(void)state;
	attr.remove_on_exec = 1;
	for (round = 0; round < 2; round++) {
		leader = open_with(attr, NULL);
		sibling = open_inherited(2, leader);
		world_switch(0, &parent);
		fork_to(1, &parent, &child);
		world_pass(10, 10);
		world_exec(round ? &child : &parent, false);
		world_pass(10, 10);
		assert_int_equal(world_read(sibling).count, 2 * (world_amount(0, 2, 10) +
				 world_amount(1, 2, 10)));
		assert_int_equal(world_read(leader).count, 3 * (1 + 1) * 10 + (round ? 1 : 2));
		pmuctl_event_close(leader);
		world_pass(10, 10);
		assert_int_equal(world_read(sibling).enabled, 60);
		pmuctl_event_close(sibling);
		world_exit(&child);
		child.exiting = false;
	}
}

static void enable_on_exec_is_inherited(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *event;

	(void)state;
	attr.enable_on_exec = 1;
	event = world_open_attr(&parent, -1, &attr, NULL);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, 0);
	world_exec(&child, false);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 10));
	pmuctl_event_close(event);
}

static void a_privileged_program_takes_no_inherited_event_along(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	world_exec(&child, true);
	world_pass(10, 10);
	fork_to(2, &child, &grandchild);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, 3 * world_amount(0, 1, 10) +
			 world_amount(1, 1, 10));
	pmuctl_event_close(event);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAMILY_TEST(reg_43_exec_removes_some_members_of_a_group),
		FAMILY_TEST(reg_07_exec_removes_a_leader),
		FAMILY_TEST(enable_on_exec_is_inherited),
		FAMILY_TEST(a_privileged_program_takes_no_inherited_event_along),
	};

	return cmocka_run_group_tests_name("exec", tests, NULL, NULL);
}
