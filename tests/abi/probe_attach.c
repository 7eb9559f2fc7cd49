// SPDX-License-Identifier: GPL-2.0-only
/* Events of other tasks: what is counted of a puppet from one point of its script to another. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static struct perf_event_attr enabled(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = 0;
	return attr;
}

static void probe_stretches(void)
{
	struct perf_event_attr attr = enabled();
	struct stage s;
	int fd;

	stage_open(&s, "s0ls0ls0ls0");
	fd = must_open(&attr, s.pid, -1, -1);
	answer_value("attach: asleep", fd);
	answer_times("attach: asleep, times", fd);
	stage_step(&s, 0);
	answer_value("attach: one stretch", fd);
	answer_times("attach: one stretch, times", fd);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	stage_step(&s, 0);
	answer_value("attach: one stretch, one disabled", fd);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	stage_step(&s, 0);
	answer_value("attach: disabled stretch between two", fd);
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_value("attach: reset, then exit", fd);
}

/* While it runs on another CPU. */
static void probe_remote(void)
{
	struct perf_event_attr attr = enabled();
	struct counts before, after;
	struct stage s;
	int fd, i;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	before = must_read(fd);
	for (i = 0; i < 20; i++) {
		usleep(10000);
		after = must_read(fd);
		if (after.value < before.value || after.enabled < before.enabled)
			answer("attach: running elsewhere", "went back");
	}
	answer("attach: running elsewhere, goes on", "%s", yes(after.value > before.value));
	answer_times("attach: running elsewhere, times", fd);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	before = must_read(fd);
	usleep(20000);
	after = must_read(fd);
	answer("attach: disabled from elsewhere", "%s",
	       before.value == after.value && before.enabled == after.enabled ? "stands still" :
	       "goes on");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	usleep(20000);
	answer("attach: enabled from elsewhere", "%s",
	       must_read(fd).value > after.value ? "goes on" : "stands still");
	stage_kill(&s);
	answer("attach: killed, can be read", "%s", yes(must_read(fd).value > after.value));
	go_anywhere();
}

/* A thread is a task of its own: its events count it and no other. */
static void probe_threads(void)
{
	struct perf_event_attr attr = enabled();
	int of_leader, of_thread;
	struct stage s;
	pid_t thread;

	stage_open(&s, "s0t{s1ls1}ls0s0");
	of_leader = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	thread = stage_wait(&s, 1);
	stage_wait(&s, 0);
	of_thread = must_open(&attr, thread, -1, -1);
	stage_step(&s, 1);
	answer_value("attach: thread", of_thread);
	answer_value("attach: first thread", of_leader);
	stage_cue(&s, 1);
	stage_wait_gone(thread);
	answer_value("attach: thread that is gone", of_thread);
	stage_step(&s, 0);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_value("attach: first thread that is gone", of_leader);
}

/* The whole of a task is the sum of what it did on each CPU. */
static void probe_bound(void)
{
	struct perf_event_attr attr = enabled();
	int whole, parts[2];
	struct counts w, p[2];
	struct stage s;

	stage_open(&s, "c0s0lc1llc0lc1lc0s0");
	whole = must_open(&attr, s.pid, -1, -1);
	parts[0] = must_open(&attr, s.pid, 0, -1);
	parts[1] = must_open(&attr, s.pid, 1, -1);
	stage_step(&s, 0);
	answer_value("attach: moving task", whole);
	answer_value("attach: moving task, its part on cpu 0", parts[0]);
	answer_value("attach: moving task, its part on cpu 1", parts[1]);
	w = must_read(whole);
	p[0] = must_read(parts[0]);
	p[1] = must_read(parts[1]);
	answer("attach: parts make the whole", "%s", yes(p[0].value + p[1].value == w.value));
	answer("attach: times of whole and parts", "%s, %s, %s", times_of(&w), times_of(&p[0]),
	       times_of(&p[1]));
	answer("attach: a part is enabled all the time", "%s",
	       yes(p[0].enabled == w.enabled && p[1].enabled == w.enabled));
	answer("attach: parts run as long as the whole", "%s",
	       yes(p[0].running + p[1].running == w.running));
	stage_cue(&s, 0);
	stage_close(&s);
}

void theme_attach(void)
{
	probe_stretches();
	probe_remote();
	probe_threads();
	probe_bound();
}
