/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups (version 2) as something to count in. */
#ifndef PMUCTL_CGROUP_H
#define PMUCTL_CGROUP_H

#include <stdint.h>

#include "events.h"

/* One as the user named it; an empty name is none, and whole CPUs are counted. */
struct cgroup {
	char *name;
	int fd;			/* its directory; -1 for an empty name */
};

struct cgroup_list {
	size_t nr;
	struct cgroup *cgroup;
};

/*
 * Open the directories of NAME[,NAME]... below the mount of cgroup2. Returns -1 with the reason
 * in @why. Events that borrow from the list must go first.
 */
int cgroups_open(struct cgroup_list *list, const char *names, struct why *why);

/* One for all events, or one for each, in order. Returns -1 with the reason. */
int cgroups_assign(const struct cgroup_list *list, struct event_list *events, struct why *why);

/* Every event in every cgroup, cgroup after cgroup. */
void cgroups_multiply(const struct cgroup_list *list, struct event_list *events);

void cgroups_free(struct cgroup_list *list);

/* Where cgroup2 is mounted; NULL if it is not. The caller frees it. */
char *cgroup_mount(void);

/* The path of the cgroup with this id, "cgroup ID" if it cannot be known. The caller frees it. */
char *cgroup_path(uint64_t id);

#endif
