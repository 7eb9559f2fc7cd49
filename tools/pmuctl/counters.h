/* SPDX-License-Identifier: GPL-2.0-only */
/* The open events of one measurement, and what they counted. */
#ifndef PMUCTL_COUNTERS_H
#define PMUCTL_COUNTERS_H

#include <stdint.h>

#include "device.h"
#include "events.h"
#include "reading.h"
#include "target.h"

/* One event on all spots. @refused: not counted at all, for the reason in @reason. */
struct counter {
	const struct event *event;
	char *name;		/* the event's, with what had to be left out: "cycles:u" */
	bool refused;
	bool user_only;		/* the kernel's part was refused, as perf does it */
	char *reason;
	int *fd;		/* one a spot; -1 where the task ended before it was opened */
	struct count *count;	/* one a spot: since counters_step() or the beginning */
	struct count *base;	/* one a spot: how far the last counters_step() was */
};

/* All of them. Borrowed: events and target must outlive it. */
struct counters {
	size_t nr;
	size_t nr_spots;
	struct counter *counter;
	const struct target *target;
};

/* What opening should do besides what each event says. */
struct counters_mode {
	bool on_exec;		/* start at the target's exec, else at counters_enable() */
	bool inherit;		/* count what the target forks as well */
};

/* Prepare for @events; opens nothing. */
void counters_init(struct counters *counters, const struct event_list *events,
		   const struct target *target);

/*
 * Open every event on the target's spots from @first on. An event nobody named that the module
 * refuses becomes @refused. Returns -1 with the whole message in @why if a named one is refused.
 */
int counters_open(struct counters *counters, const struct device *dev, size_t first,
		  const struct counters_mode *mode, struct why *why);

/* How many events are open or will be counted. */
size_t counters_accepted(const struct counters *counters);

/* Start and stop all of them. Returns 0 or -errno of the first that failed. */
int counters_enable(struct counters *counters);
int counters_disable(struct counters *counters);

/* Read every file once. */
void counters_read(struct counters *counters, const struct device *dev);

/* From here on, count anew: the next counters_read() gives what came since the last one. */
void counters_step(struct counters *counters);

/*
 * The first counter that was on hardware for only a part of the time it wanted to; NULL if
 * there is none. *@percent: how much of it.
 */
const struct counter *counters_part_time(const struct counters *counters, double *percent);

void counters_free(struct counters *counters);

#endif
