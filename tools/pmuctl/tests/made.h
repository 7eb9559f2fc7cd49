/* SPDX-License-Identifier: GPL-2.0-only */
/* Finished measurements with made-up counts, and what a report prints of them. */
#ifndef PMUCTL_TEST_MADE_H
#define PMUCTL_TEST_MADE_H

#include "fixture.h"
#include "report.h"

/* A command that was measured; tests change what they need before made_finish(). */
struct made {
	struct event_list events;
	struct target target;
	struct counters counters;
	struct report report;
	char *text;
	size_t size;
	FILE *file;
};

void made_begin(struct made *m, const char *events);

/* After the target's spots are known. */
void made_finish(struct made *m);

/* One count, of 1000 ns enabled. */
void made_count(struct made *m, size_t i, size_t spot, uint64_t value, uint64_t running);
void made_end(struct made *m);

void made_print(struct made *m, enum out_format format);

/* @part must be in what was printed. */
void made_expect(const struct made *m, const char *part);
json_t *made_load(const struct made *m);

/* The line of @text on which @part stands; it must. */
const char *made_line(const char *text, const char *part);

#endif
