// SPDX-License-Identifier: GPL-2.0-only
/* What one event counts of its own task, and how its times run (TIM-01, FD-06). */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"

/* Count the loop with @attr; the file stays open, disabled. */
static int count_loop(struct perf_event_attr *attr)
{
	int fd = must_open(attr, 0, -1, -1);

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return fd;
}

static void probe_loop(void)
{
	static const struct {
		const char *what;
		uint32_t type;
		u64 config;
	} events[] = {
		{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
		{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
		{ "raw instructions", PERF_TYPE_RAW, 0x00c0 },
		{ "raw branches", PERF_TYPE_RAW, 0x00c4 },
		{ "raw conditional branches", PERF_TYPE_RAW, 0x7ec4 },
		{ "raw code that counts nothing", PERF_TYPE_RAW, 0x77d7 },
	};
	char name[80];
	size_t i;

	for (i = 0; i < LENGTH(events); i++) {
		struct perf_event_attr attr = raw(events[i].config);
		int fd;

		attr.type = events[i].type;
		fd = count_loop(&attr);
		snprintf(name, sizeof(name), "count: %s of the loop", events[i].what);
		answer_value(name, fd);
		snprintf(name, sizeof(name), "count: %s times", events[i].what);
		answer_times(name, fd);
		close(fd);
	}
}

static void probe_excludes(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct counts user, both, kernel;

	user = must_read(count_loop(&attr));
	attr.exclude_kernel = 0;
	both = must_read(count_loop(&attr));
	attr.exclude_user = 1;
	kernel = must_read(count_loop(&attr));
	answer("count: user and kernel exceed user", "%s", yes(both.value > user.value));
	answer("count: kernel alone", "%s", !kernel.value ? "nothing" :
	       kernel.value < 2 * ROUNDS ? "less than the loop" : "the loop too");
	attr.exclude_kernel = 1;
	answer_value("count: neither user nor kernel", count_loop(&attr));
	attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	attr.exclude_idle = 1;
	answer_value("count: exclude_idle", count_loop(&attr));
	attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	attr.exclude_guest = 1;
	answer_value("count: exclude_guest", count_loop(&attr));
	attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	attr.exclude_hv = 0;
	answer_value("count: hypervisor included", count_loop(&attr));
}

/* How an event runs from its open on, and what switching it on or off twice does. */
static void probe_switching(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = must_open(&attr, 0, -1, -1);
	struct counts first, second;

	loop(ROUNDS);
	answer_value("count: before it is enabled", fd);
	answer_times("count: before it is enabled, times", fd);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	first = must_read(fd);
	second = must_read(fd);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	/* Printing counts too, so it has to wait until here. */
	answer("count: a read of a running event", "%llu", (unsigned long long)first.value);
	answer("count: two reads of a running event are apart", "%llu",
	       (unsigned long long)(second.value - first.value));
	answer("count: times of a running event", "%s, %s", times_of(&first), times_of(&second));
	answer("count: its times go on", "%s", yes(second.enabled > first.enabled));
	first = must_read(fd);
	loop(ROUNDS);
	second = must_read(fd);
	answer("count: after it was disabled", "%s",
	       first.value == second.value && first.enabled == second.enabled ? "stands still" :
	       "goes on");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer_value("count: enabled, disabled, enabled, disabled", fd);
	close(fd);

	attr.disabled = 0;
	fd = must_open(&attr, 0, -1, -1);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer("count: enabled from its open on", "%s", yes(must_read(fd).value >= 2 * ROUNDS));
	answer_times("count: enabled from its open on, times", fd);
	close(fd);
}

static void probe_reset(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = count_loop(&attr);
	struct counts before = must_read(fd), after;

	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	after = must_read(fd);
	answer("reset: value", "%llu", (unsigned long long)after.value);
	answer("reset: times", "%s",
	       before.enabled == after.enabled && before.running == after.running ? "kept" :
	       "changed");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer_value("reset: while it runs", fd);
	close(fd);
}

/* Enable and disable storms lose no time (REG-10). */
static void probe_storm(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int storm, steady, i;
	struct counts a, b;

	attr.disabled = 0;
	steady = must_open(&attr, 0, -1, -1);
	storm = must_open(&attr, 0, -1, -1);
	for (i = 0; i < 200; i++) {
		ioctl(storm, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(storm, PERF_EVENT_IOC_ENABLE, 0);
		loop(1000);
	}
	a = must_read(storm);
	b = must_read(steady);
	answer("count: times after a storm of enables (REG-10)", "%s", times_of(&a));
	answer("count: times of its neighbour (REG-10)", "%s", times_of(&b));
	answer("count: neighbour was enabled longer (REG-10)", "%s", yes(b.enabled > a.enabled));
}

/* Many events of the same kind, and of the same task: all are exact. */
static void probe_many(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fds[4];
	size_t i;

	for (i = 0; i < LENGTH(fds); i++)
		fds[i] = must_open(&attr, 0, -1, -1);
	for (i = 0; i < LENGTH(fds); i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	for (i = LENGTH(fds); i-- > 0;)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	answer_value("count: first of four", fds[0]);
	answer_value("count: last of four", fds[3]);
	answer_times("count: first of four, times", fds[0]);
	answer_times("count: last of four, times", fds[3]);
}

void theme_count(void)
{
	probe_loop();
	probe_excludes();
	probe_switching();
	probe_reset();
	probe_storm();
	probe_many();
}
