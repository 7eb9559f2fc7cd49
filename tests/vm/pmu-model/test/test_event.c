// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each event code of each vendor, run over one program whose counts are known. The numbers of the
 * branches of each kind differ, so that a code that counts something else is seen.
 */
#include <stdlib.h>

#include "machine.h"

#define INTEL_EVTSEL0	0x186
#define INTEL_PMC0	0xc1
#define INTEL_FIXED0	0x309
#define INTEL_FIXED_CTRL 0x38d
#define INTEL_GLOBAL_CTRL 0x38f
#define AMD_CTL0	0xc0010200
#define AMD_CTR0	0xc0010201

#define USR		BIT(16)
#define EN		BIT(22)

/* What the program below does, in user mode, by hand. */
enum {
	PLAIN = 50, COND = 17, JMP = 4, JMP_IND = 6, CALL = 3, CALL_IND = 2, RET = 6, FAR = 3,
	BRANCHES = COND + JMP + JMP_IND + CALL + CALL_IND + RET + FAR,
	INSNS = PLAIN + BRANCHES,
	CYCLES = INSNS + BRANCHES,
	REF_CYCLES = 2 * INSNS,
	TAKEN_COND = 10,
	TAKEN = BRANCHES - COND + TAKEN_COND,
	MISSED_COND = 5, MISSED_COND_TAKEN = 3, MISSED_CALL_IND = 2, MISSED_IND = 3,
	MISSED_RET = 1,
	MISSED = MISSED_COND + MISSED_IND + MISSED_RET,
	MISSED_TAKEN = MISSED - MISSED_COND + MISSED_COND_TAKEN,
	LOADS = 9, STORES = 4, REFS = 5, MISSES = 4,
};

#define USER_CODE	0x401000ULL
#define KERNEL_CODE	0xffffffff81000000ULL
#define BLOCKS_MAX	256

/* A machine and a place in its program; each instruction is a block. */
struct place {
	struct machine m;
	u64 pc;
	struct block *blocks[BLOCKS_MAX];
	size_t nr_blocks;
};

static void start(struct place *p, const struct model *model)
{
	machine_start(&p->m, model);
	p->pc = USER_CODE;
	p->nr_blocks = 0;
}

static void stop(struct place *p)
{
	while (p->nr_blocks)
		free(p->blocks[--p->nr_blocks]);
	machine_stop(&p->m);
}

static void insn(struct place *p, enum insn_kind kind, bool backward, u64 to)
{
	struct block *block = make_block(p->pc, 1, kind);

	assert_true(p->nr_blocks < BLOCKS_MAX);
	p->blocks[p->nr_blocks++] = block;
	block->last.backward = backward;
	run(&p->m, block);
	if (kind == INSN_SOFT_INT)
		fault(&p->m, p->pc, to);
	p->pc = to;
}

static void plain(struct place *p, unsigned int nr)
{
	while (nr--)
		insn(p, INSN_PLAIN, false, p->pc + 1);
}

static void branch(struct place *p, enum insn_kind kind, u64 to)
{
	insn(p, kind, to < p->pc, to);
}

static void not_taken(struct place *p, bool backward)
{
	insn(p, INSN_COND, backward, p->pc + 1);
}

static void load_from(struct place *p, u64 address)
{
	load(&p->m, USER);
	cpu_access(&p->m.cpu, USER, address);
}

static void store_to(struct place *p, u64 address)
{
	store(&p->m, USER);
	cpu_access(&p->m.cpu, USER, address);
}

static void run_conditions(struct place *p)
{
	int i;

	for (i = 0; i < 7; i++)
		branch(p, INSN_COND, p->pc - 64);	/* predicted */
	for (i = 0; i < 5; i++)
		not_taken(p, false);			/* predicted */
	for (i = 0; i < 3; i++)
		branch(p, INSN_COND, p->pc + 64);	/* missed, taken */
	for (i = 0; i < 2; i++)
		not_taken(p, true);			/* missed, not taken */
}

static void run_jumps(struct place *p)
{
	int i;

	for (i = 0; i < JMP; i++)
		branch(p, INSN_JMP, p->pc + 64);
	for (i = 0; i < JMP_IND; i++) {
		p->pc = USER_CODE + 0x800;
		branch(p, INSN_JMP_IND, USER_CODE + 0x900); /* the first is missed */
		plain(p, 1);
	}
}

static void run_call(struct place *p, enum insn_kind kind)
{
	u64 next = p->pc + 1;

	branch(p, kind, USER_CODE + 0xa00);
	plain(p, 1);
	branch(p, INSN_RET, next);
}

static void run_calls(struct place *p)
{
	int i;

	for (i = 0; i < CALL; i++)
		run_call(p, INSN_CALL);
	for (i = 0; i < CALL_IND; i++)
		run_call(p, INSN_CALL_IND);			/* missed, being elsewhere */
	branch(p, INSN_RET, USER_CODE + 0x40);		/* of no call: missed */
}

/* Into the kernel, of which nothing is run here, and back to where it was. */
static void run_far(struct place *p)
{
	u64 back = p->pc;
	int i;

	for (i = 0; i < 2; i++) {
		branch(p, INSN_FAR, KERNEL_CODE);
		plain(p, 1);
		p->pc = back;
	}
	branch(p, INSN_SOFT_INT, KERNEL_CODE);
	plain(p, 1);
	p->pc = back;
}

static void access_lines(struct place *p, u64 address)
{
	int i;

	load_from(p, address);				/* missed */
	load_from(p, address + 8);
	store_to(p, address + CACHE_L1_LINES * 64);	/* missed */
	load_from(p, address);				/* in the last level */
	store_to(p, address + CACHE_LLC_LINES * 64);	/* missed */
	load_from(p, address);				/* missed */
	for (i = 0; i < 5; i++)
		load_from(p, address);
	for (i = 0; i < 2; i++)
		store_to(p, address + 32);
}

static void run_program(struct place *p)
{
	run_conditions(p);
	run_jumps(p);
	run_calls(p);
	run_far(p);
	plain(p, PLAIN - JMP_IND - CALL - CALL_IND);
	access_lines(p, 0x10000);
}

struct code {
	u64 code;
	u64 count;
};

static const struct code intel_codes[] = {
	{ 0x003c, CYCLES },
	{ 0x013c, REF_CYCLES },
	{ 0x00c0, INSNS },
	{ 0x4f2e, REFS },
	{ 0x412e, MISSES },
	{ 0x00c4, BRANCHES },
	{ 0x7ec4, COND },
	{ 0xfec4, TAKEN_COND },
	{ 0xbfc4, FAR },
	{ 0xebc4, JMP_IND + CALL_IND },
	{ 0xfbc4, CALL_IND },
	{ 0xf9c4, CALL + CALL_IND },
	{ 0xf7c4, RET },
	{ 0xc0c4, TAKEN - FAR },
	{ 0x80c4, TAKEN - FAR },
	{ 0x00c5, MISSED },
	{ 0x7ec5, MISSED_COND },
	{ 0xfec5, MISSED_COND_TAKEN },
	{ 0xebc5, MISSED_IND },
	{ 0xfbc5, MISSED_CALL_IND },
	{ 0x80c5, MISSED_TAKEN },
	{ 0xf7c5, MISSED_RET },
	{ 0x81d0, LOADS },
	{ 0x82d0, STORES },
	{ 0x83d0, LOADS + STORES },
	{ 0x01c2, 0 },			/* not modelled */
	{ 0x00c0 | BIT(18), 0 },	/* edges, inversion, thresholds neither */
	{ 0x00c0 | BIT(23), 0 },
	{ 0x00c0 | BIT(24), 0 },
};

static const struct code amd_codes[] = {
	{ 0x0076, CYCLES },
	{ 0x100000120, REF_CYCLES },
	{ 0x00c0, INSNS },
	{ 0x00c2, BRANCHES },
	{ 0x00c3, MISSED },
	{ 0x00c4, TAKEN },
	{ 0x00c5, MISSED_TAKEN },
	{ 0x00c6, FAR },
	{ 0x00c8, RET },
	{ 0x00c9, MISSED_RET },
	{ 0x00ca, MISSED_IND },
	{ 0x00cc, JMP_IND + CALL_IND },
	{ 0x00d1, COND },
	{ 0x0129, LOADS },
	{ 0x0229, STORES },
	{ 0x0040, LOADS + STORES },
	{ 0xff60, REFS },
	{ 0xc860, REFS },
	{ 0x0964, MISSES },
	{ 0x01c0, 0 },			/* not modelled */
	{ 0x1000000c0, 0 },		/* event 0x1c0 is not 0xc0 */
	{ 0x00c0 | BIT(18), 0 },
	{ 0x00c0 | BIT(23), 0 },
	{ 0x00c0 | BIT(24), 0 },
	{ 0x00c0 | BIT(40), 0 },	/* there are no guests to count */
	{ 0x00c0 | BIT(41), 0 },
};

static void count_program(const struct model *model, u32 select, u32 counter,
			  const struct code *code)
{
	struct place p;
	u64 count;

	start(&p, model);
	must_write(&p.m, select, code->code | USR | EN);
	run_program(&p);
	count = must_read(&p.m, counter);
	stop(&p);
	if (count != code->count)
		fail_msg("%s: %llx counts %llu, not %llu", model->name,
			 (unsigned long long)code->code, (unsigned long long)count,
			 (unsigned long long)code->count);
}

static void intel_codes_count_what_they_name(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(intel_codes); i++)
		count_program(&model_intel, INTEL_EVTSEL0, INTEL_PMC0, &intel_codes[i]);
}

static void amd_codes_count_what_they_name(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(amd_codes); i++) {
		count_program(&model_amd, AMD_CTL0, AMD_CTR0, &amd_codes[i]);
		count_program(&model_amd2, AMD_CTL0, AMD_CTR0, &amd_codes[i]);
	}
}

static void fixed_counters_count_insns_cycles_and_ref_cycles(void **state)
{
	struct place p;

	(void)state;
	start(&p, &model_intel);
	must_write(&p.m, INTEL_GLOBAL_CTRL, 7ULL << 32);
	must_write(&p.m, INTEL_FIXED_CTRL, 0x222);
	run_program(&p);
	assert_int_equal(must_read(&p.m, INTEL_FIXED0), INSNS);
	assert_int_equal(must_read(&p.m, INTEL_FIXED0 + 1), CYCLES);
	assert_int_equal(must_read(&p.m, INTEL_FIXED0 + 2), REF_CYCLES);
	stop(&p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_codes_count_what_they_name),
		cmocka_unit_test(amd_codes_count_what_they_name),
		cmocka_unit_test(fixed_counters_count_insns_cycles_and_ref_cycles),
	};

	return cmocka_run_group_tests_name("pmu-model/event", tests, NULL, NULL);
}
