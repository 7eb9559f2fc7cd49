/* SPDX-License-Identifier: GPL-2.0-only */
/* What stat prints: a table for people, CSV in perf's columns, or JSON. */
#ifndef PMUCTL_REPORT_H
#define PMUCTL_REPORT_H

#include "counters.h"
#include "output.h"

/* Everything a report says; only borrowed. */
struct report {
	const struct counters *counters;
	char *const *command;	/* NULL: none was run */
	int exit_status;	/* of the command */
	double elapsed;		/* seconds */
	double user, sys;	/* of the command, seconds */
	bool per_cpu;
	const char *note;	/* or NULL */
};

/* The table or the JSON object: @out says which. */
void report_write(struct out *out, const struct report *report);

/* One line an event, in the columns of perf stat -x. Returns 0 or -errno. */
int report_csv(FILE *file, const struct report *report, const char *separator);

#endif
