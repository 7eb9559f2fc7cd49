/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading small files below /sys and /proc. */
#ifndef PMUCTL_SYSFS_H
#define PMUCTL_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#include "cpulist.h"
#include "text.h"

/* Where /sys and /proc are: SYSFS_PATH and PROC_PATH in the environment, as with perf. */
const char *sysfs_root(void);
const char *proc_root(void);

/*
 * First line of the file, without its newline. The path is printf's below the root.
 * NULL if it cannot be read. The caller frees it.
 */
char *sysfs_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *proc_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The file as a number; @absent if it cannot be read or is none. */
int sysfs_int(int absent, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int proc_int(int absent, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Call @each with every name in a directory below /sys, in order of name. */
void sysfs_names(void (*each)(const char *name, void *arg), void *arg, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Name of the core PMU in sysfs ("cpu", "armv8_pmuv3_0", ...); NULL if there is none. */
char *sysfs_core_pmu(void);

/* CPUs that are online now. */
int sysfs_online_cpus(struct cpulist *list, struct why *why);

#endif
