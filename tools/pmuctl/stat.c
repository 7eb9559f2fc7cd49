// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of pmuctl stat: start the command held, open the events, let it go, wait, report.
 * Everything that can be refused is refused before the command runs a single instruction.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "counters.h"
#include "measure.h"
#include "options.h"
#include "refusal.h"
#include "report.h"
#include "stat.h"
#include "workload.h"

/* As perf stat's, in its order. The software ones only with a module that has them. */
#define DEFAULT_SOFTWARE	"task-clock,context-switches,cpu-migrations,page-faults"
#define DEFAULT_HARDWARE	"cycles,instructions,branches,branch-misses"

/* How often new threads of a process are looked for. */
#define MOST_LOOKS	10

/* All that one run holds open; let go in stat_run(). */
struct stat_run {
	struct stat_request *request;
	struct device dev;
	struct workload work;
	bool work_held;
	struct counters counters;
	struct counters_mode mode;
	struct measure measure;
	FILE *output;
	uint64_t began, ended;
};

static int failed(const struct why *why)
{
	say("%s", why->text);
	return EXIT_REFUSED;
}

static int connect_device(struct stat_run *run)
{
	int err = device_connect(&run->dev);
	struct why why;

	if (!err)
		return 0;
	refusal_device(&why, -err, run->dev.info.abi);
	return failed(&why);
}

static int open_output(struct stat_run *run)
{
	const struct stat_request *request = run->request;
	time_t now = time(NULL);

	run->output = stderr;
	if (!request->output)
		return 0;
	run->output = fopen(request->output, request->append ? "ae" : "we");
	if (!run->output) {
		say("output '%s': %s. Give a file that can be written.", request->output,
		    strerror(errno));
		return EXIT_REFUSED;
	}
	if (!request->json)
		fprintf(run->output, "# started on %s\n", ctime(&now));
	return 0;
}

static int default_events(struct stat_run *run)
{
	struct event_list *events = &run->request->events;
	bool software = run->dev.info.features & PMUCTL_FEATURE_SOFTWARE;
	struct why why;

	if (events->nr)
		return 0;
	if (software && events_parse(events, DEFAULT_SOFTWARE, false, &why))
		return failed(&why);
	if (events_parse(events, DEFAULT_HARDWARE, false, &why))
		return failed(&why);
	return 0;
}

static int start_command(struct stat_run *run)
{
	struct stat_request *request = run->request;
	int err;

	if (!request->command)
		return 0;
	err = workload_start(&run->work, request->command);
	if (err) {
		say("command '%s': it cannot be started: %s. Try again with fewer processes.",
		    request->command[0], strerror(-err));
		return EXIT_REFUSED;
	}
	run->work_held = true;
	run->measure.work = &run->work;
	if (request->target.kind == TARGET_COMMAND)
		target_set_command(&request->target, run->work.pid);
	return 0;
}

/* Events times CPUs are many files. After the fork: the command keeps the limit it was given. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Threads that appear while others are being opened are found by looking again; a process that
 * starts them faster than that is not waited for.
 */
static int open_counters(struct stat_run *run, struct why *why)
{
	struct target *target = &run->request->target;
	size_t first = 0;
	int found = 1;

	for (int look = 0; look < MOST_LOOKS && found; look++) {
		found = target_find_threads(target, why);
		if (found < 0 ||
		    counters_open(&run->counters, &run->dev, first, &run->mode, why))
			return -1;
		first = target->nr;
	}
	return 0;
}

static void print_refused(const struct stat_run *run)
{
	for (size_t i = 0; i < run->counters.nr; i++)
		if (run->counters.counter[i].refused)
			say("%s", run->counters.counter[i].reason);
}

static void print_opened(const struct stat_run *run)
{
	for (size_t i = 0; i < run->counters.nr; i++) {
		const struct perf_event_attr *attr = &run->counters.counter[i].event->attr;

		say("event '%s': type %u config %#llx config1 %#llx config2 %#llx on %zu tasks or CPUs.",
		    run->counters.counter[i].name, attr->type, (unsigned long long)attr->config,
		    (unsigned long long)attr->config1, (unsigned long long)attr->config2,
		    run->counters.nr_spots);
	}
}

static int prepare_counters(struct stat_run *run)
{
	const struct stat_request *request = run->request;
	bool per_task = request->target.kind <= TARGET_THREAD;
	struct why why;

	run->mode.on_exec = request->target.kind == TARGET_COMMAND;
	run->mode.inherit = per_task && !request->no_inherit &&
			    run->dev.info.features & PMUCTL_FEATURE_INHERIT;
	counters_init(&run->counters, &request->events, &request->target);
	if (open_counters(run, &why))
		return failed(&why);
	if (!counters_accepted(&run->counters)) {
		say("%s", run->counters.counter[0].reason);
		return EXIT_REFUSED;
	}
	if (request->verbose) {
		print_opened(run);
		print_refused(run);
	}
	return 0;
}

/* Returns 0, or the exit status for a command that could not be run. */
static int let_go(struct stat_run *run)
{
	int err;

	if (!run->work_held)
		return 0;
	run->work_held = false;
	err = workload_go(&run->work);
	if (!err)
		return 0;
	run->measure.work = NULL;
	say("command '%s': it cannot be run: %s. Check its name and PATH.",
	    run->request->command[0], strerror(-err));
	return err == -ENOENT ? WORKLOAD_NOT_FOUND : WORKLOAD_NOT_EXECUTABLE;
}

static int measure(struct stat_run *run)
{
	int err = 0;

	run->began = measure_now();
	if (!run->mode.on_exec)
		err = counters_enable(&run->counters);
	if (err) {
		say("events: they cannot be started: %s. See 'pmuctl doctor'.", strerror(-err));
		return EXIT_REFUSED;
	}
	err = let_go(run);
	if (err)
		return err;
	measure_wait(&run->measure);
	run->ended = measure_now();
	if (!run->mode.on_exec)
		counters_disable(&run->counters);
	counters_read(&run->counters);
	return 0;
}

static const char *make_note(const struct stat_run *run)
{
	switch (run->request->target.kind) {
	case TARGET_COMMAND:
		if (!run->mode.inherit && !run->request->no_inherit)
			return "threads and children of the command are not counted: this module cannot follow them yet.";
		return NULL;
	case TARGET_PROCESS:
		if (!run->mode.inherit && !run->request->no_inherit)
			return "threads and children started meanwhile are not counted: this module cannot follow them yet.";
		return NULL;
	default:
		return NULL;
	}
}

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

static int write_report(struct stat_run *run)
{
	const struct stat_request *request = run->request;
	struct report report = {
		.counters = &run->counters,
		.command = request->command,
		.elapsed = (run->ended - run->began) / 1e9,
		.user = seconds(&run->work.usage.ru_utime),
		.sys = seconds(&run->work.usage.ru_stime),
		.exit_status = request->command ? workload_exit_status(&run->work) : 0,
		.per_cpu = request->per_cpu,
		.note = make_note(run),
	};
	struct out out;

	if (request->separator)
		return report_csv(run->output, &report, request->separator);
	out_start(&out, run->output, request->json ? OUT_JSON : OUT_TEXT);
	report_write(&out, &report);
	return out_finish(&out);
}

static int report(struct stat_run *run)
{
	const struct stat_request *request = run->request;
	int err = write_report(run);

	if (err) {
		say("output '%s': %s. Give a file that can be written.",
		    request->output ? request->output : "stderr", strerror(-err));
		return EXIT_REFUSED;
	}
	return request->command ? workload_exit_status(&run->work) : 0;
}

static int run_all(struct stat_run *run)
{
	struct why why;
	int status;

	status = connect_device(run);
	if (!status)
		status = default_events(run);
	if (!status)
		status = open_output(run);
	if (!status)
		status = start_command(run);
	if (status)
		return status;
	raise_file_limit();
	status = prepare_counters(run);
	if (status)
		return status;
	if (measure_prepare(&run->measure, &why))
		return failed(&why);
	status = measure(run);
	return status ? status : report(run);
}

int stat_run(struct stat_request *request)
{
	struct stat_run run = {
		.request = request,
		.dev.fd = -1,
		.measure = {
			.target = &request->target,
			.timeout_ms = request->timeout_ms,
			.signal_fd = -1,
		},
	};
	int status = run_all(&run);

	if (run.work_held)
		workload_cancel(&run.work);
	counters_free(&run.counters);
	measure_free(&run.measure);
	device_close(&run.dev);
	if (run.output && run.output != stderr)
		fclose(run.output);
	return status;
}
