/* SPDX-License-Identifier: GPL-2.0-only */
/* One run of pmuctl stat: what the user asked for, and doing it. */
#ifndef PMUCTL_STAT_H
#define PMUCTL_STAT_H

#include <stdbool.h>
#include <stdio.h>

#include "events.h"
#include "target.h"

/* As given on the command line and checked by cmd_stat.c. */
struct stat_request {
	struct event_list events;	/* empty: the usual ones */
	struct target target;		/* kind TARGET_COMMAND: still without its spot */
	char *const *command;		/* NULL: none */
	const char *separator;		/* NULL: no CSV */
	bool json;
	bool per_cpu;
	bool no_inherit;
	bool verbose;
	bool append;
	unsigned int timeout_ms;
	const char *output;		/* NULL: stderr */
};

/* Measure and report. Returns pmuctl's exit status. */
int stat_run(struct stat_request *request);

#endif
