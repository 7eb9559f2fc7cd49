// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switches between two tasks: what events add to one. Without events and with them it is the same
 * two tasks, unless the events are inherited.
 */
#include "bench.h"
#include "events.h"
#include "pair.h"
#include "sleeper.h"

static int open_on(struct events *events, pid_t pid, int nr)
{
	struct target target = { .pid = pid, .cpu = -1 };

	return events_open(events, &target, nr);
}

int switch_tasks(int nr, struct outcome *outcome)
{
	/* More than there are counters may take turns. */
	uint64_t instructions = nr > EVENTS_CLASSES ? 1 : PAIR_INSTRUCTIONS;
	/* Apart, so that the first of either counts instructions. */
	struct events events[2] = {};
	struct cost without;
	struct pair pair;
	int i, err = 0;

	pair_start(&pair);
	without = pair_measure(&pair);
	for (i = 0; i < 2 && !err; i++)
		err = open_on(&events[i], pair.pid[i], nr);
	if (!err)
		outcome->cost = meter_added(pair_measure(&pair), without);
	for (i = 0; i < 2; i++) {
		err = err ?: events_check(&events[i], instructions);
		events_close(&events[i]);
	}
	pair_end(&pair);
	return err;
}

/* The events are a third task's, which sleeps: only the hooks are felt. */
int switch_unmeasured(int nr, struct outcome *outcome)
{
	struct events events = {};
	struct cost without;
	struct pair pair;
	pid_t sleeper = sleeper_start();
	int err;

	pair_start(&pair);
	without = pair_measure(&pair);
	err = open_on(&events, sleeper, nr);
	if (!err)
		outcome->cost = meter_added(pair_measure(&pair), without);
	events_close(&events);
	pair_end(&pair);
	sleeper_end(sleeper);
	return err;
}

static int open_inherited(struct events *events, int nr)
{
	struct target self = { .cpu = -1 };
	int i, fd;

	for (i = 0; i < nr; i++) {
		struct perf_event_attr attr = events_attr(i);

		attr.inherit = 1;
		fd = events_add(events, &attr, &self, -1);
		if (fd < 0)
			return fd;
	}
	return 0;
}

static struct cost fork_and_measure(void)
{
	struct pair pair;
	struct cost cost;

	pair_start(&pair);
	cost = pair_measure(&pair);
	pair_end(&pair);
	return cost;
}

/* Events are inherited at the fork, so here it is another pair that has none. */
int switch_inherited(int nr, struct outcome *outcome)
{
	struct events events = {};
	struct cost without = fork_and_measure();
	int err = open_inherited(&events, nr);

	if (!err) {
		outcome->cost = meter_added(fork_and_measure(), without);
		err = events_check(&events, 2 * PAIR_INSTRUCTIONS);
	}
	events_close(&events);
	return err;
}
