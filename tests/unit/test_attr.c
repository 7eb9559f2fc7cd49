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
	{ "sampling is not there yet", ATTR(.sample_period = 1000), EOPNOTSUPP },
	{ "nor by frequency", ATTR(.freq = 1, .sample_freq = 1000), EOPNOTSUPP },
	{ "precise_ip is not there yet", ATTR(.precise_ip = 1), EOPNOTSUPP },
	{ "guests alone are not there", ATTR(.exclude_host = 1), EOPNOTSUPP },
	{ "inherit is not there yet", ATTR(.inherit = 1), EOPNOTSUPP },
	{ "exclusive is not there yet", ATTR(.exclusive = 1), EOPNOTSUPP },
	{ "remove_on_exec is not there yet", ATTR(.remove_on_exec = 1), EOPNOTSUPP },
	{ "AUX is not there", ATTR(.aux_sample_size = 64), EOPNOTSUPP },
};

/* Each refusal comes with a text, each acceptance without. */
static void attr_cases(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_event_attr attr = cases[i].attr;
		struct pmuctl_msg msg = {};

		print_message("  %s\n", cases[i].what);
		assert_int_equal(pmuctl_attr_check(&attr, &msg), -cases[i].err);
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
		cmocka_unit_test(first_reason_wins),
	};

	return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
