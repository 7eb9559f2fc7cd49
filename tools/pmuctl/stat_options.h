/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of pmuctl stat, taken and checked. */
#ifndef PMUCTL_STAT_OPTIONS_H
#define PMUCTL_STAT_OPTIONS_H

#include "options.h"
#include "stat.h"

enum {
	OPT_APPEND = OPTION_LONG,
	OPT_TIMEOUT,
	OPT_FOR_EACH_CGROUP,
	OPT_INTERVAL_COUNT,
	OPT_PER_THREAD,
	OPT_NO_MULTIPLEX,
};

/* Fill in @request. Returns true to go on; else *@status is the exit status. */
bool stat_options(const struct command *cmd, int argc, char **argv, struct stat_request *request,
		  int *status);

#endif
