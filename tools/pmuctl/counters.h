/* SPDX-License-Identifier: GPL-2.0-only */
/* The open events of one measurement, and what they counted. */
#ifndef PMUCTL_COUNTERS_H
#define PMUCTL_COUNTERS_H

#include <stdint.h>

#include "device.h"
#include "events.h"
#include "target.h"

/* What read(2) of an event file gives with both times asked for; sums of it are made here. */
struct count {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* One event on all spots. @refused: not counted at all, for the reason in @reason. */
struct counter {
	const struct event *event;
	char *name;		/* the event's, with what had to be left out: "cycles:u" */
	bool refused;
	bool user_only;		/* the kernel's part was refused, as perf does it */
	char *reason;
	int *fd;		/* one a spot; -1 where the task ended before it was opened */
	struct count *count;	/* one a spot, filled in by counters_read() */
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
void counters_read(struct counters *counters);

/* Sum of one counter over all spots; its value is scaled already, spot by spot. */
struct count counter_total(const struct counters *counters, size_t i);

/* @count's value as if it had run all the time it was enabled. */
uint64_t count_scaled(const struct count *count);

/* Share of the time it ran, in percent; 100 if it was never enabled. */
double count_percent(const struct count *count);

void counters_free(struct counters *counters);

#endif
