// SPDX-License-Identifier: GPL-2.0-only
/*
 * The AMD models as software sees them: registers old and new, faults, branch sampling, global
 * control.
 */
#include <stdlib.h>

#include "machine.h"

#define EN		BIT(22)
#define USR		BIT(16)
#define OS		BIT(17)
#define INT		BIT(20)
#define INSNS		0xc0
#define TAKEN		0xc4

#define CTL(i)		(0xc0010200 + 2 * (i))
#define CTR(i)		(0xc0010201 + 2 * (i))
#define LEGACY_CTL(i)	(0xc0010000 + (i))
#define LEGACY_CTR(i)	(0xc0010004 + (i))
#define STATUS		0xc0000300
#define GLOBAL		0xc0000301
#define CLEAR		0xc0000302
#define BRS_CONFIG	0xc000010f
#define BRS_SLOT_FROM(i) (0xc0010300 + 2 * (i))
#define BRS_SLOT_TO(i)	(0xc0010301 + 2 * (i))

#define TEXT		0x401000ULL
#define COUNTER_BITS	low_bits(48)

static struct machine m;
static struct block *ten;	/* ten instructions, ending in a jump */

static int set_up(const struct model *model)
{
	machine_start(&m, model);
	ten = make_block(TEXT, 10, INSN_JMP);
	return 0;
}

static int set_up_zen3(void **state)
{
	(void)state;
	return set_up(&model_amd);
}

static int set_up_zen4(void **state)
{
	(void)state;
	return set_up(&model_amd2);
}

static int tear_down(void **state)
{
	(void)state;
	machine_stop(&m);
	free(ten);
	return 0;
}

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

static void legacy_registers_are_the_first_core_ones(void **state)
{
	(void)state;
	must_write(&m, LEGACY_CTL(3), INSNS | EN | USR);
	assert_int_equal(must_read(&m, CTL(3)), INSNS | EN | USR);
	assert_int_equal(run_to_interrupt(3), -1);
	assert_int_equal(must_read(&m, LEGACY_CTR(3)), 30);
	must_write(&m, CTR(3), 5);
	assert_int_equal(must_read(&m, LEGACY_CTR(3)), 5 + 0);
	assert_int_equal(must_read(&m, CTR(5)), 0);
}

static void an_overflow_interrupts_and_masks_nothing(void **state)
{
	(void)state;
	must_write(&m, CTR(0), -35 & COUNTER_BITS);
	must_write(&m, CTL(0), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), 4);
	assert_int_equal(apic_messages, 1);
	assert_int_equal(apic_lvtpc, NMI_ENTRY);
}

static void bad_accesses_fault(const u32 *absent, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		must_fault(&m, absent[i], 0);
		must_not_read(&m, absent[i]);
	}
	must_fault(&m, CTL(0), BIT(19));
	must_fault(&m, CTL(0), BIT(21));
	must_fault(&m, CTL(0), BIT(36));
	must_fault(&m, CTL(0), BIT(42));
	assert_false(msr_is_pmu(&m.cpu, 0x1d9));
}

static void zen3_faults_on_what_it_has_not(void **state)
{
	static const u32 absent[] = { CTL(6), STATUS, GLOBAL, CLEAR, 0xc1, 0x186, 0x38f, 0x1500 };

	(void)state;
	bad_accesses_fault(absent, ARRAY_SIZE(absent));
}

static void zen4_faults_on_what_it_has_not(void **state)
{
	static const u32 absent[] = { CTL(6), BRS_CONFIG, BRS_SLOT_FROM(0), 0xc1, 0x186, 0x38f };

	(void)state;
	bad_accesses_fault(absent, ARRAY_SIZE(absent));
	must_fault(&m, STATUS, 0);
	must_fault(&m, GLOBAL, BIT(6));
}

static void host_and_guest_count_nothing_without_virtualization(void **state)
{
	(void)state;
	must_write(&m, CTL(0), INSNS | EN | USR | BIT(41));
	assert_int_equal(run_to_interrupt(3), -1);
	assert_int_equal(must_read(&m, CTR(0)), 0);
}

static void zen4_has_global_control_and_status(void **state)
{
	(void)state;
	must_write(&m, GLOBAL, 0);
	must_write(&m, CTR(1), -35 & COUNTER_BITS);
	must_write(&m, CTL(1), INSNS | EN | USR | INT);
	assert_int_equal(run_to_interrupt(10), -1);
	must_write(&m, GLOBAL, 2);
	assert_int_equal(run_to_interrupt(10), 4);
	assert_int_equal(must_read(&m, STATUS), 2);
	must_write(&m, CLEAR, ~0ULL);
	assert_int_equal(must_read(&m, STATUS), 0);
}

/* Counter 0 overflows at its fifth branch: the next sixteen are captured. */
static void start_sampling(void)
{
	must_write(&m, CTR(0), -5 & COUNTER_BITS);
	must_write(&m, CTL(0), TAKEN | EN | USR | INT);
	must_write(&m, BRS_CONFIG, BRS_ALWAYS_SET | BRS_ENABLE);
}

static void sampling_holds_the_interrupt_until_it_is_full(void **state)
{
	int i;

	(void)state;
	start_sampling();
	assert_int_equal(run_to_interrupt(100), 5 + 16);
	assert_int_equal(apic_messages, 1);
	assert_int_equal(must_read(&m, BRS_CONFIG), BRS_ALWAYS_SET | BRS_VALID);
	for (i = 0; i < 16; i++) {
		assert_int_equal(must_read(&m, BRS_SLOT_FROM(i)), TEXT + 9);
		assert_int_equal(must_read(&m, BRS_SLOT_TO(i)), TEXT);
	}
}

static void ending_it_delivers_what_was_held(void **state)
{
	u64 config;

	(void)state;
	start_sampling();
	assert_int_equal(run_to_interrupt(5 + 3), -1);
	config = must_read(&m, BRS_CONFIG);
	assert_int_equal(config >> BRS_OFFSET_SHIFT & 0xf, 3);
	assert_int_equal(apic_messages, 0);
	must_write(&m, BRS_CONFIG, config & ~BRS_ENABLE);
	assert_int_equal(apic_messages, 1);
}

static void the_config_must_have_its_fixed_bits(void **state)
{
	(void)state;
	must_fault(&m, BRS_CONFIG, 0);
	must_fault(&m, BRS_CONFIG, BRS_ALWAYS_SET | BIT(0));
	must_fault(&m, BRS_CONFIG, BRS_ALWAYS_SET | BIT(27));
	must_write(&m, BRS_SLOT_TO(0), ~1ULL);
	assert_true(must_read(&m, BRS_SLOT_TO(0)) == ~1ULL);
}

static void cpuid_tells_them_apart(void **state)
{
	struct cpuid_regs r;

	(void)state;
	assert_true(cpuid_note(&m.cpu, 0x80000001, 0));
	if (m.cpu.model == &model_amd) {
		assert_true(cpuid_note(&m.cpu, 0x80000008, 0));
		assert_false(cpuid_is_own(&m.cpu, 0x80000022));
		return;
	}
	assert_false(cpuid_note(&m.cpu, 0x80000008, 0));
	cpuid_answer(&m.cpu, 0x80000022, 0, &r);
	assert_int_equal(r.reg[CPUID_EAX], 1);
	assert_int_equal(r.reg[CPUID_EBX], 6);
}

#define ZEN3(name) cmocka_unit_test_setup_teardown(name, set_up_zen3, tear_down)
#define ZEN4(name) cmocka_unit_test_setup_teardown(name, set_up_zen4, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ZEN3(legacy_registers_are_the_first_core_ones),
		ZEN4(legacy_registers_are_the_first_core_ones),
		ZEN3(an_overflow_interrupts_and_masks_nothing),
		ZEN3(zen3_faults_on_what_it_has_not),
		ZEN4(zen4_faults_on_what_it_has_not),
		ZEN3(host_and_guest_count_nothing_without_virtualization),
		ZEN4(zen4_has_global_control_and_status),
		ZEN3(sampling_holds_the_interrupt_until_it_is_full),
		ZEN3(ending_it_delivers_what_was_held),
		ZEN3(the_config_must_have_its_fixed_bits),
		ZEN3(cpuid_tells_them_apart),
		ZEN4(cpuid_tells_them_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
