// SPDX-License-Identifier: GPL-2.0-only
/* Events of whole CPUs. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static int open_on(int cpu, bool disabled)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = disabled;
	return must_open(&attr, -1, cpu, -1);
}

/* Others run too, so a CPU's count is at least the puppet's. */
static void probe_puppet(void)
{
	int here = open_on(1, false), there = open_on(0, false);
	struct counts before, after;
	struct stage s;

	go_to_cpu(0);
	stage_open(&s, "c1s0Ls0Ls0");
	before = must_read(here);
	stage_step(&s, 0);
	after = must_read(here);
	answer("cpu: counts what runs there", "%s",
	       yes(after.value - before.value >= 2 * 50 * PUPPET_ROUNDS));
	answer("cpu: times", "%s", times_of(&after));
	ioctl(here, PERF_EVENT_IOC_DISABLE, 0);
	before = must_read(here);
	stage_step(&s, 0);
	after = must_read(here);
	answer("cpu: disabled", "%s",
	       before.value == after.value && before.enabled == after.enabled ? "stands still" : "goes on");
	stage_cue(&s, 0);
	stage_close(&s);
	answer_times("cpu: the other's times", there);
	close(here);
	close(there);
}

/* Time goes on for an idle CPU. */
static void probe_idle(void)
{
	int fd = open_on(1, false);
	struct counts before, after;

	before = must_read(fd);
	usleep(50000);
	after = must_read(fd);
	answer("cpu: idle, enabled goes on", "%s", yes(after.enabled - before.enabled >= 45000000));
	answer("cpu: idle, times", "%s", times_of(&after));
	close(fd);
}

static void probe_own(void)
{
	int fd = open_on(0, true);

	go_to_cpu(0);
	answer_value("cpu: before it is enabled", fd);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer("cpu: counts its own CPU's caller", "%s", yes(must_read(fd).value >= 2 * ROUNDS));
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	answer_value("cpu: reset", fd);
	close(fd);
}

static void probe_group(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	u64 values[8] = {};
	int leader;

	attr.read_format |= PERF_FORMAT_GROUP;
	leader = must_open(&attr, -1, 1, -1);
	attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	must_open(&attr, -1, 1, leader);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	go_to_cpu(1);
	loop(ROUNDS);
	go_to_cpu(0);
	if (read(leader, values, sizeof(values)) < 0)
		answer("cpu: group", "%s", error_name(-errno));
	answer("cpu: group", "nr %llu, instructions %s, branches %s", (unsigned long long)values[0],
	       yes(values[3] >= 2 * ROUNDS), yes(values[4] >= ROUNDS));
	answer("cpu: group, times", "%s", times_of(&(struct counts){ 0, values[1], values[2] }));
}

/* A task's event and its CPU's, of the same kind: both count, each for itself. */
static void probe_beside_task(void)
{
	int of_cpu = open_on(1, false), of_task;
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct stage s;

	attr.disabled = 0;
	stage_open(&s, "c1s0ls0");
	of_task = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	answer_value("cpu: task's event beside the cpu's", of_task);
	close(of_cpu);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_value("cpu: task's event after the cpu's closed", of_task);
	answer_times("cpu: task's event after the cpu's closed, times", of_task);
}

void theme_cpu(void)
{
	probe_puppet();
	probe_idle();
	probe_own();
	probe_group();
	probe_beside_task();
}
