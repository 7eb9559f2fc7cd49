/* SPDX-License-Identifier: GPL-2.0-only */
/* The format files of a PMU in sysfs: which bits of which word a term fills. */
#ifndef PMUCTL_FORMAT_H
#define PMUCTL_FORMAT_H

#include <stdint.h>

#include "text.h"

/* config, config1, config2 */
#define FORMAT_WORDS	3

/* "config1:0-7,32": bits of one word, filled from the lowest. */
struct format {
	unsigned int word;
	uint64_t mask;
};

/* Parse the text of a format file. Returns -1 with the reason in @why. */
int format_parse(struct format *format, const char *text, struct why *why);

/* Put @value into @words. Returns -1 with the reason if it does not fit. */
int format_store(const struct format *format, uint64_t value, uint64_t words[FORMAT_WORDS],
		 struct why *why);

#endif
