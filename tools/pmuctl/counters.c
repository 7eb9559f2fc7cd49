// SPDX-License-Identifier: GPL-2.0-only
/*
 * The open events of one measurement, and what they counted. Prints nothing. Every event has its
 * own file on every spot: sums over tasks and CPUs are made from (value, enabled, running) triples.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cgroup.h"
#include "counters.h"
#include "refusal.h"
#include "total.h"

void counters_init(struct counters *counters, const struct event_list *events,
		   const struct target *target)
{
	*counters = (struct counters){ .nr = events->nr, .target = target };
	counters->counter = xcalloc(events->nr, sizeof(*counters->counter));
	for (size_t i = 0; i < events->nr; i++) {
		counters->counter[i].event = &events->event[i];
		counters->counter[i].name = xstrdup(events->event[i].name);
	}
}

static bool leads(const struct counters *counters, size_t i)
{
	return counters->counter[i].event->leader == i;
}

static struct perf_event_attr make_attr(const struct counters *counters, size_t i,
					const struct counters_mode *mode)
{
	const struct counter *counter = &counters->counter[i];
	struct perf_event_attr attr = counter->event->attr;
	bool leader = leads(counters, i);

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	/* A member runs when its leader does: only the leader is held back. */
	attr.disabled = leader;
	attr.enable_on_exec = leader && mode->on_exec;
	attr.inherit = mode->inherit;
	if (counter->user_only)
		attr.exclude_kernel = attr.exclude_hv = 1;
	return attr;
}

/* Whether the event may be tried again without the kernel's part. */
static bool may_try_user_only(const struct counter *counter, int err)
{
	return (err == EACCES || err == EPERM) && !counter->user_only && counter->event->any_level;
}

/* As perf does it: a user who may not see the kernel's part gets the rest, and is told so. */
static void rename_user_only(struct counter *counter)
{
	char *longer = text_format("%s%s", counter->name, strchr(counter->name, ':') ? "u" : ":u");

	free(counter->name);
	counter->name = longer;
}

static void close_counter(struct counter *counter, size_t nr)
{
	for (size_t spot = 0; spot < nr; spot++) {
		if (counter->fd[spot] >= 0)
			close(counter->fd[spot]);
		counter->fd[spot] = -1;
	}
}

static int refuse(struct counters *counters, size_t i, int err, const char *msg, struct why *why)
{
	struct counter *counter = &counters->counter[i];

	refusal_event(why, counter->name, err, msg);
	if (counter->event->named)
		return -1;
	counter->refused = true;
	counter->reason = xstrdup(why->text);
	close_counter(counter, counters->nr_spots);
	return 0;
}

/* A cgroup's events count on a CPU while its tasks run there: the directory is the "task". */
static struct device_place make_place(const struct counters *counters, size_t i, size_t spot)
{
	const struct target_spot *at = &counters->target->spot[spot];
	const struct event *event = counters->counter[i].event;
	struct device_place place = { .pid = at->pid, .cpu = at->cpu, .group_fd = -1 };

	if (event->cgroup) {
		place.pid = event->cgroup->fd;
		place.flags = PERF_FLAG_PID_CGROUP;
	}
	if (event->leader != i)
		place.group_fd = counters->counter[event->leader].fd[spot];
	return place;
}

static int try_open(struct counters *counters, const struct device *dev, size_t i, size_t spot,
		    const struct counters_mode *mode, char msg[PMUCTL_TEXT_MAX])
{
	struct perf_event_attr attr = make_attr(counters, i, mode);
	struct device_place place = make_place(counters, i, spot);

	return device_open_event(dev, &attr, &place, msg);
}

static int open_at(struct counters *counters, const struct device *dev, size_t i, size_t spot,
		   const struct counters_mode *mode, struct why *why)
{
	struct counter *counter = &counters->counter[i];
	char msg[PMUCTL_TEXT_MAX];
	int fd = try_open(counters, dev, i, spot, mode, msg);

	if (fd < 0 && spot == 0 && may_try_user_only(counter, -fd)) {
		counter->user_only = true;
		fd = try_open(counters, dev, i, spot, mode, msg);
		if (fd >= 0)
			rename_user_only(counter);
	}
	counter->fd[spot] = fd < 0 ? -1 : fd;
	if (fd >= 0)
		return 0;
	/* A thread that ended since it was found is no reason to count none of the others. */
	if (fd == -ESRCH && counters->target->kind == TARGET_PROCESS)
		return 0;
	return refuse(counters, i, -fd, msg, why);
}

static void grow(struct counters *counters, size_t nr)
{
	for (size_t i = 0; i < counters->nr; i++) {
		struct counter *counter = &counters->counter[i];

		counter->fd = xrealloc(counter->fd, nr, sizeof(*counter->fd));
		counter->count = xrealloc(counter->count, nr, sizeof(*counter->count));
		counter->base = xrealloc(counter->base, nr, sizeof(*counter->base));
		for (size_t spot = counters->nr_spots; spot < nr; spot++) {
			counter->fd[spot] = -1;
			counter->count[spot] = counter->base[spot] = (struct count){ 0 };
		}
	}
	counters->nr_spots = nr;
}

/* A member cannot be opened where its leader is not. */
static bool openable(const struct counters *counters, size_t i, size_t spot)
{
	const struct counter *counter = &counters->counter[i];
	const struct counter *leader = &counters->counter[counter->event->leader];

	return !counter->refused && (leader == counter || leader->fd[spot] >= 0);
}

int counters_open(struct counters *counters, const struct device *dev, size_t first,
		  const struct counters_mode *mode, struct why *why)
{
	grow(counters, counters->target->nr);
	for (size_t spot = first; spot < counters->nr_spots; spot++)
		for (size_t i = 0; i < counters->nr; i++)
			if (openable(counters, i, spot) &&
			    open_at(counters, dev, i, spot, mode, why))
				return -1;
	return 0;
}

size_t counters_accepted(const struct counters *counters)
{
	size_t nr = 0;

	for (size_t i = 0; i < counters->nr; i++)
		nr += !counters->counter[i].refused;
	return nr;
}

static int control(struct counters *counters, unsigned long request)
{
	int err = 0;

	for (size_t i = 0; i < counters->nr; i++) {
		struct counter *counter = &counters->counter[i];

		if (!leads(counters, i))
			continue;
		for (size_t spot = 0; spot < counters->nr_spots; spot++)
			if (counter->fd[spot] >= 0 && ioctl(counter->fd[spot], request, 0) && !err)
				err = -errno;
	}
	return err;
}

int counters_enable(struct counters *counters)
{
	return control(counters, PERF_EVENT_IOC_ENABLE);
}

int counters_disable(struct counters *counters)
{
	return control(counters, PERF_EVENT_IOC_DISABLE);
}

static void subtract(struct count *count, const struct count *base)
{
	/* A file that could not be read this time says nothing, not that time ran backwards. */
	if (count->enabled < base->enabled) {
		*count = (struct count){ 0 };
		return;
	}
	count->value -= base->value;
	count->enabled -= base->enabled;
	count->running -= base->running;
}

void counters_read(struct counters *counters, const struct device *dev)
{
	size_t nr = counters->nr * counters->nr_spots, n = 0;
	struct reading *reading = xcalloc(nr, sizeof(*reading));

	for (size_t i = 0; i < counters->nr; i++) {
		const struct counter *counter = &counters->counter[i];

		for (size_t spot = 0; spot < counters->nr_spots; spot++)
			reading[n++] = (struct reading){ counter->fd[spot], &counter->count[spot] };
	}
	readings_take(dev, reading, nr);
	free(reading);
	for (size_t i = 0; i < counters->nr; i++)
		for (size_t spot = 0; spot < counters->nr_spots; spot++)
			subtract(&counters->counter[i].count[spot],
				 &counters->counter[i].base[spot]);
}

void counters_step(struct counters *counters)
{
	for (size_t i = 0; i < counters->nr; i++) {
		for (size_t spot = 0; spot < counters->nr_spots; spot++) {
			const struct count *count = &counters->counter[i].count[spot];
			struct count *base = &counters->counter[i].base[spot];

			base->value += count->value;
			base->enabled += count->enabled;
			base->running += count->running;
		}
	}
}

const struct counter *counters_part_time(const struct counters *counters, double *percent)
{
	for (size_t i = 0; i < counters->nr; i++) {
		for (size_t spot = 0; spot < counters->nr_spots; spot++) {
			const struct count *count = &counters->counter[i].count[spot];

			if (count->running >= count->enabled)
				continue;
			*percent = running_percent(count->enabled, count->running);
			return &counters->counter[i];
		}
	}
	return NULL;
}

void counters_free(struct counters *counters)
{
	for (size_t i = 0; i < counters->nr; i++) {
		struct counter *counter = &counters->counter[i];

		close_counter(counter, counters->nr_spots);
		free(counter->fd);
		free(counter->count);
		free(counter->base);
		free(counter->name);
		free(counter->reason);
	}
	free(counters->counter);
	*counters = (struct counters){ 0 };
}
