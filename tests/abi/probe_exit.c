// SPDX-License-Identifier: GPL-2.0-only
/* Events whose task has ended (FD-15, FD-16, SW-09, REG-28). */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static struct perf_event_attr enabled(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = 0;
	return attr;
}

static void answer_poll(const char *name, int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	int ready = poll(&poller, 1, 0);

	answer(name, "%d ready, events %x", ready, poller.revents);
}

static void probe_calls(const char *when, int fd)
{
	static const struct {
		const char *what;
		unsigned long cmd;
	} calls[] = {
		{ "enable", PERF_EVENT_IOC_ENABLE },
		{ "disable", PERF_EVENT_IOC_DISABLE },
		{ "reset", PERF_EVENT_IOC_RESET },
		{ "refresh", PERF_EVENT_IOC_REFRESH },
	};
	char name[80];
	size_t i;

	for (i = 0; i < LENGTH(calls); i++) {
		snprintf(name, sizeof(name), "exit: %s, %s", when, calls[i].what);
		answer_errno(name, ioctl(fd, calls[i].cmd, 0));
	}
}

static void probe_exited(void)
{
	struct perf_event_attr attr = enabled();
	struct stage s;
	int fd, sibling, off;

	stage_open(&s, "s0l");
	fd = must_open(&attr, s.pid, -1, -1);
	sibling = must_open(&attr, s.pid, -1, fd);
	attr.disabled = 1;
	off = must_open(&attr, s.pid, -1, -1);
	answer_poll("exit: task lives, poll", fd);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_value("exit: read (FD-16)", fd);
	answer_times("exit: times", fd);
	answer_value("exit: sibling", sibling);
	answer_value("exit: never enabled", off);
	answer_times("exit: never enabled, times", off);
	answer_poll("exit: poll (FD-15)", fd);
	probe_calls("exited", fd);
	answer_value("exit: after reset", fd);
	answer_open("exit: join its group (OPEN-09)", core_open(&attr, 0, -1, fd, 0));
	answer_open("exit: output to it", core_open(&attr, 0, -1, fd, PERF_FLAG_FD_OUTPUT));
	close(fd);
	answer_value("exit: sibling after its leader closed", sibling);
}

static void probe_group_read(void)
{
	struct perf_event_attr attr = enabled();
	u64 values[8] = {};
	struct stage s;
	ssize_t size;
	int fd;

	attr.read_format |= PERF_FORMAT_GROUP;
	stage_open(&s, "s0l");
	fd = must_open(&attr, s.pid, -1, -1);
	must_open(&attr, s.pid, -1, fd);
	stage_cue(&s, 0);
	stage_close(&s);
	size = read(fd, values, sizeof(values));
	answer("exit: group read (FD-16)", "%zd bytes, nr %llu, %llu %llu", size,
	       (unsigned long long)values[0], (unsigned long long)values[3],
	       (unsigned long long)values[4]);
}

/* Ended, but not waited for: the task's number still exists. */
static void probe_zombie(void)
{
	struct perf_event_attr attr = enabled();
	int fd, sync[2];
	pid_t pid;
	char byte;

	if (pipe(sync))
		return;
	pid = fork();
	if (!pid) {
		close(sync[1]);
		_exit(read(sync[0], &byte, 1) ? 1 : 0);
	}
	close(sync[0]);
	fd = must_open(&attr, pid, -1, -1);
	close(sync[1]);
	stage_wait_gone(pid);
	answer("exit: zombie, counted something", "%s", yes(must_read(fd).value > 0));
	answer_poll("exit: zombie, poll", fd);
	answer_open("exit: zombie, open (OPEN-23)", core_open(&attr, pid, -1, -1, 0));
	waitpid(pid, NULL, 0);
}

/* The first thread exits; the process lives on in another. */
static void probe_first_thread(void)
{
	struct perf_event_attr attr = enabled();
	struct stage s;
	pid_t thread;
	int fd;

	stage_open(&s, "s0t{s1ls1}l");
	/* The puppet ends with exit_group; it is killed by a thread's signal otherwise. */
	fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	thread = s.pid;
	stage_wait_gone(thread);
	answer_value("exit: process ended while a thread slept", fd);
	answer_poll("exit: process ended while a thread slept, poll", fd);
	stage_close(&s);
}

static void probe_killed(void)
{
	struct perf_event_attr attr = enabled();
	struct counts a, b;
	struct stage s;
	int fd;

	stage_open(&s, "s0b");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	usleep(20000);
	stage_kill(&s);
	a = must_read(fd);
	b = must_read(fd);
	answer("exit: killed while it ran", "%s, %s, times %s", yes(a.value > 0),
	       a.value == b.value && a.enabled == b.enabled ? "stands still" : "goes on",
	       times_of(&a));
}

/* Its own event, after the opener has exited: the file went with it, nothing remains. */
static void probe_own(void)
{
	struct perf_event_attr attr = enabled();
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		must_open(&attr, 0, -1, -1);
		must_open(&attr, getppid(), -1, -1);
		loop(ROUNDS);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	answer("exit: opener exits with events of itself and of others", "%s", yes(!status));
}

/* poll() that waits when the task exits is woken. */
static void probe_waiting_poll(void)
{
	struct perf_event_attr attr = enabled();
	struct pollfd poller = { .events = POLLIN };
	struct stage s;

	stage_open(&s, "s0nn");
	poller.fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	answer("exit: poll that waits is woken", "%s", yes(poll(&poller, 1, 20000) == 1));
	stage_close(&s);
}

void theme_exit(void)
{
	probe_exited();
	probe_group_read();
	probe_zombie();
	probe_first_thread();
	probe_killed();
	probe_own();
	probe_waiting_poll();
}
