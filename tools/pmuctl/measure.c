// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting while events count: for the command, the tasks, the clock or the user. Must not wake
 * up more often than something happens: a measurement should not measure itself.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "signals.h"

/* How often tasks are looked at that a kernel before 6.9 cannot watch. */
#define LOOK_EVERY_MS	100

enum { POLL_SIGNAL, POLL_COMMAND, POLL_TASKS };

uint64_t measure_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int measure_prepare(struct measure *measure, struct why *why)
{
	measure->signal_fd = signals_watch();
	if (measure->signal_fd < 0)
		return why_set(why, "signals cannot be watched: %s",
			       strerror(-measure->signal_fd));
	return target_watch(measure->target, &measure->task_fds, why);
}

/* From a terminal the command gets the signal as well; from kill(1) only pmuctl does. */
static void take_signal(struct measure *measure)
{
	bool terminal;
	int number = signals_take(measure->signal_fd, &terminal);

	if (!number)
		return;
	measure->interrupted = true;
	if (measure->work && !terminal)
		kill(measure->work->pid, number);
}

void measure_begin(struct measure *measure, struct workload *work)
{
	struct pollfd *fds;

	measure->work = work;
	measure->deadline = 0;
	measure->nr_fds = POLL_TASKS;
	/* With a command, only its end counts. */
	if (!work)
		measure->nr_fds += measure->target->nr_ids;
	fds = xrealloc(measure->fds, measure->nr_fds, sizeof(*fds));
	measure->fds = fds;
	fds[POLL_SIGNAL] = (struct pollfd){ measure->signal_fd, POLLIN, 0 };
	fds[POLL_COMMAND] = (struct pollfd){ work ? work->pidfd : -1, POLLIN, 0 };
	for (size_t i = POLL_TASKS; i < measure->nr_fds; i++)
		fds[i] = (struct pollfd){ measure->task_fds[i - POLL_TASKS], POLLIN, 0 };
}

void measure_limit(struct measure *measure, unsigned int ms)
{
	measure->deadline = ms ? measure_now() + ms * 1000000ULL : 0;
}

/* Forget the tasks that have ended; returns how many still run, how many unwatched. */
static size_t count_tasks(struct measure *measure, size_t *unwatched)
{
	size_t running = 0;

	*unwatched = 0;
	for (size_t i = POLL_TASKS; i < measure->nr_fds; i++) {
		struct pollfd *fd = &measure->fds[i];
		size_t id = i - POLL_TASKS;

		if (measure->task_fds[id] < 0) {
			bool runs = target_runs(measure->target, id);

			*unwatched += runs;
			running += runs;
		} else if (fd->revents) {
			fd->fd = -1;
		} else {
			running += fd->fd >= 0;
		}
	}
	return running;
}

/* Milliseconds for poll(2): rounded up, so that it is not called in vain. */
static int poll_time(uint64_t until, size_t unwatched)
{
	uint64_t now = measure_now(), left;

	if (until == MEASURE_FOREVER)
		return unwatched ? LOOK_EVERY_MS : -1;
	left = until > now ? (until - now + 999999) / 1000000 : 0;
	if (unwatched && left > LOOK_EVERY_MS)
		return LOOK_EVERY_MS;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

/* Returns true if it is over: without a command, at once. */
static bool time_is_up(struct measure *measure)
{
	if (!measure->deadline || measure_now() < measure->deadline)
		return false;
	if (!measure->work)
		return true;
	kill(measure->work->pid, SIGTERM);
	measure->deadline = 0;
	return false;
}

static uint64_t sooner(const struct measure *measure, uint64_t when)
{
	return measure->deadline && measure->deadline < when ? measure->deadline : when;
}

bool measure_until(struct measure *measure, uint64_t when)
{
	struct pollfd *fds = measure->fds;
	bool have_tasks = measure->nr_fds > POLL_TASKS;
	size_t unwatched = 0;

	if (have_tasks && !count_tasks(measure, &unwatched))
		return true;
	for (;;) {
		int ms = poll_time(sooner(measure, when), unwatched);

		bool broken = poll(fds, measure->nr_fds, ms) < 0 && errno != EINTR;

		if (measure->work && (broken || fds[POLL_COMMAND].revents)) {
			workload_reap(measure->work);
			return true;
		}
		if (broken)
			return true;
		if (fds[POLL_SIGNAL].revents)
			take_signal(measure);
		if (measure->interrupted && !measure->work)
			return true;
		if (have_tasks && !count_tasks(measure, &unwatched))
			return true;
		if (time_is_up(measure))
			return true;
		if (measure_now() >= when)
			return false;
	}
}

void measure_free(struct measure *measure)
{
	for (size_t i = 0; measure->task_fds && i < measure->target->nr_ids; i++)
		if (measure->task_fds[i] >= 0)
			close(measure->task_fds[i]);
	free(measure->task_fds);
	free(measure->fds);
	if (measure->signal_fd >= 0)
		close(measure->signal_fd);
}
