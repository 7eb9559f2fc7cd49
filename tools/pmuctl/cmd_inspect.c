// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl inspect: who counts what on which counter. Its options, asking the module, and showing
 * it once or again and again. What is shown is in inspect.c.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "inspect.h"
#include "refusal.h"
#include "screen.h"
#include "signals.h"

enum { OPT_EVENTS = OPTION_LONG };

/* What was asked for, and what is open meanwhile. */
struct viewer {
	struct device dev;
	struct cpulist cpus;
	unsigned int refresh_ms;	/* 0: once */
	unsigned int most;		/* refreshes, 0: until Ctrl-C */
	bool json;
	bool events;
	bool screen;			/* redraw in place */
	struct inspect_sums before;
	unsigned int shown;
};

static int take_number(unsigned int *number, const char *option, const char *text)
{
	uint64_t value;

	if (!text_number(text, 10, &value) || !value || value > INT32_MAX) {
		say("option '%s': its value is a number above 0. See 'pmuctl inspect --help'.",
		    option);
		return EXIT_USAGE;
	}
	*number = (unsigned int)value;
	return 0;
}

static int take_cpus(struct viewer *viewer, const char *text)
{
	struct why why;

	cpulist_free(&viewer->cpus);
	if (!cpulist_parse(&viewer->cpus, text, &why))
		return 0;
	say("option '-C': %s. See 'pmuctl inspect --help'.", why.text);
	return EXIT_USAGE;
}

static int take_option(struct viewer *viewer, int id)
{
	switch (id) {
	case 'I':
		return take_number(&viewer->refresh_ms, "-I", optarg);
	case 'n':
		return take_number(&viewer->most, "-n", optarg);
	case 'C':
		return take_cpus(viewer, optarg);
	case OPT_EVENTS:
		viewer->events = true;
		return 0;
	default:
		viewer->json = true;
		return 0;
	}
}

static int draw_on(FILE *file, const struct viewer *viewer, const struct inspect *inspect)
{
	struct out out;

	out_start(&out, file, viewer->json ? OUT_JSON : OUT_TEXT);
	out.compact = viewer->refresh_ms;
	if (viewer->screen)
		out.colour = out_may_colour(stdout);
	if (viewer->shown && !viewer->json && !viewer->screen)
		out_text(&out, "\n");
	inspect_write(&out, inspect);
	return out_finish(&out);
}

/* On a terminal a picture is made as a whole first, to see how many lines it has. */
static int draw_in_place(const struct viewer *viewer, const struct inspect *inspect)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	int err;

	if (!memory)
		return -errno;
	err = draw_on(memory, viewer, inspect);
	fclose(memory);
	if (!err)
		screen_draw(stdout, text, !viewer->shown);
	free(text);
	return err;
}

static int refused(int err)
{
	struct why why;

	refusal_snapshot(&why, -err);
	say("%s", why.text);
	return EXIT_REFUSED;
}

static int show(struct viewer *viewer)
{
	struct inspect inspect = { .cpus = &viewer->cpus, .events = viewer->events };
	struct snapshot snapshot;
	int err = snapshot_take(&snapshot, &viewer->dev);

	if (err)
		return refused(err);
	picture_make(&inspect.picture, &snapshot);
	if (viewer->shown)
		inspect.before = &viewer->before;
	err = viewer->screen ? draw_in_place(viewer, &inspect) :
			       draw_on(stdout, viewer, &inspect);
	viewer->before = inspect_sum(&snapshot);
	viewer->shown++;
	picture_free(&inspect.picture);
	snapshot_free(&snapshot);
	if (!err)
		return 0;
	say("output: %s. Give a place that can be written.", strerror(-err));
	return EXIT_REFUSED;
}

/* Returns true if the user has had enough before the time is over. */
static bool wait_for_refresh(const struct viewer *viewer, int signal_fd)
{
	struct pollfd fd = { signal_fd, POLLIN, 0 };

	return poll(&fd, 1, (int)viewer->refresh_ms) > 0;
}

static int show_again_and_again(struct viewer *viewer)
{
	int signal_fd = signals_watch(), status;

	if (signal_fd < 0) {
		say("signals cannot be watched: %s.", strerror(-signal_fd));
		return EXIT_REFUSED;
	}
	do {
		status = show(viewer);
	} while (!status && viewer->shown != viewer->most && !wait_for_refresh(viewer, signal_fd));
	close(signal_fd);
	/* What the terminal echoed of a Ctrl-C stands below the picture; the prompt goes below that. */
	if (viewer->screen && viewer->shown != viewer->most)
		putchar('\n');
	return status;
}

static int connect_and_show(struct viewer *viewer)
{
	int err = device_connect(&viewer->dev), status;
	struct why why;

	if (err) {
		refusal_device(&why, -err, viewer->dev.info.abi);
		say("%s", why.text);
		return EXIT_REFUSED;
	}
	if (!(viewer->dev.info.features & PMUCTL_FEATURE_SNAPSHOT))
		status = refused(-ENOTTY);
	else
		status = viewer->refresh_ms ? show_again_and_again(viewer) : show(viewer);
	device_close(&viewer->dev);
	return status;
}

static int parse_and_show(const struct command *cmd, struct viewer *viewer, int argc, char **argv)
{
	int id, status = 0;

	while (!status && (id = options_next(cmd, argc, argv)) != OPTIONS_END) {
		if (id == OPTIONS_BAD)
			return EXIT_USAGE;
		if (id == OPTION_HELP)
			return options_help(cmd);
		status = take_option(viewer, id);
	}
	if (status)
		return status;
	if (optind < argc)
		return options_no_arguments(cmd, argv[optind]);
	if (viewer->most && !viewer->refresh_ms) {
		say("option '-n': it needs -I MS. See 'pmuctl inspect --help'.");
		return EXIT_USAGE;
	}
	viewer->screen = viewer->refresh_ms && !viewer->json && isatty(STDOUT_FILENO);
	return connect_and_show(viewer);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	struct viewer viewer = { 0 };
	int status = parse_and_show(cmd, &viewer, argc, argv);

	cpulist_free(&viewer.cpus);
	return status;
}

static const struct option_row options[] = {
	{ 'I', "refresh", "MS", "show it again every MS milliseconds; on a terminal in place" },
	{ 'n', "number", "N", "with -I: N times, then exit" },
	{ 'C', "cpu", "CPUS", "only these CPUs, as in 0-3,7, and who counts there" },
	{ OPT_EVENTS, "events", NULL, "list every event as well" },
	{ 'j', "json", NULL, "print a JSON object; with -I one on each line" },
	{ OPTION_HELP, "help", NULL, "print this" },
	{ 0 }
};

const struct command cmd_inspect = {
	.name = "inspect",
	.summary = "show who counts what on which counter, live",
	.usage = "[-I MS [-n N]] [-C CPUS] [--events] [--json]",
	.about = "Show each CPU's counters, what each counts and for whom, which groups wait for a counter,\n"
		 "and the tasks and CPUs that have events. Needs CAP_PERFMON, or parameter paranoid at most 0.",
	.options = options,
	.more = "Columns: 'cpu!' and 'task!' are pinned users of a counter, 'cpu' and 'task' flexible ones,\n"
		"in the order in which they take counters from each other. 'idle': nobody counts it now; the\n"
		"counter runs on until somebody needs it.\n"
		"\n"
		"Examples:\n"
		"  pmuctl inspect\n"
		"  pmuctl inspect -I 500\n"
		"  pmuctl inspect --json -I 1000 -n 60 | jq -c .sums\n"
		"\n"
		"Exit status: 0; 1 if the module refuses; 2 for wrong usage.\n",
	.run = run,
};
