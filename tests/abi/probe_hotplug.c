// SPDX-License-Identifier: GPL-2.0-only
/* CPU 1 goes off and comes back while events are open (HP-01, REG-36, OPEN-25). */
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

#define CGROUP "pmuctl-hotplug"

static struct perf_event_attr enabled(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = 0;
	return attr;
}

static void cpu_off(void)
{
	if (!cpu_set_online(1, false))
		answer("hotplug: off", "%s", error_name(-errno));
}

static void cpu_on(void)
{
	if (!cpu_set_online(1, true))
		answer("hotplug: on", "%s", error_name(-errno));
}

static void loop_on_1(void)
{
	go_to_cpu(1);
	loop(ROUNDS);
	go_to_cpu(0);
}

/* Does the event count what runs on CPU 1 now? */
static void answer_counts(const char *name, int fd)
{
	struct counts before = must_read(fd), after;

	loop_on_1();
	after = must_read(fd);
	answer(name, "%s, times %s", after.value - before.value >= 2 * ROUNDS ? "counts" :
	       after.value == before.value ? "does not count" : "counts too little",
	       after.enabled > before.enabled ? "go on" : "stand still");
}

/* An event of the CPU itself, enabled, and one that is not. */
static void probe_cpu_event(void)
{
	struct perf_event_attr attr = enabled();
	int on = must_open(&attr, -1, 1, -1), off, sibling;
	struct pollfd poller = { .fd = on, .events = POLLIN };
	struct counts before, after;

	sibling = must_open(&attr, -1, 1, on);
	attr.disabled = 1;
	off = must_open(&attr, -1, 1, -1);
	loop_on_1();
	before = must_read(on);
	cpu_off();
	after = must_read(on);
	answer("hotplug: off, count kept", "%s", yes(after.value >= before.value));
	answer_times("hotplug: off, times", on);
	before = after;
	usleep(20000);
	after = must_read(on);
	answer("hotplug: off, time", "%s", after.enabled > before.enabled ? "go on" : "stand still");
	poll(&poller, 1, 0);
	answer("hotplug: off, poll", "%x", poller.revents);
	answer_errno("hotplug: off, enable", ioctl(off, PERF_EVENT_IOC_ENABLE, 0));
	answer_errno("hotplug: off, disable", ioctl(off, PERF_EVENT_IOC_DISABLE, 0));
	answer_errno("hotplug: off, reset", ioctl(off, PERF_EVENT_IOC_RESET, 0));
	answer_open("hotplug: off, join a group", core_open(&attr, -1, 1, on, 0));
	cpu_on();
	answer_counts("hotplug: on again", on);
	answer_counts("hotplug: on again, sibling", sibling);
	answer_errno("hotplug: on again, enable", ioctl(on, PERF_EVENT_IOC_ENABLE, 0));
	answer_counts("hotplug: on again, enabled", on);
	answer_counts("hotplug: on again, sibling of the enabled one", sibling);
	ioctl(off, PERF_EVENT_IOC_ENABLE, 0);
	answer_counts("hotplug: on again, one that was disabled is enabled", off);
	answer_times("hotplug: on again, its times", off);
	close(sibling);
	close(on);
	close(off);
}

/* Enabled while its CPU was off; closed while it is off. */
static void probe_enabled_off(void)
{
	struct perf_event_attr attr = enabled();
	int fd, gone;

	attr.disabled = 1;
	fd = must_open(&attr, -1, 1, -1);
	gone = must_open(&attr, -1, 1, -1);
	cpu_off();
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	close(gone);
	cpu_on();
	answer_counts("hotplug: enabled while off, on again", fd);
	close(fd);
}

static void probe_opens_while_off(int cgroup)
{
	struct perf_event_attr attr = enabled(), clock = software(PERF_COUNT_SW_CPU_CLOCK);
	int bound;

	cpu_off();
	answer_open("hotplug: off, open on it (OPEN-25)", core_open(&attr, -1, 1, -1, 0));
	answer_open("hotplug: off, open software event on it", core_open(&clock, -1, 1, -1, 0));
	answer_open("hotplug: off, open cgroup's on it",
		    core_open(&attr, cgroup, 1, -1, PERF_FLAG_PID_CGROUP));
	answer_open("hotplug: off, open task's bound to it", core_open(&attr, 0, 1, -1, 0));
	answer_open("hotplug: off, open task's", core_open(&attr, 0, -1, -1, 0));
	answer_open("hotplug: off, open on the other", core_open(&attr, -1, 0, -1, 0));
	bound = core_open(&attr, 0, 1, -1, 0);
	cpu_on();
	if (bound >= 0) {
		answer_counts("hotplug: bound to it while off, on again", bound);
		close(bound);
	}
	answer_open("hotplug: on again, open on it (REG-36)", core_open(&attr, -1, 1, -1, 0));
}

/* A task is driven off its CPU; its events do not notice. */
static void probe_task(void)
{
	struct perf_event_attr attr = enabled();
	int whole, parts[2];
	struct counts c[3];
	struct stage s;

	stage_open(&s, "c1s0ls0lc0s0c1ls0");
	whole = must_open(&attr, s.pid, -1, -1);
	parts[0] = must_open(&attr, s.pid, 0, -1);
	parts[1] = must_open(&attr, s.pid, 1, -1);
	stage_step(&s, 0);
	cpu_off();
	stage_step(&s, 0);
	answer_value("hotplug: off, task's event", whole);
	answer_value("hotplug: off, its part on cpu 0", parts[0]);
	answer_value("hotplug: off, its part on cpu 1", parts[1]);
	cpu_on();
	stage_step(&s, 0);
	answer_value("hotplug: on again, task's event", whole);
	answer_value("hotplug: on again, its part on cpu 0", parts[0]);
	answer_value("hotplug: on again, its part on cpu 1", parts[1]);
	c[0] = must_read(whole);
	c[1] = must_read(parts[0]);
	c[2] = must_read(parts[1]);
	answer("hotplug: on again, parts make the whole", "%s", yes(c[1].value + c[2].value == c[0].value));
	answer_times("hotplug: on again, task's times", whole);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* While it runs there, without a stop. */
static void probe_running_task(void)
{
	struct perf_event_attr attr = enabled();
	struct stage s;
	int fd;

	stage_open(&s, "c1s0LLs0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	usleep(20000);
	cpu_off();
	stage_wait(&s, 0);
	answer_value("hotplug: off while it ran, task's event", fd);
	answer_times("hotplug: off while it ran, times", fd);
	cpu_on();
	stage_cue(&s, 0);
	stage_close(&s);
}

static void probe_cgroup_event(int cgroup)
{
	struct perf_event_attr attr = enabled();
	int fd = core_open(&attr, cgroup, 1, -1, PERF_FLAG_PID_CGROUP);
	struct stage s;

	if (fd < 0) {
		answer_open("hotplug: cgroup's", fd);
		return;
	}
	stage_open(&s, "c1s0ls0c1ls0c1ls0");
	cgroup_move(CGROUP, s.pid);
	stage_step(&s, 0);
	answer_value("hotplug: cgroup's, before", fd);
	cpu_off();
	answer_value("hotplug: off, cgroup's", fd);
	cpu_on();
	stage_step(&s, 0);
	answer_value("hotplug: on again, cgroup's", fd);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	stage_step(&s, 0);
	answer_value("hotplug: on again and enabled, cgroup's", fd);
	stage_cue(&s, 0);
	stage_close(&s);
	close(fd);
}

void theme_hotplug(void)
{
	int cgroup = cgroup_make(NULL, CGROUP);

	go_to_cpu(0);
	probe_cpu_event();
	probe_enabled_off();
	probe_opens_while_off(cgroup);
	probe_task();
	probe_running_task();
	probe_cgroup_event(cgroup);
	cgroup_remove(CGROUP);
}
