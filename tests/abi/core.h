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

/* The reason the core gave for the last refusal; empty on in-tree perf, which gives none. */
const char *core_reason(void);

#endif /* ABI_CORE_H */
