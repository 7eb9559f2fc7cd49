/* SPDX-License-Identifier: GPL-2.0-only */
/* A device whose answers a unit test writes beforehand. */
#ifndef PMUCTL_TEST_DEVICE_SCRIPTED_H
#define PMUCTL_TEST_DEVICE_SCRIPTED_H

#include "device.h"

#define SCRIPT_MAX	32

/* One expected open: what came in, and what to answer. */
struct scripted_open {
	/* answer: 0 gives a file that reads @value, @enabled, @running; else this errno */
	int err;
	const char *msg;
	__u64 value, enabled, running;
	/* filled in */
	struct perf_event_attr attr;
	pid_t pid;
	int cpu;
	int group_fd;
	__u64 flags;
	int fd;
};

/* What device_snapshot() answers: these bytes, if they fit; @grow more each time it is asked. */
struct scripted_snapshot {
	int err;
	const void *records;
	size_t size;
	size_t grow;
	int asked;
};

extern struct scripted_snapshot script_snapshot;

/* What device_read() answers as a whole, and how often it was asked. */
extern int script_read_err, script_reads;

/* Reset by scripted_begin(). Opens beyond @nr fail the test. */
extern struct scripted_open script[SCRIPT_MAX];
extern int script_nr, script_done;

void scripted_begin(void);

#endif
