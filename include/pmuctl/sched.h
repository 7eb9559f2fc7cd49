/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the scheduler and the life of tasks enter the core.
 */
#ifndef PMUCTL_SCHED_H
#define PMUCTL_SCHED_H

#include <pmuctl/plat.h>

/* This CPU goes over from @prev to @next. Under the run-queue lock, interrupts off: no wake-up, no sleep. */
void pmuctl_sched_switch(const struct task_struct *prev, struct task_struct *next);

/*
 * The running task executes a new program: enable what waits for that and end what is not to
 * survive it; or, if the program runs with rights its starter does not have (@secure), detach
 * every event. Interrupts on.
 */
void pmuctl_sched_exec(struct task_struct *task, bool secure);

/* The running task exits: its events keep their counts and count no more. Interrupts on. */
void pmuctl_sched_exit(struct task_struct *task);

#endif /* PMUCTL_SCHED_H */
