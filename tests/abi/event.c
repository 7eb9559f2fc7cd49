// SPDX-License-Identifier: GPL-2.0-only
/* Events as the probe's themes open and read them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

/* Kinds of branches, then kinds of mispredicted ones: the model knows them all. */
const u64 raw_configs[NR_RAW] = {
	0xc0c4, 0x00c4, 0x7ec4, 0xfec4, 0xf9c4, 0xfbc4, 0xf7c4, 0xebc4, 0xbfc4, 0x80c4,
	0x00c5, 0x80c5, 0x7ec5, 0xfec5, 0xebc5, 0xf7c5,
};

static struct perf_event_attr event(uint32_t type, u64 config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = type,
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format = TIMES,
	};
}

struct perf_event_attr counting(u64 config)
{
	return event(PERF_TYPE_HARDWARE, config);
}

struct perf_event_attr raw(u64 config)
{
	return event(PERF_TYPE_RAW, config);
}

/* Most software events happen in the kernel: excluding that would leave none. */
struct perf_event_attr software(u64 config)
{
	struct perf_event_attr attr = event(PERF_TYPE_SOFTWARE, config);

	attr.exclude_kernel = 0;
	attr.exclude_hv = 0;
	return attr;
}

/* What ends a theme; the probe then says so and fails. */
static void give_up(const char *what, const char *why)
{
	fflush(stdout);
	fprintf(stderr, "probe: %s: %s. %s\n", what, why, core_reason());
	exit(1);
}

int must_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = core_open(attr, pid, cpu, group, 0);

	if (fd < 0)
		give_up("open failed", error_name(fd));
	return fd;
}

struct counts must_read(int fd)
{
	struct counts c = {};
	ssize_t size = read(fd, &c, sizeof(c));

	if (size != sizeof(c))
		give_up("read failed", size < 0 ? error_name(-errno) : "too short");
	return c;
}

/* An event that is not inherited makes the contexts unlike each other. */
void keep_apart(pid_t pid)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	must_open(&attr, pid, -1, -1);
}

/*
 * Puts events into one group until it is full. The leader is off, so the group takes no counter;
 * the siblings are on, as in-tree perf leaves those that are off out of its sum.
 */
int counters(void)
{
	int fds[NR_RAW], n, i;

	for (n = 0; n < NR_RAW; n++) {
		struct perf_event_attr attr = raw(raw_configs[n]);

		attr.disabled = !n;
		fds[n] = core_open(&attr, 0, -1, n ? fds[0] : -1, 0);
		if (fds[n] < 0)
			break;
	}
	for (i = n - 1; i >= 0; i--)
		close(fds[i]);
	return n;
}
