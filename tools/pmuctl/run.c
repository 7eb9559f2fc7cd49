// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of a measurement. Everything that can be refused is refused before the command runs a
 * single instruction; a command that runs is always waited for.
 */
#include <errno.h>
#include <string.h>

#include "options.h"
#include "run.h"
#include "together.h"

/* How often new threads of a process are looked for. */
#define MOST_LOOKS	10

static int failed(const struct why *why)
{
	say("%s", why->text);
	return EXIT_REFUSED;
}

static int start_command(struct run *run)
{
	struct stat_request *request = run->request;
	int err;

	if (!request->command)
		return 0;
	err = workload_start(&run->work, request->command, run->ways);
	if (err) {
		say("command '%s': it cannot be started: %s. Try again with fewer processes.",
		    request->command[0], strerror(-err));
		return EXIT_REFUSED;
	}
	run->work_held = true;
	if (request->target.kind == TARGET_COMMAND)
		target_set_command(&request->target, run->work.pid);
	return 0;
}

/*
 * Threads that appear while others are being opened are found by looking again; a process that
 * starts them faster than that is not waited for.
 */
static int open_counters(struct run *run, struct why *why)
{
	struct target *target = &run->request->target;
	size_t first = 0;
	int found = 1;

	for (int look = 0; look < MOST_LOOKS && found; look++) {
		found = target_find_threads(target, why);
		if (found < 0 || counters_open(&run->counters, run->dev, first, &run->mode, why))
			return -1;
		first = target->nr;
	}
	return 0;
}

static void print_refused(const struct run *run)
{
	for (size_t i = 0; i < run->counters.nr; i++)
		if (run->counters.counter[i].refused)
			say("%s", run->counters.counter[i].reason);
}

static void print_opened(const struct run *run)
{
	for (size_t i = 0; i < run->counters.nr; i++) {
		const struct perf_event_attr *attr = &run->counters.counter[i].event->attr;

		say("event '%s': type %u config %#llx config1 %#llx config2 %#llx on %zu tasks or CPUs.",
		    run->counters.counter[i].name, attr->type, (unsigned long long)attr->config,
		    (unsigned long long)attr->config1, (unsigned long long)attr->config2,
		    run->counters.nr_spots);
	}
}

static int prepare_counters(struct run *run)
{
	struct stat_request *request = run->request;
	struct why why;

	run->mode.on_exec = request->target.kind == TARGET_COMMAND && !request->delay_ms;
	run->mode.inherit = target_is_tasks(&request->target) && !request->no_inherit &&
			    run->dev->info.features & PMUCTL_FEATURE_INHERIT;
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

int run_prepare(struct run *run)
{
	int status;

	target_forget_threads(&run->request->target);
	status = start_command(run);
	return status ? status : prepare_counters(run);
}

/* Returns 0, or the exit status for a command that could not be run. */
static int let_go(struct run *run)
{
	int err;

	if (!run->work_held)
		return 0;
	run->work_held = false;
	err = workload_go(&run->work);
	if (!err)
		return 0;
	say("command '%s': it cannot be run: %s. Check its name and PATH.",
	    run->request->command[0], strerror(-err));
	return err == -ENOENT ? WORKLOAD_NOT_FOUND : WORKLOAD_NOT_EXECUTABLE;
}

static int check_together(const struct run *run)
{
	struct why why;

	if (!run->request->no_multiplex || !together_check(&run->counters, &why))
		return 0;
	return failed(&why);
}

static int enable(struct run *run)
{
	int err;

	run->began = run->step = measure_now();
	err = counters_enable(&run->counters);
	if (!err)
		return 0;
	say("events: they cannot be started: %s. See 'pmuctl doctor'.", strerror(-err));
	return EXIT_REFUSED;
}

/* On CPUs, events that do not fit show at once; on tasks, together_try() has looked. */
static int enable_before_command(struct run *run)
{
	int status = enable(run);

	if (status || target_is_tasks(&run->request->target))
		return status;
	counters_read(&run->counters, run->dev);
	return check_together(run);
}

static int end_interval(struct run *run)
{
	int status;

	counters_read(&run->counters, run->dev);
	run->ended = measure_now();
	status = check_together(run);
	if (!status)
		status = run->interval(run, run->arg);
	counters_step(&run->counters);
	run->step = run->ended;
	return status;
}

/* Returns true if all is over, false if counting alone is: enough counted, or an exit status. */
static bool wait_by_intervals(struct run *run, int *status)
{
	uint64_t length = run->request->interval_ms * 1000000ULL, next = run->began + length;
	unsigned int nr = 0;

	while (!measure_until(run->measure, next)) {
		*status = end_interval(run);
		if (*status || ++nr == run->request->interval_count)
			return false;
		/* Reading may have taken longer than an interval: the next is one that can be kept. */
		do {
			next += length;
		} while (next <= run->ended);
	}
	*status = end_interval(run);
	return true;
}

static bool wait_for_end(struct run *run, int *status)
{
	if (run->request->interval_ms)
		return wait_by_intervals(run, status);
	return measure_until(run->measure, MEASURE_FOREVER);
}

/* Let the delay pass. Returns true if all is over before. */
static bool wait_before_counting(struct run *run, int *status)
{
	int delay = run->request->delay_ms;

	if (!delay)
		return false;
	if (delay == DELAY_FOREVER) {
		measure_limit(run->measure, run->request->timeout_ms);
		return measure_until(run->measure, MEASURE_FOREVER);
	}
	if (measure_until(run->measure, measure_now() + delay * 1000000ULL))
		return true;
	*status = enable(run);
	return false;
}

static int wait_and_read(struct run *run)
{
	bool over;
	int status = 0;

	measure_begin(run->measure, run->work.pid ? &run->work : NULL);
	over = wait_before_counting(run, &status);
	if (!over && !status) {
		measure_limit(run->measure, run->request->timeout_ms);
		over = wait_for_end(run, &status);
	}
	run->ended = measure_now();
	if (!run->mode.on_exec || !over)
		counters_disable(&run->counters);
	counters_read(&run->counters, run->dev);
	if (!over && run->work.pid)
		measure_until(run->measure, MEASURE_FOREVER);
	return status ? status : check_together(run);
}

int run_measure(struct run *run)
{
	int status = 0;

	run->began = run->step = measure_now();
	if (!run->mode.on_exec && !run->request->delay_ms)
		status = enable_before_command(run);
	if (!status)
		status = let_go(run);
	return status ? status : wait_and_read(run);
}

void run_end(struct run *run)
{
	if (run->work_held)
		workload_cancel(&run->work);
	run->work_held = false;
	counters_free(&run->counters);
}
