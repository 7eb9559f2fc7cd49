// SPDX-License-Identifier: GPL-2.0-only
/* Exclusive groups: alone on the PMU or not at all (SCH-05, SCH-09). */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static int open_one(int nr, pid_t pid, int cpu, bool exclusive, bool pinned)
{
	struct perf_event_attr attr = raw(raw_configs[nr]);

	attr.disabled = 0;
	attr.exclusive = exclusive;
	attr.pinned = pinned;
	return must_open(&attr, pid, cpu, -1);
}

static void probe_alone(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader, sibling;

	attr.exclusive = 1;
	leader = must_open(&attr, 0, -1, -1);
	attr.exclusive = 0;
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
	answer_value("exclusive: alone", leader);
	answer_value("exclusive: alone, sibling", sibling);
	answer_times("exclusive: alone, times", leader);
	close(sibling);
	close(leader);
}

/* Two of one task that cannot be on together: they take turns. */
static void probe_turns(const char *what, bool first, bool second)
{
	int a = open_one(0, 0, -1, first, false), b = open_one(1, 0, -1, second, false);
	struct counts of_a, of_b;
	char name[80];

	burn(200);
	ioctl(a, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(b, PERF_EVENT_IOC_DISABLE, 0);
	of_a = must_read(a);
	of_b = must_read(b);
	snprintf(name, sizeof(name), "exclusive: %s, times", what);
	answer(name, "%s, %s", times_of(&of_a), times_of(&of_b));
	snprintf(name, sizeof(name), "exclusive: %s, never both at once", what);
	/* They are opened one after the other, which is why a twentieth is allowed for. */
	answer(name, "%s", yes(of_a.running + of_b.running <= of_a.enabled / 20 * 21));
	close(a);
	close(b);
}

/* A task's exclusive event while another one is on its CPU. */
static void probe_beside_cpu(const char *what, bool cpu_pinned)
{
	int other, mine;
	struct counts before, after;
	struct stage s;
	char name[120];

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	other = open_one(0, -1, 1, false, cpu_pinned);
	mine = open_one(1, s.pid, -1, true, false);
	stage_cue(&s, 0);
	usleep(100000);
	snprintf(name, sizeof(name), "exclusive: task's beside %s", what);
	answer_times(name, mine);
	snprintf(name, sizeof(name), "exclusive: %s beside it", what);
	answer_times(name, other);
	close(other);
	usleep(50000);
	before = must_read(mine);
	usleep(20000);
	after = must_read(mine);
	snprintf(name, sizeof(name), "exclusive: task's after %s closed", what);
	answer(name, "%s", after.running > before.running ? "runs" : "does not run");
	stage_kill(&s);
	close(mine);
	go_to_cpu(1);
}

/* A CPU's exclusive event while a task there counts. */
static void probe_of_cpu(void)
{
	struct counts before, after;
	struct stage s;
	int of_cpu, of_task;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	of_task = open_one(0, s.pid, -1, false, false);
	of_cpu = open_one(1, -1, 1, true, false);
	stage_cue(&s, 0);
	usleep(100000);
	answer_times("exclusive: cpu's beside a task's", of_cpu);
	answer_times("exclusive: task's beside a cpu's exclusive one", of_task);
	close(of_cpu);
	usleep(50000);
	before = must_read(of_task);
	usleep(20000);
	after = must_read(of_task);
	answer("exclusive: task's after the cpu's closed", "%s",
	       after.running > before.running ? "runs" : "does not run");
	stage_kill(&s);
	close(of_task);
	go_to_cpu(1);
}

/* Software events need no counter. */
static void probe_software(void)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_TASK_CLOCK);
	int clock, exclusive;

	attr.disabled = 0;
	clock = must_open(&attr, 0, -1, -1);
	exclusive = open_one(0, 0, -1, true, false);
	burn(50);
	answer_times("exclusive: beside a software event", exclusive);
	answer_times("exclusive: software event beside it", clock);
	close(exclusive);
	close(clock);
}

static void probe_pinned_pair(const char *what, bool first, bool second)
{
	int a = open_one(0, 0, -1, first, true), b = open_one(1, 0, -1, second, true);
	struct counts c;
	char name[80];

	loop(ROUNDS);
	snprintf(name, sizeof(name), "exclusive: pinned, %s", what);
	answer(name, "%zd and %zd bytes", read(a, &c, sizeof(c)), read(b, &c, sizeof(c)));
	close(a);
	close(b);
}

void theme_exclusive(void)
{
	go_to_cpu(1);
	probe_alone();
	probe_turns("plain, then exclusive", false, true);
	probe_turns("exclusive, then plain", true, false);
	probe_turns("two exclusive ones", true, true);
	probe_beside_cpu("a cpu's event", false);
	probe_beside_cpu("a cpu's pinned event", true);
	probe_of_cpu();
	probe_software();
	probe_pinned_pair("plain, then exclusive", false, true);
	probe_pinned_pair("exclusive, then plain", true, false);
}
