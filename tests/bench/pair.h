/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two tasks on one CPU that hand a byte to and fro through two pipes, so that each hand-over is a
 * switch between them; and the cost of one such switch.
 */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include "meter.h"

#include <sys/types.h>

/* Each of the two executes far more instructions than these while it is measured. */
#define PAIR_INSTRUCTIONS 5000000

struct pair {
	pid_t pid[2];
	int command[2];		/* to the first task: measure */
	int answer[2];		/* from it: done */
	struct sample *samples;	/* shared with it */
};

/* Fork the two; they inherit what the caller has, and wait. */
void pair_start(struct pair *pair);

/* What one switch costs as things are now. */
struct cost pair_measure(struct pair *pair);

void pair_end(struct pair *pair);

#endif /* BENCH_PAIR_H */
