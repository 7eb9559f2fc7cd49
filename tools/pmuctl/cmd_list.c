// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl list: the event names that stat understands on this machine. Opens no event: whether
 * the module can count one is known when it is opened.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "event_sources.h"
#include "output.h"
#include "text.h"

/* One source of names, and where its heading stands. */
struct section {
	const char *source;
	const char *heading;
	void (*names)(source_each each, void *arg);
	bool only_searched;	/* too many to print unless a pattern was given */
};

static const struct section sections[] = {
	{ "generic", "Generic hardware events", generic_each_hardware, false },
	{ "cache", "Cache events", generic_each_cache, false },
	{ "software", "Software events", generic_each_software, false },
	{ "sysfs", "Events the kernel describes in sysfs", sysfs_each, false },
	{ "libpfm4", "Events of this processor (libpfm4)", pfm_each, true },
};

/* One listing; @printed counts the names of the section at hand. */
struct listing {
	struct out *out;
	const struct section *section;
	char *const *pattern;	/* ends with NULL; empty: all */
	size_t printed;
	size_t total;
	struct nearest near;
};

static bool holds(const char *text, const char *pattern)
{
	return text && strcasestr(text, pattern);
}

/* A pattern with wildcards is for the whole name; a plain word may be anywhere. */
static bool matches_one(const struct source_name *name, const char *pattern)
{
	if (!strpbrk(pattern, "*?["))
		return holds(name->name, pattern) || holds(name->alias, pattern) ||
		       holds(name->about, pattern);
	return !fnmatch(pattern, name->name, FNM_CASEFOLD) ||
	       (name->alias && !fnmatch(pattern, name->alias, FNM_CASEFOLD));
}

static bool matches(const struct source_name *name, char *const *pattern)
{
	if (!*pattern)
		return true;
	for (; *pattern; pattern++)
		if (matches_one(name, *pattern))
			return true;
	return false;
}

/* The manuals' descriptions can be long; JSON has all of them. */
#define NAME_WIDTH	34
#define ABOUT_WIDTH	80

static void print_line(struct out *out, const struct source_name *name)
{
	const char *about = name->about;
	bool cut = about && strlen(about) > ABOUT_WIDTH;

	if (!about) {
		out_text(out, "  %s\n", name->name);
		return;
	}
	out_text(out, "  %-*s ", NAME_WIDTH, name->name);
	if (strlen(name->name) > NAME_WIDTH)
		out_text(out, "\n  %-*s ", NAME_WIDTH, "");
	out_text(out, "%.*s%s\n", cut ? ABOUT_WIDTH - 3 : ABOUT_WIDTH, about, cut ? "..." : "");
}

static void print_name(struct listing *list, const struct source_name *name)
{
	struct out *out = list->out;

	if (!list->printed++)
		out_text(out, "%s%s:\n", list->total ? "\n" : "", list->section->heading);
	list->total++;
	print_line(out, name);
	out_object(out, NULL, NULL);
	out_string(out, "name", NULL, name->name);
	out_string(out, "source", NULL, list->section->source);
	out_string(out, "alias", NULL, name->alias);
	out_string(out, "description", NULL, name->about);
	out_close(out);
}

static void take_name(const struct source_name *name, void *arg)
{
	struct listing *list = arg;

	if (*list->pattern)
		nearest_offer(&list->near, name->name);
	if (matches(name, list->pattern))
		print_name(list, name);
}

static void count_name(const struct source_name *name, void *arg)
{
	size_t *nr = arg;

	(void)name;
	++*nr;
}

/* Text only: a program that asks for everything gets everything. */
static void print_how_to_search(struct listing *list)
{
	const char *pmu = pfm_core_pmu();
	size_t nr = 0;

	if (!pmu) {
		out_text(list->out, "\nlibpfm4 does not know this processor: no names of its own.\n");
		return;
	}
	list->section->names(count_name, &nr);
	out_text(list->out,
		 "\n%zu events of '%s' (libpfm4): 'pmuctl list PATTERN' searches them, \"pmuctl list '*'\" lists all.\n",
		 nr, pmu);
}

static void print_sections(struct listing *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		list->section = &sections[i];
		list->printed = 0;
		if (sections[i].only_searched && !*list->pattern &&
		    list->out->format == OUT_TEXT)
			print_how_to_search(list);
		else
			sections[i].names(take_name, list);
	}
}

static int nothing_found(const struct listing *list)
{
	char *sentence = nearest_sentence(&list->near);

	say("pattern '%s': no event of this machine matches.%s See 'pmuctl list'.",
	    list->pattern[0], sentence);
	free(sentence);
	return EXIT_REFUSED;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	struct listing list = { 0 };
	bool json = false;
	struct out out;
	int status, err;

	if (!options_json(cmd, argc, argv, &json, &status))
		return status;
	list.out = &out;
	list.pattern = argv + optind;
	nearest_init(&list.near, optind < argc ? argv[optind] : "");
	out_start(&out, stdout, json ? OUT_JSON : OUT_TEXT);
	out_array(&out, "events", NULL);
	print_sections(&list);
	out_close(&out);
	err = out_finish(&out);
	if (err) {
		say("output: %s. Give a place that can be written.", strerror(-err));
		return EXIT_REFUSED;
	}
	return list.total ? 0 : nothing_found(&list);
}

static const struct option_row options[] = {
	{ 'j', "json", NULL, "print a JSON object" },
	{ OPTION_HELP, "help", NULL, "print this" },
	{ 0 }
};

const struct command cmd_list = {
	.name = "list",
	.summary = "list or search the names of events",
	.usage = "[--json] [PATTERN]...",
	.about = "List the event names that 'pmuctl stat' understands on this machine. A PATTERN is a word\n"
		 "that a name or its description holds, or a whole name with the wildcards * and ?.",
	.options = options,
	.more = "Examples:\n"
		"  pmuctl list\n"
		"  pmuctl list branch\n"
		"  pmuctl list 'BR_INST_RETIRED:*'\n"
		"\n"
		"Exit status: 0; 1 if nothing matches; 2 for wrong usage.\n",
	.run = run,
};
