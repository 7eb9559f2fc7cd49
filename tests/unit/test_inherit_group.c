// SPDX-License-Identifier: GPL-2.0-only
/* Groups that are inherited: added up while they are alike, and never when they are not. */
#include "family.h"

static void groups_are_inherited_as_groups(void **state)
{
	struct pmuctl_event *leader = open_group_inherited(1, NULL);
	struct pmuctl_event *sibling = open_group_inherited(2, leader);
	u64 values[64];

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	read_group(leader, values, 2);
	assert_int_equal(values[1], 20);
	assert_int_equal(values[3], world_amount(0, 1, 10) + world_amount(1, 1, 10));
	assert_int_equal(values[4], world_amount(0, 2, 10) + world_amount(1, 2, 10));
	world_exit(&child);
	read_group(sibling, values, 2);
	assert_int_equal(values[4], world_amount(0, 2, 10) + world_amount(1, 2, 10));
	pmuctl_event_close(sibling);
	pmuctl_event_close(leader);
}

/* FD-03, REG-15 (CVE-2023-5717): groups that differ are not added up. */
static void reg_15_group_that_grew_after_the_fork_is_echild(void **state)
{
	struct pmuctl_event *leader = open_group_inherited(1, NULL), *late, *sibling;

	(void)state;
	sibling = open_group_inherited(2, leader);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	late = open_group_inherited(3, leader);
	assert_int_equal(world_read_result(leader), -ECHILD);
	/* The same size again, but not the same members. */
	pmuctl_event_close(late);
	late = open_group_inherited(4, leader);
	pmuctl_event_close(sibling);
	assert_int_equal(world_read_result(leader), -ECHILD);
	world_exit(&child);
	assert_int_equal(world_read_result(leader), 5 * 8);
	pmuctl_event_close(late);
	pmuctl_event_close(leader);
}

/* A member that closes takes its children out of their groups: these are alike again. */
static void closing_a_member_keeps_groups_alike(void **state)
{
	struct pmuctl_event *leader = open_group_inherited(1, NULL);
	struct pmuctl_event *a = open_group_inherited(2, leader);
	struct pmuctl_event *b = open_group_inherited(3, leader);
	u64 values[64];

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	pmuctl_event_close(a);
	world_pass(10, 10);
	read_group(leader, values, 2);
	assert_int_equal(values[4], world_amount(0, 3, 10) + world_amount(1, 3, 10));
	pmuctl_event_close(leader);
	world_pass(10, 10);
	read_group(b, values, 1);
	assert_int_equal(values[3], 2 * (world_amount(0, 3, 10) + world_amount(1, 3, 10)));
	pmuctl_event_close(b);
}

/* The same while the child forks in the middle of the close: its child lacks the member too. */
static void fork_during_close(void)
{
	if (pmuctl_ctx_count() == 2) {
		world_fork(&child, &grandchild, false);
		shim_interlude = NULL;
	}
}

static void a_fork_during_the_close_of_a_member_keeps_groups_alike(void **state)
{
	struct pmuctl_event *leader = open_group_inherited(1, NULL);
	struct pmuctl_event *sibling = open_group_inherited(2, leader);

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	shim_interlude = fork_during_close;
	pmuctl_event_close(sibling);
	assert_int_equal(pmuctl_ctx_count(), 3);
	assert_int_equal(world_read_result(leader), 4 * 8);
	pmuctl_event_close(leader);
}

/* REG-42 (CVE-2026-31528): a software event in a hardware group is so in the child. */
static void reg_42_software_leader_of_hardware_is_inherited(void **state)
{
	struct perf_event_attr attr = world_software_attr(PERF_COUNT_SW_TASK_CLOCK);
	struct pmuctl_event *leader, *hw;
	struct pmuctl_group *group;

	(void)state;
	attr.inherit = 1;
	leader = open_with(attr, NULL);
	hw = open_inherited(1, leader);
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	group = list_first_entry(&leader->family.children, struct pmuctl_event, family.node)->group;
	assert_ptr_equal(group->pmu_ctx->pmu, &world_pmu);
	world_switch(1, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(leader).count, 20);
	assert_int_equal(world_read(hw).count, world_amount(0, 1, 10) + world_amount(1, 1, 10));
	pmuctl_event_close(hw);
	pmuctl_event_close(leader);
}

static void reg_43_group_on_a_leader_that_exited(void **state)
{
	struct perf_event_attr attr = inherited(2);
	struct pmuctl_event *leader = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	world_exit(&parent);
	assert_int_equal(world_refused(&parent, -1, &attr, leader), ENODEV);
	pmuctl_event_close(leader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAMILY_TEST(groups_are_inherited_as_groups),
		FAMILY_TEST(reg_15_group_that_grew_after_the_fork_is_echild),
		FAMILY_TEST(closing_a_member_keeps_groups_alike),
		FAMILY_TEST(a_fork_during_the_close_of_a_member_keeps_groups_alike),
		FAMILY_TEST(reg_42_software_leader_of_hardware_is_inherited),
		FAMILY_TEST(reg_43_group_on_a_leader_that_exited),
	};

	return cmocka_run_group_tests_name("inherit_group", tests, NULL, NULL);
}
