// SPDX-License-Identifier: GPL-2.0-only
/* What ENABLE, DISABLE and RESET of an inherited event do to the children (SW-05). */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

/* A puppet whose child sleeps, again and again, with an event on both. */
struct family {
	struct stage s;
	pid_t child;
	int fd;
};

#define CHILD "f{s1ls1ls1ls1ls1}"

/* The event is there before the child. */
static void open_family(struct family *f, bool disabled)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	stage_open(&f->s, "s0" CHILD "s0" CHILD "s0");
	keep_apart(f->s.pid);
	attr.inherit = 1;
	attr.disabled = disabled;
	f->fd = must_open(&attr, f->s.pid, -1, -1);
	stage_cue(&f->s, 0);
	f->child = stage_wait(&f->s, 1);
	stage_wait(&f->s, 0);
}

static void close_family(struct family *f)
{
	close(f->fd);
	stage_kill(&f->s);
}

static void control(struct family *f, unsigned long cmd, unsigned long arg)
{
	if (ioctl(f->fd, cmd, arg))
		answer("inherit control: ioctl", "%s", error_name(-errno));
}

static void probe_switching(void)
{
	struct family f;

	open_family(&f, false);
	answer_value("inherit control: enabled, child asleep", f.fd);
	stage_step(&f.s, 1);
	answer_value("inherit control: enabled, child ran", f.fd);
	control(&f, PERF_EVENT_IOC_DISABLE, 0);
	stage_step(&f.s, 1);
	answer_value("inherit control: disabled, child ran", f.fd);
	control(&f, PERF_EVENT_IOC_ENABLE, 0);
	stage_step(&f.s, 1);
	answer_value("inherit control: enabled again, child ran", f.fd);
	answer_times("inherit control: enabled again, child ran, times", f.fd);
	close_family(&f);
}

/* A child gets the state its parent's event is in, not the attr's. */
static void probe_state(void)
{
	struct family f;

	open_family(&f, true);
	stage_step(&f.s, 1);
	answer_value("inherit control: disabled before the fork, child ran", f.fd);
	answer_times("inherit control: disabled before the fork, times", f.fd);
	control(&f, PERF_EVENT_IOC_ENABLE, 0);
	stage_step(&f.s, 1);
	answer_value("inherit control: enabled after the fork, child ran", f.fd);
	/* A second child of a parent that attr.disabled, but is enabled now. */
	stage_cue(&f.s, 0);
	stage_wait(&f.s, 1);
	stage_wait(&f.s, 0);
	stage_step(&f.s, 1);
	answer_value("inherit control: enabled before the second fork, child ran", f.fd);
	close_family(&f);

	open_family(&f, false);
	control(&f, PERF_EVENT_IOC_DISABLE, 0);
	stage_cue(&f.s, 0);
	stage_wait(&f.s, 1);
	stage_wait(&f.s, 0);
	stage_step(&f.s, 1);
	stage_step(&f.s, 1);
	answer_value("inherit control: disabled before the second fork, children ran", f.fd);
	close_family(&f);
}

/* Reset reaches children that live; what exited ones left stays. */
static void probe_reset(void)
{
	struct family f;
	int i;

	open_family(&f, false);
	stage_step(&f.s, 1);
	control(&f, PERF_EVENT_IOC_RESET, 0);
	answer_value("inherit control: reset, child lives", f.fd);
	stage_step(&f.s, 1);
	answer_value("inherit control: reset, child ran on", f.fd);
	for (i = 0; i < 2; i++)
		stage_step(&f.s, 1);
	stage_cue(&f.s, 1);
	stage_wait_gone(f.child);
	answer_value("inherit control: child exited", f.fd);
	control(&f, PERF_EVENT_IOC_RESET, 0);
	answer_value("inherit control: reset, child exited", f.fd);
	close_family(&f);
}

/* ENABLE and DISABLE with the flag for groups: leader and sibling, parent and child. */
static void probe_group(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader, sibling;
	struct stage s;

	attr.inherit = 1;
	stage_open(&s, "s0" CHILD "s0");
	leader = must_open(&attr, s.pid, -1, -1);
	sibling = must_open(&attr, s.pid, -1, leader);
	stage_cue(&s, 0);
	stage_wait(&s, 1);
	stage_wait(&s, 0);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	stage_step(&s, 1);
	answer_value("inherit control: group enabled, leader", leader);
	answer_value("inherit control: group enabled, sibling", sibling);
	ioctl(sibling, PERF_EVENT_IOC_DISABLE, 0);
	stage_step(&s, 1);
	answer_value("inherit control: sibling disabled, leader", leader);
	answer_value("inherit control: sibling disabled, sibling", sibling);
	ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	answer_value("inherit control: group reset, leader", leader);
	answer_value("inherit control: group reset, sibling", sibling);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	stage_step(&s, 1);
	answer_value("inherit control: group disabled, leader", leader);
	stage_kill(&s);
}

/* While the child runs on another CPU. */
static void probe_running_child(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct counts a, b;
	struct stage s;
	int fd;

	attr.inherit = 1;
	attr.disabled = 0;
	go_to_cpu(0);
	stage_open(&s, "c1s0t{b}s0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	usleep(20000);
	a = must_read(fd);
	usleep(20000);
	b = must_read(fd);
	answer("inherit control: child runs elsewhere, goes on", "%s", yes(b.value > a.value));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	a = must_read(fd);
	usleep(20000);
	b = must_read(fd);
	answer("inherit control: child runs elsewhere, disabled", "%s",
	       a.value == b.value && a.enabled == b.enabled ? "stands still" : "goes on");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	usleep(20000);
	answer("inherit control: child runs elsewhere, enabled", "%s",
	       must_read(fd).value > b.value ? "goes on" : "stands still");
	answer_times("inherit control: child runs elsewhere, times", fd);
	stage_kill(&s);
	go_anywhere();
}

void theme_inherit_control(void)
{
	probe_switching();
	probe_state();
	probe_reset();
	probe_group();
	probe_running_child();
}
