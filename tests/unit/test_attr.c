// SPDX-License-Identifier: GPL-2.0-only
/* The rules of the attr that need nothing but the attr. */
#include "world.h"

#include <pmuctl/attr.h>

#define ATTR(...) { .size = sizeof(struct perf_event_attr), .type = PERF_TYPE_RAW, __VA_ARGS__ }

static const struct {
	const char *what;
	struct perf_event_attr attr;
	int err;
} cases[] = {
	{ "a plain counting event", ATTR(.config = 0xc0), 0 },
	{ "sample_type of perf stat", ATTR(.sample_type = PERF_SAMPLE_IDENTIFIER), 0 },
	{ "every read format", ATTR(.read_format = PERF_FORMAT_MAX - 1), 0 },
	{ "pinned", ATTR(.pinned = 1), 0 },
	{ "exclusive", ATTR(.exclusive = 1), 0 },
	{ "inherited", ATTR(.inherit = 1), 0 },
	{ "inherited by threads", ATTR(.inherit = 1, .inherit_thread = 1), 0 },
	{ "until the next exec", ATTR(.remove_on_exec = 1), 0 },
	{ "from the next exec on", ATTR(.enable_on_exec = 1), 0 },
	{ "attr_04_reserved_1", ATTR(.__reserved_1 = 1), EINVAL },
	{ "attr_04_reserved_2", ATTR(.__reserved_2 = 1), EINVAL },
	{ "attr_04_reserved_3", ATTR(.__reserved_3 = 1), EINVAL },
	{ "attr_04_sample_type", ATTR(.sample_type = 1ULL << 63), EINVAL },
	{ "attr_04_read_format", ATTR(.read_format = 1ULL << 40), EINVAL },
	{ "attr_05_branch_bits", ATTR(.sample_type = PERF_SAMPLE_BRANCH_STACK,
				      .branch_sample_type = 1ULL << 50), EINVAL },
	{ "attr_05_branch_without_filter", ATTR(.sample_type = PERF_SAMPLE_BRANCH_STACK,
				.branch_sample_type = PERF_SAMPLE_BRANCH_USER), EINVAL },
	{ "attr_09_stack_too_large", ATTR(.sample_type = PERF_SAMPLE_STACK_USER,
					  .sample_stack_user = 0x10000), EINVAL },
	{ "attr_09_stack_unaligned", ATTR(.sample_type = PERF_SAMPLE_STACK_USER,
					  .sample_stack_user = 12), EINVAL },
	{ "attr_12_two_weights", ATTR(.sample_type = PERF_SAMPLE_WEIGHT |
						     PERF_SAMPLE_WEIGHT_STRUCT), EINVAL },
	{ "attr_12_inherit_thread", ATTR(.inherit_thread = 1), EINVAL },
	{ "attr_12_exec_both", ATTR(.remove_on_exec = 1, .enable_on_exec = 1), EINVAL },
	{ "attr_12_sigtrap_alone", ATTR(.sigtrap = 1), EINVAL },
	{ "open_05_period_bit_63", ATTR(.sample_period = 1ULL << 63), EINVAL },
	{ "open_05_frequency", ATTR(.freq = 1, .sample_freq = 100001), EINVAL },
	{ "open_14_inherited_read_without_tid", ATTR(.inherit = 1,
				.sample_type = PERF_SAMPLE_READ), EINVAL },
	{ "and with it", ATTR(.inherit = 1, .sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID), 0 },
	{ "a call chain too deep", ATTR(.sample_type = PERF_SAMPLE_CALLCHAIN,
					.sample_max_stack = 128), EOVERFLOW },
	{ "attr_08_no_user_register", ATTR(.sample_type = PERF_SAMPLE_REGS_USER), EINVAL },
	{ "attr_08_unknown_user_register", ATTR(.sample_type = PERF_SAMPLE_REGS_USER,
						.sample_regs_user = 0x100), EINVAL },
	{ "user registers", ATTR(.sample_type = PERF_SAMPLE_REGS_USER,
				 .sample_regs_user = 0xff), 0 },
	{ "attr_11_no_register", ATTR(.sample_type = PERF_SAMPLE_REGS_INTR), EINVAL },
	{ "attr_11_unknown_register", ATTR(.sample_type = PERF_SAMPLE_REGS_INTR,
					   .sample_regs_intr = 0x100), EINVAL },
	{ "open_21_clock", ATTR(.use_clockid = 1, .clockid = CLOCK_MONOTONIC_RAW), 0 },
	{ "open_21_clock_that_may_wait", ATTR(.use_clockid = 1,
					      .clockid = CLOCK_REALTIME), EINVAL },
	{ "open_21_no_clock", ATTR(.use_clockid = 1, .clockid = 99), EINVAL },
	{ "sampling is not there yet", ATTR(.sample_period = 1000), EOPNOTSUPP },
	{ "nor by frequency", ATTR(.freq = 1, .sample_freq = 1000), EOPNOTSUPP },
	{ "precise_ip is not there yet", ATTR(.precise_ip = 1), EOPNOTSUPP },
	{ "guests alone are not there", ATTR(.exclude_host = 1), EOPNOTSUPP },
	{ "AUX is not there", ATTR(.aux_sample_size = 64), EINVAL },
	{ "nor written", ATTR(.aux_output = 1), EINVAL },
};

/* Both checks, one after the other, as an open makes them. */
static int check(struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	return pmuctl_attr_check(attr, msg) ?: pmuctl_attr_check_pmu(attr, true, msg);
}

/* Each refusal comes with a text, each acceptance without. */
static void attr_cases(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_event_attr attr = cases[i].attr;
		struct pmuctl_msg msg = {};

		print_message("  %s\n", cases[i].what);
		assert_int_equal(check(&attr, &msg), -cases[i].err);
		assert_int_equal(!!msg.text[0], !!cases[i].err);
	}
}

static void attr_13_branch_filter_is_dropped_without_branch_stack(void **state)
{
	struct perf_event_attr attr = ATTR(.branch_sample_type = 1ULL << 50);
	struct pmuctl_msg msg = {};

	(void)state;
	assert_int_equal(pmuctl_attr_check(&attr, &msg), 0);
	assert_int_equal(attr.branch_sample_type, 0);
}

/* What hardware cannot do, software may. */
static void software_may_use_more_clocks(void **state)
{
	struct perf_event_attr attr = ATTR(.use_clockid = 1, .clockid = CLOCK_TAI, .precise_ip = 1);
	struct pmuctl_msg msg = {};

	(void)state;
	assert_int_equal(pmuctl_attr_check_pmu(&attr, false, &msg), 0);
	assert_int_equal(pmuctl_attr_check_pmu(&attr, true, &msg), -EOPNOTSUPP);
}

static void first_reason_wins(void **state)
{
	struct pmuctl_msg msg = {};

	(void)state;
	assert_int_equal(pmuctl_refuse(&msg, -EINVAL, "inner %d", 1), -EINVAL);
	assert_int_equal(pmuctl_refuse(&msg, -EBUSY, "outer"), -EBUSY);
	assert_string_equal(msg.text, "inner 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attr_cases),
		cmocka_unit_test(attr_13_branch_filter_is_dropped_without_branch_stack),
		cmocka_unit_test(software_may_use_more_clocks),
		cmocka_unit_test(first_reason_wins),
	};

	return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
