// SPDX-License-Identifier: GPL-2.0-only
/* Means and how sure they are. */
#include <math.h>

#include "fixture.h"
#include "spread.h"

static struct spread of(const double *sample, size_t nr)
{
	struct spread spread = { 0 };

	for (size_t i = 0; i < nr; i++)
		spread_add(&spread, sample[i]);
	return spread;
}

static void deviation_is_that_of_the_mean(void **state)
{
	const double sample[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct spread spread = of(sample, 8);

	(void)state;
	assert_true(spread.mean == 5);
	/* Squares sum up to 32: sqrt(32 / 7 / 8). */
	assert_true(fabs(spread_deviation(&spread) - 0.755929) < 1e-6);
	assert_true(fabs(spread_percent(&spread) - 15.11858) < 1e-5);
}

static void one_sample_has_no_deviation(void **state)
{
	const double sample[] = { 42 };
	struct spread spread = of(sample, 1), none = { 0 };

	(void)state;
	assert_true(spread.mean == 42);
	assert_true(spread_deviation(&spread) == 0);
	assert_true(spread_percent(&none) == 0);
}

static void large_counts_that_differ_little_keep_their_digits(void **state)
{
	const double sample[] = { 1e15 + 1, 1e15 + 2, 1e15 + 3 };
	struct spread spread = of(sample, 3);

	(void)state;
	assert_true(spread.mean == 1e15 + 2);
	assert_true(fabs(spread_deviation(&spread) - sqrt(1.0 / 3)) < 1e-9);
}

static void zeros_have_no_percent(void **state)
{
	const double sample[] = { 0, 0, 0 };
	struct spread spread = of(sample, 3);

	(void)state;
	assert_true(spread_percent(&spread) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deviation_is_that_of_the_mean),
		cmocka_unit_test(one_sample_has_no_deviation),
		cmocka_unit_test(large_counts_that_differ_little_keep_their_digits),
		cmocka_unit_test(zeros_have_no_percent),
	};

	return cmocka_run_group_tests_name("tools/spread", tests, NULL, NULL);
}
