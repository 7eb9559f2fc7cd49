// SPDX-License-Identifier: GPL-2.0-only
/* Where a task runs, which CPUs there are, which cgroups: what the probe changes in its guest. */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

#define CGROUPS "/sys/fs/cgroup"

static void fail(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

void go_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

void go_anywhere(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

static long time_on_cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void burn(long ms)
{
	long end = time_on_cpu_ms() + ms;

	while (time_on_cpu_ms() < end)
		loop(10000);
}

bool cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_text(path, online ? "1" : "0");
}

/*
 * In-tree perf cannot see cgroups below the root before the root's controllers were changed once,
 * which init programs do and a bare guest's does not: their perf_event state is made by that.
 */
static void wake_cgroups(void)
{
	static bool awake;

	if (!awake && !write_text(CGROUPS "/cgroup.subtree_control", "+pids"))
		fail(CGROUPS "/cgroup.subtree_control");
	awake = true;
}

int cgroup_make(const char *parent, const char *name)
{
	char path[PATH_MAX];
	int fd;

	wake_cgroups();
	snprintf(path, sizeof(path), CGROUPS "/%s%s%s", parent ?: "", parent ? "/" : "", name);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail(path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fail(path);
	return fd;
}

/* @path: as in cgroup_remove(), "" for the root. */
void cgroup_move(const char *path, pid_t pid)
{
	char procs[PATH_MAX], text[16];

	snprintf(procs, sizeof(procs), CGROUPS "/%s/cgroup.procs", path);
	snprintf(text, sizeof(text), "%d", pid);
	if (!write_text(procs, text))
		fail(procs);
}

void cgroup_kill(const char *path)
{
	char file[PATH_MAX];

	snprintf(file, sizeof(file), CGROUPS "/%s/cgroup.kill", path);
	if (!write_text(file, "1"))
		fail(file);
}

/* A cgroup stays busy for a moment after its last task has ended. */
void cgroup_remove(const char *path)
{
	char full[PATH_MAX];
	int tries;

	snprintf(full, sizeof(full), CGROUPS "/%s", path);
	for (tries = 0; rmdir(full); tries++) {
		if (tries > 1000)
			fail(full);
		usleep(1000);
	}
}
