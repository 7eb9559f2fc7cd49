// SPDX-License-Identifier: GPL-2.0-only
/* Which part of a block ran, and what is taken back of the rest. */
#include <stdlib.h>

#include "machine.h"

#define TEXT	0x401000ULL
#define NR	5

static struct counts counted(const struct block *block)
{
	struct counts counts = {};

	counts.insns[block->mode] = block->nr;
	if (insn_is_branch(block->last.kind))
		counts.branches[block->mode][block->last.kind] = 1;
	return counts;
}

static void an_instruction_is_found_by_its_address(void **state)
{
	struct block *block = make_block(TEXT, NR, INSN_PLAIN);
	u16 i;

	(void)state;
	for (i = 0; i <= NR; i++)
		assert_int_equal(block_find(block, TEXT + i), i);
	assert_int_equal(block_find(block, TEXT + NR + 1), NR + 1);
	assert_int_equal(block_find(block, TEXT - 1), NR + 1);
	free(block);
}

/* Translations are shared between mappings: only the place in the page is sure. */
static void the_page_does_not_matter(void **state)
{
	struct block *block = make_block(TEXT, NR, INSN_PLAIN);

	(void)state;
	assert_int_equal(block_find(block, TEXT + 0x7000 + 3), 3);
	assert_true(block_last_is_at(block, TEXT + 0x7000 + 4));
	assert_false(block_last_is_at(block, TEXT + 0x7000 + 3));
	free(block);
}

static void a_block_may_cross_a_page(void **state)
{
	struct block *block = make_block(TEXT + 0xffe, NR, INSN_PLAIN);

	(void)state;
	assert_int_equal(block_find(block, TEXT + 0xfff), 1);
	assert_int_equal(block_find(block, TEXT + 0x1000), 2);
	free(block);
}

static void what_did_not_run_is_taken_back(void **state)
{
	struct block *block = make_block(TEXT, NR, INSN_CALL);
	u16 executed;

	(void)state;
	for (executed = 0; executed <= NR + 1; executed++) {
		struct counts counts = counted(block);

		block_unrun(block, &counts, executed);
		assert_int_equal(counts.insns[USER], executed < NR ? executed : NR);
		assert_int_equal(counts.branches[USER][INSN_CALL], executed >= NR);
	}
	free(block);
}

static void the_other_mode_is_left_alone(void **state)
{
	struct block *block = make_block(0xffffffff81000000ULL, NR, INSN_JMP);
	struct counts counts = counted(block);

	(void)state;
	counts.insns[USER] = 100;
	counts.branches[USER][INSN_JMP] = 7;
	block_unrun(block, &counts, 1);
	assert_int_equal(counts.insns[KERNEL], 1);
	assert_int_equal(counts.insns[USER], 100);
	assert_int_equal(counts.branches[USER][INSN_JMP], 7);
	free(block);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_is_found_by_its_address),
		cmocka_unit_test(the_page_does_not_matter),
		cmocka_unit_test(a_block_may_cross_a_page),
		cmocka_unit_test(what_did_not_run_is_taken_back),
		cmocka_unit_test(the_other_mode_is_left_alone),
	};

	return cmocka_run_group_tests_name("pmu-model/block", tests, NULL, NULL);
}
