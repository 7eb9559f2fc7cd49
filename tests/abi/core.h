/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two cores a probe can run on, behind one call. Apart from the open, everything a probe does
 * is what any perf client does.
 */
#ifndef ABI_CORE_H
#define ABI_CORE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

/* Choose "perf" (perf_event_open(2)) or "pmuctl" (/dev/pmuctl); false if there is no such core. */
bool core_choose(const char *name);

/* Open an event on the chosen core: its file, or -errno. */
int core_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);

/* pmuctl says why it refuses; in-tree perf does not. */
bool core_gives_reasons(void);

/* The reason the core gave for the last refusal; empty on in-tree perf. */
const char *core_reason(void);

/* pmuctl's device, for what only it can do; -1 on in-tree perf. */
int core_device(void);

/* Where the chosen core keeps who may measure. */
const char *core_paranoid_path(void);

#endif /* ABI_CORE_H */
