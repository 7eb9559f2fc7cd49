/* SPDX-License-Identifier: GPL-2.0-only */
/* pmuctl stat: what the user asked for, and doing it. */
#ifndef PMUCTL_STAT_H
#define PMUCTL_STAT_H

#include <stdbool.h>
#include <stdio.h>

#include "cgroup.h"
#include "events.h"
#include "target.h"

/* stat_request.delay_ms: events are opened and never started. */
#define DELAY_FOREVER	(-1)

/* As given on the command line and checked by stat_options.c. */
struct stat_request {
	struct event_list events;	/* empty: the usual ones */
	struct target target;		/* kind TARGET_COMMAND: still without its spot */
	const char *cgroup_names;	/* NULL: none */
	bool for_each_cgroup;		/* every event in every cgroup */
	struct cgroup_list cgroups;	/* opened from the names by stat.c */
	char *const *command;		/* NULL: none */
	const char *separator;		/* NULL: no CSV */
	bool json;
	bool per_spot;			/* a line for each CPU or thread */
	bool no_inherit;
	bool no_multiplex;
	bool verbose;
	bool append;
	unsigned int timeout_ms;
	unsigned int interval_ms;	/* 0: one report of the whole */
	unsigned int interval_count;	/* 0: until the end */
	unsigned int repeat;		/* 0: until the user has had enough */
	int delay_ms;			/* or DELAY_FOREVER */
	const char *output;		/* NULL: stderr */
};

/* Measure and report. Returns pmuctl's exit status. */
int stat_run(struct stat_request *request);

#endif
