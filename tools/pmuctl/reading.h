/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading event files: many in one call where the module can. */
#ifndef PMUCTL_READING_H
#define PMUCTL_READING_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

/* What read(2) of an event file gives with both times asked for. */
struct count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* One file and where its count goes. */
struct reading {
	int fd;			/* -1: there is none, the count is zero */
	struct count *count;
};

/* Fill in all counts. A file that cannot be read, or is at its end, counted nothing. */
void readings_take(const struct device *dev, const struct reading *reading, size_t nr);

#endif
