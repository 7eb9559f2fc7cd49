// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which tasks, CPUs, groups and flags an open takes (OPEN-07 to OPEN-14, OPEN-24, OPEN-31).
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static int open_at(pid_t pid, int cpu, int group, unsigned long flags)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	return core_open(&attr, pid, cpu, group, flags);
}

static void probe_places(void)
{
	static const struct {
		const char *what;
		pid_t pid;
		int cpu;
		int group;
		unsigned long flags;
	} places[] = {
		{ "open: plain", 0, -1, -1, 0 },
		{ "open: task bound to cpu 0", 0, 0, -1, 0 },
		{ "open: task bound to cpu 1", 0, 1, -1, 0 },
		{ "open: cpu 0", -1, 0, -1, 0 },
		{ "open: cpu 1", -1, 1, -1, 0 },
		{ "open: cpu 2", -1, 2, -1, 0 },
		{ "open: cpu 100000", -1, 100000, -1, 0 },
		{ "open: cpu INT_MAX", -1, INT_MAX, -1, 0 },
		{ "open: cpu -2", -1, -2, -1, 0 },
		{ "open: pid -1 cpu -1", -1, -1, -1, 0 },
		{ "open: task bound to cpu 2", 0, 2, -1, 0 },
		{ "open: task bound to cpu 100000", 0, 100000, -1, 0 },
		{ "open: task bound to cpu -2", 0, -2, -1, 0 },
		{ "open: task bound to cpu INT_MIN", 0, INT_MIN, -1, 0 },
		{ "open: pid -2", -2, -1, -1, 0 },
		{ "open: pid -2 cpu 0", -2, 0, -1, 0 },
		{ "open: pid INT_MIN", INT_MIN, -1, -1, 0 },
		{ "open: pid 4000000", 4000000, -1, -1, 0 },
		{ "open: pid INT_MAX", INT_MAX, -1, -1, 0 },
		{ "open: kernel thread", 2, -1, -1, 0 },
		{ "open: init", 1, -1, -1, 0 },
		{ "open: group -2", 0, -1, -2, 0 },
		{ "open: group 4321", 0, -1, 4321, 0 },
		{ "open: group INT_MAX", 0, -1, INT_MAX, 0 },
		{ "open: group -2, no_group", 0, -1, -2, PERF_FLAG_FD_NO_GROUP },
		{ "open: group 4321, no_group", 0, -1, 4321, PERF_FLAG_FD_NO_GROUP },
		{ "open: flag no_group", 0, -1, -1, PERF_FLAG_FD_NO_GROUP },
		{ "open: flag output", 0, -1, -1, PERF_FLAG_FD_OUTPUT },
		{ "open: flags output and no_group", 0, -1, -1,
		  PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP },
		{ "open: flag cloexec", 0, -1, -1, PERF_FLAG_FD_CLOEXEC },
		{ "open: flag 4", 0, -1, -1, 1UL << 4 },
		{ "open: flag 20", 0, -1, -1, 1UL << 20 },
		{ "open: flag 31", 0, -1, -1, 1UL << 31 },
		{ "open: flag 32", 0, -1, -1, 1UL << 32 },
		{ "open: flag 63", 0, -1, -1, 1UL << 63 },
	};
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	size_t i;

	for (i = 0; i < LENGTH(places); i++)
		answer_open(places[i].what, open_at(places[i].pid, places[i].cpu, places[i].group,
						    places[i].flags));
	attr.sigtrap = attr.remove_on_exec = 1;
	answer_open("open: sigtrap without a task", core_open(&attr, -1, 0, -1, 0));
}

/* A group_fd that is a file, and no event. */
static void probe_group_files(void)
{
	int fds[2] = { -1, -1 };

	answer_open("open: group is /dev/null", open_at(0, -1, open("/dev/null", O_RDWR), 0));
	answer_open("open: group is a directory", open_at(0, -1, open("/", O_RDONLY), 0));
	answer_open("open: group is an eventfd", open_at(0, -1, eventfd(0, 0), 0));
	answer_open("open: group is an epoll", open_at(0, -1, epoll_create1(0), 0));
	if (!pipe(fds))
		answer_open("open: group is a pipe", open_at(0, -1, fds[0], 0));
	answer_open("open: group is a path", open_at(0, -1, open("/", O_PATH), 0));
}

static void probe_tasks(void)
{
	struct stage s;
	pid_t thread, zombie;

	stage_open(&s, "s0t{s1}s0");
	answer_open("open: child", open_at(s.pid, -1, -1, 0));
	answer_open("open: child bound to cpu 1", open_at(s.pid, 1, -1, 0));
	stage_cue(&s, 0);
	thread = stage_wait(&s, 1);
	stage_wait(&s, 0);
	answer_open("open: thread", open_at(thread, -1, -1, 0));
	stage_cue(&s, 1);
	stage_wait_gone(thread);
	answer_open("open: thread that is gone", open_at(thread, -1, -1, 0));
	stage_cue(&s, 0);
	stage_close(&s);
	answer_open("open: process that is gone", open_at(s.pid, -1, -1, 0));

	zombie = fork();
	if (!zombie)
		_exit(0);
	stage_wait_gone(zombie);
	answer_open("open: zombie (OPEN-23)", open_at(zombie, -1, -1, 0));
	waitpid(zombie, NULL, 0);
}

static void probe_new_file(void)
{
	struct rlimit limit, none = {};
	int fd = open_at(0, -1, -1, 0);

	answer("open: file closes on exec", "%s", yes(fcntl(fd, F_GETFD) & FD_CLOEXEC));
	answer("open: file's mode", "%s",
	       (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR ? "read and write" : "other");
	close(fd);
	fd = open_at(0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	answer("open: with cloexec, file closes on exec", "%s", yes(fcntl(fd, F_GETFD) & FD_CLOEXEC));
	answer("open: lowest free number", "%s", yes(fd == open_at(0, -1, -1, 0) - 1));
	close(fd);
	getrlimit(RLIMIT_NOFILE, &limit);
	none.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	answer_open("open: no more files (OPEN-31)", open_at(0, -1, -1, 0));
	setrlimit(RLIMIT_NOFILE, &limit);
}

void theme_open(void)
{
	probe_places();
	probe_group_files();
	probe_tasks();
	probe_new_file();
}
