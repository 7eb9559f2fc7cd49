// SPDX-License-Identifier: GPL-2.0-only
/*
 * Software and hardware events in one group: whoever leads, the group is on as a whole when its
 * hardware events have counters (GRP-01 to GRP-03). Two hardware PMUs in one group (GRP-04) are not
 * asked about: the guest has one.
 */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static struct perf_event_attr hardware(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = 0;
	return attr;
}

static struct perf_event_attr soft(u64 config)
{
	struct perf_event_attr attr = software(config);

	attr.disabled = 0;
	return attr;
}

static const struct {
	const char *what;
	u64 config;
} kinds[] = {
	{ "dummy", PERF_COUNT_SW_DUMMY },
	{ "task-clock", PERF_COUNT_SW_TASK_CLOCK },
	{ "cpu-clock", PERF_COUNT_SW_CPU_CLOCK },
	{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
};

/* One more of each kind, whoever leads. */
static void probe_pair(size_t kind, bool software_leads)
{
	struct perf_event_attr hw = hardware(), sw = soft(kinds[kind].config);
	int leader, sibling, instructions;
	char name[120];
	struct stage s;

	stage_open(&s, "s0lps0lps0");
	leader = must_open(software_leads ? &sw : &hw, s.pid, -1, -1);
	sibling = must_open(software_leads ? &hw : &sw, s.pid, -1, leader);
	instructions = software_leads ? sibling : leader;
	stage_step(&s, 0);
	snprintf(name, sizeof(name), "mixed: %s %s", kinds[kind].what,
		 software_leads ? "leads" : "follows");
	answer(name, "instructions %llu, the same times %s",
	       (unsigned long long)must_read(instructions).value,
	       yes(must_read(leader).running == must_read(sibling).running));
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
	stage_step(&s, 0);
	snprintf(name, sizeof(name), "mixed: %s %s, leader disabled", kinds[kind].what,
		 software_leads ? "leads" : "follows");
	answer(name, "instructions %llu", (unsigned long long)must_read(instructions).value);
	stage_cue(&s, 0);
	stage_close(&s);
	close(sibling);
	close(leader);
}

/* A software group that counts when hardware joins it: it is moved, and keeps its counts. */
static void probe_move(void)
{
	struct perf_event_attr sw = soft(PERF_COUNT_SW_PAGE_FAULTS), hw = hardware();
	int leader, sibling, joined;
	u64 before;
	struct stage s;

	stage_open(&s, "s0lps0lps0lps0");
	leader = must_open(&sw, s.pid, -1, -1);
	sw = soft(PERF_COUNT_SW_TASK_CLOCK);
	sibling = must_open(&sw, s.pid, -1, leader);
	stage_step(&s, 0);
	before = must_read(leader).value;
	joined = must_open(&hw, s.pid, -1, leader);
	answer("mixed: moved, faults kept (GRP-01)", "%s", yes(must_read(leader).value == before));
	stage_step(&s, 0);
	answer("mixed: moved, faults go on", "%llu", (unsigned long long)(must_read(leader).value - before));
	answer_value("mixed: moved, instructions", joined);
	answer_times("mixed: moved, leader's times", leader);
	answer_times("mixed: moved, sibling's times", sibling);
	answer_times("mixed: moved, instructions' times", joined);
	answer_open("mixed: moved, another software event joins", core_open(&sw, s.pid, -1, leader, 0));
	close(joined);
	before = must_read(leader).value;
	stage_step(&s, 0);
	answer("mixed: hardware closed, faults go on", "%llu",
	       (unsigned long long)(must_read(leader).value - before));
	stage_cue(&s, 0);
	stage_close(&s);
}

/* The hardware leader closes: the software sibling counts on by itself. */
static void probe_leader_closed(void)
{
	struct perf_event_attr sw = soft(PERF_COUNT_SW_PAGE_FAULTS), hw = hardware();
	int leader, sibling;
	struct stage s;
	u64 before;

	stage_open(&s, "s0ps0ps0");
	leader = must_open(&hw, s.pid, -1, -1);
	sibling = must_open(&sw, s.pid, -1, leader);
	stage_step(&s, 0);
	close(leader);
	before = must_read(sibling).value;
	stage_step(&s, 0);
	answer("mixed: hardware leader closed, faults go on", "%llu",
	       (unsigned long long)(must_read(sibling).value - before));
	answer_times("mixed: hardware leader closed, times", sibling);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* No counter left: the software members of the group wait with it, those of others do not. */
static void probe_waiting(bool software_leads)
{
	int n = counters(), held[NR_RAW], group[2], alone, i;
	struct perf_event_attr sw = soft(PERF_COUNT_SW_TASK_CLOCK), hw = raw(raw_configs[n]);
	const char *who = software_leads ? "software leads" : "hardware leads";
	struct counts c;
	char name[120];
	struct stage s;

	hw.disabled = 0;
	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	for (i = 0; i < n; i++) {
		struct perf_event_attr attr = raw(raw_configs[i]);

		attr.disabled = 0;
		attr.pinned = 1;
		held[i] = must_open(&attr, -1, 1, -1);
	}
	group[0] = must_open(software_leads ? &sw : &hw, s.pid, -1, -1);
	group[1] = must_open(software_leads ? &hw : &sw, s.pid, -1, group[0]);
	alone = must_open(&sw, s.pid, -1, -1);
	stage_cue(&s, 0);
	usleep(50000);
	for (i = 0; i < 2; i++) {
		c = must_read(group[i]);
		snprintf(name, sizeof(name), "mixed: %s, no counter, member %d", who, i);
		answer(name, "%s, value %s 0", times_of(&c), c.value ? "above" : "is");
	}
	snprintf(name, sizeof(name), "mixed: %s, no counter, task-clock alone", who);
	answer_times(name, alone);
	for (i = n - 1; i >= 0; i--)
		close(held[i]);
	usleep(50000);
	for (i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "mixed: %s, counters free again, member %d", who, i);
		answer_times(name, group[i]);
	}
	stage_kill(&s);
	go_anywhere();
}

/* Groups of a CPU. */
static void probe_of_cpu(void)
{
	struct perf_event_attr sw = soft(PERF_COUNT_SW_CPU_CLOCK), hw = hardware();
	int leader = must_open(&sw, -1, 1, -1), sibling = must_open(&hw, -1, 1, leader);

	go_to_cpu(1);
	loop(ROUNDS);
	go_to_cpu(0);
	answer("mixed: of a cpu, instructions", "%s", yes(must_read(sibling).value >= 2 * ROUNDS));
	answer_times("mixed: of a cpu, leader's times", leader);
	answer_times("mixed: of a cpu, sibling's times", sibling);
	answer_open("mixed: of a cpu, task's software event joins", core_open(&sw, 0, -1, leader, 0));
}

void theme_mixed(void)
{
	size_t i;

	for (i = 0; i < LENGTH(kinds); i++) {
		probe_pair(i, true);
		probe_pair(i, false);
	}
	probe_move();
	probe_leader_closed();
	probe_waiting(true);
	probe_waiting(false);
	probe_of_cpu();
}
