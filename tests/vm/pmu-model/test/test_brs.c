// SPDX-License-Identifier: GPL-2.0-only
/* Branch sampling by itself: what starts a capture, where it writes, what ends it. */
#include "machine.h"

#define ENABLED		(BRS_ALWAYS_SET | BRS_ENABLE)
#define ON_COUNTER(i)	((u64)(i) << BRS_COUNTER_SHIFT)
#define POISON		0xffff800000000000ULL

static struct brs brs;

static int set_up(void **state)
{
	(void)state;
	brs_init(&brs);
	return 0;
}

static bool configure(u64 config)
{
	bool due;

	assert_true(brs_write_config(&brs, config, &due));
	return due;
}

static bool record(u64 from)
{
	struct branch branch = { .from = from, .to = from + 0x100, .taken = true };

	return brs_record(&brs, &branch);
}

static unsigned int next_slot(void)
{
	return brs.config >> BRS_OFFSET_SHIFT & 0xf;
}

static void only_the_chosen_counter_starts_a_capture(void **state)
{
	(void)state;
	configure(ENABLED | ON_COUNTER(2));
	assert_false(brs_hold(&brs, 0));
	assert_false(brs.capturing);
	assert_true(brs_hold(&brs, 2));
	assert_true(brs.capturing);
}

static void nothing_is_held_while_it_is_off(void **state)
{
	(void)state;
	configure(BRS_ALWAYS_SET);
	assert_false(brs_hold(&brs, 0));
}

static void slots_fill_oldest_first(void **state)
{
	unsigned int i;

	(void)state;
	configure(ENABLED);
	brs_hold(&brs, 0);
	for (i = 0; i < BRS_DEPTH; i++) {
		assert_int_equal(next_slot(), i);
		assert_int_equal(record(0x1000 + i), i == BRS_DEPTH - 1);
	}
	for (i = 0; i < BRS_DEPTH; i++) {
		assert_int_equal(brs.slot[i][BRS_FROM], 0x1000 + i);
		assert_int_equal(brs.slot[i][BRS_TO], 0x1100 + i);
	}
}

static void a_full_capture_ends_itself(void **state)
{
	unsigned int i;

	(void)state;
	configure(ENABLED);
	brs_hold(&brs, 0);
	for (i = 0; i < BRS_DEPTH; i++)
		record(i);
	assert_false(brs.capturing);
	assert_int_equal(brs.config, BRS_ALWAYS_SET | BRS_VALID);
	assert_false(brs_hold(&brs, 0));
}

static void valid_says_that_something_was_captured(void **state)
{
	(void)state;
	configure(ENABLED | BRS_VALID);
	brs_hold(&brs, 0);
	assert_false(brs.config & BRS_VALID);
	record(1);
	assert_true(brs.config & BRS_VALID);
}

static void a_second_overflow_does_not_start_over(void **state)
{
	(void)state;
	configure(ENABLED);
	brs_hold(&brs, 0);
	record(1);
	record(2);
	assert_true(brs_hold(&brs, 0));
	assert_int_equal(next_slot(), 2);
}

static void switching_it_off_makes_a_held_interrupt_due_once(void **state)
{
	(void)state;
	configure(ENABLED);
	assert_false(configure(BRS_ALWAYS_SET));
	configure(ENABLED);
	brs_hold(&brs, 0);
	record(1);
	assert_true(configure(BRS_ALWAYS_SET | BRS_VALID));
	assert_false(configure(BRS_ALWAYS_SET | BRS_VALID));
}

static void a_refused_write_changes_nothing(void **state)
{
	static const u64 bad[] = {
		0, BIT(3), BIT(4), ENABLED | BIT(0), ENABLED | BIT(1), ENABLED | BIT(6),
		ENABLED | BIT(20), ENABLED | BIT(27), ENABLED | BIT(63),
	};
	bool due;
	size_t i;

	(void)state;
	configure(ENABLED);
	brs_hold(&brs, 0);
	record(1);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(brs_write_config(&brs, bad[i], &due));
		assert_false(due);
	}
	assert_int_equal(next_slot(), 1);
	assert_true(brs.capturing);
}

/* The kernel poisons slots, so that it can tell what was not captured. */
static void poison_written_to_a_slot_stays_until_it_is_captured(void **state)
{
	struct machine m;

	(void)state;
	machine_start(&m, &model_amd);
	must_write(&m, 0xc0010301, POISON);
	must_write(&m, 0xc001031f, POISON);
	assert_true(must_read(&m, 0xc0010301) == POISON);
	assert_true(must_read(&m, 0xc001031f) == POISON);
	assert_int_equal(must_read(&m, 0xc001031e), 0);
	machine_stop(&m);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(only_the_chosen_counter_starts_a_capture),
		TEST(nothing_is_held_while_it_is_off),
		TEST(slots_fill_oldest_first),
		TEST(a_full_capture_ends_itself),
		TEST(valid_says_that_something_was_captured),
		TEST(a_second_overflow_does_not_start_over),
		TEST(switching_it_off_makes_a_held_interrupt_due_once),
		TEST(a_refused_write_changes_nothing),
		TEST(poison_written_to_a_slot_stays_until_it_is_captured),
	};

	return cmocka_run_group_tests_name("pmu-model/brs", tests, NULL, NULL);
}
