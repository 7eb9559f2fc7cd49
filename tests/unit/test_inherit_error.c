// SPDX-License-Identifier: GPL-2.0-only
/* Forks that fail, and forks that come at an inconvenient moment. */
#include "family.h"

#include <unistd.h>

/* REG-01, -02, -29, -45: each allocation of a fork fails once. @from forks. */
static void fail_each(struct task_struct *from, struct task_struct *to)
{
	struct pmuctl_event *leader, *sibling, *alone;
	int nth, failed = 1;

	for (nth = 0; failed; nth++) {
		int before, refs = to->refs;

		leader = open_inherited(1, NULL);
		sibling = open_inherited(2, leader);
		alone = open_inherited(3, NULL);
		if (from != &parent)
			world_fork(&parent, from, false);
		before = shim_allocated;
		world_switch(1, from);
		shim_fail_after = nth;
		world_fork(from, to, false);
		failed = shim_fail_after < 0;
		shim_fail_after = -1;
		/* A reader must not take what is left for all there is. */
		if (failed)
			assert_true(!world_read_result(leader) || !world_read_result(alone));
		pmuctl_event_close(sibling);
		pmuctl_event_close(leader);
		pmuctl_event_close(alone);
		shim_grace_period();
		assert_true(shim_allocated <= before);
		assert_int_equal(to->refs, refs);
		if (from != &parent)
			world_switch(1, NULL);
	}
	/* A context, and an event and a tally for each of three. */
	assert_true(nth > 7);
}

static void reg_01_failed_allocation_in_fork_is_an_error_of_the_event(void **state)
{
	(void)state;
	fail_each(&parent, &child);
	world_switch(1, NULL);
}

/* The event that fails is inherited itself and has no file: readers ask the opened one. */
static void reg_01_failed_allocation_in_a_childs_fork_too(void **state)
{
	bool failed = true;
	int nth;

	(void)state;
	world_switch(0, &parent);
	for (nth = 0; failed; nth++) {
		struct pmuctl_event *event = open_inherited(1, NULL);

		fork_to(1, &parent, &child);
		shim_fail_after = nth;
		world_fork(&child, &grandchild, false);
		failed = shim_fail_after < 0;
		shim_fail_after = -1;
		world_pass(10, 10);
		assert_int_equal(pmuctl_event_failed(event), failed);
		world_exit(&child);
		child.exiting = false;
		/* It stays so: what is lost is lost, until the user starts anew. */
		assert_int_equal(world_read_result(event), failed ? 0 : 24);
		world_enable(event);
		assert_int_equal(world_read_result(event), 24);
		pmuctl_event_close(event);
	}
	assert_true(nth > 4);
}

/* REG-45: after a fork that failed all take turns as before, those too that were in error. */
static void reg_45_turns_are_taken_after_a_failed_fork(void **state)
{
	struct pmuctl_event *events[6];
	int nth, i, failed = 1;

	(void)state;
	for (nth = 0; failed; nth++) {
		for (i = 0; i < ARRAY_SIZE(events); i++)
			events[i] = open_inherited(1 + i, NULL);
		world_switch(0, &parent);
		shim_fail_after = nth;
		world_fork(&parent, &child, false);
		failed = shim_fail_after < 0;
		shim_fail_after = -1;
		for (i = 0; i < ARRAY_SIZE(events); i++)
			world_enable(events[i]);
		for (i = 0; i < 60; i++)
			world_pass(shim_rotate_ns, 1);
		for (i = 0; i < ARRAY_SIZE(events); i++) {
			assert_in_range(world_read(events[i]).running / shim_rotate_ns, 35, 45);
			pmuctl_event_close(events[i]);
		}
		world_pass(shim_rotate_ns, 1);
	}
	assert_true(nth > 12);
}

/* The new task's context is dead but still to be found when the fork comes upon it. */
static void fork_upon_a_dead_context(void)
{
	unsigned long flags;
	struct pmuctl_ctx *ctx;
	bool dead;

	local_irq_save(flags);
	ctx = pmuctl_ctx_find(&child);
	dead = ctx && ctx->dead;
	local_irq_restore(flags);
	if (!dead)
		return;
	shim_interlude = NULL;
	alarm(10);	/* rather than to hang */
	world_fork(&parent, &child, false);
	alarm(0);
}

static void fork_does_not_wait_for_a_dead_context(void **state)
{
	struct pmuctl_event *event = open_inherited(1, NULL), *early;

	(void)state;
	world_switch(0, &parent);
	early = world_open(&child, -1, 2, NULL);
	shim_interlude = fork_upon_a_dead_context;
	pmuctl_event_close(early);
	assert_null(shim_interlude);
	world_switch(1, &child);
	world_pass(10, 10);
	assert_int_equal(world_read(event).count, world_amount(0, 1, 10) + world_amount(1, 1, 10));
	pmuctl_event_close(event);
}

/* Wherever the reader is: the child exits when interrupts come back on once more than this. */
static int exit_after;

static void exit_later(void)
{
	if (exit_after--)
		return;
	shim_interlude = NULL;
	world_exit(&child);
}

static void an_exit_in_the_middle_of_a_read_is_counted_once(void **state)
{
	struct pmuctl_event *event;
	int nth;

	(void)state;
	for (nth = 0; nth < 24; nth++) {
		struct world_reading before, during;

		event = open_inherited(1, NULL);
		child.exiting = false;
		world_switch(0, &parent);
		fork_to(1, &parent, &child);
		fork_to(2, &parent, &grandchild);
		world_pass(10, 10);
		before = world_read(event);	/* leaves its mark on every child */
		exit_after = nth;
		shim_interlude = exit_later;
		during = world_read(event);
		shim_interlude = NULL;
		assert_memory_equal(&before, &during, sizeof(before));
		during = world_read(event);
		assert_memory_equal(&before, &during, sizeof(before));
		pmuctl_event_close(event);
		if (!child.exiting)
			world_exit(&child);
		world_exit(&grandchild);
		grandchild.exiting = false;
	}
}

/* The same for a fork: @forker makes @newborn. */
static struct task_struct *forker, newborn;
static int fork_after;

static void fork_later(void)
{
	if (fork_after--)
		return;
	shim_interlude = NULL;
	world_fork(forker, &newborn, false);
}

/* One of the family forks at one of the moments when interrupts come back on; @nth says both. */
static struct pmuctl_event *prepare_fork(int nth, bool disabled)
{
	struct pmuctl_event *event = open_inherited(1, NULL);

	newborn = (struct task_struct){ .refs = 1 };
	child.exiting = grandchild.exiting = false;
	if (disabled)
		world_disable(event);
	world_switch(0, &parent);
	fork_to(1, &parent, &child);
	fork_to(2, &parent, &grandchild);
	forker = nth % 3 == 0 ? &child : nth % 3 == 1 ? &grandchild : &parent;
	fork_after = nth / 3;
	shim_interlude = fork_later;
	return event;
}

static void end_fork(struct pmuctl_event *event)
{
	shim_interlude = NULL;
	pmuctl_event_close(event);
	world_exit(&child);
	world_exit(&grandchild);
	world_switch(3, NULL);
	shim_grace_period();
	assert_int_equal(pmuctl_ctx_count(), 0);
	assert_int_equal(newborn.refs, 1);
}

static void an_order_reaches_who_is_born_meanwhile(void **state)
{
	int nth;

	(void)state;
	for (nth = 0; nth < 48; nth++) {
		struct pmuctl_event *event = prepare_fork(nth, true);

		world_enable(event);
		if (!shim_interlude) {
			world_switch(3, &newborn);
			world_pass(10, 10);
			assert_int_equal(world_read(event).enabled, 40);
		}
		end_fork(event);
	}
}

static void nobody_is_born_into_a_family_that_is_being_closed(void **state)
{
	int nth;

	(void)state;
	for (nth = 0; nth < 48; nth++) {
		struct pmuctl_event *event = prepare_fork(nth, false);
		struct pmuctl_event *other = world_open(&parent, -1, 2, NULL);

		pmuctl_event_close(event);
		assert_int_equal(pmuctl_ctx_count(), 1);
		end_fork(other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAMILY_TEST(reg_01_failed_allocation_in_fork_is_an_error_of_the_event),
		FAMILY_TEST(reg_01_failed_allocation_in_a_childs_fork_too),
		FAMILY_TEST(reg_45_turns_are_taken_after_a_failed_fork),
		FAMILY_TEST(fork_does_not_wait_for_a_dead_context),
		FAMILY_TEST(an_exit_in_the_middle_of_a_read_is_counted_once),
		FAMILY_TEST(an_order_reaches_who_is_born_meanwhile),
		FAMILY_TEST(nobody_is_born_into_a_family_that_is_being_closed),
	};

	return cmocka_run_group_tests_name("inherit_error", tests, NULL, NULL);
}
