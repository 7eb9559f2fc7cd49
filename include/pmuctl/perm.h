/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may measure what.
 */
#ifndef PMUCTL_PERM_H
#define PMUCTL_PERM_H

#include <pmuctl/msg.h>

/* The module parameter; README.md says what its values mean. */
extern int pmuctl_paranoid;

/* May the caller open @attr at all; on whole CPUs if @whole_cpu? EACCES. */
int pmuctl_perm_open(const struct perf_event_attr *attr, bool whole_cpu, struct pmuctl_msg *msg);

/*
 * May the caller measure @task? EACCES. To be asked under the task's exec_update_lock, so that the
 * answer still holds when the event is installed.
 */
int pmuctl_perm_task(struct task_struct *task, struct pmuctl_msg *msg);

/* May the caller see what everybody counts? EACCES. */
int pmuctl_perm_snapshot(void);

/* Find what the kernel does not export. Once, while the module loads. */
void pmuctl_perm_init(void);

#endif /* PMUCTL_PERM_H */
