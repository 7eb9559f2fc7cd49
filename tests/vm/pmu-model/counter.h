/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: an event, the modes it is counted in, and a value of limited width.
 */
#ifndef PMU_MODEL_COUNTER_H
#define PMU_MODEL_COUNTER_H

#include "event.h"

#define COUNTERS_MAX 11

/* What a counter is told to do. */
struct counter_setup {
	enum event event;
	bool user, kernel;
	bool running;
};

struct counter {
	struct counter_setup setup;
	u64 value;
	u64 base;	/* the event's count that @value is up to date with */
	u64 total;	/* all it ever counted: what the branch recorder logs differences of */
	bool fresh;	/* set up differently by the instruction that is running */
};

struct counters {
	struct counter counter[COUNTERS_MAX];
	struct event_source source;
	unsigned int nr;
	u64 mask;	/* of the bits that a counter has */
	u64 overflows;	/* of which nobody was told yet, a bit a counter */
};

void counters_init(struct counters *counters, unsigned int nr, unsigned int width);

/* Bring all values up to date, collecting overflows. */
void counters_update(struct counters *counters);

/* Counts from now on as @setup says. Values must be up to date. */
void counter_set_up(struct counters *counters, unsigned int i, const struct counter_setup *setup);

/* The instruction that set counters up has been counted: it is none of theirs. */
void counters_start_fresh(struct counters *counters);

static inline u64 counter_read(const struct counters *counters, unsigned int i)
{
	return counters->counter[i].value;
}

static inline void counter_write(struct counters *counters, unsigned int i, u64 value)
{
	counters->counter[i].value = value & counters->mask;
}

/* How far struct counts' horizon may grow before a counter can overflow. At least 1. */
u64 counters_distance(const struct counters *counters);

/* What the events that are being counted need looked at. */
bool counters_need_branches(const struct counters *counters);
enum memory_watch counters_need_memory(const struct counters *counters);

#endif /* PMU_MODEL_COUNTER_H */
