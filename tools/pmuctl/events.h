/* SPDX-License-Identifier: GPL-2.0-only */
/* What to count: lists of events as people write them. */
#ifndef PMUCTL_EVENTS_H
#define PMUCTL_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "text.h"

struct cgroup;

/* One event, ready to be opened except for what the target decides. */
struct event {
	char *name;		/* as printed: as it was written, unless it names itself */
	struct perf_event_attr attr;
	size_t leader;		/* index of the group's leader, its own if it is alone */
	bool named;		/* the user asked for it: a refusal is an error */
	bool any_level;		/* no modifier chose privilege levels */
	const struct cgroup *cgroup;	/* only while its tasks run; NULL: always. Borrowed */
};

/* In the order of the command line; a group's members follow their leader. */
struct event_list {
	size_t nr;
	struct event *event;
};

/*
 * Append what @text says: EVENT[,EVENT]... or {EVENT,EVENT}[:MODIFIERS]. Returns -1 with the
 * reason in @why; then nothing was appended.
 */
int events_parse(struct event_list *list, const char *text, bool named, struct why *why);

void events_free(struct event_list *list);

#endif
