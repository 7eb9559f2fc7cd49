// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many groups that wait for a counter: how many of them the scheduler looks at. Half are led by a
 * class that is on and stays on, so that whoever looks at leaders only would try them all; what
 * they wait for is a class of their own, as the others do. So a group goes on only with a counter
 * that was programmed for it, and the number of these starts is that of the groups that went on.
 */
#include "bench.h"
#include "device.h"
#include "events.h"
#include "fail.h"
#include "pair.h"

#include <errno.h>
#include <linux/pmuctl.h>
#include <sys/resource.h>
#include <time.h>

#define CPU		0
#define SECONDS		2

/* Pinned classes. Two have fixed counters; the rest take four of the eight others, or all. */
#define SOME_COUNTERS	6
#define ALL_COUNTERS	10

/* Codes for which the model counts nothing, as many as there are groups and more. */
#define FIRST_CODE	0x50

static void allow_files(rlim_t nr)
{
	struct rlimit limit = { nr, nr };

	must(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

static struct perf_event_attr own_attr(int nr)
{
	struct perf_event_attr attr = events_attr(0);

	attr.config = (nr & 0xff) << 8 | (FIRST_CODE + nr / 256);
	return attr;
}

/* A class of the table, or beyond it one more that nobody waits for. */
static struct perf_event_attr pinned_attr(int nr, int groups)
{
	struct perf_event_attr attr = nr < EVENTS_CLASSES ? events_attr(nr) : own_attr(groups + nr);

	attr.pinned = 1;
	return attr;
}

static int open_pinned(struct events *events, const struct target *target, int nr, int groups)
{
	int i, fd;

	for (i = 0; i < nr; i++) {
		struct perf_event_attr attr = pinned_attr(i, groups);

		fd = events_add(events, &attr, target, -1);
		if (fd < 0)
			return fd;
	}
	return 0;
}

static int open_waiting(struct events *events, const struct target *target, int groups)
{
	int i, fd;

	for (i = 0; i < groups; i++) {
		struct perf_event_attr leader = events_attr(i / 2 % SOME_COUNTERS);
		struct perf_event_attr own = own_attr(i);

		fd = i % 2 ? events_add(events, &leader, target, -1) : -1;
		if (i % 2 && fd < 0)
			return fd;
		fd = events_add(events, &own, target, fd);
		if (fd < 0)
			return fd;
	}
	return 0;
}

static void spin(int seconds)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (now.tv_sec - start.tv_sec < seconds);
}

/*
 * Groups looked at, by pass; and how many that may be: a rotation may look at as many as there are
 * counters, and who goes on is looked at. A switch at which nothing changed is a pass, too, and may
 * look at none.
 */
static void count_visits(const struct pmuctl_record_cpu_pmu *before,
			 const struct pmuctl_record_cpu_pmu *after, struct outcome *outcome)
{
	double passes = after->passes - before->passes ?: 1;
	uint64_t rotations = after->rotations - before->rotations;
	uint64_t starts = after->starts - before->starts;

	outcome->visits = (after->visits - before->visits) / passes;
	outcome->budget = (rotations * after->nr_counters + starts) / passes;
}

/* Four counters are taken in turns by all that wait. */
static int measure_rotation(struct outcome *outcome)
{
	struct pmuctl_record_cpu_pmu before, after;
	int err = device_sums(CPU, &before);

	if (err)
		return err;
	spin(SECONDS);
	err = device_sums(CPU, &after);
	if (err)
		return err;
	if (after.rotations == before.rotations || after.starts == before.starts)
		return fail(-EIO, "groups wait, but did not take turns");
	count_visits(&before, &after, outcome);
	return 0;
}

int waiting_rotation(int groups, struct outcome *outcome)
{
	struct target self = { .cpu = -1 };
	struct events events = {};
	int err;

	allow_files(2 * groups + 100);
	err = open_pinned(&events, &self, SOME_COUNTERS, groups);
	if (!err)
		err = open_waiting(&events, &self, groups);
	if (!err)
		err = measure_rotation(outcome);
	events_close(&events);
	return err;
}

static int open_both(struct events *events, const struct pair *pair, int groups)
{
	struct target target[2] = {
		{ .pid = pair->pid[0], .cpu = -1 },
		{ .pid = pair->pid[1], .cpu = -1 },
	};
	int err = open_pinned(events, &target[0], ALL_COUNTERS, groups);

	if (!err)
		err = open_pinned(events, &target[1], ALL_COUNTERS, groups);
	return err ? err : open_waiting(events, &target[0], groups);
}

static int measure_switch(struct pair *pair, const struct cost *without, struct outcome *outcome)
{
	struct pmuctl_record_cpu_pmu before, after;
	int err;

	/* When the tasks come in for the first time, much changes: that is left out. */
	pair_measure(pair);
	err = device_sums(CPU, &before);
	if (err)
		return err;
	outcome->cost = meter_added(pair_measure(pair), *without);
	err = device_sums(CPU, &after);
	if (err)
		return err;
	if (after.nr_used < ALL_COUNTERS)
		return fail(-EIO, "only %u counters are in use", after.nr_used);
	count_visits(&before, &after, outcome);
	return 0;
}

/*
 * Two tasks that count the same pinned classes on all counters, and the groups wait in the one:
 * nothing ever changes for them.
 */
int waiting_switch(int groups, struct outcome *outcome)
{
	struct events events = {};
	struct cost without;
	struct pair pair;
	int err;

	allow_files(2 * groups + 100);
	pair_start(&pair);
	without = pair_measure(&pair);
	err = open_both(&events, &pair, groups);
	if (!err)
		err = measure_switch(&pair, &without, outcome);
	events_close(&events);
	pair_end(&pair);
	return err;
}
