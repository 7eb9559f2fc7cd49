// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Intel model as software sees it: registers, faults, overflow, freezing, CPUID.
 */
#include <stdlib.h>

#include "machine.h"

#define EN		BIT(22)
#define USR		BIT(16)
#define OS		BIT(17)
#define INT		BIT(20)
#define LOG		BIT(35)
#define INSNS		0xc0

#define PMC(i)		(0xc1 + (i))
#define FULL_PMC(i)	(0x4c1 + (i))
#define EVTSEL(i)	(0x186 + (i))
#define FIXED(i)	(0x309 + (i))
#define FIXED_CTRL	0x38d
#define STATUS		0x38e
#define CTRL		0x38f
#define RESET		0x390
#define SET		0x391
#define INUSE		0x392
#define DEBUGCTL	0x1d9
#define LBR_CTL		0x14ce
#define LBR_DEPTH	0x14cf
#define FROM(i)		(0x1500 + (i))
#define TO(i)		(0x1600 + (i))
#define INFO(i)		(0x1200 + (i))
#define LBR_ALL		0x7f0000ULL

#define TEXT		0x401000ULL
#define COUNTER_BITS	low_bits(48)

static struct machine m;
static struct block *ten;	/* ten instructions, ending in a call */

static int set_up(void **state)
{
	(void)state;
	machine_start(&m, &model_intel);
	ten = make_block(TEXT, 10, INSN_CALL);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	machine_stop(&m);
	free(ten);
	return 0;
}

/* Let counters see what ran. */
static void run_times(int times)
{
	while (times--)
		run(&m, ten);
}

/* Runs until the interrupt comes; how many blocks that took. */
static int run_to_interrupt(int at_most)
{
	int i;

	for (i = 0; i < at_most; i++) {
		if (begin(&m, ten))
			return i;
		reach_end(&m, ten);
	}
	return -1;
}

static void counters_count_user_and_kernel_apart(void **state)
{
	(void)state;
	must_write(&m, CTRL, 0);
	must_write(&m, EVTSEL(0), INSNS | EN | USR);
	must_write(&m, EVTSEL(1), INSNS | EN | OS);
	must_write(&m, EVTSEL(2), INSNS | EN | OS | USR);
	must_write(&m, EVTSEL(3), INSNS | EN);
	must_write(&m, CTRL, 0xf);
	run_times(4);
	must_write(&m, CTRL, 0);
	assert_int_equal(must_read(&m, PMC(0)), 40);
	assert_int_equal(must_read(&m, PMC(2)), 40 + must_read(&m, PMC(1)));
	assert_int_equal(must_read(&m, PMC(3)), 0);
}

static void events_differ(void **state)
{
	(void)state;
	must_write(&m, FIXED_CTRL, 0x222);
	must_write(&m, EVTSEL(0), 0x00c4 | EN | USR);
	must_write(&m, EVTSEL(1), 0xf9c4 | EN | USR);
	must_write(&m, EVTSEL(2), 0x7ec4 | EN | USR);
	must_write(&m, EVTSEL(3), 0x013c | EN | USR);
	must_write(&m, CTRL, 0x7000000ffULL);
	run_times(4);
	assert_int_equal(must_read(&m, FIXED(0)), 40);	/* instructions */
	assert_int_equal(must_read(&m, FIXED(1)), 44);	/* cycles */
	assert_int_equal(must_read(&m, FIXED(2)), 80);	/* reference cycles */
	assert_int_equal(must_read(&m, PMC(0)), 4);	/* branches */
	assert_int_equal(must_read(&m, PMC(1)), 4);	/* calls */
	assert_int_equal(must_read(&m, PMC(2)), 0);	/* conditional branches */
	assert_int_equal(must_read(&m, PMC(3)), 80);
}

static void what_is_not_modelled_counts_nothing(void **state)
{
	static const u64 selectors[] = {
		0x1234, INSNS | BIT(18), INSNS | BIT(23), INSNS | 1ULL << 24,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(selectors); i++) {
		must_write(&m, EVTSEL(0), selectors[i] | EN | USR | OS);
		run_times(2);
		assert_int_equal(must_read(&m, PMC(0)), 0);
	}
}

static void the_write_that_starts_a_counter_is_not_counted(void **state)
{
	(void)state;
	must_write(&m, EVTSEL(0), INSNS | EN | OS);
	/* Nothing but the reading instruction's turn: it has not retired yet. */
	assert_int_equal(must_read(&m, PMC(0)), 0);
	assert_int_equal(must_read(&m, PMC(0)), 1);
}

static void old_writes_extend_the_sign_full_ones_do_not(void **state)
{
	(void)state;
	must_write(&m, PMC(0), 0x80000000);
	assert_int_equal(must_read(&m, PMC(0)), 0xffff80000000);
	must_write(&m, FULL_PMC(0), 0x80000000);
	assert_int_equal(must_read(&m, FULL_PMC(0)), 0x80000000);
	must_fault(&m, FULL_PMC(0), BIT(48));
	must_fault(&m, FIXED(0), BIT(48));
}

static void an_overflow_interrupts_once_at_the_end_of_its_block(void **state)
{
	(void)state;
	must_write(&m, FULL_PMC(0), -35 & COUNTER_BITS);
	must_write(&m, EVTSEL(0), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), 4);
	assert_int_equal(apic_messages, 1);
	assert_int_equal(apic_message, NMI_ENTRY);
	assert_int_equal(apic_message_address, 0xfee03000);
	assert_int_equal(apic_lvtpc, NMI_ENTRY | MASKED);
	assert_int_equal(must_read(&m, STATUS), 1);
	assert_int_equal(must_read(&m, PMC(0)), 5);
	run_times(100);
	assert_int_equal(apic_messages, 1);
	must_write(&m, RESET, 1);
	assert_int_equal(must_read(&m, STATUS), 0);
}

static void cycles_overflow_in_time_though_they_run_faster(void **state)
{
	(void)state;
	must_write(&m, FIXED(1), -1100 & COUNTER_BITS);
	must_write(&m, FIXED_CTRL, 0xa0);
	must_write(&m, CTRL, BIT(33));
	assert_int_equal(run_to_interrupt(200), 100);
	assert_int_equal(must_read(&m, STATUS), BIT(33));
}

static void no_interrupt_without_the_bit_or_through_a_mask(void **state)
{
	(void)state;
	must_write(&m, FULL_PMC(0), -35 & COUNTER_BITS);
	must_write(&m, EVTSEL(0), INSNS | EN | USR);
	assert_int_equal(run_to_interrupt(10), -1);
	assert_int_equal(must_read(&m, STATUS), 1);
	apic_lvtpc |= MASKED;
	must_write(&m, FULL_PMC(0), -35 & COUNTER_BITS);
	must_write(&m, EVTSEL(0), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), -1);
	assert_int_equal(apic_messages, 0);
}

static void counters_freeze_on_an_interrupt_if_told_so(void **state)
{
	(void)state;
	must_write(&m, DEBUGCTL, BIT(12));
	must_write(&m, FULL_PMC(0), -35 & COUNTER_BITS);
	must_write(&m, EVTSEL(0), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), 4);
	run_times(10);
	assert_int_equal(must_read(&m, PMC(0)), 5);
	assert_int_equal(must_read(&m, STATUS), BIT(59) | 1);
	must_write(&m, RESET, BIT(59) | 1);
	run_times(1);
	assert_int_equal(must_read(&m, PMC(0)), 15);
}

static void status_can_be_set(void **state)
{
	(void)state;
	must_write(&m, SET, BIT(34) | 2);
	assert_int_equal(must_read(&m, STATUS), BIT(34) | 2);
	assert_int_equal(apic_messages, 0);
}

static void use_is_shown(void **state)
{
	(void)state;
	assert_int_equal(must_read(&m, INUSE), 0);
	must_write(&m, EVTSEL(2), INSNS | INT);
	must_write(&m, FIXED_CTRL, 0x020);
	assert_true(must_read(&m, INUSE) == (BIT(63) | BIT(33) | BIT(2)));
}

static void reserved_bits_fault(void **state)
{
	static const struct {
		u32 msr;
		u64 value;
	} bad[] = {
		{ EVTSEL(0), BIT(21) }, { EVTSEL(0), BIT(32) }, { EVTSEL(0), BIT(36) },
		{ EVTSEL(4), LOG }, { FIXED_CTRL, BIT(2) }, { FIXED_CTRL, BIT(12) },
		{ CTRL, BIT(8) }, { CTRL, BIT(35) }, { RESET, BIT(8) }, { SET, BIT(35) },
		{ DEBUGCTL, BIT(3) }, { DEBUGCTL, BIT(13) }, { DEBUGCTL, BIT(15) },
		{ LBR_CTL, BIT(4) }, { LBR_CTL, BIT(23) },
		{ LBR_DEPTH, 0 }, { LBR_DEPTH, 7 }, { LBR_DEPTH, 40 },
		{ INFO(0), BIT(16) }, { INFO(0), BIT(40) },
		/* read-only */
		{ STATUS, 0 }, { INUSE, 0 }, { 0x345, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		must_fault(&m, bad[i].msr, bad[i].value);
	must_write(&m, EVTSEL(3), LOG);
}

static void absent_registers_fault(void **state)
{
	static const u32 absent[] = {
		PMC(8), EVTSEL(8), FIXED(3), FULL_PMC(8), FROM(32), TO(32), INFO(32), 0x1c8,
		0x1c9, 0x680, 0x6c0, 0xdc0, 0x3f1, 0x1a6, 0xc0010000, 0xc0010200, 0xc0000300,
		0xc000010f, 0xc0010300,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(absent); i++) {
		must_fault(&m, absent[i], 0);
		must_not_read(&m, absent[i]);
	}
	assert_false(msr_is_pmu(&m.cpu, 0x10));
	assert_false(msr_is_pmu(&m.cpu, 0x1a0));
	assert_false(msr_is_pmu(&m.cpu, 0xc0000080));
}

static void rdpmc_reads_general_and_fixed(void **state)
{
	u64 value;

	(void)state;
	must_write(&m, FULL_PMC(7), 77);
	must_write(&m, FIXED(2), 22);
	assert_int_equal(msr_rdpmc(&m.cpu, 7, &value), MSR_DONE);
	assert_int_equal(value, 77);
	assert_int_equal(msr_rdpmc(&m.cpu, BIT(30) | 2, &value), MSR_DONE);
	assert_int_equal(value, 22);
	assert_int_equal(msr_rdpmc(&m.cpu, 8, &value), MSR_FAULT);
	assert_int_equal(msr_rdpmc(&m.cpu, BIT(30) | 3, &value), MSR_FAULT);
}

static void cpuid_tells(void **state)
{
	struct cpuid_regs r;

	(void)state;
	assert_true(cpuid_is_own(&m.cpu, 0xa));
	cpuid_answer(&m.cpu, 0xa, 0, &r);
	assert_int_equal(r.reg[CPUID_EAX], 0x08300805);
	assert_int_equal(r.reg[CPUID_ECX], 7);
	cpuid_answer(&m.cpu, 0x1c, 0, &r);
	assert_int_equal(r.reg[CPUID_EAX], 0xf);
	assert_int_equal(r.reg[CPUID_ECX], 0xf0007);
	assert_false(cpuid_note(&m.cpu, 0, 0));
	assert_true(cpuid_note(&m.cpu, 1, 0));
	r = (struct cpuid_regs){ .reg = { 1, 2, 1u << 31 | 1, 4 } };
	cpuid_edit(&m.cpu, &r);
	assert_int_equal(r.reg[CPUID_ECX], 1u << 15 | 1);
	assert_true(cpuid_note(&m.cpu, 7, 0));
	assert_false(cpuid_note(&m.cpu, 7, 1));
}

static void the_magic_leaf_tells_totals(void **state)
{
	struct cpuid_regs r;

	(void)state;
	run_times(3);
	cpuid_answer(&m.cpu, CPUID_MAGIC_LEAF, 1, &r);
	assert_int_equal(r.reg[CPUID_EAX], 30);
	assert_int_equal(r.reg[CPUID_EBX], CPUID_MAGIC_SIGNATURE);
}

/* Calls that were taken, newest first: where they went is where the next block is. */
static void branches_are_recorded_newest_first(void **state)
{
	struct block *other = make_block(0x500000, 3, INSN_RET);

	(void)state;
	must_write(&m, LBR_CTL, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_ALL);
	run(&m, ten);
	run(&m, other);
	run(&m, ten);
	must_write(&m, LBR_CTL, 0);
	assert_int_equal(must_read(&m, FROM(0)), TEXT + 9);
	assert_int_equal(must_read(&m, FROM(1)), 0x500002);
	assert_int_equal(must_read(&m, TO(1)), TEXT);
	assert_int_equal(must_read(&m, INFO(1)) >> 56 & 0xf, 5);
	assert_int_equal(must_read(&m, INFO(1)) & 0xffff, 4);
	assert_int_equal(must_read(&m, TO(2)), 0x500000);
	assert_int_equal(must_read(&m, FROM(3)), 0);
	must_write(&m, LBR_DEPTH, 8);
	assert_int_equal(must_read(&m, FROM(0)), 0);
	free(other);
}

static void records_freeze_on_an_interrupt_if_told_so(void **state)
{
	(void)state;
	must_write(&m, DEBUGCTL, BIT(11));
	must_write(&m, LBR_CTL, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_ALL);
	must_write(&m, FULL_PMC(0), -15 & COUNTER_BITS);
	must_write(&m, EVTSEL(0), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), 2);
	run_times(10);
	assert_int_equal(must_read(&m, STATUS), BIT(58) | 1);
	assert_int_equal(must_read(&m, FROM(1)), TEXT + 9);
	assert_int_equal(must_read(&m, FROM(2)), 0);
}

static void events_are_logged_and_saturate(void **state)
{
	(void)state;
	must_write(&m, EVTSEL(0), INSNS | EN | USR | LOG);
	must_write(&m, EVTSEL(1), 0x00c4 | EN | USR | LOG);
	must_write(&m, EVTSEL(2), 0x00c4 | EN | USR);
	must_write(&m, LBR_CTL, LBR_CTL_ENABLE | LBR_CTL_USR | LBR_ALL);
	run_times(3);
	must_write(&m, LBR_CTL, 0);
	assert_int_equal(must_read(&m, INFO(0)) >> 32 & 0xff, 0x7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counters_count_user_and_kernel_apart),
		TEST(events_differ),
		TEST(what_is_not_modelled_counts_nothing),
		TEST(the_write_that_starts_a_counter_is_not_counted),
		TEST(old_writes_extend_the_sign_full_ones_do_not),
		TEST(an_overflow_interrupts_once_at_the_end_of_its_block),
		TEST(cycles_overflow_in_time_though_they_run_faster),
		TEST(no_interrupt_without_the_bit_or_through_a_mask),
		TEST(counters_freeze_on_an_interrupt_if_told_so),
		TEST(status_can_be_set),
		TEST(use_is_shown),
		TEST(reserved_bits_fault),
		TEST(absent_registers_fault),
		TEST(rdpmc_reads_general_and_fixed),
		TEST(cpuid_tells),
		TEST(the_magic_leaf_tells_totals),
		TEST(branches_are_recorded_newest_first),
		TEST(records_freeze_on_an_interrupt_if_told_so),
		TEST(events_are_logged_and_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
