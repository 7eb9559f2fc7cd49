/* SPDX-License-Identifier: GPL-2.0-only */
/* One run of a measurement: command held, events open, both let go, waited for, read. */
#ifndef PMUCTL_RUN_H
#define PMUCTL_RUN_H

#include "counters.h"
#include "measure.h"
#include "stat.h"
#include "workload.h"

/* The first five are the caller's; the rest is let go by run_end(). */
struct run {
	struct stat_request *request;
	const struct device *dev;
	struct measure *measure;
	const struct workload_ways *ways;
	/* An interval is over, and @counters holds it. Returns 0 or an exit status to stop with. */
	int (*interval)(struct run *run, void *arg);
	void *arg;

	struct workload work;
	bool work_held;
	struct counters counters;
	struct counters_mode mode;
	uint64_t began, ended;
	uint64_t step;		/* when the interval at hand began */
};

/* Start the command held and open the events. Returns 0, or an exit status after a message. */
int run_prepare(struct run *run);

/*
 * Let go and wait. Afterwards @counters holds what was counted: since the last interval, if
 * there are any. Returns 0, or an exit status after a message.
 */
int run_measure(struct run *run);

void run_end(struct run *run);

#endif
