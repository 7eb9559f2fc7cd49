// SPDX-License-Identifier: GPL-2.0-only
/* Inheriting: children count for the event that was opened, and obey when it is told something. */
#include "family.h"

static void children_count_for_the_event_that_was_opened(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	world_pass(10, 100);
	fork_to(1, &parent, &child);
	world_pass(20, 10);
	fork_to(2, &child, &grandchild);
	world_pass(40, 1);
	/* SW-05: the grandchild's is the parent's child. */
	assert_int_equal(world_read(event).count, world_amount(0, 1, 111) + 2 * 0 +
			 world_amount(1, 1, 10) + world_amount(1, 1, 1) + world_amount(2, 1, 1));
	assert_int_equal(world_read(event).enabled, 70 + 60 + 40);
	assert_int_equal(world_read(event).running, 70 + 60 + 40);
	pmuctl_event_close(event);
}

static void an_exit_moves_the_count_and_changes_no_sum(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);
	struct world_reading before, after;

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	fork_to(2, &child, &grandchild);
	world_pass(10, 10);
	before = world_read(event);
	world_exit(&child);
	after = world_read(event);
	assert_memory_equal(&before, &after, sizeof(before));
	world_exit(&grandchild);
	after = world_read(event);
	assert_memory_equal(&before, &after, sizeof(before));
	world_exit(&parent);
	after = world_read(event);
	assert_memory_equal(&before, &after, sizeof(before));
	assert_true(pmuctl_event_finished(event));
	pmuctl_event_close(event);
}

static void children_go_on_after_the_parent_exits(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_exit(&parent);
	world_pass(10, 10);
	fork_to(2, &child, &grandchild);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, 2 * world_amount(1, 1, 10) +
			 world_amount(2, 1, 10));
	pmuctl_event_close(event);
}

/* REG-30: a child that waited all its life was enabled all its life. */
static void reg_30_enabled_time_of_a_child_that_never_ran_counts(void **state)
{
	struct perf_event_attr attr = world_attr(2);
	struct pmuctl_event *event, *pinned;

	(void)state;
	attr.pinned = 1;
	attr.config1 = 1;
	pinned = world_open_attr(NULL, 1, &attr, NULL);
	world_enable(pinned);
	attr = inherited(1);
	attr.config1 = 1;
	event = open_with(attr, NULL);
	world_switch(0, &parent);
	world_pass(5, 1);
	fork_to(1, &parent, &child);
	world_pass(10, 1);
	assert_int_equal(world_read(event).enabled, 25);
	assert_int_equal(world_read(event).running, 15);
	world_exit(&child);
	assert_int_equal(world_read(event).enabled, 25);
	assert_int_equal(world_read(event).running, 15);
	pmuctl_event_close(event);
	pmuctl_event_close(pinned);
	world_pass(shim_rotate_ns, 1);
}

/* SW-05: the child is as the parent's event is when it is made, not as it was opened. */
static void sw_05_state_follows_the_parent(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	world_disable(event);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, 0);
	/* ENABLE, DISABLE and RESET reach children. */
	world_enable(event);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 10) + world_amount(1, 1, 10));
	world_reset(event);
	assert_int_equal(world_read(event).count, 0);
	world_disable(event);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, 0);
	assert_int_equal(world_read(event).enabled, 20);
	pmuctl_event_close(event);
}

static void sw_06_who_does_not_inherit_is_skipped(void **state)
{
	struct pmuctl_event *plain = world_open(&parent, -1, 1, NULL);
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_enable(plain);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(plain).count, world_amount(0, 1, 10));
	assert_int_equal(world_read(event).count, world_amount(0, 1, 10) + world_amount(1, 1, 10));
	pmuctl_event_close(plain);
	pmuctl_event_close(event);
}

static void sw_06_inherit_thread(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *event;

	(void)state;
	attr.inherit_thread = 1;
	event = open_with(attr, NULL);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_fork(&parent, &grandchild, true);
	world_switch(2, &grandchild);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 10) + world_amount(2, 1, 10));
	pmuctl_event_close(event);
}

static void closing_ends_all_children(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL), *kept = open_inherited(2, NULL);

	(void)state;
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	fork_to(2, &child, &grandchild);
	assert_int_equal(pmuctl_ctx_count(), 3);
	pmuctl_event_close(event);
	assert_int_equal(pmuctl_ctx_count(), 3);
	world_pass(10, 10);
	assert_int_equal(world_read(kept).enabled, 30);
	pmuctl_event_close(kept);
	assert_int_equal(pmuctl_ctx_count(), 0);
	world_fork(&child, &grandchild, false);
}

/* On where it was made, on from the start where it goes: the child's first switch costs nothing. */
static void what_was_on_is_on_in_the_child(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	(void)state;
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	world_hw.starts = world_hw.stops = world_hw.raws = 0;
	world_switch(0, &child);
	assert_int_equal(world_hw.starts + world_hw.stops, 0);
	assert_true(world_hw.raws <= 1);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 10));
	pmuctl_event_close(event);
}

static void bound_to_a_cpu_children_are_too(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *event = world_open_attr(&parent, 2, &attr, NULL);

	(void)state;
	world_enable(event);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(event).running, 0);
	world_switch(1, NULL);
	world_switch(2, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(event).running, 10);
	assert_int_equal(world_read(event).count, world_amount(2, 1, 10));
	pmuctl_event_close(event);
}

/* ---- SW-02: tasks whose contexts are alike exchange them ---- */

static void cost(int *reads, int *writes)
{
	*reads = world_hw.raws;
	*writes = world_hw.starts + world_hw.stops;
	world_hw.raws = world_hw.starts = world_hw.stops = 0;
}

static void sw_02_children_that_are_alike_switch_for_nothing(void **state)
{
	struct pmuctl_event *a = open_inherited(1, NULL), *b = open_inherited(2, NULL);
	int i, reads, writes;

	(void)state;
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	world_fork(&parent, &grandchild, false);
	world_switch(1, &child);
	cost(&reads, &writes);
	for (i = 0; i < 10; i++) {
		world_pass(1, 10);
		world_switch(1, i % 2 ? &child : &grandchild);
	}
	cost(&reads, &writes);
	assert_int_equal(reads + writes, 0);
	/* Whoever holds what: the sum is that of both. */
	world_exit(&child);
	assert_int_equal(world_read(a).count,
			 10 * (world_amount(0, 1, 10) + world_amount(1, 1, 10)));
	assert_int_equal(world_read(b).enabled, 20);
	world_switch(2, &grandchild);
	world_pass(1, 10);
	assert_int_equal(world_read(a).enabled, 22);
	pmuctl_event_close(a);
	pmuctl_event_close(b);
}

/* What only one of the two counts does not change hands. */
static void sw_02_children_that_differ_do_not_exchange(void **state)
{
	struct perf_event_attr attr = inherited(2);
	struct pmuctl_event *both = open_inherited(1, NULL), *threads, *own;

	(void)state;
	attr.inherit_thread = 1;
	threads = open_with(attr, NULL);
	world_switch(0, &parent);
	world_fork(&parent, &child, true);
	world_fork(&parent, &grandchild, false);
	world_switch(1, &child);
	world_pass(1, 10);
	world_switch(1, &grandchild);
	world_pass(1, 100);
	assert_int_equal(world_read(threads).count,
			 world_amount(0, 2, 110) + world_amount(1, 2, 10));
	assert_int_equal(world_read(both).enabled, 4);
	/* Nor does what was opened on one of them. */
	pmuctl_event_close(threads);
	own = world_open(&child, -1, 3, NULL);
	world_enable(own);
	world_switch(1, &child);
	world_pass(1, 1000);
	world_switch(1, &grandchild);
	world_pass(1, 10000);
	assert_int_equal(world_read(own).count, world_amount(1, 3, 1000));
	pmuctl_event_close(own);
	pmuctl_event_close(both);
}

/* inherit_stat: each task's count must stay with it. */
static void sw_02_inherit_stat_keeps_contexts_apart(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *event;
	int reads, writes;

	(void)state;
	attr.inherit_stat = 1;
	event = open_with(attr, NULL);
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	world_fork(&parent, &grandchild, false);
	world_switch(1, &child);
	cost(&reads, &writes);
	world_switch(1, &grandchild);
	cost(&reads, &writes);
	assert_true(reads > 0);
	pmuctl_event_close(event);
}

/* A family goes apart: what one child does at its exec is its own. */
static void sw_02_exec_makes_a_difference(void **state)
{
	struct perf_event_attr attr = inherited(1);
	struct pmuctl_event *event;

	(void)state;
	attr.enable_on_exec = 1;
	event = world_open_attr(&parent, -1, &attr, NULL);
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	world_fork(&parent, &grandchild, false);
	world_switch(1, &child);
	world_exec(&child, false);
	world_switch(1, &grandchild);
	world_pass(1, 10);
	assert_int_equal(world_read(event).count, 0);
	world_switch(1, &child);
	world_pass(1, 100);
	assert_int_equal(world_read(event).count, world_amount(1, 1, 100));
	pmuctl_event_close(event);
}

/* On for the task that has it, in the order in which classes came on there. */
static const struct pmuctl_class *first_on(const struct task_struct *task)
{
	return pmuctl_ctx_find(task)->main.pmus[0]->on[0]->class;
}

/*
 * CTX-05, REG-25: contexts with the same events may have them on in different orders. Whether they
 * are exchanged or hand their slots over, each count stays its own.
 */
static void order_of_classes(bool apart)
{
	struct perf_event_attr attr = inherited(1), pinned = world_attr(3);
	struct pmuctl_event *events[2], *of_cpu;
	int i;

	attr.inherit_stat = apart;
	attr.config1 = pinned.config1 = 1;
	pinned.pinned = 1;
	events[0] = open_with(attr, NULL);
	attr.config = 2;
	attr.config1 = 0;
	events[1] = open_with(attr, NULL);
	of_cpu = world_open_attr(NULL, 1, &pinned, NULL);
	world_switch(0, &parent);
	world_fork(&parent, &child, false);
	world_fork(&parent, &grandchild, false);
	/* The first one loses its counter for a moment, in one of the two. */
	world_switch(1, &child);
	world_enable(of_cpu);
	world_disable(of_cpu);
	assert_ptr_not_equal(first_on(&child), first_on(&grandchild));
	for (i = 0; i < 10; i++) {
		world_switch(1, i % 2 ? &child : &grandchild);
		world_pass(1, 10);
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(world_read(events[i]).count, 10 *
				 (world_amount(0, 1 + i, 10) + world_amount(1, 1 + i, 10)));
		assert_int_equal(world_read(events[i]).running, 20);
		pmuctl_event_close(events[i]);
	}
	pmuctl_event_close(of_cpu);
	world_switch(1, NULL);
}

static void reg_25_order_of_classes_is_each_contexts_own(void **state)
{
	(void)state;
	order_of_classes(false);
	order_of_classes(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAMILY_TEST(children_count_for_the_event_that_was_opened),
		FAMILY_TEST(an_exit_moves_the_count_and_changes_no_sum),
		FAMILY_TEST(children_go_on_after_the_parent_exits),
		FAMILY_TEST(reg_30_enabled_time_of_a_child_that_never_ran_counts),
		FAMILY_TEST(sw_05_state_follows_the_parent),
		FAMILY_TEST(sw_06_who_does_not_inherit_is_skipped),
		FAMILY_TEST(sw_06_inherit_thread),
		FAMILY_TEST(closing_ends_all_children),
		FAMILY_TEST(what_was_on_is_on_in_the_child),
		FAMILY_TEST(bound_to_a_cpu_children_are_too),
		FAMILY_TEST(sw_02_children_that_are_alike_switch_for_nothing),
		FAMILY_TEST(sw_02_children_that_differ_do_not_exchange),
		FAMILY_TEST(sw_02_inherit_stat_keeps_contexts_apart),
		FAMILY_TEST(sw_02_exec_makes_a_difference),
		FAMILY_TEST(reg_25_order_of_classes_is_each_contexts_own),
	};

	return cmocka_run_group_tests_name("inherit", tests, NULL, NULL);
}
