// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl: the commands, and nothing else. What a command does is in its own file.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "text.h"

static const struct command *const commands[] = {
	&cmd_info,
	&cmd_list,
	&cmd_stat,
	&cmd_inspect,
	&cmd_doctor,
};

static int print_overview(void)
{
	puts("Usage: pmuctl COMMAND [OPTIONS] [ARGS]\n"
	     "       pmuctl help [COMMAND]\n"
	     "       pmuctl --version\n"
	     "\n"
	     "Count hardware events through the pmuctl kernel module.\n"
	     "\n"
	     "Commands:");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n'pmuctl COMMAND --help' or pmuctl-COMMAND(1) says more about one.\n"
	     "Nothing works? 'pmuctl doctor' says what stands in the way.");
	return 0;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	struct nearest near;
	char *sentence;

	nearest_init(&near, name);
	nearest_offer(&near, "help");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		nearest_offer(&near, commands[i]->name);
	sentence = nearest_sentence(&near);
	say("%s '%s': there is none of that name.%s See 'pmuctl help'.",
	    name[0] == '-' ? "option" : "command", name, sentence);
	free(sentence);
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return print_overview();
	command = find_command(argv[1]);
	return command ? options_help(command) : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
	const struct command *command;

	/* Digits follow the user's locale, words are English. What programs read is never localised. */
	setlocale(LC_CTYPE, "");
	setlocale(LC_NUMERIC, "");
	if (argc < 2) {
		say("command: none given. See 'pmuctl help'.");
		return EXIT_USAGE;
	}
	argc--;
	argv++;
	if (!strcmp(argv[0], "--version") || !strcmp(argv[0], "-V")) {
		puts("pmuctl " PMUCTL_VERSION);
		return 0;
	}
	if (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
		return help(argc, argv);
	command = find_command(argv[0]);
	return command ? command->run(command, argc, argv) : unknown_command(argv[0]);
}
