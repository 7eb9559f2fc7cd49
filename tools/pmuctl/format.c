// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format files of a PMU in sysfs: which bits of which word a term fills. Pure functions of
 * the file's text; see Documentation/ABI/testing/sysfs-bus-event_source-devices-format.
 */
#include <stdlib.h>
#include <string.h>

#include "format.h"

static const char *const words_by_name[FORMAT_WORDS] = { "config", "config1", "config2" };

static bool parse_bits(char *text, uint64_t *mask)
{
	char *range;

	while ((range = strsep(&text, ","))) {
		char *dash = strchr(range, '-');
		uint64_t first, last;

		if (dash)
			*dash = '\0';
		if (!text_number(range, 10, &first) ||
		    (dash && !text_number(dash + 1, 10, &last)))
			return false;
		if (!dash)
			last = first;
		if (first > last || last > 63)
			return false;
		*mask |= (~0ULL >> (63 - (last - first))) << first;
	}
	return true;
}

int format_parse(struct format *format, const char *text, struct why *why)
{
	char *copy = xstrdup(text);
	char *bits = strchr(copy, ':');
	bool good = false;

	*format = (struct format){ .word = FORMAT_WORDS };
	if (bits) {
		*bits++ = '\0';
		for (unsigned int i = 0; i < FORMAT_WORDS; i++)
			if (!strcmp(copy, words_by_name[i]))
				format->word = i;
		good = format->word < FORMAT_WORDS && parse_bits(bits, &format->mask);
	}
	free(copy);
	return good ? 0 : why_set(why, "the format '%s' in sysfs is not understood", text);
}

int format_store(const struct format *format, uint64_t value, uint64_t words[FORMAT_WORDS],
		 struct why *why)
{
	uint64_t left = value, mask = format->mask;

	words[format->word] &= ~mask;
	for (; mask; mask &= mask - 1) {
		if (left & 1)
			words[format->word] |= mask & -mask;
		left >>= 1;
	}
	if (left)
		return why_set(why, "the value %#llx does not fit in %d bits",
			       (unsigned long long)value, __builtin_popcountll(format->mask));
	return 0;
}
