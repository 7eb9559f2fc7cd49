/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting while events count: for the command, the tasks, the clock or the user. */
#ifndef PMUCTL_MEASURE_H
#define PMUCTL_MEASURE_H

#include <poll.h>

#include "target.h"
#include "workload.h"

/*
 * Waits of one target, one after the other. @work: the command of this one, or NULL.
 * @deadline: when the time is up, 0 for never. @interrupted: the user has had enough.
 */
struct measure {
	const struct target *target;
	struct workload *work;
	uint64_t deadline;
	bool interrupted;
	int signal_fd;
	int *task_fds;
	struct pollfd *fds;
	size_t nr_fds;
};

/* Never: for measure_until(). */
#define MEASURE_FOREVER	UINT64_MAX

/*
 * Take over SIGINT and SIGTERM and watch the target's tasks. Call it after workload_remember().
 * Returns -1 with the reason in @why.
 */
int measure_prepare(struct measure *measure, struct why *why);

/* A wait begins: for the end of @work, or without one for that of the tasks. */
void measure_begin(struct measure *measure, struct workload *work);

/* From now on, @ms milliseconds are left (0: all the time there is). */
void measure_limit(struct measure *measure, unsigned int ms);

/*
 * Wait until @when. Returns true if it is over before: the command has ended (it is reaped
 * then), or, without one, the last task has, or the time is up, or the user has had enough.
 */
bool measure_until(struct measure *measure, uint64_t when);

/* Nanoseconds of the monotonic clock. */
uint64_t measure_now(void);

void measure_free(struct measure *measure);

#endif
