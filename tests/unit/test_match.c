// SPDX-License-Identifier: GPL-2.0-only
/* Placement of classes on counters. */
#include "world.h"

#include <pmuctl/match.h>

#define F(i) (1ULL << (PMUCTL_FIXED + (i)))
#define MAX_WANTS 6

static const struct {
	const char *what;
	int n;
	struct { u64 counters; int now; } wants[MAX_WANTS];
	int err;
	int counters[MAX_WANTS];
} cases[] = {
	{ "one goes to the only counter", 1, { { 0x4, -1 } }, 0, { 2 } },
	{ "fixed counters are preferred", 1, { { 0xf | F(1), -1 } }, 0, { PMUCTL_FIXED + 1 } },
	{ "who has a counter keeps it", 2, { { 0xf, 3 }, { 0xf, 1 } }, 0, { 3, 1 } },
	{ "who has a general counter is not moved to a fixed one", 1, { { 0xf | F(0), 2 } }, 0,
	  { 2 } },
	{ "one moves when another could not be served otherwise", 2, { { 0x3, 0 }, { 0x1, -1 } }, 0,
	  { 1, 0 } },
	{ "a chain of two moves", 3, { { 0x3, 0 }, { 0x6, 1 }, { 0x1, -1 } }, 0, { 1, 2, 0 } },
	{ "two for one counter", 2, { { 0x1, -1 }, { 0x1, -1 } }, -EAGAIN, { -1, -1 } },
	{ "three for two counters", 3, { { 0x3, -1 }, { 0x3, -1 }, { 0x3, -1 } }, -EAGAIN,
	  { -1, -1, -1 } },
	{ "no counter at all", 1, { { 0, -1 } }, -EAGAIN, { -1 } },
	{ "a current counter that is not allowed is left", 1, { { 0x2, 0 } }, 0, { 1 } },
	{ "nobody", 0, {}, 0, {} },
};

static void match_cases(void **state)
{
	int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmuctl_want wants[MAX_WANTS];

		for (k = 0; k < cases[i].n; k++)
			wants[k] = (struct pmuctl_want){ cases[i].wants[k].counters,
							 cases[i].wants[k].now, -2 };
		print_message("  %s\n", cases[i].what);
		assert_int_equal(pmuctl_match(wants, cases[i].n), cases[i].err);
		for (k = 0; k < cases[i].n; k++)
			assert_int_equal(wants[k].counter, cases[i].counters[k]);
	}
}

/* Is there any way to serve wants[from..n) with the counters in @idle? By trying all. */
static bool possible(const struct pmuctl_want *wants, int from, int n, u64 idle)
{
	u64 left;

	if (from == n)
		return true;
	for (left = wants[from].counters & idle; left; left &= left - 1) {
		if (possible(wants, from + 1, n, idle & ~(left & -left)))
			return true;
	}
	return false;
}

/* Against trying everything: the same verdict, and every answer is a valid one. */
static void match_agrees_with_brute_force(void **state)
{
	unsigned int seed = 20261201;
	int round, i;

	(void)state;
	for (round = 0; round < 50000; round++) {
		struct pmuctl_want wants[MAX_WANTS];
		int n = rand_r(&seed) % (MAX_WANTS + 1);
		u64 used = 0;
		int err;

		for (i = 0; i < n; i++)
			wants[i] = (struct pmuctl_want){ rand_r(&seed) & rand_r(&seed) & 0x3f,
							 rand_r(&seed) % 7 - 1, -2 };
		err = pmuctl_match(wants, n);
		if (err == -EAGAIN) {
			assert_false(possible(wants, 0, n, ~0ULL));
			continue;
		}
		assert_int_equal(err, 0);
		for (i = 0; i < n; i++) {
			u64 bit = 1ULL << wants[i].counter;

			assert_true(wants[i].counters & bit);
			assert_false(used & bit);
			used |= bit;
		}
	}
}

static void match_refuses_more_than_counters_can_be(void **state)
{
	struct pmuctl_want wants[PMUCTL_COUNTERS_MAX + 1];
	int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(wants); i++)
		wants[i] = (struct pmuctl_want){ ~0ULL, -1, -2 };
	assert_int_equal(pmuctl_match(wants, ARRAY_SIZE(wants)), -EAGAIN);
	assert_int_equal(pmuctl_match(wants, ARRAY_SIZE(wants) - 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(match_cases),
		cmocka_unit_test(match_agrees_with_brute_force),
		cmocka_unit_test(match_refuses_more_than_counters_can_be),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
