// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl stat: one run or several, and what is printed of them. How a run goes is in run.c, what
 * a report looks like in report.c.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "options.h"
#include "refusal.h"
#include "report.h"
#include "run.h"
#include "together.h"

/* As perf stat's, in its order. The software ones only with a module that has them. */
#define DEFAULT_SOFTWARE	"task-clock,context-switches,cpu-migrations,page-faults"
#define DEFAULT_HARDWARE	"cycles,instructions,branches,branch-misses"

/* Lines after which a table of intervals repeats its heading, as perf's does. */
#define HEADING_EVERY	25

/* All that is held open from the first run to the last; let go in stat_run(). */
struct stat {
	struct stat_request *request;
	struct device dev;
	struct workload_ways ways;
	struct measure measure;
	struct runs runs;
	FILE *output;
	unsigned int intervals;		/* printed so far */
};

static int failed(const struct why *why)
{
	say("%s", why->text);
	return EXIT_REFUSED;
}

static int connect_device(struct stat *stat)
{
	int err = device_connect(&stat->dev);
	struct why why;

	if (!err)
		return 0;
	refusal_device(&why, -err, stat->dev.info.abi);
	return failed(&why);
}

static int default_events(struct stat *stat)
{
	struct event_list *events = &stat->request->events;
	bool software = stat->dev.info.features & PMUCTL_FEATURE_SOFTWARE;
	struct why why;

	if (events->nr)
		return 0;
	if (software && events_parse(events, DEFAULT_SOFTWARE, false, &why))
		return failed(&why);
	if (events_parse(events, DEFAULT_HARDWARE, false, &why))
		return failed(&why);
	return 0;
}

static int add_cgroups(struct stat *stat)
{
	struct stat_request *request = stat->request;
	struct why why;
	int err;

	if (!request->cgroup_names)
		return 0;
	err = cgroups_open(&request->cgroups, request->cgroup_names, &why);
	if (!err && request->for_each_cgroup)
		cgroups_multiply(&request->cgroups, &request->events);
	else if (!err)
		err = cgroups_assign(&request->cgroups, &request->events, &why);
	if (!err)
		return 0;
	say("option '%s': %s", request->for_each_cgroup ? "--for-each-cgroup" : "-G", why.text);
	return EXIT_REFUSED;
}

static int output_failed(const struct stat *stat, int err)
{
	const char *output = stat->request->output;

	say("output '%s': %s. Give a file that can be written.", output ? output : "stderr",
	    strerror(-err));
	return EXIT_REFUSED;
}

static int open_output(struct stat *stat)
{
	const struct stat_request *request = stat->request;
	time_t now = time(NULL);

	stat->output = stderr;
	if (!request->output)
		return 0;
	stat->output = fopen(request->output, request->append ? "ae" : "we");
	if (!stat->output)
		return output_failed(stat, -errno);
	if (!request->json)
		fprintf(stat->output, "# started on %s\n", ctime(&now));
	return 0;
}

/* Events times CPUs are many files. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int take_over(struct stat *stat)
{
	struct why why;

	workload_remember(&stat->ways);
	raise_file_limit();
	return measure_prepare(&stat->measure, &why) ? failed(&why) : 0;
}

static int try_together(struct stat *stat)
{
	const struct stat_request *request = stat->request;
	struct why why;

	if (!request->no_multiplex || !target_is_tasks(&request->target))
		return 0;
	return together_try(&request->events, &stat->dev, &why) ? failed(&why) : 0;
}

static const char *make_note(const struct run *run)
{
	const struct stat_request *request = run->request;

	if (request->delay_ms == DELAY_FOREVER)
		return "nothing was counted: -D -1 never starts the events.";
	if (run->mode.inherit || request->no_inherit)
		return NULL;
	if (request->target.kind == TARGET_COMMAND)
		return "threads and children of the command are not counted: this module cannot follow them yet.";
	if (request->target.kind == TARGET_PROCESS)
		return "threads and children started meanwhile are not counted: this module cannot follow them yet.";
	return NULL;
}

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

static struct report make_report(const struct run *run)
{
	const struct stat_request *request = run->request;

	return (struct report){
		.counters = &run->counters,
		.command = request->command,
		.elapsed = (run->ended - run->began) / 1e9,
		.user = seconds(&run->work.usage.ru_utime),
		.sys = seconds(&run->work.usage.ru_stime),
		.exit_status = request->command ? workload_exit_status(&run->work) : 0,
		.per_spot = request->per_spot,
		.note = make_note(run),
	};
}

static int write_report(struct stat *stat, const struct report *report)
{
	const struct stat_request *request = stat->request;
	struct out out;

	if (request->separator)
		return report_csv(stat->output, report, request->separator, -1);
	out_start(&out, stat->output, request->json ? OUT_JSON : OUT_TEXT);
	out.compact = !request->repeat;
	report_write(&out, report);
	return out_finish(&out);
}

static int print_interval(struct run *run, void *arg)
{
	struct stat *stat = arg;
	const struct stat_request *request = stat->request;
	struct report report = make_report(run);
	double time = report.elapsed;
	struct out out;
	int err;

	report.elapsed = (run->ended - run->step) / 1e9;
	if (request->separator) {
		err = report_csv(stat->output, &report, request->separator, time);
	} else {
		out_start(&out, stat->output, request->json ? OUT_JSON : OUT_TEXT);
		out.compact = true;
		if (stat->intervals++ % HEADING_EVERY == 0)
			report_heading(&out, &report);
		report_interval(&out, &report, time);
		err = out_finish(&out);
	}
	return err ? output_failed(stat, err) : 0;
}

static int report_run(struct stat *stat, const struct run *run, bool last)
{
	unsigned int repeat = stat->request->repeat;
	struct report report = make_report(run);
	/* A run that the user cut short says nothing of the others. */
	bool worthless = stat->measure.interrupted && stat->runs.nr;
	int err = 0;

	if (stat->request->interval_ms)
		return 0;
	if (!worthless)
		runs_add(&stat->runs, &run->counters, report.elapsed);
	if (repeat > 1) {
		report.runs = &stat->runs;
		report.elapsed = stat->runs.elapsed.mean;
	}
	if (repeat > 1 ? last : !worthless)
		err = write_report(stat, &report);
	return err ? output_failed(stat, err) : 0;
}

/* Returns 0, or the exit status of a run that could not be measured. */
static int run_once(struct stat *stat, unsigned int nr, bool *last, int *command_status)
{
	const struct stat_request *request = stat->request;
	struct run run = {
		.request = stat->request,
		.dev = &stat->dev,
		.measure = &stat->measure,
		.ways = &stat->ways,
		.interval = print_interval,
		.arg = stat,
	};
	int status = run_prepare(&run);

	if (!status)
		status = run_measure(&run);
	*last = stat->measure.interrupted || nr == request->repeat;
	if (!status)
		status = report_run(stat, &run, *last);
	if (!status && request->command)
		*command_status = workload_exit_status(&run.work);
	run_end(&run);
	return status;
}

static int run_all(struct stat *stat)
{
	int status = 0, command_status = 0;
	bool last = false;

	for (unsigned int nr = 1; !status && !last; nr++)
		status = run_once(stat, nr, &last, &command_status);
	return status ? status : command_status;
}

static int prepare_and_run(struct stat *stat)
{
	int status = connect_device(stat);

	if (!status)
		status = default_events(stat);
	if (!status)
		status = add_cgroups(stat);
	if (!status)
		status = open_output(stat);
	if (!status)
		status = take_over(stat);
	if (!status)
		status = try_together(stat);
	return status ? status : run_all(stat);
}

int stat_run(struct stat_request *request)
{
	struct stat stat = {
		.request = request,
		.dev.fd = -1,
		.measure = { .target = &request->target, .signal_fd = -1 },
		.runs.per_spot = request->per_spot,
	};
	int status = prepare_and_run(&stat);

	measure_free(&stat.measure);
	runs_free(&stat.runs);
	device_close(&stat.dev);
	if (stat.output && stat.output != stderr)
		fclose(stat.output);
	return status;
}
