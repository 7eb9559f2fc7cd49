// SPDX-License-Identifier: GPL-2.0-only
/* The branch recorder: depths, the fields of an entry, the call stack's corners. */
#include <string.h>

#include "machine.h"

#define ALL_BRANCHES	0x7f0000ULL

static struct lbr lbr;
static struct lbr_clock now;

static int set_up(void **state)
{
	(void)state;
	lbr_init(&lbr);
	memset(&now, 0, sizeof(now));
	lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | ALL_BRANCHES);
	return 0;
}

static void record(enum insn_kind kind, u64 from, u64 to, bool missed)
{
	struct branch branch = {
		.from = from, .to = to, .next = from + 5, .kind = kind, .taken = true,
		.missed = missed,
	};

	lbr_record(&lbr, &branch, USER, &now);
}

static u64 log_of(unsigned int entry, unsigned int counter)
{
	return lbr_read(&lbr, LBR_INFO, entry) >> (LBR_INFO_LOG_SHIFT + 2 * counter) & 3;
}

static void each_depth_keeps_that_many_newest_first(void **state)
{
	u64 depth, i;

	(void)state;
	for (depth = 8; depth <= LBR_DEPTH_MAX; depth += 8) {
		assert_true(lbr_write_depth(&lbr, depth));
		for (i = 1; i <= depth + 3; i++)
			record(INSN_JMP, i, 1000 + i, false);
		for (i = 0; i < depth; i++) {
			assert_int_equal(lbr_read(&lbr, LBR_FROM, i), depth + 3 - i);
			assert_int_equal(lbr_read(&lbr, LBR_TO, i), 1000 + depth + 3 - i);
		}
		for (; i < LBR_DEPTH_MAX; i++)
			assert_int_equal(lbr_read(&lbr, LBR_FROM, i), 0);
	}
}

static void a_restart_forgets_what_happened_before(void **state)
{
	(void)state;
	now = (struct lbr_clock){ .cycles = 100, .total = { 7 }, .logged = { true } };
	lbr_restart(&lbr, &now);
	now.cycles += 5;
	now.total[0] += 1;
	record(INSN_JMP, 1, 2, false);
	assert_int_equal(lbr_read(&lbr, LBR_INFO, 0) & LBR_INFO_CYCLES, 5);
	assert_int_equal(log_of(0, 0), 1);
}

static void writing_the_same_depth_clears_too(void **state)
{
	unsigned int i;
	int field;

	(void)state;
	for (i = 0; i < LBR_DEPTH_MAX; i++)
		record(INSN_JMP, 1, 2, false);
	assert_true(lbr_write_depth(&lbr, LBR_DEPTH_MAX));
	for (i = 0; i < LBR_DEPTH_MAX; i++)
		for (field = 0; field < LBR_FIELDS; field++)
			assert_int_equal(lbr_read(&lbr, field, i), 0);
}

static void a_refused_depth_changes_nothing(void **state)
{
	static const u64 bad[] = { 0, 1, 12, 33, 40, ~0ULL };
	size_t i;

	(void)state;
	record(INSN_JMP, 1, 2, false);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(lbr_write_depth(&lbr, bad[i]));
	assert_int_equal(lbr.depth, LBR_DEPTH_MAX);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 1);
}

static void a_mispredicted_branch_is_marked(void **state)
{
	(void)state;
	record(INSN_JMP_IND, 1, 2, true);
	record(INSN_JMP_IND, 1, 2, false);
	assert_true(lbr_read(&lbr, LBR_INFO, 1) & LBR_INFO_MISSED);
	assert_false(lbr_read(&lbr, LBR_INFO, 0) & LBR_INFO_MISSED);
}

static void cycles_are_since_the_last_record_and_saturate(void **state)
{
	static const struct {
		u64 elapsed, shown;
	} table[] = { { 0, 0 }, { 17, 17 }, { 3, 3 }, { 0xffff, 0xffff }, { 0x10000, 0xffff } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		now.cycles += table[i].elapsed;
		record(INSN_JMP, 1, 2, false);
		assert_int_equal(lbr_read(&lbr, LBR_INFO, 0) & LBR_INFO_CYCLES, table[i].shown);
		assert_true(lbr_read(&lbr, LBR_INFO, 0) & LBR_INFO_CYCLES_VALID);
	}
}

static void occurrences_are_logged_in_the_counters_place_up_to_three(void **state)
{
	unsigned int i, n;

	(void)state;
	for (i = 0; i < LBR_LOGGED; i++) {
		now.logged[i] = true;
		for (n = 0; n <= 5; n++) {
			now.total[i] += n;
			record(INSN_JMP, 1, 2, false);
			assert_int_equal(log_of(0, i), n < 3 ? n : 3);
			assert_int_equal(log_of(0, (i + 1) % LBR_LOGGED), 0);
		}
	}
}

static void a_counter_that_is_not_logged_leaves_nothing(void **state)
{
	(void)state;
	now.logged[1] = true;
	now.total[0] = 2;
	now.total[1] = 1;
	record(INSN_JMP, 1, 2, false);
	assert_int_equal(log_of(0, 0), 0);
	assert_int_equal(log_of(0, 1), 1);
}

static void a_branch_that_is_filtered_out_does_not_end_the_count(void **state)
{
	(void)state;
	lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | BIT(21));
	now.logged[0] = true;
	now.total[0] = 1;
	now.cycles = 10;
	record(INSN_JMP, 1, 2, false);
	now.total[0] = 2;
	now.cycles = 30;
	record(INSN_RET, 3, 4, false);
	assert_int_equal(log_of(0, 0), 2);
	assert_int_equal(lbr_read(&lbr, LBR_INFO, 0) & LBR_INFO_CYCLES, 30);
}

static void a_return_without_a_call_leaves_an_empty_stack(void **state)
{
	(void)state;
	lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_CTL_STACK | ALL_BRANCHES);
	record(INSN_RET, 1, 2, false);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 0);
	record(INSN_CALL, 3, 400, false);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 3);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 1), 0);
}

static void only_calls_get_on_the_stack(void **state)
{
	static const enum insn_kind others[] = { INSN_COND, INSN_JMP, INSN_JMP_IND, INSN_FAR };
	size_t i;

	(void)state;
	lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_CTL_STACK | ALL_BRANCHES);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		record(others[i], 1, 200, false);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 0);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(each_depth_keeps_that_many_newest_first),
		TEST(writing_the_same_depth_clears_too),
		TEST(a_restart_forgets_what_happened_before),
		TEST(a_refused_depth_changes_nothing),
		TEST(a_mispredicted_branch_is_marked),
		TEST(cycles_are_since_the_last_record_and_saturate),
		TEST(occurrences_are_logged_in_the_counters_place_up_to_three),
		TEST(a_counter_that_is_not_logged_leaves_nothing),
		TEST(a_branch_that_is_filtered_out_does_not_end_the_count),
		TEST(a_return_without_a_call_leaves_an_empty_stack),
		TEST(only_calls_get_on_the_stack),
	};

	return cmocka_run_group_tests_name("pmu-model/lbr", tests, NULL, NULL);
}
