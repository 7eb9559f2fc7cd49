// SPDX-License-Identifier: GPL-2.0-only
/* Contexts, scopes and tallies: what is there for which events, and what a class has counted. */
#include "world.h"

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static struct pmuctl_pmu_ctx *pmu_ctx_of(const struct pmuctl_event *event)
{
	return event->tally->pmu_ctx;
}

/* CTX-01, CTX-02: one context a task, in it one part for each PMU; all PMUs' events are there. */
static void ctx_01_one_context_holds_all_pmus(void **state)
{
	struct perf_event_attr second = world_attr(1);
	struct perf_event_attr attr = world_software_attr(PERF_COUNT_SW_DUMMY);
	struct pmuctl_event *a, *b, *c;

	(void)state;
	second.type = WORLD_SECOND_TYPE;
	a = world_open(&task, -1, 1, NULL);
	b = world_open_attr(&task, -1, &second, NULL);
	c = world_open_attr(&task, -1, &attr, NULL);
	assert_ptr_equal(a->ctx, b->ctx);
	assert_ptr_equal(a->ctx, c->ctx);
	assert_int_equal(a->ctx->nr_events, 3);
	assert_ptr_equal(pmu_ctx_of(a), a->ctx->main.pmus[0]);
	assert_ptr_equal(pmu_ctx_of(b), a->ctx->main.pmus[1]);
	assert_ptr_equal(pmu_ctx_of(c), a->ctx->main.pmus[2]);
	pmuctl_event_close(a);
	pmuctl_event_close(b);
	pmuctl_event_close(c);
}

/* CTX-08: a context goes with its last event, or is there for nobody once its task exited. */
static void ctx_08_contexts_end_with_their_last_event(void **state)
{
	struct task_struct mortal = { .refs = 1 };
	struct pmuctl_event *event;

	(void)state;
	event = world_open(&mortal, -1, 1, NULL);
	assert_int_equal(pmuctl_ctx_count(), 1);
	assert_int_equal(mortal.refs, 2);
	pmuctl_event_close(event);
	assert_int_equal(pmuctl_ctx_count(), 0);
	event = world_open(&mortal, -1, 1, NULL);
	world_switch(1, &mortal);
	world_exit(&mortal);
	assert_int_equal(pmuctl_ctx_count(), 0);
	assert_int_equal(mortal.refs, 2);
	pmuctl_event_close(event);
	assert_int_equal(mortal.refs, 1);
}

/* CTX-06: scopes for CPUs come with their first event and go with their last. */
static void scopes_come_and_go_with_their_events(void **state)
{
	struct pmuctl_event *everywhere = world_open(&task, -1, 1, NULL), *a, *b;
	struct pmuctl_ctx *ctx = everywhere->ctx;

	(void)state;
	world_switch(2, &task);
	assert_int_equal(ctx->nr_scopes, 0);
	a = world_open(&task, 2, 1, NULL);
	b = world_open(&task, 2, 2, NULL);
	assert_int_equal(ctx->nr_scopes, 1);
	assert_ptr_equal(pmu_ctx_of(a), pmu_ctx_of(b));
	assert_true(pmu_ctx_of(a)->scope->in);
	world_open(&task, 1, 1, NULL);
	assert_int_equal(ctx->nr_scopes, 2);
	pmuctl_event_close(list_last_entry(&ctx->events, struct pmuctl_event, ctx_node));
	pmuctl_event_close(a);
	assert_int_equal(ctx->nr_scopes, 1);
	pmuctl_event_close(b);
	assert_int_equal(ctx->nr_scopes, 0);
	pmuctl_event_close(everywhere);
}

/* What the tally says is what happened while its class was on for the scope. */
static void sum_and_base_over_residencies(void **state)
{
	struct pmuctl_event *first = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *second = world_open(&task, -1, 1, NULL);
	struct pmuctl_tally *tally = first->tally;

	(void)state;
	assert_ptr_equal(tally, second->tally);
	assert_int_equal(tally->nr_events, 2);
	world_switch(0, &task);
	world_enable(first);
	world_pass(1, 10);
	world_switch(0, &other);
	assert_int_equal(tally->sum, world_amount(0, 1, 10));
	assert_null(tally->slot);
	world_pass(1, 1000);
	world_switch(3, &task);
	world_enable(second);
	assert_int_equal(tally->users, 2);
	world_pass(1, 100);
	world_switch(3, NULL);
	assert_int_equal(tally->sum, world_amount(0, 1, 10) + world_amount(3, 1, 100));
	/* SHR-07: each takes the difference since it came. */
	assert_int_equal(world_read(first).count, tally->sum);
	assert_int_equal(world_read(second).count, world_amount(3, 1, 100));
	world_disable(first);
	assert_int_equal(tally->users, 1);
	world_disable(second);
	assert_int_equal(pmu_ctx_of(first)->nr_on, 0);
	assert_int_equal(world_read(first).count, world_amount(0, 1, 10) + world_amount(3, 1, 100));
	pmuctl_event_close(first);
	pmuctl_event_close(second);
}

/* on[] is compact, and each tally knows its place. */
static void check_on(const struct pmuctl_pmu_ctx *pmu_ctx, u32 nr)
{
	u32 i;

	assert_int_equal(pmu_ctx->nr_on, nr);
	for (i = 0; i < nr; i++) {
		assert_int_equal(pmu_ctx->on[i]->place, i);
		assert_true(pmu_ctx->on[i]->users > 0);
	}
}

static void what_is_on_stays_compact(void **state)
{
	struct pmuctl_event *events[WORLD_GP];
	struct pmuctl_pmu_ctx *pmu_ctx;
	int i, mask;

	(void)state;
	for (i = 0; i < WORLD_GP; i++)
		events[i] = world_open(&task, -1, 1 + i, NULL);
	pmu_ctx = pmu_ctx_of(events[0]);
	world_switch(0, &task);
	for (mask = 0; mask < 1 << WORLD_GP; mask++) {
		for (i = 0; i < WORLD_GP; i++)
			world_enable(events[i]);
		check_on(pmu_ctx, WORLD_GP);
		for (i = 0; i < WORLD_GP; i++) {
			if (mask & 1 << i)
				world_disable(events[i]);
		}
		check_on(pmu_ctx, WORLD_GP - __builtin_popcount(mask));
	}
	for (i = 0; i < WORLD_GP; i++)
		pmuctl_event_close(events[i]);
}

/* SHR-13 in numbers: the slot's users by level, as pinned users come and go. */
static void shr_13_level_follows_the_pinned_users(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *plain = world_open(&task, -1, 1, NULL), *pinned, *cpu;
	const struct pmuctl_slot *slot;

	(void)state;
	attr.pinned = 1;
	pinned = world_open_attr(&task, -1, &attr, NULL);
	cpu = world_open(NULL, 0, 1, NULL);
	world_switch(0, &task);
	world_enable(plain);
	slot = plain->class->slots[0];
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVEL_TASK_FLEXIBLE);
	world_enable(cpu);
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVEL_CPU_FLEXIBLE);
	world_enable(pinned);
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVEL_TASK_PINNED);
	assert_int_equal(slot->users[PMUCTL_LEVEL_TASK_FLEXIBLE], 0);
	world_switch(0, &other);
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVEL_CPU_FLEXIBLE);
	world_switch(0, &task);
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVEL_TASK_PINNED);
	world_disable(pinned);
	assert_int_equal(slot->users[PMUCTL_LEVEL_TASK_FLEXIBLE], 1);
	assert_int_equal(slot->users[PMUCTL_LEVEL_TASK_PINNED], 0);
	world_disable(cpu);
	world_disable(plain);
	assert_int_equal(pmuctl_slot_level(slot), PMUCTL_LEVELS);
	pmuctl_event_close(plain);
	pmuctl_event_close(pinned);
	pmuctl_event_close(cpu);
}

/* SHR-12: what is done to one event is not done to those it shares with. */
static void shr_12_reset_and_disable_act_on_one(void **state)
{
	struct pmuctl_event *a = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *b = world_open(&other, -1, 1, NULL);
	struct pmuctl_event *cpu = world_open(NULL, 0, 1, NULL);
	struct pmuctl_event *twin = world_open(&task, -1, 1, NULL);

	(void)state;
	world_enable(a);
	world_enable(b);
	world_enable(cpu);
	world_enable(twin);
	world_switch(0, &task);
	world_pass(1, 10);
	world_reset(a);
	world_switch(0, &other);
	world_pass(1, 100);
	world_disable(b);
	world_switch(0, &task);
	world_pass(1, 1000);
	world_exec(&task, true);
	world_pass(1, 10000);
	assert_int_equal(world_read(a).count, world_amount(0, 1, 1000));
	assert_int_equal(world_read(twin).count, world_amount(0, 1, 1010));
	assert_int_equal(world_read(b).count, world_amount(0, 1, 100));
	assert_int_equal(world_read(cpu).count, world_amount(0, 1, 11110));
	pmuctl_event_close(a);
	pmuctl_event_close(b);
	pmuctl_event_close(cpu);
	pmuctl_event_close(twin);
}

/* SHR-06: the one who brought a class on goes, the others do not notice. */
static void shr_06_the_first_user_leaves(void **state)
{
	struct pmuctl_event *events[10];
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 10; i++) {
		events[i] = world_open(&task, -1, 1, NULL);
		world_enable(events[i]);
	}
	world_hw.starts = 0;
	for (i = 0; i < 10; i++) {
		world_pass(1, 10);
		assert_int_equal(world_read(events[9]).count, world_amount(0, 1, 10) * (i + 1));
		pmuctl_event_close(events[i]);
	}
	assert_int_equal(world_hw.starts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_TWO(ctx_01_one_context_holds_all_pmus),
		TEST(ctx_08_contexts_end_with_their_last_event),
		TEST(scopes_come_and_go_with_their_events),
		TEST(sum_and_base_over_residencies),
		TEST(what_is_on_stays_compact),
		TEST(shr_13_level_follows_the_pinned_users),
		TEST(shr_12_reset_and_disable_act_on_one),
		TEST(shr_06_the_first_user_leaves),
	};

	return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
