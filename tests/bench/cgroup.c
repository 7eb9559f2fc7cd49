// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switches between two cgroups (v2), each with its events on the CPU.
 */
#include "bench.h"
#include "events.h"
#include "fail.h"
#include "pair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CGROUPS 2

static const char *const dirs[CGROUPS] = {
	"/sys/fs/cgroup/pmuctl-bench-0",
	"/sys/fs/cgroup/pmuctl-bench-1",
};

static void write_text(const char *dir, const char *file, const char *text)
{
	char path[64];
	ssize_t length = strlen(text);
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	must(fd >= 0, path);
	must(write(fd, text, length) == length, path);
	close(fd);
}

/*
 * perf_event needs no enabling in cgroups (v2), but a cgroup made before its parent has had any
 * controller enabled does not get it. Distros have; pids costs a switch nothing.
 */
static void enable_controllers(void)
{
	write_text("/sys/fs/cgroup", "cgroup.subtree_control", "+pids");
}

/* Make the cgroup and put the task there: its open directory. */
static int enter(const char *dir, pid_t pid)
{
	char text[16];
	int fd;

	must(!mkdir(dir, 0755) || errno == EEXIST, dir);
	snprintf(text, sizeof(text), "%d", pid);
	write_text(dir, "cgroup.procs", text);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	must(fd >= 0, dir);
	return fd;
}

static int open_on(struct events *events, int cgroup, int nr)
{
	struct target target = { .pid = cgroup, .flags = PERF_FLAG_PID_CGROUP };

	return events_open(events, &target, nr);
}

static void leave(const char *dir, int cgroup)
{
	close(cgroup);
	must(!rmdir(dir), dir);
}

int switch_cgroups(int nr, struct outcome *outcome)
{
	struct events events[CGROUPS] = {};
	int i, err = 0, cgroups[CGROUPS];
	struct cost without;
	struct pair pair;

	enable_controllers();
	pair_start(&pair);
	for (i = 0; i < CGROUPS; i++)
		cgroups[i] = enter(dirs[i], pair.pid[i]);
	without = pair_measure(&pair);
	for (i = 0; i < CGROUPS && !err; i++)
		err = open_on(&events[i], cgroups[i], nr);
	if (!err)
		outcome->cost = meter_added(pair_measure(&pair), without);
	for (i = 0; i < CGROUPS; i++) {
		err = err ?: events_check(&events[i], PAIR_INSTRUCTIONS);
		events_close(&events[i]);
	}
	pair_end(&pair);
	for (i = 0; i < CGROUPS; i++)
		leave(dirs[i], cgroups[i]);
	return err;
}
