// SPDX-License-Identifier: GPL-2.0-only
/* CPUID: what each model answers itself, what it changes of the emulator's answers. */
#include <stdlib.h>

#include "machine.h"

/* What the emulator is taken to answer: all ones shows what is cleared, zero what is set. */
struct edit {
	const struct model *model;
	u32 leaf, subleaf;
	enum cpuid_register reg;
	u32 of_zeroes, of_ones;
};

static const struct edit edits[] = {
	{ &model_intel, 1, 0, CPUID_ECX, 1u << 15, 0x7fffffff },
	{ &model_intel, 7, 0, CPUID_EDX, 1u << 19, ~0u },
	{ &model_amd, 1, 0, CPUID_ECX, 0, 0x7fffffff },
	{ &model_amd, 0x80000001, 0, CPUID_ECX, 1u << 23, ~0u },
	{ &model_amd, 0x80000008, 0, CPUID_EBX, 1u << 31, ~0u },
	{ &model_amd2, 1, 0, CPUID_ECX, 0, 0x7fffffff },
	{ &model_amd2, 0x80000000, 0, CPUID_EAX, 0x80000022, 0x80000022 },
	{ &model_amd2, 0x80000001, 0, CPUID_ECX, 1u << 23, ~0u },
};

/* The answer is @of in all registers; only the edit's own may change. */
static void check_edit(const struct edit *edit, u32 of, u32 expected)
{
	struct cpuid_regs r = { .reg = { of, of, of, of } };
	struct machine m;
	int reg;

	machine_start(&m, edit->model);
	assert_true(cpuid_note(&m.cpu, edit->leaf, edit->subleaf));
	cpuid_edit(&m.cpu, &r);
	assert_false(m.cpu.cpuid.wanted);
	machine_stop(&m);
	for (reg = 0; reg < CPUID_REGISTERS; reg++)
		assert_int_equal(r.reg[reg], reg == (int)edit->reg ? expected : of);
}

static void edits_change_their_bits_and_no_others(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(edits); i++) {
		check_edit(&edits[i], 0, edits[i].of_zeroes);
		check_edit(&edits[i], ~0u, edits[i].of_ones);
	}
}

static void other_leaves_are_left_alone(void **state)
{
	static const struct {
		const struct model *model;
		u32 leaf, subleaf;
	} table[] = {
		{ &model_intel, 0, 0 }, { &model_intel, 7, 1 }, { &model_intel, 0x80000001, 0 },
		{ &model_amd, 0, 0 }, { &model_amd, 7, 0 }, { &model_amd, 0x80000000, 0 },
		{ &model_amd2, 0, 0 }, { &model_amd2, 0x80000008, 0 },
	};
	struct machine m;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		machine_start(&m, table[i].model);
		assert_false(cpuid_note(&m.cpu, table[i].leaf, table[i].subleaf));
		assert_false(cpuid_is_own(&m.cpu, table[i].leaf));
		machine_stop(&m);
	}
}

static void intel_tells_its_counters(void **state)
{
	struct cpuid_regs r;
	struct machine m;

	(void)state;
	machine_start(&m, &model_intel);
	cpuid_answer(&m.cpu, 0xa, 0, &r);
	machine_stop(&m);
	assert_int_equal(r.reg[CPUID_EAX] & 0xff, 5);		/* version */
	assert_int_equal(r.reg[CPUID_EAX] >> 8 & 0xff, 8);	/* general counters */
	assert_int_equal(r.reg[CPUID_EAX] >> 16 & 0xff, 48);
	assert_int_equal(r.reg[CPUID_EAX] >> 24, 8);		/* architectural events */
	assert_int_equal(r.reg[CPUID_EBX], 1u << 7);		/* but not this one */
	assert_int_equal(r.reg[CPUID_ECX], 7);			/* fixed counters: which */
	assert_int_equal(r.reg[CPUID_EDX] & 0x1f, 3);		/* and how many */
	assert_int_equal(r.reg[CPUID_EDX] >> 5 & 0xff, 48);
}

static void intel_tells_another_width(void **state)
{
	struct cpuid_regs r;
	struct machine m;

	(void)state;
	machine_start_width(&m, &model_intel, 40);
	cpuid_answer(&m.cpu, 0xa, 0, &r);
	machine_stop(&m);
	assert_int_equal(r.reg[CPUID_EAX] >> 16 & 0xff, 40);
	assert_int_equal(r.reg[CPUID_EDX] >> 5 & 0xff, 40);
}

static void intel_tells_of_its_recorder_in_subleaf_0_only(void **state)
{
	struct cpuid_regs r;
	struct machine m;
	int reg;

	(void)state;
	machine_start(&m, &model_intel);
	cpuid_answer(&m.cpu, 0x1c, 0, &r);
	assert_int_equal(r.reg[CPUID_EAX], 0xf);	/* depths 8, 16, 24, 32 */
	assert_int_equal(r.reg[CPUID_EBX], 0x7);	/* privilege, branches, call stack */
	assert_int_equal(r.reg[CPUID_ECX], 0xf0007);	/* missed, cycles, type; logs of 4 */
	assert_int_equal(r.reg[CPUID_EDX], 0);
	cpuid_answer(&m.cpu, 0x1c, 1, &r);
	machine_stop(&m);
	for (reg = 0; reg < CPUID_REGISTERS; reg++)
		assert_int_equal(r.reg[reg], 0);
}

static void the_magic_leaf_tells_each_total(void **state)
{
	static const u32 expected[] = { 3, 0x21, 4, 5, 6, 7, 0 };
	struct block *kernel = make_block(0xffffffff81000000ULL, 3, INSN_PLAIN);
	struct machine m;
	struct cpuid_regs r;
	u32 i;

	(void)state;
	machine_start(&m, &model_amd);
	run(&m, kernel);
	m.counts.insns[USER] = 0x500000021ULL;
	m.cpu.totals = (struct totals){ .wrmsr = 4, .rdmsr = 5, .rdpmc = 6, .pmi = 7 };
	assert_true(cpuid_is_own(&m.cpu, CPUID_MAGIC_LEAF));
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		cpuid_answer(&m.cpu, CPUID_MAGIC_LEAF, i, &r);
		assert_int_equal(r.reg[CPUID_EAX], expected[i]);
		assert_int_equal(r.reg[CPUID_EBX], CPUID_MAGIC_SIGNATURE);
		assert_int_equal(r.reg[CPUID_EDX], i == 1 ? 5 : 0);	/* the high half */
	}
	machine_stop(&m);
	free(kernel);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_change_their_bits_and_no_others),
		cmocka_unit_test(other_leaves_are_left_alone),
		cmocka_unit_test(intel_tells_its_counters),
		cmocka_unit_test(intel_tells_another_width),
		cmocka_unit_test(intel_tells_of_its_recorder_in_subleaf_0_only),
		cmocka_unit_test(the_magic_leaf_tells_each_total),
	};

	return cmocka_run_group_tests_name("pmu-model/cpuid", tests, NULL, NULL);
}
