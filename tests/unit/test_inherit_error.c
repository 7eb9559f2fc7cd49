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

/* The event that fails is inherited itself, and has no file: it is the opened one's readers who ask. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAMILY_TEST(reg_01_failed_allocation_in_fork_is_an_error_of_the_event),
		FAMILY_TEST(reg_01_failed_allocation_in_a_childs_fork_too),
		FAMILY_TEST(fork_does_not_wait_for_a_dead_context),
	};

	return cmocka_run_group_tests_name("inherit_error", tests, NULL, NULL);
}
