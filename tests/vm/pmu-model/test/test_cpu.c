// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ran: instructions, branches and accesses must count once each, however control moves.
 */
#include <stdlib.h>

#include "machine.h"

#define TEXT	0x401000ULL
#define HANDLER	0xffffffff81800000ULL

static struct machine m;
static struct block *block, *next;

static int set_up(void **state)
{
	(void)state;
	machine_start(&m, &model_intel);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	machine_stop(&m);
	free(block);
	free(next);
	block = NULL;
	next = NULL;
	return 0;
}

static void blocks(u16 nr, enum insn_kind kind)
{
	block = make_block(TEXT, nr, kind);
	next = make_block(TEXT + nr, 1, INSN_PLAIN);
}

static void a_block_counts_all_of_it(void **state)
{
	(void)state;
	blocks(5, INSN_COND);
	run(&m, block);
	run(&m, next);
	assert_int_equal(m.counts.insns[USER], 6);
	assert_int_equal(m.counts.branches[USER][INSN_COND], 1);
}

static void a_fault_in_the_middle_takes_the_rest_back(void **state)
{
	(void)state;
	blocks(5, INSN_COND);
	begin(&m, block);
	fault(&m, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 2);
	assert_int_equal(m.counts.branches[USER][INSN_COND], 0);
}

static void a_fault_of_the_last_takes_it_back(void **state)
{
	(void)state;
	blocks(5, INSN_RET);
	begin(&m, block);
	reach_end(&m, block);
	fault(&m, TEXT + 4, HANDLER);
	assert_int_equal(m.counts.insns[USER], 4);
	assert_int_equal(m.counts.branches[USER][INSN_RET], 0);
}

static void a_fetch_fault_takes_nothing_back(void **state)
{
	(void)state;
	blocks(5, INSN_JMP);
	run(&m, block);
	fault(&m, 0x500000, HANDLER);
	assert_int_equal(m.counts.insns[USER], 5);
}

/* The target is where the jump itself is, one page on: only CR2 tells. */
static void a_fetch_fault_at_a_similar_address_takes_nothing_back(void **state)
{
	(void)state;
	blocks(5, INSN_JMP);
	run(&m, block);
	fault_address = TEXT + 0x1004;
	fault(&m, TEXT + 0x1004, HANDLER);
	assert_int_equal(m.counts.insns[USER], 5);
	assert_int_equal(m.counts.branches[USER][INSN_JMP], 1);
}

static void an_interrupt_between_blocks_takes_nothing_back(void **state)
{
	(void)state;
	blocks(5, INSN_COND);
	run(&m, block);
	cpu_deliver(&m.cpu, TEXT + 5, HANDLER);
	assert_int_equal(m.counts.insns[USER], 5);
}

/* A loop of one block: the interrupt comes from where the block's last instruction is not. */
static void an_interrupt_at_a_branch_of_its_own_takes_nothing_back(void **state)
{
	(void)state;
	blocks(1, INSN_JMP);
	run(&m, block);
	cpu_deliver(&m.cpu, TEXT, HANDLER);
	assert_int_equal(m.counts.insns[USER], 1);
}

static void a_software_interrupt_counts(void **state)
{
	(void)state;
	blocks(3, INSN_SOFT_INT);
	run(&m, block);
	fault(&m, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 3);
	assert_int_equal(m.counts.branches[USER][INSN_SOFT_INT], 1);
}

static void a_software_interrupt_that_faults_does_not(void **state)
{
	(void)state;
	blocks(3, INSN_SOFT_INT);
	run(&m, block);
	cpu_raise(&m.cpu);
	fault(&m, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 2);
	assert_int_equal(m.counts.branches[USER][INSN_SOFT_INT], 0);
}

/* QEMU makes a device access again, in a block that is not instrumented, and goes on behind. */
static void a_repeated_device_access_counts_once(void **state)
{
	struct block *rest;

	(void)state;
	blocks(5, INSN_COND);
	rest = make_block(TEXT + 3, 2, INSN_COND);
	begin(&m, block);
	run(&m, rest);
	run(&m, next);
	assert_int_equal(m.counts.insns[USER], 6);
	assert_int_equal(m.counts.branches[USER][INSN_COND], 1);
	free(rest);
}

static void a_string_instruction_counts_when_it_is_done(void **state)
{
	struct block *again;

	(void)state;
	blocks(3, INSN_STRING);
	again = make_block(TEXT + 2, 1, INSN_STRING);
	run(&m, block);
	run(&m, again);
	run(&m, again);
	run(&m, next);
	assert_int_equal(m.counts.insns[USER], 4);
	free(again);
}

static void a_string_instruction_counts_once_across_interrupts(void **state)
{
	struct block *again;

	(void)state;
	blocks(3, INSN_STRING);
	again = make_block(TEXT + 2, 1, INSN_STRING);
	run(&m, block);
	cpu_deliver(&m.cpu, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 2);
	run(&m, again);
	fault(&m, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 2);
	run(&m, again);
	cpu_deliver(&m.cpu, TEXT + 3, HANDLER);
	assert_int_equal(m.counts.insns[USER], 3);
	free(again);
}

static void accesses_of_a_faulting_instruction_are_taken_back(void **state)
{
	(void)state;
	blocks(2, INSN_PLAIN);
	begin(&m, block);
	reach_end(&m, block);
	load(&m, USER);
	fault(&m, TEXT + 1, HANDLER);
	assert_int_equal(m.counts.loads[USER], 0);
}

static void finished_rounds_of_a_string_instruction_are_kept(void **state)
{
	int i;

	(void)state;
	blocks(1, INSN_STRING);
	begin(&m, block);
	reach_end(&m, block);
	for (i = 0; i < 3; i++) {
		load(&m, USER);
		store(&m, USER);
	}
	load(&m, USER);
	fault(&m, TEXT, HANDLER);
	assert_int_equal(m.counts.loads[USER], 3);
	assert_int_equal(m.counts.stores[USER], 3);
}

static void an_instruction_of_the_models_own_counts_the_block_up_to_it(void **state)
{
	(void)state;
	blocks(5, INSN_COND);
	begin(&m, block);
	cpu_insn_begin(&m.cpu, block, 2);
	assert_int_equal(m.counts.insns[USER], 2);
	cpu_insn_end(&m.cpu, block, true);
	assert_int_equal(m.counts.insns[USER], 3);
	assert_int_equal(m.counts.branches[USER][INSN_COND], 0);
	run(&m, next);
	assert_int_equal(m.counts.insns[USER], 4);
}

static void one_that_faults_does_not_count(void **state)
{
	(void)state;
	blocks(5, INSN_COND);
	begin(&m, block);
	cpu_insn_begin(&m.cpu, block, 2);
	cpu_insn_end(&m.cpu, block, false);
	fault(&m, TEXT + 2, HANDLER);
	assert_int_equal(m.counts.insns[USER], 2);
}

/* Event codes of Intel, on counter 0, for the user. */
#define TAKEN	(0x80c4 | BIT(22) | BIT(16))
#define MISSED	(0x00c5 | BIT(22) | BIT(16))

static void a_branch_is_taken_if_it_goes_elsewhere(void **state)
{
	(void)state;
	must_write(&m, 0x186, TAKEN);
	blocks(5, INSN_COND);
	run(&m, block);
	run(&m, block);		/* taken */
	run(&m, next);		/* not taken */
	assert_int_equal(must_read(&m, 0xc1), 1);
}

static void a_branch_is_taken_if_an_interrupt_comes_at_its_target(void **state)
{
	(void)state;
	must_write(&m, 0x186, TAKEN);
	blocks(5, INSN_COND);
	run(&m, block);
	cpu_deliver(&m.cpu, TEXT, HANDLER);
	assert_int_equal(must_read(&m, 0xc1), 1);
}

static void the_predictor_survives_the_kernel_but_not_unseen_users(void **state)
{
	struct block *elsewhere = make_block(0x600000, 1, INSN_PLAIN);

	(void)state;
	must_write(&m, 0x186, MISSED);
	blocks(1, INSN_JMP_IND);
	run(&m, block);
	run(&m, elsewhere);
	assert_int_equal(must_read(&m, 0xc1), 1);
	must_write(&m, 0x38f, 0);
	must_write(&m, 0x38f, 1);
	run(&m, block);
	run(&m, elsewhere);
	assert_int_equal(must_read(&m, 0xc1), 1);
	must_write(&m, 0x38f, 0);
	run(&m, elsewhere);
	must_write(&m, 0x38f, 1);
	run(&m, block);
	run(&m, elsewhere);
	assert_int_equal(must_read(&m, 0xc1), 2);
	free(elsewhere);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_block_counts_all_of_it),
		TEST(a_fault_in_the_middle_takes_the_rest_back),
		TEST(a_fault_of_the_last_takes_it_back),
		TEST(a_fetch_fault_takes_nothing_back),
		TEST(a_fetch_fault_at_a_similar_address_takes_nothing_back),
		TEST(an_interrupt_between_blocks_takes_nothing_back),
		TEST(an_interrupt_at_a_branch_of_its_own_takes_nothing_back),
		TEST(a_software_interrupt_counts),
		TEST(a_software_interrupt_that_faults_does_not),
		TEST(a_repeated_device_access_counts_once),
		TEST(a_string_instruction_counts_when_it_is_done),
		TEST(a_string_instruction_counts_once_across_interrupts),
		TEST(accesses_of_a_faulting_instruction_are_taken_back),
		TEST(finished_rounds_of_a_string_instruction_are_kept),
		TEST(an_instruction_of_the_models_own_counts_the_block_up_to_it),
		TEST(one_that_faults_does_not_count),
		TEST(a_branch_is_taken_if_it_goes_elsewhere),
		TEST(a_branch_is_taken_if_an_interrupt_comes_at_its_target),
		TEST(the_predictor_survives_the_kernel_but_not_unseen_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
