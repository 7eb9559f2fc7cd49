// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting while events count: for the command, the tasks, the clock or the user. Must not wake
 * up more often than something happens: a measurement should not measure itself.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

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
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	measure->signal_fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (measure->signal_fd < 0)
		return why_set(why, "signals cannot be watched: %s", strerror(errno));
	return target_watch(measure->target, &measure->task_fds, why);
}

/* From a terminal the command gets the signal as well; from kill(1) only pmuctl does. */
static bool take_signal(const struct measure *measure)
{
	struct signalfd_siginfo info;

	if (read(measure->signal_fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (measure->work && info.ssi_code != SI_KERNEL)
		kill(measure->work->pid, (int)info.ssi_signo);
	return true;
}

static size_t fill(const struct measure *measure, struct pollfd *fds)
{
	size_t nr = POLL_TASKS;

	fds[POLL_SIGNAL] = (struct pollfd){ measure->signal_fd, POLLIN, 0 };
	fds[POLL_COMMAND] = (struct pollfd){ measure->work ? measure->work->pidfd : -1, POLLIN, 0 };
	/* With a command, only its end counts. */
	for (size_t i = 0; !measure->work && i < measure->target->nr_ids; i++)
		fds[nr++] = (struct pollfd){ measure->task_fds[i], POLLIN, 0 };
	return nr;
}

/* Forget the tasks that have ended; returns how many still run, how many unwatched. */
static size_t count_tasks(const struct measure *measure, struct pollfd *fds, size_t nr,
			  size_t *unwatched)
{
	size_t running = 0;

	*unwatched = 0;
	for (size_t i = POLL_TASKS; i < nr; i++) {
		size_t id = i - POLL_TASKS;

		if (measure->task_fds[id] < 0) {
			bool runs = target_runs(measure->target, id);

			*unwatched += runs;
			running += runs;
		} else if (fds[i].revents) {
			fds[i].fd = -1;
		} else {
			running += fds[i].fd >= 0;
		}
	}
	return running;
}

/* Milliseconds for poll(2): rounded up, so that it is not called in vain. */
static int poll_time(uint64_t deadline, size_t unwatched)
{
	uint64_t now = measure_now(), left;

	if (!deadline)
		return unwatched ? LOOK_EVERY_MS : -1;
	left = deadline > now ? (deadline - now + 999999) / 1000000 : 0;
	if (unwatched && left > LOOK_EVERY_MS)
		return LOOK_EVERY_MS;
	return left > INT32_MAX ? INT32_MAX : (int)left;
}

static void wait_for_end(struct measure *measure, struct pollfd *fds, size_t nr)
{
	uint64_t deadline = measure->timeout_ms ?
		measure_now() + measure->timeout_ms * 1000000ULL : 0;
	bool have_tasks = nr > POLL_TASKS;
	size_t unwatched = 0;

	if (have_tasks && !count_tasks(measure, fds, nr, &unwatched))
		return;
	for (;;) {
		if (poll(fds, nr, poll_time(deadline, unwatched)) < 0 && errno != EINTR)
			return;
		if (fds[POLL_COMMAND].revents)
			return;
		if (fds[POLL_SIGNAL].revents && take_signal(measure) && !measure->work)
			return;
		if (have_tasks && !count_tasks(measure, fds, nr, &unwatched))
			return;
		if (!deadline || measure_now() < deadline)
			continue;
		if (!measure->work)
			return;
		kill(measure->work->pid, SIGTERM);
		deadline = 0;
	}
}

void measure_wait(struct measure *measure)
{
	struct pollfd *fds = xcalloc(POLL_TASKS + measure->target->nr_ids, sizeof(*fds));

	wait_for_end(measure, fds, fill(measure, fds));
	free(fds);
	if (measure->work)
		workload_reap(measure->work);
}

void measure_free(struct measure *measure)
{
	for (size_t i = 0; measure->task_fds && i < measure->target->nr_ids; i++)
		if (measure->task_fds[i] >= 0)
			close(measure->task_fds[i]);
	free(measure->task_fds);
	if (measure->signal_fd >= 0)
		close(measure->signal_fd);
}
