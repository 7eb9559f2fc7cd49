// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading active events of the calling task: one, many one by one, many in one call. The whole
 * system call is the cost.
 */
#include "bench.h"
#include "device.h"
#include "events.h"
#include "fail.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#define SAMPLES 1000

static struct sample samples[SAMPLES];

/* A read of one file, another one each time. */
static int read_next(const struct events *events)
{
	static unsigned int nr;
	uint64_t value;

	if (read(events->fds[nr++ % events->nr], &value, sizeof(value)) == sizeof(value))
		return 0;
	return fail(-EIO, "read gave no value");
}

static int read_all_at_once(const struct events *events)
{
	struct pmuctl_read_item items[events->nr];
	uint64_t values[events->nr];
	struct pmuctl_read args = {
		.size = sizeof(args),
		.nr = events->nr,
		.items = (uintptr_t)items,
		.values = (uintptr_t)values,
		.values_size = sizeof(values),
	};
	int i, bytes;

	for (i = 0; i < events->nr; i++)
		items[i] = (struct pmuctl_read_item){ .fd = events->fds[i] };
	bytes = device_read(&args);
	if (bytes < 0)
		return bytes;
	return bytes == (int)sizeof(values) ? 0 : fail(-EIO, "vector read gave %d bytes", bytes);
}

static int measure(int nr, int (*work)(const struct events *events), struct outcome *outcome)
{
	struct target self = { .cpu = -1 };
	struct events events = {};
	int i, err;

	err = events_open(&events, &self, nr);
	for (i = 0; i < SAMPLES && !err; i++) {
		meter_read(&samples[i]);
		err = work(&events);
		meter_since(&samples[i]);
	}
	if (!err) {
		outcome->cost = meter_cost(samples, SAMPLES);
		err = events_check(&events, SAMPLES);
	}
	events_close(&events);
	return err;
}

int read_one(int nr, struct outcome *outcome)
{
	return measure(nr, read_next, outcome);
}

/* @nr reads of as many files as in-tree perf can have active at once. */
int read_many(int nr, struct outcome *outcome)
{
	int err = measure(EVENTS_CLASSES, read_next, outcome);

	outcome->cost = meter_times(outcome->cost, nr);
	return err;
}

int read_vector(int nr, struct outcome *outcome)
{
	return measure(nr, read_all_at_once, outcome);
}
