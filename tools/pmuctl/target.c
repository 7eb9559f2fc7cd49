// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whom to count: a child, running tasks, or CPUs. Only finds them; opens no events.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpulist.h"
#include "sysfs.h"
#include "target.h"

/* Linux 6.9; older kernels refuse a thread that does not lead its process. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD	O_EXCL
#endif

static void add_spot(struct target *target, pid_t pid, int cpu)
{
	target->spot = xrealloc(target->spot, target->nr + 1, sizeof(*target->spot));
	target->spot[target->nr++] = (struct target_spot){ .pid = pid, .cpu = cpu };
}

static void add_task(struct target *target, pid_t tid)
{
	char *comm = proc_line("%d/comm", tid);

	add_spot(target, tid, -1);
	if (comm)
		snprintf(target->spot[target->nr - 1].comm, sizeof(target->spot[0].comm), "%s",
			 comm);
	free(comm);
}

static bool has_spot(const struct target *target, pid_t pid)
{
	for (size_t i = 0; i < target->nr; i++)
		if (target->spot[i].pid == pid)
			return true;
	return false;
}

static bool has_id(const struct target *target, pid_t id)
{
	for (size_t i = 0; i < target->nr_ids; i++)
		if (target->id[i] == id)
			return true;
	return false;
}

int target_set_ids(struct target *target, enum target_kind kind, const char *text,
		   struct why *why)
{
	char *copy = xstrdup(text), *rest = copy, *word;
	int err = 0;

	target->kind = kind;
	target->text = text;
	while (!err && (word = strsep(&rest, ","))) {
		uint64_t id;

		if (!text_number(word, 10, &id) || !id || id > INT32_MAX) {
			err = why_set(why, "'%s' is not a number of a process or thread", word);
		} else if (!has_id(target, (pid_t)id)) {
			target->id = xrealloc(target->id, target->nr_ids + 1, sizeof(*target->id));
			target->id[target->nr_ids++] = (pid_t)id;
		}
	}
	free(copy);
	return err;
}

int target_set_cpus(struct target *target, const char *text, struct why *why)
{
	struct cpulist online, wanted = { 0 };
	int err = 0;

	target->kind = text ? TARGET_CPU : TARGET_SYSTEM;
	target->text = text;
	if (text && cpulist_parse(&wanted, text, why))
		return -1;
	if (sysfs_online_cpus(&online, why)) {
		cpulist_free(&wanted);
		return -1;
	}
	if (!text) {
		for (size_t i = 0; i < online.nr; i++)
			add_spot(target, -1, online.cpu[i]);
	}
	for (size_t i = 0; i < wanted.nr && !err; i++) {
		add_spot(target, -1, wanted.cpu[i]);
		if (!cpulist_has(&online, wanted.cpu[i])) {
			char *list = cpulist_text(&online);

			err = why_set(why, "CPU %d is not online. Choose from %s", wanted.cpu[i],
				      list);
			free(list);
		}
	}
	cpulist_free(&online);
	cpulist_free(&wanted);
	return err;
}

void target_set_command(struct target *target, pid_t pid)
{
	target->kind = TARGET_COMMAND;
	target->nr = 0;
	add_spot(target, pid, -1);
}

bool target_is_tasks(const struct target *target)
{
	return target->kind <= TARGET_THREAD;
}

void target_forget_threads(struct target *target)
{
	if (target_is_tasks(target))
		target->nr = 0;
}

/* Append the threads of one process that are not known yet; -1 if there is no such process. */
static int add_threads(struct target *target, pid_t pid)
{
	char *path = text_format("%s/%d/task", proc_root(), pid);
	DIR *dir = opendir(path);
	struct dirent *entry;
	int added = 0;

	free(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid > 0 && !has_spot(target, tid)) {
			add_task(target, tid);
			added++;
		}
	}
	closedir(dir);
	return added;
}

static int add_thread(struct target *target, pid_t tid)
{
	if (has_spot(target, tid))
		return 0;
	add_task(target, tid);
	return 1;
}

int target_find_threads(struct target *target, struct why *why)
{
	int added = 0;

	for (size_t i = 0; i < target->nr_ids; i++) {
		int nr;

		if (target->kind == TARGET_PROCESS)
			nr = add_threads(target, target->id[i]);
		else
			nr = add_thread(target, target->id[i]);
		if (nr < 0)
			return why_set(why, "there is no process %d. See 'ps -e'", target->id[i]);
		added += nr;
	}
	return added;
}

static int open_pidfd(pid_t pid, enum target_kind kind)
{
	unsigned int flags = kind == TARGET_THREAD ? PIDFD_THREAD : 0;
	int fd = (int)syscall(SYS_pidfd_open, pid, flags);

	if (fd < 0 && errno == EINVAL && flags)
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd;
}

int target_watch(const struct target *target, int **fds, struct why *why)
{
	*fds = xcalloc(target->nr_ids, sizeof(**fds));
	for (size_t i = 0; i < target->nr_ids; i++) {
		int fd = open_pidfd(target->id[i], target->kind);

		(*fds)[i] = fd;
		if (fd < 0 && errno == ESRCH)
			return why_set(why, "there is no %s %d. See 'ps -eL'",
				       target->kind == TARGET_THREAD ? "thread" : "process",
				       target->id[i]);
	}
	return 0;
}

bool target_runs(const struct target *target, size_t i)
{
	char *path = text_format("%s/%d", proc_root(), target->id[i]);
	bool runs = !access(path, F_OK);

	free(path);
	return runs;
}

void target_free(struct target *target)
{
	free(target->id);
	free(target->spot);
	*target = (struct target){ 0 };
}
