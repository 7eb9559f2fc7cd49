/* SPDX-License-Identifier: GPL-2.0-only */
/* The measured command: started, held, let go, waited for. */
#ifndef PMUCTL_WORKLOAD_H
#define PMUCTL_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Exit statuses of a command that could not be run, as in sh(1). */
#define WORKLOAD_NOT_EXECUTABLE	126
#define WORKLOAD_NOT_FOUND	127

/* One child. Events are opened on @pid between workload_start() and workload_go(). */
struct workload {
	pid_t pid;
	int pidfd;		/* readable once the child is dead */
	int go_fd;		/* a byte here lets the child go on */
	int failed_fd;		/* errno of a failed exec arrives here */
	int status;		/* of wait(2), after workload_reap() */
	struct rusage usage;
};

/* What pmuctl changes of itself and the command must not inherit. */
struct workload_ways {
	sigset_t signals;	/* blocked ones */
	struct rlimit files;
};

/* Remember them: before changing any. */
void workload_remember(struct workload_ways *ways);

/* Fork a child that waits before it becomes @argv. Returns 0 or -errno. */
int workload_start(struct workload *work, char *const argv[], const struct workload_ways *ways);

/* Let the child exec. Returns 0, or -errno of the exec; the child is then gone. */
int workload_go(struct workload *work);

/* Take the status and usage of a child that is dead or about to be. */
void workload_reap(struct workload *work);

/* Give up a child that is still held. */
void workload_cancel(struct workload *work);

/* The child's exit status as a shell reports it: 128 + signal for a death by signal. */
int workload_exit_status(const struct workload *work);

#endif
