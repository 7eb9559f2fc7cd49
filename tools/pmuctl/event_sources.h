/* SPDX-License-Identifier: GPL-2.0-only */
/* Where event names come from; events.c asks each in turn, cmd_list.c shows them all. */
#ifndef PMUCTL_EVENT_SOURCES_H
#define PMUCTL_EVENT_SOURCES_H

#include <linux/perf_event.h>

#include "text.h"

enum source_answer {
	SOURCE_BAD = -1,	/* the name is this source's, but wrong: see why */
	SOURCE_UNKNOWN,
	SOURCE_FOUND,
};

/* A name of a source, while it is being listed. */
struct source_name {
	const char *name;
	const char *alias;	/* or NULL */
	const char *about;	/* or NULL */
};

typedef void (*source_each)(const struct source_name *name, void *arg);

/* Generic hardware and software events, cache events, and rNNN: the names of perf itself. */
enum source_answer generic_event(const char *name, struct perf_event_attr *attr);
void generic_each_hardware(source_each each, void *arg);
void generic_each_software(source_each each, void *arg);
void generic_each_cache(source_each each, void *arg);

/* The name by which an event with this attr.type and attr.config would be asked for. */
void generic_name(__u32 type, __u64 config, char *buf, size_t size);

/*
 * PMU/term=value,.../ through the files in sysfs. @text: up to and with the last slash. A name=
 * term replaces *@name. The short form is a bare name in the core PMU's events folder.
 */
enum source_answer sysfs_event(const char *text, struct perf_event_attr *attr, char **name,
			       struct why *why);
enum source_answer sysfs_short_event(const char *text, struct perf_event_attr *attr,
				     struct why *why);
void sysfs_each(source_each each, void *arg);

/* The processor's own events, from libpfm4. */
enum source_answer pfm_event(const char *text, struct perf_event_attr *attr, struct why *why);
void pfm_each(source_each each, void *arg);

/* Name and description of the core PMU that libpfm4 found; NULL if it knows none. */
const char *pfm_core_pmu(void);

/* Forget libpfm4's state: tests choose another processor afterwards. */
void pfm_reset(void);

#endif
