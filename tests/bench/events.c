// SPDX-License-Identifier: GPL-2.0-only
/* See events.h. */
#include "events.h"

#include "fail.h"
#include "../abi/core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Umask and event of Intel's model: instructions, cycles, branches, conditional branches, calls,
 * indirect jumps and calls, returns, far branches. The first two have fixed counters. None makes
 * the model translate anew or follow each branch, which would only cost time, and each counts in
 * every task that does a system call.
 */
static const unsigned int classes[EVENTS_CLASSES] = {
	0x00c0, 0x003c, 0x00c4, 0x7ec4, 0xf9c4, 0xebc4, 0xf7c4, 0xbfc4,
};

struct perf_event_attr events_attr(int nr)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_RAW,
		.config = classes[nr % EVENTS_CLASSES],
	};
}

static void make_room(struct events *events)
{
	if (events->nr < events->room)
		return;
	events->room = events->room ? 2 * events->room : 16;
	events->fds = realloc(events->fds, events->room * sizeof(*events->fds));
	must(!!events->fds, "memory");
}

int events_add(struct events *events, struct perf_event_attr *attr, const struct target *target,
	       int leader)
{
	int fd = core_open(attr, target->pid, target->cpu, leader,
			   target->flags | PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return fail(fd, "open: %s%s%s", strerror(-fd), *core_reason() ? ": " : "",
			    core_reason());
	make_room(events);
	events->fds[events->nr++] = fd;
	return fd;
}

int events_open(struct events *events, const struct target *target, int nr)
{
	int i, fd;

	for (i = 0; i < nr; i++) {
		struct perf_event_attr attr = events_attr(i);

		fd = events_add(events, &attr, target, -1);
		if (fd < 0)
			return fd;
	}
	return 0;
}

int events_check(const struct events *events, uint64_t instructions)
{
	uint64_t value;
	int i;

	for (i = 0; i < events->nr; i++) {
		if (read(events->fds[i], &value, sizeof(value)) != sizeof(value))
			return fail(-EIO, "event %d of %d gives no value", i, events->nr);
		if (value < (i % EVENTS_CLASSES ? 1 : instructions))
			return fail(-EIO, "event %d of %d counted only %llu", i, events->nr,
				    (unsigned long long)value);
	}
	return 0;
}

void events_close(struct events *events)
{
	while (events->nr)
		close(events->fds[--events->nr]);
	free(events->fds);
	*events = (struct events){};
}
