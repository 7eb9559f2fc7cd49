// SPDX-License-Identifier: GPL-2.0-only
/* Software events: counted as perf counts them, and at home in groups with hardware. */
#include "world.h"

#define ID(name) PERF_COUNT_SW_##name

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static struct pmuctl_event *open_sw(struct task_struct *whose, int cpu, u64 id)
{
	struct perf_event_attr attr = world_software_attr(id);
	struct pmuctl_event *event = world_open_attr(whose, cpu, &attr, NULL);

	world_enable(event);
	return event;
}

static u64 close_and_count(struct pmuctl_event *event)
{
	u64 count = world_read(event).count;

	pmuctl_event_close(event);
	return count;
}

static void context_switches_are_counted_by_who_goes(void **state)
{
	struct pmuctl_event *mine, *of_cpu = open_sw(NULL, 0, ID(CONTEXT_SWITCHES));
	int i;

	(void)state;
	mine = open_sw(&task, -1, ID(CONTEXT_SWITCHES));
	for (i = 0; i < 5; i++) {
		world_switch(0, &task);
		world_switch(0, &other);
	}
	world_switch(0, &task);
	assert_int_equal(close_and_count(mine), 5);
	assert_int_equal(close_and_count(of_cpu), 11);
}

static void page_faults_follow_the_task(void **state)
{
	struct pmuctl_event *all = open_sw(&task, -1, ID(PAGE_FAULTS));
	struct pmuctl_event *minor = open_sw(&task, -1, ID(PAGE_FAULTS_MIN));
	struct pmuctl_event *major = open_sw(&task, -1, ID(PAGE_FAULTS_MAJ));
	struct pmuctl_event *of_cpu = open_sw(NULL, 1, ID(PAGE_FAULTS));

	(void)state;
	task.minor += 100;	/* before it counts */
	world_switch(0, &task);
	task.minor += 7;
	world_switch(0, &other);
	other.minor += 1000;
	world_switch(1, &task);
	task.minor += 20;
	task.major += 3;
	assert_int_equal(world_read(all).count, 30);
	world_switch(1, NULL);
	world_switch(0, NULL);
	world_switch(1, &other);
	other.major += 50;
	world_switch(1, &task);
	assert_int_equal(close_and_count(all), 30);
	assert_int_equal(close_and_count(minor), 27);
	assert_int_equal(close_and_count(major), 3);
	assert_int_equal(close_and_count(of_cpu), 73);
}

static void faults_before_enabling_do_not_count(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(PAGE_FAULTS));
	struct pmuctl_event *event = world_open_attr(&task, -1, &attr, NULL);

	(void)state;
	world_switch(0, &task);
	task.minor += 100;
	world_enable(event);
	task.minor += 5;
	world_disable(event);
	task.minor += 100;
	assert_int_equal(close_and_count(event), 5);
}

static void clocks_count_nanoseconds(void **state)
{
	struct pmuctl_event *clock = open_sw(NULL, 0, ID(CPU_CLOCK));
	struct pmuctl_event *mine = open_sw(&task, -1, ID(TASK_CLOCK));

	(void)state;
	world_pass(100, 1);
	world_switch(0, &task);
	world_pass(20, 1);
	world_switch(0, NULL);
	world_pass(3, 1);
	assert_int_equal(close_and_count(clock), 123);
	assert_int_equal(close_and_count(mine), 20);
}

static void migrations_count_where_the_task_arrives(void **state)
{
	struct pmuctl_event *mine = open_sw(&task, -1, ID(CPU_MIGRATIONS));
	struct pmuctl_event *arrivals = open_sw(NULL, 2, ID(CPU_MIGRATIONS));

	(void)state;
	world_switch(0, &task);
	assert_int_equal(world_read(mine).count, 0);
	world_switch(0, NULL);
	world_switch(2, &task);
	assert_int_equal(world_read(mine).count, 1);
	world_switch(2, NULL);
	world_switch(2, &task);
	assert_int_equal(world_read(mine).count, 1);
	/* To a CPU where nobody counted anything yet. */
	world_switch(2, NULL);
	world_switch(3, &task);
	assert_int_equal(world_read(mine).count, 2);
	assert_int_equal(close_and_count(mine), 2);
	assert_int_equal(close_and_count(arrivals), 1);
}

static void cgroup_switches(void **state)
{
	struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };
	struct task_struct member = { .refs = 1, .cgroup = &group };
	struct pmuctl_event *event = open_sw(NULL, 0, ID(CGROUP_SWITCHES));

	(void)state;
	world_switch(0, &task);
	world_switch(0, &member);
	world_switch(0, &task);
	world_switch(0, &other);
	world_switch(0, NULL);
	assert_int_equal(close_and_count(event), 2);
}

static void kernel_only_events_do_not_happen_to_who_excludes_it(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(CONTEXT_SWITCHES));
	struct pmuctl_event *event;

	(void)state;
	attr.exclude_kernel = 1;
	event = world_open_attr(&task, -1, &attr, NULL);
	world_enable(event);
	world_switch(0, &task);
	world_pass(5, 1);
	world_switch(0, NULL);
	world_switch(0, &task);
	assert_int_equal(world_read(event).running, 5);
	assert_int_equal(close_and_count(event), 0);
	attr = world_software_attr(ID(PAGE_FAULTS));
	attr.exclude_user = 1;
	assert_int_equal(world_refused(&task, -1, &attr, NULL), EOPNOTSUPP);
}

static void software_that_does_not_exist(void **state)
{
	static const u64 ids[] = { ID(MAX), 63, 64, 1ULL << 32, ~0ULL };
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		struct perf_event_attr attr = world_software_attr(ids[i]);

		assert_int_equal(world_refused(&task, -1, &attr, NULL), ENOENT);
	}
}

/* GRP-01: the first hardware event takes a software group to its PMU, and it stays whole. */
static void grp_01_software_group_moves_to_hardware(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(TASK_CLOCK));
	struct pmuctl_event *leader = world_open_attr(&task, -1, &attr, NULL), *hw, *sw;

	(void)state;
	attr.config = ID(PAGE_FAULTS);
	sw = world_open_attr(&task, -1, &attr, leader);
	world_switch(0, &task);
	pmuctl_event_control(leader, PMUCTL_EVENT_ENABLE, true);
	world_pass(5, 10);
	assert_ptr_equal(leader->own.pmu_ctx->pmu, &pmuctl_software);
	hw = world_open(&task, -1, 1, leader);
	assert_ptr_equal(leader->own.pmu_ctx->pmu, &world_pmu);
	world_enable(hw);
	task.minor += 4;
	world_pass(7, 20);
	assert_int_equal(world_read(leader).count, 12);
	assert_int_equal(world_read(leader).running, 12);
	assert_int_equal(world_read(sw).count, 4);
	assert_int_equal(world_read(hw).count, world_amount(0, 1, 20));
	assert_int_equal(world_read(hw).running, 7);
	pmuctl_event_close(hw);
	pmuctl_event_close(sw);
	pmuctl_event_close(leader);
}

/* GRP-03: software members of a hardware group wait with it. */
static void grp_03_software_in_a_hardware_group_waits_with_it(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(TASK_CLOCK));
	struct pmuctl_event *leader = world_open_attr(&task, -1, &attr, NULL);
	struct pmuctl_event *hw = world_open(&task, -1, 1, leader), *pinned[WORLD_GP];
	int i;

	(void)state;
	attr = world_attr(0);
	attr.pinned = 1;
	for (i = 0; i < WORLD_GP; i++) {
		attr.config = 2 + i;
		pinned[i] = world_open_attr(NULL, 0, &attr, NULL);
		world_enable(pinned[i]);
	}
	world_switch(0, &task);
	pmuctl_event_control(leader, PMUCTL_EVENT_ENABLE, true);
	world_pass(5, 10);
	assert_int_equal(world_read(leader).count, 0);
	assert_int_equal(world_read(leader).enabled, 5);
	assert_int_equal(world_read(leader).running, 0);
	world_disable(pinned[0]);
	world_pass(7, 10);
	assert_int_equal(world_read(leader).count, 7);
	assert_int_equal(world_read(hw).running, 7);
	for (i = 0; i < WORLD_GP; i++)
		pmuctl_event_close(pinned[i]);
	pmuctl_event_close(hw);
	pmuctl_event_close(leader);
	world_pass(shim_rotate_ns, 1);
}

/* GRP-02: a software event that joins a hardware group lives on its PMU. */
static void grp_02_software_joins_hardware(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(TASK_CLOCK));
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL), *sw;

	(void)state;
	sw = world_open_attr(&task, -1, &attr, leader);
	assert_ptr_equal(leader->own.pmu_ctx->pmu, &world_pmu);
	world_switch(0, &task);
	pmuctl_event_control(leader, PMUCTL_EVENT_ENABLE, true);
	world_pass(9, 10);
	/* On its own again, it is software again. */
	pmuctl_event_close(leader);
	assert_ptr_equal(sw->own.pmu_ctx->pmu, &pmuctl_software);
	world_pass(9, 10);
	assert_int_equal(close_and_count(sw), 18);
}

/* On a CPU where nobody counted software yet: what is exclusive there is alone with nobody. */
static void exclusive_software_arrives_with_software_of_a_hardware_group(void **state)
{
	struct perf_event_attr attr = world_software_attr(ID(DUMMY));
	struct pmuctl_event *alone, *leader = world_open(&task, -1, 1, NULL), *sw;

	(void)state;
	attr.exclusive = 1;
	alone = world_open_attr(&task, -1, &attr, NULL);
	attr = world_software_attr(ID(TASK_CLOCK));
	sw = world_open_attr(&task, -1, &attr, leader);
	world_enable(alone);
	pmuctl_event_control(leader, PMUCTL_EVENT_ENABLE, true);
	world_switch(0, &task);
	world_pass(5, 1);
	world_switch(0, NULL);
	world_switch(1, &task);
	world_pass(7, 1);
	assert_int_equal(world_read(alone).running, 12);
	assert_int_equal(close_and_count(sw), 12);
	pmuctl_event_close(leader);
	pmuctl_event_close(alone);
}

static void reg_03_grp_04_hardware_of_two_pmus_does_not_mix(void **state)
{
	struct perf_event_attr second = world_attr(1), attr = world_software_attr(ID(DUMMY));
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL), *sw, *hw;

	(void)state;
	second.type = WORLD_SECOND_TYPE;
	assert_int_equal(world_refused(&task, -1, &second, leader), EINVAL);
	assert_non_null(strstr(world_msg.text, "another PMU"));
	sw = world_open_attr(&task, -1, &attr, NULL);
	hw = world_open_attr(&task, -1, &second, sw);
	attr = world_attr(2);
	assert_int_equal(world_refused(&task, -1, &attr, sw), EINVAL);
	pmuctl_event_close(hw);
	pmuctl_event_close(sw);
	pmuctl_event_close(leader);
}

/* REG-20, SCH-03: what happens on one PMU leaves the other alone. */
static void reg_20_pmus_do_not_disturb_each_other(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *events[8];
	u64 passes;
	int i;

	(void)state;
	world_switch(0, &task);
	attr.type = WORLD_SECOND_TYPE;
	for (i = 0; i < 4; i++) {
		attr.config = 1 + i;
		events[i] = world_open_attr(&task, -1, &attr, NULL);
		world_enable(events[i]);
	}
	assert_true(shim_rotate_due[0][1]);
	assert_false(shim_rotate_due[0][0]);
	passes = world_cpc(0)->passes;
	for (i = 4; i < 8; i++) {
		events[i] = world_open(&task, -1, i, NULL);
		world_enable(events[i]);
	}
	for (i = 0; i < 40; i++)
		world_pass(shim_rotate_ns, 1);
	assert_int_equal(world_cpc(0)->rotations, 0);
	assert_in_range(world_cpc(0)->passes - passes, 0, 4);
	for (i = 0; i < 8; i++) {
		struct world_reading reading = world_read(events[i]);

		/* REG-21 */
		assert_int_equal(reading.enabled, 40 * shim_rotate_ns);
		assert_int_equal(reading.running, (i < 4 ? 20 : 40) * shim_rotate_ns);
		pmuctl_event_close(events[i]);
	}
	world_pass(shim_rotate_ns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(context_switches_are_counted_by_who_goes),
		TEST(page_faults_follow_the_task),
		TEST(faults_before_enabling_do_not_count),
		TEST(clocks_count_nanoseconds),
		TEST(migrations_count_where_the_task_arrives),
		TEST(cgroup_switches),
		TEST(kernel_only_events_do_not_happen_to_who_excludes_it),
		TEST(software_that_does_not_exist),
		TEST(grp_01_software_group_moves_to_hardware),
		TEST(grp_03_software_in_a_hardware_group_waits_with_it),
		TEST(grp_02_software_joins_hardware),
		TEST(exclusive_software_arrives_with_software_of_a_hardware_group),
		TEST_TWO(reg_03_grp_04_hardware_of_two_pmus_does_not_mix),
		TEST_TWO(reg_20_pmus_do_not_disturb_each_other),
	};

	return cmocka_run_group_tests_name("software", tests, NULL, NULL);
}
