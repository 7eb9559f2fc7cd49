/* SPDX-License-Identifier: GPL-2.0-only */
/* A command's options and help from one table. */
#ifndef PMUCTL_OPTIONS_H
#define PMUCTL_OPTIONS_H

#include <stdbool.h>

/* Ids from here on have no letter. */
#define OPTION_LONG	256
#define OPTION_HELP	'h'

/* What options_next() returns besides the ids. */
#define OPTIONS_END	(-1)
#define OPTIONS_BAD	(-2)	/* said so on stderr: exit with EXIT_USAGE */

/* Exit statuses of pmuctl itself. */
#define EXIT_REFUSED	1
#define EXIT_USAGE	2

/* One option; a table ends with id 0. @help may hold newlines. */
struct option_row {
	int id;
	const char *name;
	const char *arg;
	const char *help;
};

/* One command: all that main and --help need to know. */
struct command {
	const char *name;
	const char *summary;
	const char *usage;	/* lines after "pmuctl NAME " */
	const char *about;	/* paragraphs above the options */
	const struct option_row *options;
	const char *more;	/* examples and the rest, below the options */
	int (*run)(const struct command *cmd, int argc, char **argv);
};

/*
 * The next option's id, its argument in optarg; OPTIONS_END at the first word that is none
 * (optind points at it); OPTIONS_BAD after a message. --help is answered by the caller with
 * options_help().
 */
int options_next(const struct command *cmd, int argc, char **argv);

/*
 * For commands whose options are --json and --help alone: returns true to go on, with optind at
 * the first argument; else *@status is the exit status.
 */
bool options_json(const struct command *cmd, int argc, char **argv, bool *json, int *status);

/* A message about an argument to a command that takes none. Returns EXIT_USAGE. */
int options_no_arguments(const struct command *cmd, const char *argument);

/* Print the whole help of a command on stdout. Returns 0. */
int options_help(const struct command *cmd);

#endif
