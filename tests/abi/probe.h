/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the themes of the probe share. A theme is a file probe_*.c with one function that prints
 * answers; each runs in a process of its own, so whatever it leaves open or changed about itself
 * ends with it.
 *
 * An answer must be the same each time it is asked: names of errors, exact counts of known code,
 * relations between times; never a time, an address or a number of the moment.
 */
#ifndef ABI_PROBE_H
#define ABI_PROBE_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core.h"
#include "loop.h"

#define ROUNDS	1000000UL
#define TIMES	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

typedef uint64_t u64;

/* What read(2) gives with read_format TIMES. */
struct counts {
	u64 value, enabled, running;
};

/* ---- answers ---- */

/* One line, "NAME: TEXT". @text has no ": " in it, as the last one of a line ends the name. */
__attribute__((format(printf, 2, 3)))
void answer(const char *name, const char *text, ...);

/* The answer is ok or the name of an error; @ret is negative for an error. */
void answer_error(const char *name, long ret);

/* The same for the result of a system call. */
void answer_errno(const char *name, long ret);

/* The same for an open. The file is closed. On pmuctl a refusal must have had a reason. */
void answer_open(const char *name, int fd);

/* The answer is the count, to the last digit. */
void answer_value(const char *name, int fd);

/* The answer is how the times of the event relate. */
void answer_times(const char *name, int fd);

const char *error_name(long ret);
const char *times_of(const struct counts *c);
const char *yes(bool it_is);

/* ---- events ---- */

/* Disabled, user space only, with TIMES. */
struct perf_event_attr counting(u64 config);
struct perf_event_attr raw(u64 config);
struct perf_event_attr software(u64 config);

/* Encodings of NR_RAW different events, so many that the counters of no processor are enough. */
#define NR_RAW 16
extern const u64 raw_configs[NR_RAW];

/* Open, or end the theme. */
int must_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);

/* Read an event with read_format TIMES, or end the theme. */
struct counts must_read(int fd);

/*
 * Keep in-tree perf from swapping the contexts of @pid and its children to come when one switches to
 * the other. Sums do not show it, but which of the two an inherited event belongs to afterwards
 * does, and whether they meet is up to the scheduler.
 */
void keep_apart(pid_t pid);

/* So many events for general-purpose counters the chosen core takes into one group. */
int counters(void);

/* ---- the calling task ---- */

void go_to_cpu(int cpu);
void go_anywhere(void);

/* Loop until the task has been on a CPU for @ms more milliseconds. */
void burn(long ms);

/* ---- the machine ---- */

bool cpu_set_online(int cpu, bool online);

/* Make a cgroup below @parent, or below the root if that is NULL: the file of its directory. */
int cgroup_make(const char *parent, const char *name);
void cgroup_move(const char *path, pid_t pid);
void cgroup_kill(const char *path);
void cgroup_remove(const char *path);

/* ---- themes ---- */

void theme_attr(void);
void theme_size(void);
void theme_open(void);
void theme_permission(void);
void theme_group(void);
void theme_count(void);
void theme_read(void);
void theme_ioctl(void);
void theme_file(void);
void theme_attach(void);
void theme_inherit(void);
void theme_inherit_control(void);
void theme_inherit_group(void);
void theme_exec(void);
void theme_exit(void);
void theme_multiplex(void);
void theme_pinned(void);
void theme_exclusive(void);
void theme_software(void);
void theme_mixed(void);
void theme_cgroup(void);
void theme_cpu(void);
void theme_hotplug(void);

#endif /* ABI_PROBE_H */
