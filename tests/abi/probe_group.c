// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which events may join which group (OPEN-12, OPEN-26 to OPEN-28, GRP), and what becomes of a group
 * whose leader goes.
 */
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static struct perf_event_attr instructions(void)
{
	return counting(PERF_COUNT_HW_INSTRUCTIONS);
}

static void probe_joins(void)
{
	struct perf_event_attr attr = instructions();
	int leader = must_open(&attr, 0, -1, -1);
	int sibling = must_open(&attr, 0, -1, leader);

	answer_open("group: sibling as leader", core_open(&attr, 0, -1, sibling, 0));
	answer_open("group: bound to a cpu", core_open(&attr, 0, 0, leader, 0));
	answer_open("group: of a cpu", core_open(&attr, -1, 0, leader, 0));
	answer_open("group: of another task", core_open(&attr, getppid(), -1, leader, 0));
	answer_open("group: own tid by number", core_open(&attr, getpid(), -1, leader, 0));
	attr.pinned = 1;
	answer_open("group: pinned sibling", core_open(&attr, 0, -1, leader, 0));
	attr.pinned = 0;
	attr.exclusive = 1;
	answer_open("group: exclusive sibling", core_open(&attr, 0, -1, leader, 0));
	attr.exclusive = 0;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	answer_open("group: sibling with another clock", core_open(&attr, 0, -1, leader, 0));
	attr = instructions();
	attr.inherit = 1;
	answer_open("group: inherited sibling (OPEN-12)", core_open(&attr, 0, -1, leader, 0));
	attr = instructions();
	attr.inherit_stat = 1;
	answer_open("group: sibling with inherit_stat", core_open(&attr, 0, -1, leader, 0));
	attr = instructions();
	attr.exclude_user = 1;
	answer_open("group: sibling that excludes more", core_open(&attr, 0, -1, leader, 0));
	attr = instructions();
	answer_open("group: no_group", core_open(&attr, 0, -1, leader, PERF_FLAG_FD_NO_GROUP));
	answer_open("group: output", core_open(&attr, 0, -1, leader, PERF_FLAG_FD_OUTPUT));
	answer_open("group: output and no_group",
		    core_open(&attr, 0, -1, leader, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP));
	answer_open("group: output of a sibling",
		    core_open(&attr, 0, -1, sibling, PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP));
}

static void probe_inherited_leader(void)
{
	struct perf_event_attr attr = instructions();
	int leader;

	attr.inherit = 1;
	leader = must_open(&attr, 0, -1, -1);
	answer_open("group: inherited, inherited sibling", core_open(&attr, 0, -1, leader, 0));
	attr.inherit = 0;
	answer_open("group: inherited, plain sibling (OPEN-12)", core_open(&attr, 0, -1, leader, 0));
}

/* Leaders that are special allow plain siblings, and only as siblings. */
static void probe_special_leaders(void)
{
	struct perf_event_attr attr = instructions();
	int leader;

	attr.pinned = 1;
	leader = must_open(&attr, 0, -1, -1);
	attr.pinned = 0;
	answer_open("group: pinned leader", core_open(&attr, 0, -1, leader, 0));
	close(leader);
	attr.exclusive = 1;
	leader = must_open(&attr, 0, -1, -1);
	attr.exclusive = 0;
	answer_open("group: exclusive leader", core_open(&attr, 0, -1, leader, 0));
	close(leader);
	leader = must_open(&attr, -1, 0, -1);
	answer_open("group: cpu's leader", core_open(&attr, -1, 0, leader, 0));
	answer_open("group: cpu's leader, other cpu", core_open(&attr, -1, 1, leader, 0));
	answer_open("group: cpu's leader, task", core_open(&attr, 0, -1, leader, 0));
	answer_open("group: cpu's leader, task bound to it", core_open(&attr, 0, 0, leader, 0));
	close(leader);
	leader = must_open(&attr, 0, 1, -1);
	answer_open("group: bound leader", core_open(&attr, 0, 1, leader, 0));
	answer_open("group: bound leader, other cpu", core_open(&attr, 0, 0, leader, 0));
	answer_open("group: bound leader, any cpu", core_open(&attr, 0, -1, leader, 0));
}

/* A group must fit on the counters by itself: the open of one too many is refused. */
static void probe_too_large(void)
{
	struct perf_event_attr attr;
	int n = counters(), leader, i;

	answer("group: raw events in one group", "%d", n);
	attr = raw(raw_configs[0]);
	leader = must_open(&attr, 0, -1, -1);
	for (i = 1; i < n; i++) {
		attr = raw(raw_configs[i]);
		attr.disabled = 0;
		must_open(&attr, 0, -1, leader);
	}
	attr = raw(raw_configs[n]);
	answer_open("group: one too many, off", core_open(&attr, 0, -1, leader, 0));
	attr.disabled = 0;
	answer_open("group: one too many", core_open(&attr, 0, -1, leader, 0));
	answer_open("group: one too many, by itself", core_open(&attr, 0, -1, -1, 0));
	attr = raw(raw_configs[1]);
	attr.disabled = 0;
	answer_open("group: full, one like another member", core_open(&attr, 0, -1, leader, 0));
	attr = software(PERF_COUNT_SW_DUMMY);
	attr.disabled = 0;
	answer_open("group: full, software sibling", core_open(&attr, 0, -1, leader, 0));
	attr = instructions();
	attr.disabled = 0;
	answer_open("group: full, sibling for a fixed counter", core_open(&attr, 0, -1, leader, 0));
}

/*
 * More members than counters, accepted because they were off: enabled they can never all be on.
 * In-tree perf lets no other flexible event of the task on meanwhile, so all are closed again.
 */
static void probe_too_large_off(void)
{
	int fds[NR_RAW], n = counters() + 1, opened;
	struct perf_event_attr attr;
	int error = 0;

	for (opened = 0; opened < n; opened++) {
		attr = raw(raw_configs[opened]);
		error = core_open(&attr, 0, -1, opened ? fds[0] : -1, 0);
		if (error < 0)
			break;
		fds[opened] = error;
	}
	answer("group: too large, all off", "%s", error_name(error));
	answer_errno("group: too large, all enabled", ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 1));
	loop(ROUNDS);
	if (error >= 0)
		answer_times("group: too large, all enabled, times", fds[0]);
	while (opened-- > 0)
		close(fds[opened]);
}

/* Members of a group until its read would be too long, all with the same read format. */
static int fill(u64 format, int leader, int *error)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_DUMMY);
	int fd, n = 1;

	attr.read_format = format;
	if (leader < 0)
		leader = must_open(&attr, 0, -1, -1);
	for (;; n++) {
		fd = core_open(&attr, 0, -1, leader, 0);
		if (fd < 0)
			break;
	}
	*error = fd;
	return n;
}

static void probe_read_size(void)
{
	struct rlimit limit = { 65536, 65536 };
	struct perf_event_attr attr = software(PERF_COUNT_SW_DUMMY);
	int error, n, leader;

	setrlimit(RLIMIT_NOFILE, &limit);
	n = fill(PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST | TIMES, -1, &error);
	answer("group: longest read (OPEN-28)", "%d members, then %s", n, error_name(error));

	/* A sibling's read grows when others join (REG-16). */
	attr.read_format = 0;
	leader = must_open(&attr, 0, -1, -1);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST | TIMES;
	must_open(&attr, 0, -1, leader);
	n = fill(0, leader, &error);
	answer("group: longest read of a sibling (REG-16)", "%d members, then %s", n + 1,
	       error_name(error));
}

/* Siblings of a leader that is closed go on by themselves, with what they had counted. */
static void probe_leader_closes(void)
{
	struct perf_event_attr attr = instructions();
	int leader, sibling, second;
	struct counts before;

	leader = must_open(&attr, 0, -1, -1);
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	second = must_open(&attr, 0, -1, leader);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
	before = must_read(sibling);
	answer_value("group: sibling before its leader closes", sibling);
	close(leader);
	answer("group: leader closed, sibling kept its count", "%s",
	       yes(must_read(sibling).value >= before.value));
	ioctl(sibling, PERF_EVENT_IOC_DISABLE, 0);
	before = must_read(sibling);
	loop(ROUNDS);
	answer("group: leader closed, sibling stops alone", "%s",
	       yes(must_read(sibling).value == before.value));
	ioctl(sibling, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	answer("group: leader closed, sibling counts on", "%s",
	       yes(must_read(sibling).value >= before.value + 2 * ROUNDS));
	before = must_read(second);
	ioctl(sibling, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	loop(ROUNDS);
	answer("group: leader closed, other sibling is no longer in its group", "%s",
	       yes(must_read(second).value >= before.value + 2 * ROUNDS));
	answer_open("group: leader closed, sibling leads", core_open(&attr, 0, -1, sibling, 0));
}

static void probe_sibling_closes(void)
{
	struct perf_event_attr attr = instructions();
	u64 values[8] = {};
	int leader, sibling;
	ssize_t size;

	attr.read_format |= PERF_FORMAT_GROUP;
	leader = must_open(&attr, 0, -1, -1);
	sibling = must_open(&attr, 0, -1, leader);
	close(sibling);
	size = read(leader, values, sizeof(values));
	answer("group: sibling closed", "%zd bytes, nr %llu", size, (unsigned long long)values[0]);
}

/* A leader whose task is gone (OPEN-09, REG-43). */
static void probe_dead_leader(void)
{
	struct perf_event_attr attr = instructions();
	struct stage s;
	int leader;

	stage_open(&s, "s0");
	leader = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_open("group: join a group whose task exited (OPEN-09)",
		    core_open(&attr, 0, -1, leader, 0));
	answer_open("group: join a group whose task exited, same task",
		    core_open(&attr, s.pid, -1, leader, 0));
}

void theme_group(void)
{
	probe_joins();
	probe_inherited_leader();
	probe_special_leaders();
	probe_too_large();
	probe_too_large_off();
	probe_read_size();
	probe_leader_closes();
	probe_sibling_closes();
	probe_dead_leader();
}
