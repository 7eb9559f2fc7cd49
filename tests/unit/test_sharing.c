// SPDX-License-Identifier: GPL-2.0-only
/* Classes and slots: who counts the same shares a counter, and a switch only reads. */
#include "world.h"

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static void shr_15_counters_used_equal_classes(void **state)
{
	struct pmuctl_event *events[60];
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		/* The CPU, the running task, another one: two kinds among them. */
		struct task_struct *whose = i % 3 == 0 ? NULL : i % 3 == 1 ? &task : &other;

		events[i] = world_open(whose, whose ? -1 : 0, 1 + i % 2, NULL);
		world_enable(events[i]);
	}
	assert_int_equal(world_classes(), 2);
	assert_int_equal(world_counters_on(0), 2);
	world_pass(1, 10);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		u64 expected = i % 3 == 2 ? 0 : world_amount(0, 1 + i % 2, 10);

		assert_int_equal(world_read(events[i]).count, expected);
		pmuctl_event_close(events[i]);
	}
}

static void switch_between_tasks_of_the_same_classes_programs_nothing(void **state)
{
	struct pmuctl_event *events[8];
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		events[i] = world_open(i % 2 ? &task : &other, -1, 1 + i / 2, NULL);
		world_enable(events[i]);
	}
	world_switch(0, &task);
	world_pass(1, 10);
	world_hw.starts = world_hw.stops = world_hw.raws = 0;
	for (i = 0; i < 10; i++)
		world_switch(0, i % 2 ? &task : &other);
	assert_int_equal(world_hw.starts, 0);
	assert_int_equal(world_hw.stops, 0);
	/* Out and in share one read of each of the four counters. */
	assert_int_equal(world_hw.raws, 10 * 4);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		pmuctl_event_close(events[i]);
}

static const struct {
	const char *what;
	int mine[3], others[3];	/* kinds, 0 for none */
	bool pinned;		/* the other's */
	int starts;		/* in all switches after the first two */
} hand_overs[] = {
	{ "the same", { 1, 2, 3 }, { 1, 2, 3 }, false, 0 },
	{ "the same in another order", { 1, 2, 3 }, { 3, 2, 1 }, false, 0 },
	{ "one more", { 1, 2 }, { 1, 2, 3 }, false, 0 },
	{ "one less", { 1, 2, 3 }, { 1, 2 }, false, 0 },
	{ "others", { 1, 2 }, { 3, 4 }, false, 0 },
	{ "at another level", { 1, 2, 3 }, { 1, 2, 3 }, true, 0 },
};

/* What is in use on CPU 0 is so by a task, and pinned or not. */
static void check_levels(bool pinned)
{
	const struct pmuctl_cpu_pmu_ctx *cpc = world_cpc(0);
	int level;
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		level = cpc->slots[i].class ? pmuctl_slot_level(&cpc->slots[i]) : PMUCTL_LEVELS;
		if (level < PMUCTL_LEVELS)
			assert_int_equal(level, pinned ? PMUCTL_LEVEL_TASK_PINNED
						       : PMUCTL_LEVEL_TASK_FLEXIBLE);
	}
}

/* Whatever the two have in common, each gets what happened while he ran, and nothing else. */
static void tasks_hand_over_what_both_count(void **state)
{
	struct pmuctl_event *events[6];
	int i, k, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(hand_overs); i++) {
		struct perf_event_attr attr = world_attr(0);

		print_message("  %s\n", hand_overs[i].what);
		for (k = n = 0; k < 6; k++) {
			attr.config = k < 3 ? hand_overs[i].mine[k] : hand_overs[i].others[k - 3];
			attr.pinned = k >= 3 && hand_overs[i].pinned;
			if (!attr.config)
				continue;
			events[n] = world_open_attr(k < 3 ? &task : &other, -1, &attr, NULL);
			world_enable(events[n++]);
		}
		for (k = 0; k < 10; k++) {
			world_switch(0, k % 2 ? &other : &task);
			if (k == 2)
				world_hw.starts = 0;
			world_pass(1, k % 2 ? 100 : 7);
			check_levels(k % 2 && hand_overs[i].pinned);
		}
		assert_int_equal(world_hw.starts, hand_overs[i].starts);
		for (k = 0; k < n; k++) {
			int kind = events[k]->attr.config;
			bool mine = events[k]->ctx->task == &task;

			assert_int_equal(world_read(events[k]).count,
					 5 * world_amount(0, kind, mine ? 7 : 100));
			assert_int_equal(world_read(events[k]).running, 5);
		}
		while (n--)
			pmuctl_event_close(events[n]);
		world_switch(0, NULL);
	}
}

static void switch_of_tasks_nobody_measures_reads_nothing(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *on_cpu = world_open(NULL, 0, 2, NULL);
	static struct task_struct third;

	(void)state;
	world_enable(event);
	world_enable(on_cpu);
	world_hw.starts = world_hw.stops = world_hw.raws = 0;
	world_switch(0, &other);
	world_switch(0, &third);
	assert_int_equal(world_hw.starts + world_hw.stops + world_hw.raws, 0);
	pmuctl_event_close(event);
	pmuctl_event_close(on_cpu);
}

/* The counters of a task that left run on; they are taken when needed, the longest idle first. */
static void idle_slots_are_reused_least_recently_used_first(void **state)
{
	struct pmuctl_event *a = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *b = world_open(&task, -1, 2, NULL);
	struct pmuctl_event *c = world_open(&task, -1, 3, NULL);
	struct pmuctl_event *d, *e;

	(void)state;
	world_switch(0, &task);
	world_enable(a);
	world_enable(b);
	world_disable(a);
	world_disable(b);
	assert_int_equal(world_counters_on(0), 2);
	pmuctl_event_close(a);
	pmuctl_event_close(b);
	d = world_open(&task, -1, 4, NULL);
	e = world_open(&task, -1, 5, NULL);
	world_enable(c);
	world_enable(d);
	world_hw.stops = 0;
	world_enable(e);
	/* Five kinds on four counters: of the idle two, kind 1 was left first and had to go. */
	assert_int_equal(world_hw.stops, 1);
	a = world_open(&task, -1, 2, NULL);
	world_hw.starts = 0;
	world_enable(a);
	assert_int_equal(world_hw.starts, 0);
	pmuctl_event_close(a);
	pmuctl_event_close(c);
	pmuctl_event_close(d);
	pmuctl_event_close(e);
}

/* SHR-06: a class that must move to another counter loses nothing and counts nothing twice. */
static void shr_06_moving_to_another_counter_keeps_the_count(void **state)
{
	struct pmuctl_event *mover = world_open(&task, -1, 1, NULL);
	struct perf_event_attr attr = world_attr(2);
	struct pmuctl_event *narrow;

	(void)state;
	world_switch(0, &task);
	world_enable(mover);
	world_pass(1, 10);
	attr.config1 = 1ULL << 0;	/* only counter 0, which the mover has */
	narrow = world_open_attr(&task, -1, &attr, NULL);
	world_hw.starts = 0;
	world_enable(narrow);
	assert_int_equal(world_hw.starts, 2);
	world_pass(1, 20);
	assert_int_equal(world_read(mover).count, world_amount(0, 1, 10) + world_amount(0, 1, 20));
	assert_int_equal(world_read(narrow).count, world_amount(0, 2, 20));
	pmuctl_event_close(mover);
	pmuctl_event_close(narrow);
}

/* SHR-04: a member of a group shares its class, not the fate of its group. */
static void shr_04_who_shares_with_a_member_needs_not_its_group(void **state)
{
	struct pmuctl_event *single = world_open(&task, -1, 2, NULL), *leader, *member, *pinned;
	struct perf_event_attr attr = world_attr(1);

	(void)state;
	attr.config1 = 1;
	leader = world_open_attr(&task, -1, &attr, NULL);
	member = world_open(&task, -1, 2, leader);
	attr.config = 3;
	attr.pinned = 1;
	pinned = world_open_attr(NULL, 0, &attr, NULL);
	world_switch(0, &task);
	world_enable(single);
	world_enable(member);
	/* The leader is off: what it counts is nowhere. */
	assert_int_equal(member->state, PMUCTL_STATE_OFF);
	assert_int_equal(world_counters_on(0), 1);
	world_enable(leader);
	assert_int_equal(world_counters_on(0), 2);
	world_pass(5, 10);
	world_enable(pinned);	/* takes the leader's counter */
	assert_int_equal(member->state, PMUCTL_STATE_INACTIVE);
	assert_int_equal(single->state, PMUCTL_STATE_ACTIVE);
	world_pass(7, 20);
	world_disable(single);	/* nor does the member go on without its group */
	world_pass(11, 30);
	assert_int_equal(world_read(member).running, 5);
	assert_int_equal(world_read(member).count, world_amount(0, 2, 10));
	assert_int_equal(world_read(single).running, 12);
	assert_int_equal(world_read(single).count, world_amount(0, 2, 10) + world_amount(0, 2, 20));
	pmuctl_event_close(member);
	pmuctl_event_close(leader);
	pmuctl_event_close(single);
	pmuctl_event_close(pinned);
	world_pass(shim_rotate_ns, 1);
}

/* SHR-14: who shares a class is on or off with it, all in one moment. */
static void shr_14_who_shares_is_off_in_the_same_moment(void **state)
{
	struct perf_event_attr attr = world_attr(1), best = world_attr(2);
	struct pmuctl_event *events[6], *pinned;
	int i;

	(void)state;
	attr.config1 = best.config1 = 1;
	best.pinned = 1;
	pinned = world_open_attr(NULL, 0, &best, NULL);
	world_switch(0, &task);
	/* Of the task, of the task on this CPU, of the CPU itself. */
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		events[i] = world_open_attr(i % 3 ? &task : NULL, i % 3 == 1 ? -1 : 0, &attr, NULL);
		world_enable(events[i]);
	}
	world_pass(10, 1);
	world_enable(pinned);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		assert_int_equal(events[i]->state, PMUCTL_STATE_INACTIVE);
	world_pass(20, 10);
	world_disable(pinned);
	world_pass(40, 100);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		assert_int_equal(events[i]->state, PMUCTL_STATE_ACTIVE);
		assert_int_equal(world_read(events[i]).enabled, 70);
		assert_int_equal(world_read(events[i]).running, 50);
		assert_int_equal(world_read(events[i]).count, world_amount(0, 1, 101));
		pmuctl_event_close(events[i]);
	}
	pmuctl_event_close(pinned);
	world_pass(shim_rotate_ns, 1);
}

static void privilege_makes_another_class(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *user, *both;

	(void)state;
	attr.exclude_kernel = 1;
	user = world_open_attr(&task, -1, &attr, NULL);
	both = world_open(&task, -1, 1, NULL);
	assert_int_equal(world_classes(), 2);
	pmuctl_event_close(user);
	pmuctl_event_close(both);
}

/* SHR-02: what does not change what is counted does not make a class. */
static void shr_02_read_format_does_not_make_another_class(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *one, *two;

	(void)state;
	one = world_open_attr(&task, -1, &attr, NULL);
	attr.read_format = 0;
	attr.enable_on_exec = 1;
	two = world_open_attr(&other, -1, &attr, NULL);
	assert_int_equal(world_classes(), 1);
	pmuctl_event_close(one);
	pmuctl_event_close(two);
}

static void idle_classes_do_not_pile_up(void **state)
{
	struct pmuctl_event *holder = world_open(NULL, 0, 1, NULL);
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		struct perf_event_attr attr = world_attr(2);

		attr.config1 = WORLD_CLASS(i);
		pmuctl_event_close(world_open_attr(&task, -1, &attr, NULL));
		assert_true(world_pmu.nr_idle.counter <= 64);
	}
	pmuctl_event_close(holder);
}

/*
 * Whoever looked at an event last gives its class back outside pmuctl_open_mutex (event.h: "Any
 * context"), here in the middle of a reap: after slots of idle classes were given up, before the
 * classes are freed. One that became idle in between still has its slot.
 */
static struct pmuctl_event *looked_at;

static void stop_looking(void)
{
	static int calls;

	if (!looked_at || ++calls % SHIM_CPUS)
		return;
	pmuctl_event_put(looked_at);
	looked_at = NULL;
}

static void reap_spares_what_became_idle_meanwhile(void **state)
{
	struct pmuctl_event *holder = world_open(&task, -1, 1, NULL), *event, *again;

	(void)state;
	world_switch(0, &task);
	pmuctl_event_close(world_open(&task, -1, 3, NULL));	/* something to reap */
	event = world_open(&task, -1, 2, NULL);
	world_enable(event);
	world_pass(1, 10);
	looked_at = pmuctl_event_get(event);
	pmuctl_event_close(event);
	shim_interlude = stop_looking;
	mutex_lock(&pmuctl_open_mutex);
	pmuctl_class_reap(&world_pmu);
	mutex_unlock(&pmuctl_open_mutex);
	shim_interlude = NULL;
	assert_null(looked_at);
	world_on_cpu(0, pmuctl_cpu_fold);
	again = world_open(&task, -1, 2, NULL);
	world_enable(again);
	world_pass(1, 20);
	assert_int_equal(world_read(again).count, world_amount(0, 2, 20));
	pmuctl_event_close(again);
	pmuctl_event_close(holder);
}

static void fold_timer_runs_only_while_something_counts(void **state)
{
	struct pmuctl_event *event = world_open(&task, -1, 1, NULL);

	(void)state;
	world_enable(event);
	assert_int_equal(shim_fold_period[2], 0);
	world_switch(2, &task);
	assert_int_equal(shim_fold_period[2], pmuctl_pmu_fold_period(&world_pmu));
	assert_int_equal(shim_fold_period[1], 0);
	pmuctl_event_close(event);
	assert_int_equal(shim_fold_period[2], 0);
}

static void fold_period_follows_the_width(void **state)
{
	struct pmuctl_pmu pmu = { .width_gp = 48 };

	(void)state;
	assert_int_equal(pmuctl_pmu_fold_period(&pmu), 60ULL * 1000 * 1000 * 1000);
	pmu.width_gp = 40;
	assert_int_equal(pmuctl_pmu_fold_period(&pmu), 1ULL << 33);
	pmu.nr_fixed = 1;
	pmu.width_fixed = 32;
	assert_int_equal(pmuctl_pmu_fold_period(&pmu), 1ULL << 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(shr_15_counters_used_equal_classes),
		TEST(switch_between_tasks_of_the_same_classes_programs_nothing),
		TEST_RAW(switch_between_tasks_of_the_same_classes_programs_nothing),
		TEST(tasks_hand_over_what_both_count),
		TEST_RAW(tasks_hand_over_what_both_count),
		TEST(switch_of_tasks_nobody_measures_reads_nothing),
		TEST(idle_slots_are_reused_least_recently_used_first),
		TEST(shr_06_moving_to_another_counter_keeps_the_count),
		TEST(shr_04_who_shares_with_a_member_needs_not_its_group),
		TEST(shr_14_who_shares_is_off_in_the_same_moment),
		TEST(privilege_makes_another_class),
		TEST(shr_02_read_format_does_not_make_another_class),
		TEST(idle_classes_do_not_pile_up),
		TEST(reap_spares_what_became_idle_meanwhile),
		TEST(fold_timer_runs_only_while_something_counts),
		TEST(fold_period_follows_the_width),
	};

	return cmocka_run_group_tests_name("sharing", tests, NULL, NULL);
}
