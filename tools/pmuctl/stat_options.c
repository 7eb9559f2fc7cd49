// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of pmuctl stat: taking them, and what they may not be combined with. What they do
 * is elsewhere; opens nothing.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "stat_options.h"
#include "text.h"

/* As perf: less is no measurement, and below 100 reading itself is seen. */
#define INTERVAL_LEAST	10
#define INTERVAL_GOOD	100

/* Options whose meaning depends on others: looked at when all are known. */
struct given {
	const char *pids, *tids, *cpus, *cgroup, *each_cgroup;
	bool all_cpus, no_aggr, per_thread;
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

static int set_number(unsigned int *number, const char *text, unsigned int least,
		      const char *option, const char *why)
{
	uint64_t value;

	if (!text_number(text, 10, &value) || value < least || value > INT32_MAX)
		return usage(option, why);
	*number = (unsigned int)value;
	return 0;
}

static int set_interval(struct stat_request *request, const char *text)
{
	int status = set_number(&request->interval_ms, text, INTERVAL_LEAST, "option '-I'",
				"its value is a number of milliseconds, 10 or more");

	if (!status && request->interval_ms < INTERVAL_GOOD)
		say("option '-I': at less than %u ms, reading the counters may be a visible share of what is measured. Take longer intervals if it matters.",
		    INTERVAL_GOOD);
	return status;
}

static int set_delay(struct stat_request *request, const char *text)
{
	unsigned int ms;
	int status;

	if (!strcmp(text, "-1")) {
		request->delay_ms = DELAY_FOREVER;
		return 0;
	}
	status = set_number(&ms, text, 0, "option '-D'",
			    "its value is a number of milliseconds, or -1");
	if (!status)
		request->delay_ms = (int)ms;
	return status;
}

/* The options that are a number. */
static int take_number(struct stat_request *request, int id)
{
	switch (id) {
	case 'r':
		return set_number(&request->repeat, optarg, 0, "option '-r'",
				  "its value is a number of runs, 0 for runs without end");
	case 'I':
		return set_interval(request, optarg);
	case 'D':
		return set_delay(request, optarg);
	case OPT_INTERVAL_COUNT:
		return set_number(&request->interval_count, optarg, 1, "option '--interval-count'",
				  "its value is a number of intervals above 0");
	default:
		return set_number(&request->timeout_ms, optarg, 1, "option '--timeout'",
				  "its value is a number of milliseconds above 0");
	}
}

/* Whom to count, and how lines are summed up. Returns false if it is another option. */
static bool take_target(struct given *given, int id)
{
	switch (id) {
	case 'p':
		given->pids = optarg;
		return true;
	case 't':
		given->tids = optarg;
		return true;
	case 'a':
		given->all_cpus = true;
		return true;
	case 'C':
		given->cpus = optarg;
		return true;
	case 'G':
		given->cgroup = optarg;
		return true;
	case OPT_FOR_EACH_CGROUP:
		given->each_cgroup = optarg;
		return true;
	case 'A':
		given->no_aggr = true;
		return true;
	case OPT_PER_THREAD:
		given->per_thread = true;
		return true;
	default:
		return false;
	}
}

static int take_option(struct stat_request *request, struct given *given, int id)
{
	if (take_target(given, id))
		return 0;
	switch (id) {
	case 'e':
		return add_events(request, optarg);
	case 'i':
		request->no_inherit = true;
		return 0;
	case OPT_NO_MULTIPLEX:
		request->no_multiplex = true;
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
	case 'v':
		request->verbose = true;
		return 0;
	default:
		return take_number(request, id);
	}
}

static int check_target(const struct stat_request *request, const struct given *given)
{
	int targets = !!given->pids + !!given->tids + (given->all_cpus || given->cpus);
	bool cgroups = given->cgroup || given->each_cgroup;

	if (targets > 1)
		return usage("options -p, -t and -a or -C", "only one of them at a time");
	if (given->cgroup && given->each_cgroup)
		return usage("options -G and --for-each-cgroup", "only one of them at a time");
	if (cgroups && (given->pids || given->tids))
		return usage("options -G and --for-each-cgroup",
			     "cgroups are counted on CPUs, so -p and -t do not go with them");
	if (!targets && !cgroups && !request->command)
		return usage("command", "none given, nor -p, -t, -a, -C or -G");
	if (given->no_aggr && !given->all_cpus && !given->cpus && !cgroups)
		return usage("option '--no-aggr'", "it needs -a or -C");
	if (given->per_thread && !given->pids && !given->tids)
		return usage("option '--per-thread'",
			     "it needs -p or -t: threads of a command or a CPU are not known when counting starts");
	return 0;
}

static int check_course(const struct stat_request *request, const struct given *given)
{
	if (request->repeat != 1 && !request->command)
		return usage("option '-r'", "it needs a command to repeat");
	if (request->repeat != 1 && request->interval_ms)
		return usage("options -r and -I", "only one of them at a time");
	if (request->repeat != 1 && given->per_thread)
		return usage("options -r and --per-thread",
			     "only one of them at a time, as each run may find other threads");
	if (request->interval_count && !request->interval_ms)
		return usage("option '--interval-count'", "it needs -I MS");
	return 0;
}

static int check_output(const struct stat_request *request)
{
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

	request->per_spot = given->no_aggr || given->per_thread;
	request->cgroup_names = given->cgroup ? given->cgroup : given->each_cgroup;
	request->for_each_cgroup = given->each_cgroup;
	if (given->pids)
		err = target_set_ids(&request->target, TARGET_PROCESS, given->pids, &why);
	else if (given->tids)
		err = target_set_ids(&request->target, TARGET_THREAD, given->tids, &why);
	else if (given->all_cpus || given->cpus || request->cgroup_names)
		err = target_set_cpus(&request->target, given->cpus, &why);
	if (err)
		return usage(given->pids ? "option '-p'" : given->tids ? "option '-t'" :
			     given->cpus ? "option '-C'" : "option '-a'", why.text);
	return 0;
}

bool stat_options(const struct command *cmd, int argc, char **argv, struct stat_request *request,
		  int *status)
{
	struct given given = { 0 };
	int id;

	*status = 0;
	while (!*status && (id = options_next(cmd, argc, argv)) != OPTIONS_END) {
		if (id == OPTIONS_BAD || id == OPTION_HELP) {
			*status = id == OPTIONS_BAD ? EXIT_USAGE : options_help(cmd);
			return false;
		}
		*status = take_option(request, &given, id);
	}
	if (*status)
		return false;
	if (optind < argc)
		request->command = argv + optind;
	*status = check_target(request, &given);
	if (!*status)
		*status = check_course(request, &given);
	if (!*status)
		*status = check_output(request);
	if (!*status)
		*status = set_target(request, &given);
	return !*status;
}
