// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events and exec: switched on by it, removed by it, and taken away by the exec of a program that
 * its caller may not trace (SW-08, REG-07, REG-43).
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

/* At each point of channel 0, and at the end, the count. */
static const struct {
	const char *what;
	const char *script;
	int steps;
	struct perf_event_attr change;
	bool enabled;
} cases[] = {
	{ "counted across", "s0lxls0", 1, {}, true },
	{ "enable_on_exec", "s0lxls0", 1, { .enable_on_exec = 1 }, false },
	{ "enable_on_exec, enabled already", "s0lxls0", 1, { .enable_on_exec = 1 }, true },
	{ "not enabled, not on exec", "s0lxls0", 1, {}, false },
	{ "enable_on_exec, exec fails", "s0els0lxls0", 2, { .enable_on_exec = 1 }, false },
	{ "enable_on_exec, exec in a child", "s0f{xl}wls0", 1,
	  { .enable_on_exec = 1, .inherit = 1 }, false },
	{ "enable_on_exec, exec in a child, then here", "s0f{xl}wls0xls0", 2,
	  { .enable_on_exec = 1, .inherit = 1 }, false },
	{ "enable_on_exec, fork after it", "s0xlf{l}wls0", 1,
	  { .enable_on_exec = 1, .inherit = 1 }, false },
	{ "remove_on_exec", "s0ls0xls0", 2, { .remove_on_exec = 1 }, true },
	{ "remove_on_exec, exec fails", "s0els0xls0", 2, { .remove_on_exec = 1 }, true },
	{ "by a set-uid program of others", "s0uxls0Sls0", 2, {}, true },
	{ "enable_on_exec by a set-uid program", "s0uxls0Sls0", 2, { .enable_on_exec = 1 }, false },
	{ "set-uid program, already that user", "s0lSls0", 1, {}, true },
	{ "by an unreadable program", "s0uxls0Uls0", 2, {}, true },
	{ "by an unreadable program, as root", "s0lUls0", 1, {}, true },
	{ "change of user without exec", "s0luls0", 1, {}, true },
};

static void probe_case(size_t nr)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	char name[120];
	struct stage s;
	size_t byte;
	int fd, i;

	for (byte = 0; byte < sizeof(attr); byte++)
		((char *)&attr)[byte] |= ((const char *)&cases[nr].change)[byte];
	attr.disabled = !cases[nr].enabled;
	stage_open(&s, cases[nr].script);
	fd = must_open(&attr, s.pid, -1, -1);
	for (i = 0; i < cases[nr].steps; i++) {
		stage_step(&s, 0);
		snprintf(name, sizeof(name), "exec: %s%s", cases[nr].what, i ? ", second" : "");
		answer_value(name, fd);
	}
	stage_cue(&s, 0);
	stage_close(&s);
	snprintf(name, sizeof(name), "exec: %s, at the end", cases[nr].what);
	answer_value(name, fd);
	snprintf(name, sizeof(name), "exec: %s, times", cases[nr].what);
	answer_times(name, fd);
}

/* enable_on_exec works once: what is disabled after it stays so. */
static void probe_once(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct stage s;
	int fd;

	attr.enable_on_exec = 1;
	stage_open(&s, "s0xls0xls0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer_value("exec: enable_on_exec, disabled after it", fd);
	stage_step(&s, 0);
	answer_value("exec: enable_on_exec, second exec", fd);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* What can still be done with an event that exec removed. */
static void probe_removed(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct pollfd poller = { .events = POLLIN };
	struct stage s;
	int fd;

	attr.remove_on_exec = 1;
	attr.disabled = 0;
	stage_open(&s, "s0ls0xls0ls0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	stage_step(&s, 0);
	answer_value("exec: removed, read", fd);
	answer_errno("exec: removed, enable", ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	stage_step(&s, 0);
	answer_value("exec: removed, enabled, went on", fd);
	answer_errno("exec: removed, reset", ioctl(fd, PERF_EVENT_IOC_RESET, 0));
	answer_value("exec: removed, reset, read", fd);
	attr.remove_on_exec = 0;
	answer_open("exec: removed, as leader", core_open(&attr, s.pid, -1, fd, 0));
	answer_open("exec: removed, another opens", core_open(&attr, s.pid, -1, -1, 0));
	poller.fd = fd;
	poll(&poller, 1, 0);
	answer("exec: removed, poll", "%x", poller.revents);
	stage_cue(&s, 0);
	stage_close(&s);
}

#define MEMBERS 3

/* Groups of which exec removes a part; a letter a member: r removed, k kept (REG-07, REG-43). */
static void probe_group(const char *members)
{
	struct stage s;
	int fds[MEMBERS], i;
	char name[120];

	stage_open(&s, "s0ls0xls0ls0");
	for (i = 0; i < MEMBERS; i++) {
		struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

		attr.disabled = 0;
		attr.remove_on_exec = members[i] == 'r';
		fds[i] = must_open(&attr, s.pid, -1, i ? fds[0] : -1);
	}
	stage_step(&s, 0);
	stage_step(&s, 0);
	for (i = 0; i < MEMBERS; i++) {
		snprintf(name, sizeof(name), "exec: group %s, member %d (REG-07)", members, i);
		answer_value(name, fds[i]);
	}
	/* Are the kept ones still one group? */
	ioctl(fds[1], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	stage_step(&s, 0);
	for (i = 0; i < MEMBERS; i++) {
		snprintf(name, sizeof(name), "exec: group %s, disabled by 1, member %d (REG-43)",
			 members, i);
		answer_value(name, fds[i]);
	}
	for (i = 0; i < MEMBERS; i++)
		close(fds[i]);
	stage_kill(&s);
}

/* exec by a thread other than the first: it becomes the process, all others end. */
static void probe_thread(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int of_leader, of_thread;
	struct stage s;

	attr.disabled = 0;
	stage_open(&s, "s0t{s1lxls1}ls0");
	of_leader = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	of_thread = must_open(&attr, stage_wait(&s, 1), -1, -1);
	stage_wait(&s, 0);
	answer("exec: by a thread, has the process's number", "%s", yes(stage_step(&s, 1) == s.pid));
	answer_value("exec: by a thread, the thread's event", of_thread);
	answer_value("exec: by a thread, the first thread's event", of_leader);
	answer_open("exec: by a thread, another opens", core_open(&attr, s.pid, -1, -1, 0));
	stage_cue(&s, 1);
	stage_close(&s);
	answer_value("exec: by a thread, at the end", of_thread);
}

void theme_exec(void)
{
	static const char *const groups[] = { "rrr", "rkk", "krk", "kkr", "rrk", "krr", "kkk" };
	size_t i;

	for (i = 0; i < LENGTH(cases); i++)
		probe_case(i);
	probe_once();
	probe_removed();
	for (i = 0; i < LENGTH(groups); i++)
		probe_group(groups[i]);
	probe_thread();
}
