// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl stat: its help, and the way from options to measuring.
 */
#include "commands.h"
#include "stat_options.h"

static int run(const struct command *cmd, int argc, char **argv)
{
	struct stat_request request = { .target.kind = TARGET_COMMAND, .repeat = 1 };
	int status;

	if (stat_options(cmd, argc, argv, &request, &status))
		status = stat_run(&request);
	events_free(&request.events);
	cgroups_free(&request.cgroups);
	target_free(&request.target);
	return status;
}

static const struct option_row options[] = {
	{ 'e', "event", "EVENTS",
	  "what to count: names with commas between, {a,b} for a\n"
	  "group, :u and :k for user or kernel only; may be repeated.\n"
	  "Default: cycles,instructions,branches,branch-misses, and\n"
	  "before them task-clock,context-switches,cpu-migrations,\n"
	  "page-faults with a module that has them" },
	{ 'p', "pid", "PID[,PID]", "count running processes, all their threads" },
	{ 't', "tid", "TID[,TID]", "count running threads" },
	{ 'a', "all-cpus", NULL, "count everything on every CPU" },
	{ 'C', "cpu", "CPUS", "count everything on these CPUs, as in 0-3,7" },
	{ 'G', "cgroup", "NAME[,NAME]",
	  "count only while tasks of a cgroup run: one for all events,\n"
	  "or one for each. Implies -a" },
	{ OPT_FOR_EACH_CGROUP, "for-each-cgroup", "NAMES",
	  "every event in every one of these cgroups" },
	{ 'A', "no-aggr", NULL, "with -a or -C: one line for each CPU" },
	{ OPT_PER_THREAD, "per-thread", NULL, "with -p or -t: one line for each thread" },
	{ 'i', "no-inherit", NULL, "do not count threads and children of the target" },
	{ 'r', "repeat", "N",
	  "run CMD N times and print means with their spread; 0:\n"
	  "until Ctrl-C, each run by itself" },
	{ 'I', "interval-print", "MS", "print what came in every MS milliseconds (10 or more)" },
	{ OPT_INTERVAL_COUNT, "interval-count", "N", "with -I: count only N intervals" },
	{ 'D', "delay", "MS", "start counting MS milliseconds after CMD; -1: never" },
	{ OPT_NO_MULTIPLEX, "no-multiplex", NULL,
	  "fail if the events cannot all be on counters all the time" },
	{ 'x', "field-separator", "SEP", "print CSV in the columns of perf stat, with SEP between" },
	{ 'j', "json", NULL, "print a JSON object; with -I or -r 0 one on each line" },
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
	.summary = "count events while a command runs, or of tasks, CPUs or cgroups",
	.usage = "[OPTIONS] [--] CMD [ARGS]\n"
		 "[OPTIONS] -p PID[,PID] | -t TID[,TID] | -a | -C CPUS | -G NAMES [[--] CMD [ARGS]]",
	.about = "Run CMD and count events in it; or count running tasks, whole CPUs or cgroups until CMD\n"
		 "ends, until they end, or until Ctrl-C.",
	.options = options,
	.more = "Events (see 'pmuctl list'):\n"
		"  cycles, L1-dcache-load-misses   perf's generic names\n"
		"  r01c4                           a raw encoding\n"
		"  cpu/event=0xc4,umask=0x20/      terms, as in sysfs\n"
		"  BR_INST_RETIRED:COND            names of the processor's manual, from libpfm4\n"
		"\n"
		"Examples:\n"
		"  pmuctl stat -- xz -k file\n"
		"  pmuctl stat -r 10 -e instructions:u,branches:u -- sort file\n"
		"  pmuctl stat -e '{cycles,instructions}' -p 1234 --timeout 5000\n"
		"  pmuctl stat -a -I 1000 --for-each-cgroup system.slice,user.slice\n"
		"  pmuctl stat -a -A --json -o counts.json sleep 1\n"
		"\n"
		"An event that had to share its counter with others is scaled: '(25.00%)  +- 75.0%' says how\n"
		"much of its time it was on one, and how far the value may be off. pmuctl-stat(1) says why.\n"
		"\n"
		"Exit status: CMD's own (128 + signal if a signal ended it, 127 if it was not found, 126 if\n"
		"it could not be run); 0 without CMD; 1 if something was refused; 2 for wrong usage.\n",
	.run = run,
};
