// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned events: on all the time, or in error, which a read of no bytes tells (FD-01, FD-15, SCH-07).
 */
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static int open_raw(int nr, pid_t pid, int cpu, int group, bool pinned)
{
	struct perf_event_attr attr = raw(raw_configs[nr]);

	attr.disabled = 0;
	attr.pinned = pinned;
	return must_open(&attr, pid, cpu, group);
}

static void close_all(const int *fds, int n)
{
	while (n-- > 0)
		close(fds[n]);
}

static void answer_state(const char *name, int fd)
{
	struct counts c = {};
	ssize_t size = read(fd, &c, sizeof(c));

	if (size == sizeof(c))
		answer(name, "24 bytes, times %s", times_of(&c));
	else
		answer(name, "%zd bytes", size);
}

static bool in_error(int fd)
{
	struct counts c;

	return read(fd, &c, sizeof(c)) == 0;
}

static void answer_poll(const char *name, int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	int ready = poll(&poller, 1, 0);

	answer(name, "%d ready, events %x", ready, poller.revents);
}

/* One pinned event too many. */
static void probe_loser(void)
{
	int n = counters(), fds[NR_RAW], loser, i, lost = 0;

	for (i = 0; i < n; i++)
		fds[i] = open_raw(i, 0, -1, -1, true);
	loser = open_raw(n, 0, -1, -1, true);
	loop(ROUNDS);
	for (i = 0; i < n; i++)
		lost += in_error(fds[i]);
	answer("pinned: earlier ones in error", "%d", lost);
	answer_times("pinned: earlier one's times", fds[0]);
	answer_state("pinned: loser (FD-01)", loser);
	answer_poll("pinned: loser, poll (FD-15, REG-37)", loser);
	answer_errno("pinned: loser, reset", ioctl(loser, PERF_EVENT_IOC_RESET, 0));
	answer_errno("pinned: loser, enable", ioctl(loser, PERF_EVENT_IOC_ENABLE, 0));
	answer_state("pinned: loser, enabled in vain", loser);
	close(fds[0]);
	loop(ROUNDS);
	answer_state("pinned: loser, when there is a counter again", loser);
	answer_errno("pinned: loser, enable again", ioctl(loser, PERF_EVENT_IOC_ENABLE, 0));
	loop(ROUNDS);
	answer("pinned: loser, enabled, in error", "%s", yes(in_error(loser)));
	if (!in_error(loser)) {
		answer_times("pinned: loser, enabled, times", loser);
		answer_poll("pinned: loser, enabled, poll", loser);
	}
	close(loser);
	close_all(fds + 1, n - 1);
}

static void probe_disabled_loser(void)
{
	int n = counters(), fds[NR_RAW], loser, i;
	struct perf_event_attr attr = raw(raw_configs[n]);

	for (i = 0; i < n; i++)
		fds[i] = open_raw(i, 0, -1, -1, true);
	attr.pinned = 1;
	loser = must_open(&attr, 0, -1, -1);
	answer_state("pinned: one too many, disabled", loser);
	answer_errno("pinned: one too many, enable", ioctl(loser, PERF_EVENT_IOC_ENABLE, 0));
	answer_state("pinned: one too many, enabled", loser);
	answer_errno("pinned: one too many, disable", ioctl(loser, PERF_EVENT_IOC_DISABLE, 0));
	answer_state("pinned: one too many, disabled again", loser);
	close(loser);
	close_all(fds, n);
}

/* A group that is pinned by its leader: all of it is in error. */
static void probe_group(void)
{
	int n = counters(), fds[NR_RAW], leader, sibling, i;
	struct perf_event_attr attr = raw(raw_configs[10]);
	u64 values[8];

	for (i = 0; i < n - 1; i++)
		fds[i] = open_raw(i, 0, -1, -1, true);
	attr.pinned = 1;
	attr.read_format |= PERF_FORMAT_GROUP;
	leader = must_open(&attr, 0, -1, -1);
	sibling = open_raw(11, 0, -1, leader, false);
	answer_errno("pinned: group, enable", ioctl(leader, PERF_EVENT_IOC_ENABLE, 0));
	loop(ROUNDS);
	answer("pinned: group in error, leader", "%zd bytes", read(leader, values, sizeof(values)));
	answer_state("pinned: group in error, sibling", sibling);
	answer_poll("pinned: group in error, leader's poll", leader);
	answer_poll("pinned: group in error, sibling's poll", sibling);
	close(fds[0]);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	answer("pinned: group enabled again, leader", "%zd bytes", read(leader, values, sizeof(values)));
	answer("pinned: group enabled again, sibling in error", "%s", yes(in_error(sibling)));
	close(sibling);
	close(leader);
	close_all(fds + 1, n - 2);
}

/* Flexible ones make room, and are not in error for it. */
static void probe_flexible(void)
{
	int n = counters(), fds[NR_RAW], pinned, i, lost = 0;

	for (i = 0; i < n; i++)
		fds[i] = open_raw(i, 0, -1, -1, false);
	pinned = open_raw(n, 0, -1, -1, true);
	burn(100);
	answer_times("pinned: beside as many flexible ones as counters", pinned);
	for (i = 0; i < n; i++)
		lost += in_error(fds[i]);
	answer("pinned: flexible ones in error", "%d", lost);
	close(pinned);
	close_all(fds, n);
}

/* A CPU's pinned events and a task's want the same counters: the CPU's come first (SCH-01). */
static void probe_cpu_and_task(void)
{
	int n = counters(), k = 3, held[NR_RAW], fds[NR_RAW], i, running = 0, lost = 0;
	struct stage s;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	for (i = 0; i < k; i++)
		held[i] = open_raw(NR_RAW - 1 - i, -1, 1, -1, true);
	for (i = 0; i < n; i++)
		fds[i] = open_raw(i, s.pid, -1, -1, true);
	stage_cue(&s, 0);
	usleep(50000);
	for (i = 0; i < n; i++)
		running += !in_error(fds[i]);
	answer("pinned: task's that run beside three of the cpu", "%d", running);
	close_all(held, k);
	usleep(20000);
	for (running = 0, i = 0; i < n; i++)
		running += !in_error(fds[i]);
	answer("pinned: task's that run when those close", "%d", running);
	for (i = 0; i < n; i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	usleep(20000);
	for (running = 0, i = 0; i < n; i++)
		running += !in_error(fds[i]);
	answer("pinned: task's that run when they are enabled again", "%d", running);

	/* Now the CPU's come last. */
	held[0] = open_raw(NR_RAW - 1, -1, 1, -1, true);
	usleep(50000);
	for (i = 0; i < n; i++)
		lost += in_error(fds[i]);
	answer_state("pinned: cpu's, opened after the task's", held[0]);
	answer("pinned: task's in error for it", "%d", lost);
	close_all(fds, n);
	close(held[0]);
	stage_kill(&s);
}

/* Of a task that sleeps: it is in error from when it ran, and still when the task exits. */
static void probe_sleeping(void)
{
	int n = counters(), held[NR_RAW], fd, i;
	struct perf_event_attr attr = raw(raw_configs[1]);
	struct stage s;

	go_to_cpu(0);
	for (i = 0; i < n; i++)
		held[i] = open_raw(NR_RAW - 1 - i, -1, 1, -1, true);
	stage_open(&s, "c1s0ls0ls0");
	attr.disabled = 0;
	attr.pinned = 1;
	fd = must_open(&attr, s.pid, -1, -1);
	answer_state("pinned: of a sleeping task, before it runs", fd);
	stage_step(&s, 0);
	answer_state("pinned: of a task that ran without a counter", fd);
	close_all(held, n);
	stage_step(&s, 0);
	answer_state("pinned: of a task that ran when there were counters again", fd);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_state("pinned: in error when its task exited", fd);
}

void theme_pinned(void)
{
	go_to_cpu(1);
	probe_loser();
	probe_disabled_loser();
	probe_group();
	probe_flexible();
	probe_cpu_and_task();
	probe_sleeping();
}
