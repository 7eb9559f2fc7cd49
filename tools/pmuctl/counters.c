// SPDX-License-Identifier: GPL-2.0-only
/*
 * The open events of one measurement, and what they counted. Prints nothing. Every event is read
 * by its own file: sums over tasks and CPUs are made from (value, enabled, running) triples.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "counters.h"
#include "refusal.h"

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

static int try_open(struct counters *counters, const struct device *dev, size_t i, size_t spot,
		    const struct counters_mode *mode, char msg[PMUCTL_TEXT_MAX])
{
	const struct target_spot *at = &counters->target->spot[spot];
	struct perf_event_attr attr = make_attr(counters, i, mode);
	size_t leader = counters->counter[i].event->leader;

	return device_open_event(dev, &attr, at->pid, at->cpu,
				 leader == i ? -1 : counters->counter[leader].fd[spot], msg);
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
		for (size_t spot = counters->nr_spots; spot < nr; spot++) {
			counter->fd[spot] = -1;
			counter->count[spot] = (struct count){ 0 };
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

/* An end of file is a pinned event that could not be placed: it counted nothing. */
static struct count read_one(int fd)
{
	struct count count = { 0 };

	if (fd < 0 || read(fd, &count, sizeof(count)) != sizeof(count))
		count = (struct count){ 0 };
	return count;
}

void counters_read(struct counters *counters)
{
	for (size_t i = 0; i < counters->nr; i++)
		for (size_t spot = 0; spot < counters->nr_spots; spot++)
			counters->counter[i].count[spot] =
				read_one(counters->counter[i].fd[spot]);
}

struct count counter_total(const struct counters *counters, size_t i)
{
	const struct counter *counter = &counters->counter[i];
	struct count total = { 0 };

	for (size_t spot = 0; spot < counters->nr_spots; spot++) {
		/* Each place is scaled by its own times before it goes into a sum of many. */
		total.value += count_scaled(&counter->count[spot]);
		total.enabled += counter->count[spot].enabled;
		total.running += counter->count[spot].running;
	}
	return total;
}

uint64_t count_scaled(const struct count *count)
{
	if (!count->running)
		return 0;
	if (count->running >= count->enabled)
		return count->value;
	return (uint64_t)((double)count->value * count->enabled / count->running + 0.5);
}

double count_percent(const struct count *count)
{
	if (!count->enabled || count->running >= count->enabled)
		return 100.0;
	return 100.0 * count->running / count->enabled;
}

void counters_free(struct counters *counters)
{
	for (size_t i = 0; i < counters->nr; i++) {
		struct counter *counter = &counters->counter[i];

		close_counter(counter, counters->nr_spots);
		free(counter->fd);
		free(counter->count);
		free(counter->name);
		free(counter->reason);
	}
	free(counters->counter);
	*counters = (struct counters){ 0 };
}
