// SPDX-License-Identifier: GPL-2.0-only
/* The format files of a PMU in sysfs. */
#include "fixture.h"
#include "format.h"

static void store(const char *format_text, uint64_t value, uint64_t words[FORMAT_WORDS], int result)
{
	struct format format;
	struct why why;

	assert_int_equal(format_parse(&format, format_text, &why), 0);
	assert_int_equal(format_store(&format, value, words, &why), result);
}

static void value_goes_to_its_bits(void **state)
{
	uint64_t words[FORMAT_WORDS] = { 0 };

	(void)state;
	store("config:0-7", 0xc4, words, 0);
	store("config:8-15", 0x20, words, 0);
	store("config:18", 1, words, 0);
	store("config1:0-63", 0x123456789abcdef0, words, 0);
	store("config2:4-5", 3, words, 0);
	assert_int_equal(words[0], 0x420c4);
	assert_int_equal(words[1], 0x123456789abcdef0);
	assert_int_equal(words[2], 0x30);
}

static void value_is_spread_over_ranges(void **state)
{
	uint64_t words[FORMAT_WORDS] = { 0 };

	(void)state;
	/* AMD's event: the upper four bits live elsewhere. */
	store("config:0-7,32-35", 0xabc, words, 0);
	assert_int_equal(words[0], 0xa000000bcULL);
}

static void later_value_replaces_earlier(void **state)
{
	uint64_t words[FORMAT_WORDS] = { 0xffff };

	(void)state;
	store("config:0-7", 0x12, words, 0);
	assert_int_equal(words[0], 0xff12);
}

static void value_that_does_not_fit_is_refused(void **state)
{
	uint64_t words[FORMAT_WORDS] = { 0 };

	(void)state;
	store("config:0-7", 0x100, words, -1);
	store("config:18", 2, words, -1);
}

static void bad_formats_are_refused(void **state)
{
	static const char *const bad[] = {
		"", "config", "config:", "config:64", "config:7-0", "config:a", "config9:0-7",
		"other:0", "config:0-7,", "config:0-",
	};
	struct format format;
	struct why why;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(format_parse(&format, bad[i], &why), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(value_goes_to_its_bits),
		cmocka_unit_test(value_is_spread_over_ranges),
		cmocka_unit_test(later_value_replaces_earlier),
		cmocka_unit_test(value_that_does_not_fit_is_refused),
		cmocka_unit_test(bad_formats_are_refused),
	};

	return cmocka_run_group_tests_name("tools/format", tests, NULL, NULL);
}
