/* SPDX-License-Identifier: GPL-2.0-only */
/* What several runs of the same command came to, line by line of the report. */
#ifndef PMUCTL_RUNS_H
#define PMUCTL_RUNS_H

#include "spread.h"
#include "total.h"

/* One line: a counter on one spot or on all. */
struct runs_line {
	struct spread value, counted, enabled, running;
	bool blind;		/* in some run */
};

/* @per_spot: a line for each spot, which are the same in every run then. All zero to begin. */
struct runs {
	size_t nr;
	bool per_spot;
	size_t nr_spots;
	struct runs_line *line;
	struct spread elapsed;
};

/* Add what @counters hold. Every run has the same events. */
void runs_add(struct runs *runs, const struct counters *counters, double elapsed);

const struct runs_line *runs_line(const struct runs *runs, size_t i, ssize_t spot);

/* Means of a line. */
struct total runs_total(const struct runs_line *line);

void runs_free(struct runs *runs);

#endif
