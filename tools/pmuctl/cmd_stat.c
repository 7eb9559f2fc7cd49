// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl stat: its options and what they may not be combined with. What they do is in stat.c.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "stat.h"
#include "text.h"

enum {
	OPT_APPEND = OPTION_LONG,
	OPT_TIMEOUT,
};

/* Options whose meaning depends on others: looked at when all are known. */
struct given {
	const char *pids, *tids, *cpus;
	bool all_cpus;
};

static int usage(const char *option, const char *why)
{
	say("%s: %s. See 'pmuctl stat --help'.", option, why);
	return EXIT_USAGE;
}

static int add_events(struct stat_request *request, const char *text)
{
	struct why why;

	if (!events_parse(&request->events, text, true, &why))
		return 0;
	say("%s", why.text);
	return EXIT_USAGE;
}

static int set_timeout(struct stat_request *request, const char *text)
{
	uint64_t ms;

	if (!text_number(text, 10, &ms) || !ms || ms > INT32_MAX)
		return usage("option '--timeout'", "its value is a number of milliseconds above 0");
	request->timeout_ms = (unsigned int)ms;
	return 0;
}

static int take_option(struct stat_request *request, struct given *given, int id)
{
	switch (id) {
	case 'e':
		return add_events(request, optarg);
	case 'p':
		given->pids = optarg;
		return 0;
	case 't':
		given->tids = optarg;
		return 0;
	case 'a':
		given->all_cpus = true;
		return 0;
	case 'C':
		given->cpus = optarg;
		return 0;
	case 'A':
		request->per_cpu = true;
		return 0;
	case 'i':
		request->no_inherit = true;
		return 0;
	case 'x':
		request->separator = optarg;
		return 0;
	case 'j':
		request->json = true;
		return 0;
	case 'o':
		request->output = optarg;
		return 0;
	case OPT_APPEND:
		request->append = true;
		return 0;
	case OPT_TIMEOUT:
		return set_timeout(request, optarg);
	default:
		request->verbose = true;
		return 0;
	}
}

static int check_combinations(const struct stat_request *request, const struct given *given)
{
	int targets = !!given->pids + !!given->tids + (given->all_cpus || given->cpus);

	if (targets > 1)
		return usage("options -p, -t and -a or -C", "only one of them at a time");
	if (!targets && !request->command)
		return usage("command", "none given, nor -p, -t, -a or -C");
	if (request->per_cpu && !given->all_cpus && !given->cpus)
		return usage("option '--no-aggr'", "it needs -a or -C");
	if (request->json && request->separator)
		return usage("options --json and -x", "only one of them at a time");
	if (request->separator && !*request->separator)
		return usage("option '-x'", "the separator is empty");
	if (request->append && !request->output)
		return usage("option '--append'", "it needs -o FILE");
	return 0;
}

static int set_target(struct stat_request *request, const struct given *given)
{
	struct why why;
	int err = 0;

	if (given->pids)
		err = target_set_ids(&request->target, TARGET_PROCESS, given->pids, &why);
	else if (given->tids)
		err = target_set_ids(&request->target, TARGET_THREAD, given->tids, &why);
	else if (given->all_cpus || given->cpus)
		err = target_set_cpus(&request->target, given->cpus, &why);
	if (err)
		return usage(given->pids ? "option '-p'" : given->tids ? "option '-t'" :
			     given->cpus ? "option '-C'" : "option '-a'", why.text);
	return 0;
}

static int parse_and_run(const struct command *cmd, struct stat_request *request, int argc,
			 char **argv)
{
	struct given given = { 0 };
	int id, status = 0;

	while (!status && (id = options_next(cmd, argc, argv)) != OPTIONS_END) {
		if (id == OPTIONS_BAD)
			return EXIT_USAGE;
		if (id == OPTION_HELP)
			return options_help(cmd);
		status = take_option(request, &given, id);
	}
	if (status)
		return status;
	if (optind < argc)
		request->command = argv + optind;
	status = check_combinations(request, &given);
	if (!status)
		status = set_target(request, &given);
	return status ? status : stat_run(request);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	struct stat_request request = { .target.kind = TARGET_COMMAND };
	int status = parse_and_run(cmd, &request, argc, argv);

	events_free(&request.events);
	target_free(&request.target);
	return status;
}

static const struct option_row options[] = {
	{ 'e', "event", "EVENTS",
	  "what to count: names with commas between, {a,b} for a\n"
	  "group, :u and :k for user or kernel only; may be repeated.\n"
	  "Default: cycles,instructions,branches,branch-misses" },
	{ 'p', "pid", "PID[,PID]", "count running processes, all their threads" },
	{ 't', "tid", "TID[,TID]", "count running threads" },
	{ 'a', "all-cpus", NULL, "count everything on every CPU" },
	{ 'C', "cpu", "CPUS", "count everything on these CPUs, as in 0-3,7" },
	{ 'A', "no-aggr", NULL, "with -a or -C: one line for each CPU" },
	{ 'i', "no-inherit", NULL, "do not count threads and children of the target" },
	{ 'x', "field-separator", "SEP", "print CSV in the columns of perf stat, with SEP between" },
	{ 'j', "json", NULL, "print a JSON object" },
	{ 'o', "output", "FILE", "print to FILE instead of stderr" },
	{ OPT_APPEND, "append", NULL, "with -o: add to FILE" },
	{ OPT_TIMEOUT, "timeout", "MS",
	  "stop after MS milliseconds; CMD then gets SIGTERM" },
	{ 'v', "verbose", NULL, "say what each event is, and why one is not supported" },
	{ OPTION_HELP, "help", NULL, "print this" },
	{ 0 }
};

const struct command cmd_stat = {
	.name = "stat",
	.summary = "count events while a command runs, or of tasks or CPUs",
	.usage = "[OPTIONS] [--] CMD [ARGS]\n"
		 "[OPTIONS] -p PID[,PID] | -t TID[,TID] | -a | -C CPUS [[--] CMD [ARGS]]",
	.about = "Run CMD and count events in it; or count running tasks or whole CPUs until CMD ends,\n"
		 "until they end, or until Ctrl-C.",
	.options = options,
	.more = "Events (see 'pmuctl list'):\n"
		"  cycles, L1-dcache-load-misses   perf's generic names\n"
		"  r01c4                           a raw encoding\n"
		"  cpu/event=0xc4,umask=0x20/      terms, as in sysfs\n"
		"  BR_INST_RETIRED:COND            names of the processor's manual, from libpfm4\n"
		"\n"
		"Examples:\n"
		"  pmuctl stat -- xz -k file\n"
		"  pmuctl stat -e instructions:u,branches:u -- sort file\n"
		"  pmuctl stat -e '{cycles,instructions}' -p 1234 --timeout 5000\n"
		"  pmuctl stat -a -A --json -o counts.json sleep 1\n"
		"\n"
		"Exit status: CMD's own (128 + signal if a signal ended it, 127 if it was not found, 126 if\n"
		"it could not be run); 0 without CMD; 1 if something was refused; 2 for wrong usage.\n",
	.run = run,
};
