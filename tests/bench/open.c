// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening and closing events of the calling task. The whole system call is the cost, with starting
 * the event, as it is opened enabled; what RCU frees later is not.
 */
#include "bench.h"
#include "events.h"
#include "sleeper.h"

#include <unistd.h>

#define ROW_MAX	64
#define REPEATS	50

/* opens[i], closes[i]: of the i-th event of a row, each time. */
static struct sample opens[ROW_MAX][REPEATS], closes[ROW_MAX][REPEATS];

/* How a row goes. */
struct plan {
	int length;
	bool others;		/* another task is measured all the time */
	bool new_classes;	/* each event of a class that nobody has counted yet */
};

static int hold_another(struct events *held, pid_t other)
{
	struct target target = { .pid = other, .cpu = -1 };

	return events_open(held, &target, EVENTS_CLASSES);
}

/* Codes for which the model counts nothing. */
static unsigned int new_code(void)
{
	static unsigned int nr;

	nr++;
	return (nr & 0xff) << 8 | (0x50 + nr / 256);
}

static struct perf_event_attr attr_of(const struct plan *plan, int i)
{
	struct perf_event_attr attr = events_attr(i);

	if (plan->new_classes)
		attr.config = new_code();
	return attr;
}

static int open_row(const struct plan *plan, struct events *row, int repeat)
{
	struct target self = { .cpu = -1 };
	int i, fd;

	for (i = 0; i < plan->length; i++) {
		struct perf_event_attr attr = attr_of(plan, i);

		meter_read(&opens[i][repeat]);
		fd = events_add(row, &attr, &self, -1);
		meter_since(&opens[i][repeat]);
		if (fd < 0)
			return fd;
	}
	return 0;
}

static void close_row(struct events *row, int repeat)
{
	int i;

	for (i = 0; i < row->nr; i++) {
		meter_read(&closes[i][repeat]);
		close(row->fds[i]);
		meter_since(&closes[i][repeat]);
	}
	row->nr = 0;
}

static int measure(const struct plan *plan)
{
	pid_t other = sleeper_start();
	struct events held = {}, row = {};
	int i, err = plan->others ? hold_another(&held, other) : 0;

	for (i = 0; i < REPEATS && !err; i++) {
		err = open_row(plan, &row, i);
		close_row(&row, i);
	}
	events_close(&row);
	events_close(&held);
	sleeper_end(other);
	return err;
}

/* The mean of a row's events, each of which has its own cost. */
static int result(const struct plan *plan, struct sample (*samples)[REPEATS],
		  struct outcome *outcome)
{
	int i, err = measure(plan);

	for (i = 0; i < plan->length && !err; i++)
		outcome->cost = meter_sum(outcome->cost, meter_cost(samples[i], REPEATS));
	outcome->cost = meter_times(outcome->cost, 1.0 / plan->length);
	return err;
}

int open_event(int length, struct outcome *outcome)
{
	struct plan plan = { .length = length, .others = true };

	return result(&plan, opens, outcome);
}

int close_event(int length, struct outcome *outcome)
{
	struct plan plan = { .length = length, .others = true };

	return result(&plan, closes, outcome);
}

int open_new_class(int length, struct outcome *outcome)
{
	struct plan plan = { .length = length, .others = true, .new_classes = true };

	return result(&plan, opens, outcome);
}

int open_first(int length, struct outcome *outcome)
{
	struct plan plan = { .length = length };

	return result(&plan, opens, outcome);
}

int close_last(int length, struct outcome *outcome)
{
	struct plan plan = { .length = length };

	return result(&plan, closes, outcome);
}
