/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of counting events on the chosen core.
 */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/types.h>

#define EVENTS_CLASSES 8

/* Event files that are open. */
struct events {
	int *fds;
	int nr, room;
};

/* Whom to count. */
struct target {
	pid_t pid;		/* or the directory of a cgroup, with PERF_FLAG_PID_CGROUP in flags */
	int cpu;
	unsigned long flags;
};

/* An attr that counts class @nr, users and kernel, from the moment it is opened. */
struct perf_event_attr events_attr(int nr);

/*
 * Open one more; its file, or -errno with a reason. @leader is the group leader's file, or -1.
 */
int events_add(struct events *events, struct perf_event_attr *attr, const struct target *target,
	       int leader);

/* Open @nr single events on @target, of the classes in turn. */
int events_open(struct events *events, const struct target *target, int nr);

/*
 * 0 if all have counted, and those of instructions at least that many; else -errno with a reason.
 * Who measures what did not run measures nothing.
 */
int events_check(const struct events *events, uint64_t instructions);

void events_close(struct events *events);

#endif /* BENCH_EVENTS_H */
