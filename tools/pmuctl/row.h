/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of a report: an event, where, how many, and the figure made of it. */
#ifndef PMUCTL_ROW_H
#define PMUCTL_ROW_H

#include "metric.h"
#include "report.h"

/* Made for one call of rows_each(); only borrowed. */
struct row {
	const struct counter *counter;
	const struct target_spot *spot;		/* NULL: over all */
	const struct runs_line *line;		/* NULL: of one run */
	struct total total;
	bool has_metric;
	struct metric metric;
};

/* Call @each with every line of the report. */
void rows_each(const struct report *report, void (*each)(const struct row *row, void *arg),
	       void *arg);

/* "counted", "not counted" or "not supported" */
const char *row_status(const struct row *row);

/* The value as people and CSV read it: clocks in milliseconds. */
void row_value(const struct row *row, const char *separator, char *buf, size_t size);
const char *row_unit(const struct row *row);

/* Whether the value is scaled. */
bool row_part_time(const struct row *row);

/* Name of the cgroup it counted in; NULL if in none. */
const char *row_cgroup(const struct row *row);

#endif
