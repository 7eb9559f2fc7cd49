/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom to count: a child, running tasks, or CPUs. */
#ifndef PMUCTL_TARGET_H
#define PMUCTL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text.h"

enum target_kind {
	TARGET_COMMAND,
	TARGET_PROCESS,
	TARGET_THREAD,
	TARGET_CPU,
	TARGET_SYSTEM,
};

/* One place where every event is opened. */
struct target_spot {
	pid_t pid;	/* -1: all tasks of @cpu */
	int cpu;	/* -1: wherever the task runs */
	char comm[16];	/* of the task when it was found; "" if nobody needs it */
};

/* All places; @text is what the user gave, for the report. */
struct target {
	enum target_kind kind;
	const char *text;
	size_t nr_ids;
	pid_t *id;		/* TARGET_PROCESS, TARGET_THREAD: as given */
	size_t nr;
	struct target_spot *spot;
};

/* -p PID[,PID] or -t TID[,TID]. Returns -1 with the reason in @why. */
int target_set_ids(struct target *target, enum target_kind kind, const char *text,
		   struct why *why);

/* -C CPUS; NULL for -a, which is every CPU that is online. */
int target_set_cpus(struct target *target, const char *text, struct why *why);

/* The measured command; takes the place of one before it. */
void target_set_command(struct target *target, pid_t pid);

/* Forget the threads found: before a new measurement finds them anew. CPUs stay. */
void target_forget_threads(struct target *target);

/* Whether it is tasks that are counted, not whole CPUs. */
bool target_is_tasks(const struct target *target);

/*
 * Find the threads of the given processes and make a spot of each. May be called again after
 * opening on those: returns how many new ones it appended, or -1 with the reason.
 */
int target_find_threads(struct target *target, struct why *why);

/*
 * Files that become readable when a given task ends: *@fds, one for each id, -1 where the kernel
 * cannot (threads, before 6.9). Returns -1 with the reason. The caller frees the array.
 */
int target_watch(const struct target *target, int **fds, struct why *why);

/* Whether the i-th id given still runs: for those that cannot be watched. */
bool target_runs(const struct target *target, size_t i);

void target_free(struct target *target);

#endif
