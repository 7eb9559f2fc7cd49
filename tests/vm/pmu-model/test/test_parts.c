// SPDX-License-Identifier: GPL-2.0-only
/*
 * Predictor, cache and branch recorder by themselves.
 */
#include <stdlib.h>

#include "machine.h"

static bool misses(struct predictor *p, enum insn_kind kind, u64 from, u64 to, bool backward)
{
	struct branch branch = {
		.from = from, .to = to, .next = from + 5, .kind = kind, .backward = backward,
	};

	branch.taken = kind != INSN_COND || to != branch.next;
	return predictor_misses(p, &branch);
}

static void conditional_branches_go_backwards(void **state)
{
	struct predictor p = {};

	(void)state;
	assert_false(misses(&p, INSN_COND, 0x100, 0x80, true));
	assert_true(misses(&p, INSN_COND, 0x100, 0x105, true));
	assert_true(misses(&p, INSN_COND, 0x100, 0x180, false));
	assert_false(misses(&p, INSN_COND, 0x100, 0x105, false));
}

static void returns_match_sixteen_calls(void **state)
{
	struct predictor p = {};
	u64 i;

	(void)state;
	for (i = 0; i < PREDICT_RETURNS + 1; i++)
		assert_false(misses(&p, INSN_CALL, 0x1000 * i, 0x1000 * (i + 1), false));
	for (i = PREDICT_RETURNS; i > 0; i--)
		assert_false(misses(&p, INSN_RET, 0x9000, 0x1000 * i + 5, false));
	assert_true(misses(&p, INSN_RET, 0x9000, 5, false));
}

static void indirect_branches_go_where_they_went(void **state)
{
	struct predictor p = {};

	(void)state;
	assert_true(misses(&p, INSN_JMP_IND, 0x100, 0x200, false));
	assert_false(misses(&p, INSN_JMP_IND, 0x100, 0x200, false));
	assert_true(misses(&p, INSN_JMP_IND, 0x100, 0x300, false));
	assert_true(misses(&p, INSN_CALL_IND, 0x101, 0x200, false));
	assert_false(misses(&p, INSN_RET, 0x200, 0x106, false));
}

static void direct_and_far_branches_are_right(void **state)
{
	struct predictor p = {};

	(void)state;
	assert_false(misses(&p, INSN_JMP, 0x100, 0x200, false));
	assert_false(misses(&p, INSN_FAR, 0x100, 0xffff, false));
	assert_false(misses(&p, INSN_SOFT_INT, 0x100, 0xffff, false));
}

static void caches_have_two_levels(void **state)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	const u64 l1 = CACHE_L1_LINES << CACHE_LINE_BITS, llc = CACHE_LLC_LINES << CACHE_LINE_BITS;

	(void)state;
	assert_int_equal(cache_access(cache, 0), CACHE_MISS);
	assert_int_equal(cache_access(cache, 63), CACHE_L1_HIT);
	assert_int_equal(cache_access(cache, 64), CACHE_MISS);
	assert_int_equal(cache_access(cache, l1), CACHE_MISS);
	assert_int_equal(cache_access(cache, 0), CACHE_LLC_HIT);
	assert_int_equal(cache_access(cache, llc), CACHE_MISS);
	assert_int_equal(cache_access(cache, 0), CACHE_MISS);
	cache_empty(cache);
	assert_int_equal(cache_access(cache, 0), CACHE_MISS);
	free(cache);
}

/* As many lines as a level has, one after the other: then it still has them all. */
static void each_cache_level_holds_all_its_lines(void **state)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	u64 line;

	(void)state;
	for (line = 0; line < CACHE_L1_LINES; line++)
		assert_int_equal(cache_access(cache, line << CACHE_LINE_BITS), CACHE_MISS);
	for (line = 0; line < CACHE_L1_LINES; line++)
		assert_int_equal(cache_access(cache, line << CACHE_LINE_BITS), CACHE_L1_HIT);
	for (line = CACHE_L1_LINES; line < CACHE_LLC_LINES; line++)
		assert_int_equal(cache_access(cache, line << CACHE_LINE_BITS), CACHE_MISS);
	for (line = 0; line < CACHE_LLC_LINES; line++)
		assert_int_equal(cache_access(cache, line << CACHE_LINE_BITS), CACHE_LLC_HIT);
	free(cache);
}

static void record(struct lbr *lbr, enum insn_kind kind, u64 from, u64 to, enum mode mode)
{
	struct branch branch = {
		.from = from, .to = to, .next = from + 5, .kind = kind, .taken = true,
	};
	struct lbr_clock clock = {};

	lbr_record(lbr, &branch, mode, &clock);
}

static void the_recorder_keeps_as_many_as_its_depth(void **state)
{
	struct lbr lbr;
	u64 i;

	(void)state;
	lbr_init(&lbr);
	assert_true(lbr_write_depth(&lbr, 8));
	assert_true(lbr_write_ctl(&lbr, LBR_CTL_VALID & ~LBR_CTL_STACK));
	for (i = 1; i <= 20; i++)
		record(&lbr, INSN_JMP, i, 100, USER);
	for (i = 0; i < 8; i++)
		assert_int_equal(lbr_read(&lbr, LBR_FROM, i), 20 - i);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 8), 0);
}

static void the_recorder_filters_by_kind_and_mode(void **state)
{
	static const struct {
		enum insn_kind kind;
		int bit;
		u64 type;
	} filters[] = {
		{ INSN_COND, 16, 0 }, { INSN_JMP, 17, 2 }, { INSN_JMP_IND, 18, 1 },
		{ INSN_CALL, 19, 4 }, { INSN_CALL_IND, 20, 3 }, { INSN_RET, 21, 5 },
		{ INSN_FAR, 22, 8 }, { INSN_SOFT_INT, 22, 8 },
	};
	struct lbr lbr;
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		lbr_init(&lbr);
		lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | BIT(filters[i].bit));
		record(&lbr, filters[i].kind, 2, 100, KERNEL);
		assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 0);
		for (j = 0; j < ARRAY_SIZE(filters); j++)
			if (filters[j].bit != filters[i].bit)
				record(&lbr, filters[j].kind, 3, 100, USER);
		assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 0);
		record(&lbr, filters[i].kind, 1, 100, USER);
		assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 1);
		assert_int_equal(lbr_read(&lbr, LBR_INFO, 0) >> 56 & 0xf, filters[i].type);
	}
}

static void a_call_stack_holds_the_calls_that_have_not_returned(void **state)
{
	struct lbr lbr;

	(void)state;
	lbr_init(&lbr);
	lbr_write_ctl(&lbr, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_CTL_STACK | 7 << 19);
	record(&lbr, INSN_CALL, 1, 100, USER);
	record(&lbr, INSN_CALL_IND, 2, 200, USER);
	record(&lbr, INSN_CALL, 3, 8, USER);	/* to the next instruction */
	record(&lbr, INSN_CALL, 4, 400, USER);
	record(&lbr, INSN_RET, 400, 9, USER);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 0), 2);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 1), 1);
	assert_int_equal(lbr_read(&lbr, LBR_FROM, 2), 0);
}

static void entries_can_be_written(void **state)
{
	struct lbr lbr;

	(void)state;
	lbr_init(&lbr);
	assert_true(lbr_write(&lbr, LBR_TO, 5, 0x1234));
	assert_int_equal(lbr_read(&lbr, LBR_TO, 5), 0x1234);
	assert_false(lbr_write(&lbr, LBR_INFO, 5, BIT(55)));
	assert_true(lbr_write(&lbr, LBR_INFO, 5, LBR_INFO_VALID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditional_branches_go_backwards),
		cmocka_unit_test(returns_match_sixteen_calls),
		cmocka_unit_test(indirect_branches_go_where_they_went),
		cmocka_unit_test(direct_and_far_branches_are_right),
		cmocka_unit_test(caches_have_two_levels),
		cmocka_unit_test(each_cache_level_holds_all_its_lines),
		cmocka_unit_test(the_recorder_keeps_as_many_as_its_depth),
		cmocka_unit_test(the_recorder_filters_by_kind_and_mode),
		cmocka_unit_test(a_call_stack_holds_the_calls_that_have_not_returned),
		cmocka_unit_test(entries_can_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
