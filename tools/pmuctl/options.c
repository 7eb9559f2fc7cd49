// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command's options and help from one table. getopt_long rather than argp: argp words its own
 * errors and exit codes, and cannot name the nearest option. Knows no command.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "text.h"

#define MAX_OPTIONS	32

static size_t build_tables(const struct option_row *row, struct option *table, char *letters)
{
	size_t nr = 0;

	/* '+': stop at the first word that is no option, it begins the measured command. */
	letters += sprintf(letters, "+:");
	for (; row[nr].id && nr < MAX_OPTIONS; nr++) {
		bool arg = row[nr].arg;

		table[nr] = (struct option){ row[nr].name, arg ? required_argument : no_argument,
					     NULL, row[nr].id };
		if (row[nr].id < OPTION_LONG)
			letters += sprintf(letters, "%c%s", row[nr].id, arg ? ":" : "");
	}
	table[nr] = (struct option){ 0 };
	return nr;
}

static int unknown_option(const struct command *cmd, const char *word)
{
	char *name = xstrdup(word);
	struct nearest near;
	char *sentence;

	name[strcspn(name, "=")] = '\0';
	nearest_init(&near, name);
	for (const struct option_row *row = cmd->options; row->id; row++) {
		char *full = text_format("--%s", row->name);

		nearest_offer(&near, full);
		free(full);
	}
	sentence = nearest_sentence(&near);
	say("option '%s': unknown to 'pmuctl %s'.%s See 'pmuctl %s --help'.", name, cmd->name,
	    sentence, cmd->name);
	free(sentence);
	free(name);
	return OPTIONS_BAD;
}

static int bad_option(const struct command *cmd, int result, char **argv)
{
	const char *word = argv[optind - 1];
	char letter[3] = { '-', (char)optopt, '\0' };

	if (result == ':') {
		say("option '%s': its value is missing. See 'pmuctl %s --help'.",
		    strncmp(word, "--", 2) ? letter : word, cmd->name);
		return OPTIONS_BAD;
	}
	/* A known letter here means a long option that takes no value got one ("--json=1"). */
	if (optopt && strncmp(word, "--", 2))
		return unknown_option(cmd, letter);
	if (optopt) {
		say("option '%s': it takes no value. See 'pmuctl %s --help'.", word, cmd->name);
		return OPTIONS_BAD;
	}
	return unknown_option(cmd, word);
}

int options_next(const struct command *cmd, int argc, char **argv)
{
	struct option table[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 4];
	int result;

	build_tables(cmd->options, table, letters);
	opterr = 0;
	result = getopt_long(argc, argv, letters, table, NULL);
	if (result == '?' || result == ':')
		return bad_option(cmd, result, argv);
	return result < 0 ? OPTIONS_END : result;
}

bool options_json(const struct command *cmd, int argc, char **argv, bool *json, int *status)
{
	int id;

	while ((id = options_next(cmd, argc, argv)) != OPTIONS_END) {
		if (id == OPTIONS_BAD || id == OPTION_HELP) {
			*status = id == OPTIONS_BAD ? EXIT_USAGE : options_help(cmd);
			return false;
		}
		*json = true;
	}
	return true;
}

int options_no_arguments(const struct command *cmd, const char *argument)
{
	say("argument '%s': 'pmuctl %s' takes none. See 'pmuctl %s --help'.", argument, cmd->name,
	    cmd->name);
	return EXIT_USAGE;
}

/* Each line of @text, the first after what stands on this line, the others below it. */
static void print_indented(const char *text, int column)
{
	for (;;) {
		size_t length = strcspn(text, "\n");

		printf("%.*s\n", (int)length, text);
		if (!text[length])
			return;
		text += length + 1;
		printf("%*s", column, "");
	}
}

static void print_option(const struct option_row *row)
{
	char *name = text_format("%s%s%s", row->name, row->arg ? " " : "",
				 row->arg ? row->arg : "");

	if (row->id < OPTION_LONG)
		printf("  -%c, --%-22s ", row->id, name);
	else
		printf("      --%-22s ", name);
	free(name);
	print_indented(row->help, 31);
}

static void print_usage(const struct command *cmd)
{
	const char *line = cmd->usage, *lead = "Usage:";

	while (*line) {
		size_t length = strcspn(line, "\n");

		printf("%-6s pmuctl %s %.*s\n", lead, cmd->name, (int)length, line);
		line += length + (line[length] == '\n');
		lead = "";
	}
}

int options_help(const struct command *cmd)
{
	print_usage(cmd);
	printf("\n%s\n\nOptions:\n", cmd->about);
	for (const struct option_row *row = cmd->options; row->id; row++)
		print_option(row);
	printf("\n%s", cmd->more);
	return 0;
}
