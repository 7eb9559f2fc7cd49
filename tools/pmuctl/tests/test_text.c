// SPDX-License-Identifier: GPL-2.0-only
/* Words: nearest names, digits, numbers, CPU lists. */
#include "cpulist.h"
#include "fixture.h"
#include "text.h"

static void distance_counts_edits_and_swaps(void **state)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} pairs[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "cycles", "cycles", 0 },
		{ "cycles", "CYCLES", 0 },
		{ "cyclse", "cycles", 1 },
		{ "cycels", "cycles", 1 },
		{ "cycle", "cycles", 1 },
		{ "cyxles", "cycles", 1 },
		{ "branchs", "branches", 1 },
		{ "kitten", "sitting", 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		assert_int_equal(text_distance(pairs[i].a, pairs[i].b), pairs[i].distance);
		assert_int_equal(text_distance(pairs[i].b, pairs[i].a), pairs[i].distance);
	}
}

static void expect_sentence(const char *word, const char *const *names, const char *sentence)
{
	struct nearest near;
	char *got;

	nearest_init(&near, word);
	for (; *names; names++)
		nearest_offer(&near, *names);
	got = nearest_sentence(&near);
	assert_string_equal(got, sentence);
	free(got);
}

static void nearest_names_the_best_three(void **state)
{
	const char *far[] = { "instructions", "page-faults", NULL };
	const char *one[] = { "instructions", "cycles", NULL };
	const char *four[] = { "abcdexx", "abcdex", "abcdey", "abcdez", "abcdew", NULL };
	const char *twice[] = { "stat", "STAT", NULL };
	const char *worse[] = { "abcdef", "abcxyf", NULL };

	(void)state;
	expect_sentence("cyclse", far, "");
	expect_sentence("cyclse", one, " Did you mean 'cycles'?");
	expect_sentence("abcde", four, " Did you mean 'abcdex', 'abcdey' or 'abcdez'?");
	expect_sentence("stta", twice, " Did you mean 'stat'?");
	expect_sentence("abcdef", worse, " Did you mean 'abcdef'?");
}

static void nearest_ignores_names_that_are_too_long(void **state)
{
	char name[2 * TEXT_NAME_MAX];
	struct nearest near;

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	nearest_init(&near, name);
	nearest_offer(&near, name);
	assert_int_equal(near.nr, 0);
}

static void digits_are_grouped_by_three(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} values[] = {
		{ 0, "0" }, { 7, "7" }, { 999, "999" }, { 1000, "1,000" },
		{ 12345, "12,345" }, { 123456, "123,456" }, { 1234567, "1,234,567" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		text_digits(buf, sizeof(buf), values[i].value, ",");
		assert_string_equal(buf, values[i].text);
	}
	text_digits(buf, sizeof(buf), 1234567, "");
	assert_string_equal(buf, "1234567");
	/* The separator of some locales has several bytes. */
	text_digits(buf, sizeof(buf), 1234567, "\xe2\x80\xaf");
	assert_string_equal(buf, "1\xe2\x80\xaf""234\xe2\x80\xaf""567");
	text_digits(buf, 4, 1234567, ",");
	assert_string_equal(buf, "1,2");
}

static void number_takes_the_whole_word(void **state)
{
	static const char *const bad[] = { "", " 1", "-1", "+1", "1x", "x", "0x",
					   "99999999999999999999" };
	uint64_t value;

	(void)state;
	assert_true(text_number("0x1F", 0, &value));
	assert_int_equal(value, 31);
	assert_true(text_number("c4", 16, &value));
	assert_int_equal(value, 0xc4);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(text_number(bad[i], 0, &value));
}

static void cpulist_reads_what_the_kernel_writes(void **state)
{
	static const struct {
		const char *text, *again;
	} good[] = {
		{ "0", "0" }, { "0-3\n", "0-3" }, { "0-1,3", "0-1,3" }, { "3,1,2,1", "1-3" },
		{ "7,0-2,2-4", "0-4,7" }, { "65535", "65535" },
	};
	struct cpulist list;
	struct why why;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		char *again;

		assert_int_equal(cpulist_parse(&list, good[i].text, &why), 0);
		again = cpulist_text(&list);
		assert_string_equal(again, good[i].again);
		free(again);
		cpulist_free(&list);
	}
}

static void cpulist_refuses_the_rest(void **state)
{
	static const char *const bad[] = { "", ",", "0,", "a", "1-", "-1", "3-1", "0-99999999999",
					   "65536", "0 1", "0--1" };
	struct cpulist list;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct why why = { "" };

		assert_int_equal(cpulist_parse(&list, bad[i], &why), -1);
		assert_true(why.text[0]);
		assert_int_equal(list.nr, 0);
	}
}

static void cpulist_knows_its_members(void **state)
{
	struct cpulist list;
	struct why why;

	(void)state;
	assert_int_equal(cpulist_parse(&list, "1-3,8", &why), 0);
	assert_true(cpulist_has(&list, 2));
	assert_true(cpulist_has(&list, 8));
	assert_false(cpulist_has(&list, 0));
	assert_false(cpulist_has(&list, 5));
	cpulist_free(&list);
	assert_false(cpulist_has(&list, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_counts_edits_and_swaps),
		cmocka_unit_test(nearest_names_the_best_three),
		cmocka_unit_test(nearest_ignores_names_that_are_too_long),
		cmocka_unit_test(digits_are_grouped_by_three),
		cmocka_unit_test(number_takes_the_whole_word),
		cmocka_unit_test(cpulist_reads_what_the_kernel_writes),
		cmocka_unit_test(cpulist_refuses_the_rest),
		cmocka_unit_test(cpulist_knows_its_members),
	};

	return cmocka_run_group_tests_name("tools/text", tests, NULL, NULL);
}
