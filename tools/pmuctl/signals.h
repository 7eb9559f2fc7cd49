/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that end a measurement, as a file to wait for. */
#ifndef PMUCTL_SIGNALS_H
#define PMUCTL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * From now on SIGINT and SIGTERM make the returned file readable and do nothing else. Returns
 * the file or -errno. They stay blocked when it is closed.
 */
int signals_watch(void);

/* Take one that has come. Returns its number, 0 if there is none; *@terminal: from a Ctrl-C. */
int signals_take(int fd, bool *terminal);

#endif
