// SPDX-License-Identifier: GPL-2.0-only
/* Counters and their overflow: to the instruction, for each event, at each width. */
#include <stdlib.h>

#include "machine.h"

#define TEXT		0x401000ULL
#define EN		BIT(22)
#define USR		BIT(16)
#define INT		BIT(20)
#define INSNS		0xc0
#define PMC(i)		(0xc1 + (i))
#define FULL_PMC(i)	(0x4c1 + (i))
#define EVTSEL(i)	(0x186 + (i))
#define STATUS		0x38e
#define RESET		0x390

static struct machine m;
static struct block *one;

static int set_up_width(unsigned int width)
{
	machine_start_width(&m, &model_intel, width);
	one = make_block(TEXT, 1, INSN_PLAIN);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	return set_up_width(0);
}

static int set_up_32(void **state)
{
	(void)state;
	return set_up_width(32);
}

static int tear_down(void **state)
{
	(void)state;
	machine_stop(&m);
	free(one);
	return 0;
}

/* How many instructions run before an interrupt comes; none: @at_most. */
static unsigned int run_until_interrupt(unsigned int at_most)
{
	unsigned int i;

	for (i = 0; i < at_most; i++)
		if (begin(&m, one))
			return i;
	return at_most;
}

static void sample_every(u64 period)
{
	must_write(&m, FULL_PMC(0), -period & m.cpu.counters.mask);
	must_write(&m, EVTSEL(0), INSNS | EN | USR | INT);
}

static void the_interrupt_comes_after_exactly_the_period(void **state)
{
	static const u64 periods[] = { 1, 2, 3, 100, 1000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		sample_every(periods[i]);
		assert_int_equal(run_until_interrupt(5000), periods[i]);
		apic_lvtpc = NMI_ENTRY;
	}
}

/* Programmed anew by each handler, as a sampling driver does. */
static void each_period_interrupts_once(void **state)
{
	unsigned int i;

	(void)state;
	sample_every(50);
	for (i = 1; i <= 10; i++) {
		assert_int_equal(run_until_interrupt(1000), 50);
		assert_int_equal(apic_messages, i);
		must_write(&m, FULL_PMC(0), -50 & m.cpu.counters.mask);
		must_write(&m, RESET, 1);
		apic_lvtpc = NMI_ENTRY;
	}
	assert_int_equal(m.cpu.totals.pmi, 10);
}

static void an_interrupt_through_a_masked_entry_is_lost(void **state)
{
	(void)state;
	sample_every(50);
	apic_lvtpc = NMI_ENTRY | MASKED;
	assert_int_equal(run_until_interrupt(200), 200);
	apic_lvtpc = NMI_ENTRY;
	assert_int_equal(run_until_interrupt(200), 200);
	assert_int_equal(apic_messages, 0);
	assert_int_equal(m.cpu.totals.pmi, 0);
	assert_int_equal(must_read(&m, STATUS), 1);
}

static void counters_wrap_to_zero_and_go_on(void **state)
{
	(void)state;
	sample_every(1);
	run_until_interrupt(2);
	assert_int_equal(must_read(&m, PMC(0)), 0);
	assert_int_equal(run_until_interrupt(7), 7);
	assert_int_equal(must_read(&m, PMC(0)), 7);
}

static void two_that_overflow_together_make_one_interrupt(void **state)
{
	(void)state;
	must_write(&m, FULL_PMC(1), -20 & m.cpu.counters.mask);
	must_write(&m, EVTSEL(1), INSNS | EN | USR | INT);
	sample_every(20);
	assert_int_equal(run_until_interrupt(100), 20);
	assert_int_equal(must_read(&m, STATUS), 3);
	assert_int_equal(apic_messages, 1);
}

static void a_counter_keeps_its_value_while_stopped(void **state)
{
	(void)state;
	must_write(&m, EVTSEL(0), INSNS | EN | USR);
	run_until_interrupt(5);
	must_write(&m, EVTSEL(0), INSNS | USR);
	run_until_interrupt(100);
	assert_int_equal(must_read(&m, PMC(0)), 5);
	must_write(&m, EVTSEL(0), INSNS | EN | USR);
	run_until_interrupt(3);
	assert_int_equal(must_read(&m, PMC(0)), 8);
}

/* Reading brings the counter up to date, and the next overflow must not move. */
static void looking_does_not_move_the_overflow(void **state)
{
	(void)state;
	sample_every(100);
	run_until_interrupt(40);
	assert_int_equal(must_read(&m, PMC(0)), -60 & m.cpu.counters.mask);
	assert_int_equal(run_until_interrupt(1000), 60);
}

/* Also when no instruction of the model's own sets it up. */
static void a_counter_starts_from_where_its_event_is(void **state)
{
	const struct counter_setup setup = { .event = EVENT_INSNS, .user = true, .running = true };

	(void)state;
	run_until_interrupt(9);
	counter_set_up(&m.cpu.counters, 0, &setup);
	run_until_interrupt(4);
	counters_update(&m.cpu.counters);
	assert_int_equal(counter_read(&m.cpu.counters, 0), 4);
}

static void a_narrow_counter_wraps_where_it_ends(void **state)
{
	(void)state;
	must_fault(&m, FULL_PMC(0), BIT(32));
	sample_every(3);
	assert_int_equal(must_read(&m, PMC(0)), 0xfffffffd);
	assert_int_equal(run_until_interrupt(10), 3);
	assert_int_equal(must_read(&m, PMC(0)), 0);
}

static void an_old_write_to_a_narrow_counter_has_no_sign(void **state)
{
	(void)state;
	must_write(&m, PMC(0), 0x80000000);
	assert_int_equal(must_read(&m, PMC(0)), 0x80000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define NARROW(name) cmocka_unit_test_setup_teardown(name, set_up_32, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_interrupt_comes_after_exactly_the_period),
		TEST(each_period_interrupts_once),
		TEST(an_interrupt_through_a_masked_entry_is_lost),
		TEST(counters_wrap_to_zero_and_go_on),
		TEST(two_that_overflow_together_make_one_interrupt),
		TEST(a_counter_keeps_its_value_while_stopped),
		TEST(looking_does_not_move_the_overflow),
		TEST(a_counter_starts_from_where_its_event_is),
		NARROW(the_interrupt_comes_after_exactly_the_period),
		NARROW(a_narrow_counter_wraps_where_it_ends),
		NARROW(an_old_write_to_a_narrow_counter_has_no_sign),
	};

	return cmocka_run_group_tests_name("pmu-model/counter", tests, NULL, NULL);
}
