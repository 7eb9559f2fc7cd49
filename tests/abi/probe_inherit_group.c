// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups that are inherited: one read of parent and children, and when their shapes differ ECHILD
 * rather than sums of unlike counters (FD-03, REG-15); software leaders (REG-42).
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static struct perf_event_attr member(u64 config, u64 format)
{
	struct perf_event_attr attr = counting(config);

	attr.read_format |= format;
	attr.inherit = 1;
	attr.disabled = 0;
	return attr;
}

static void answer_group(const char *name, int fd)
{
	u64 values[16] = {};
	ssize_t size = read(fd, values, sizeof(values));
	char text[120];
	u64 i;

	if (size < 0) {
		answer_errno(name, size);
		return;
	}
	snprintf(text, sizeof(text), "nr %llu, values", (unsigned long long)values[0]);
	for (i = 0; i < values[0] && i < 8; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %llu",
			 (unsigned long long)values[3 + i]);
	answer(name, "%s, times %s", text, times_of(&(struct counts){ 0, values[1], values[2] }));
}

/* A puppet with a child asleep; its group of two was there before the child. */
struct family {
	struct stage s;
	pid_t child;
	int leader, sibling;
};

static void open_family(struct family *f, struct perf_event_attr leader, struct perf_event_attr sibling)
{
	stage_open(&f->s, "s0f{s1ls1ls1}ls0f{l}wls0");
	keep_apart(f->s.pid);
	f->leader = must_open(&leader, f->s.pid, -1, -1);
	f->sibling = must_open(&sibling, f->s.pid, -1, f->leader);
	stage_cue(&f->s, 0);
	f->child = stage_wait(&f->s, 1);
	stage_wait(&f->s, 0);
}

static void open_hardware(struct family *f)
{
	open_family(f, member(PERF_COUNT_HW_INSTRUCTIONS, PERF_FORMAT_GROUP),
		    member(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_FORMAT_GROUP));
}

static void close_family(struct family *f)
{
	close(f->sibling);
	close(f->leader);
	stage_kill(&f->s);
}

static void probe_sums(void)
{
	struct family f;

	open_hardware(&f);
	answer_group("inherit group: child asleep", f.leader);
	stage_step(&f.s, 1);
	answer_group("inherit group: child ran", f.leader);
	answer_group("inherit group: child ran, by sibling", f.sibling);
	stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	answer_group("inherit group: child exited", f.leader);
	stage_step(&f.s, 0);
	answer_group("inherit group: second child", f.leader);
	close_family(&f);
}

static void probe_shapes(void)
{
	struct perf_event_attr attr = member(PERF_COUNT_HW_CPU_CYCLES, PERF_FORMAT_GROUP);
	struct family f;
	int third;

	open_hardware(&f);
	third = core_open(&attr, f.s.pid, -1, f.leader, 0);
	answer_group("inherit group: sibling added after the fork (FD-03)", f.leader);
	close(third);
	answer_group("inherit group: and closed again", f.leader);
	close_family(&f);

	open_hardware(&f);
	close(f.sibling);
	answer_group("inherit group: sibling closed after the fork (FD-03)", f.leader);
	f.sibling = core_open(&attr, f.s.pid, -1, f.leader, 0);
	answer_group("inherit group: another one in its place (REG-15)", f.leader);
	stage_step(&f.s, 1);
	stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	answer_group("inherit group: another one, child exited (REG-15)", f.leader);
	close_family(&f);

	/* Without children shapes cannot differ. */
	open_hardware(&f);
	stage_step(&f.s, 1);
	stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	third = core_open(&attr, f.s.pid, -1, f.leader, 0);
	answer_group("inherit group: sibling added after the child exited", f.leader);
	close_family(&f);
}

/* A software leader, so that the group as a whole was moved to the hardware (REG-42, SW-05). */
static void probe_software_leader(const char *what, u64 config)
{
	struct perf_event_attr leader = member(config, PERF_FORMAT_GROUP);
	struct family f;
	char name[120];
	u64 values[8] = {};
	ssize_t size;

	leader.type = PERF_TYPE_SOFTWARE;
	open_family(&f, leader, member(PERF_COUNT_HW_INSTRUCTIONS, PERF_FORMAT_GROUP));
	stage_step(&f.s, 1);
	size = read(f.leader, values, sizeof(values));
	snprintf(name, sizeof(name), "inherit group: %s leads, child ran (REG-42)", what);
	answer(name, "%zd bytes, nr %llu, instructions %llu, times %s", size,
	       (unsigned long long)values[0], (unsigned long long)values[4],
	       times_of(&(struct counts){ 0, values[1], values[2] }));
	stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	stage_step(&f.s, 0);
	size = read(f.leader, values, sizeof(values));
	snprintf(name, sizeof(name), "inherit group: %s leads, children exited (REG-42)", what);
	answer(name, "%zd bytes, nr %llu, instructions %llu, times %s", size,
	       (unsigned long long)values[0], (unsigned long long)values[4],
	       times_of(&(struct counts){ 0, values[1], values[2] }));
	close_family(&f);
}

/* The leader is closed while a child has the group; the sibling goes on, in the child too. */
static void probe_leader_closed(void)
{
	struct family f;

	open_family(&f, member(PERF_COUNT_HW_INSTRUCTIONS, 0),
		    member(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0));
	close(f.leader);
	stage_step(&f.s, 1);
	answer_value("inherit group: leader closed, sibling", f.sibling);
	stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	answer_value("inherit group: leader closed, child exited", f.sibling);
	stage_step(&f.s, 0);
	answer_value("inherit group: leader closed, second child", f.sibling);
	close(f.sibling);
	stage_kill(&f.s);
}

void theme_inherit_group(void)
{
	probe_sums();
	probe_shapes();
	probe_software_leader("dummy", PERF_COUNT_SW_DUMMY);
	probe_software_leader("task-clock", PERF_COUNT_SW_TASK_CLOCK);
	probe_software_leader("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	probe_leader_closed();
}
