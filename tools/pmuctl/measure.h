/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting while events count: for the command, the tasks, the clock or the user. */
#ifndef PMUCTL_MEASURE_H
#define PMUCTL_MEASURE_H

#include "target.h"
#include "workload.h"

/* One wait. @work: the command, or NULL. @timeout_ms: 0 for none. */
struct measure {
	struct workload *work;
	const struct target *target;
	unsigned int timeout_ms;
	int signal_fd;
	int *task_fds;
};

/*
 * Take over SIGINT and SIGTERM and watch the target's tasks. Call it after workload_start().
 * Returns -1 with the reason in @why.
 */
int measure_prepare(struct measure *measure, struct why *why);

/*
 * Wait until the command has ended (it is reaped then), or, without one, until the last task
 * has ended, the timeout is over or the user has had enough.
 */
void measure_wait(struct measure *measure);

/* Nanoseconds of the monotonic clock. */
uint64_t measure_now(void);

void measure_free(struct measure *measure);

#endif
