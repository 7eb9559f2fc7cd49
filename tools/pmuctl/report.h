/* SPDX-License-Identifier: GPL-2.0-only */
/* What stat prints: a table for people, CSV in perf's columns, or JSON. */
#ifndef PMUCTL_REPORT_H
#define PMUCTL_REPORT_H

#include "output.h"
#include "runs.h"

/* Everything a report says; only borrowed. */
struct report {
	const struct counters *counters;
	const struct runs *runs;	/* NULL: one run. Else @counters are the last one's */
	char *const *command;	/* NULL: none was run */
	int exit_status;	/* of the command */
	double elapsed;		/* seconds */
	double user, sys;	/* of the command, seconds */
	bool per_spot;		/* a line for each CPU or thread */
	const char *note;	/* or NULL */
};

/* The table or the JSON object: @out says which. */
void report_write(struct out *out, const struct report *report);

/*
 * One interval of many: the lines alone, each with the @time at which the interval ended, in
 * seconds since counting began. @report->elapsed: the interval's length.
 */
void report_interval(struct out *out, const struct report *report, double time);

/* The heading of a table of intervals. */
void report_heading(struct out *out, const struct report *report);

/*
 * One line an event, in the columns of perf stat -x. @time: as above, negative for a report of
 * the whole. Returns 0 or -errno.
 */
int report_csv(FILE *file, const struct report *report, const char *separator, double time);

#endif
