// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters count by difference: their event is a number that grows anyway, and is looked at when
 * somebody asks or when an overflow may be near. They must never know where a value ends up.
 */
#include <string.h>

#include "counter.h"

/* Farther than this nobody needs to see; it also bounds how long a change can go unseen. */
#define DISTANCE_MAX BIT(24)

void counters_init(struct counters *counters, unsigned int nr, unsigned int width)
{
	memset(counters, 0, sizeof(*counters));
	counters->nr = nr;
	counters->mask = low_bits(width);
}

static u64 counted_so_far(const struct counters *counters, const struct counter_setup *setup)
{
	u64 count = 0;

	if (setup->user)
		count += event_count(&counters->source, setup->event, USER);
	if (setup->kernel)
		count += event_count(&counters->source, setup->event, KERNEL);
	return count;
}

void counters_update(struct counters *counters)
{
	unsigned int i;

	for (i = 0; i < counters->nr; i++) {
		struct counter *c = &counters->counter[i];
		u64 now, delta;

		if (!c->setup.running)
			continue;
		now = counted_so_far(counters, &c->setup);
		delta = now - c->base;
		if (delta > counters->mask - c->value)
			counters->overflows |= BIT(i);
		c->base = now;
		c->total += delta;
		c->value = (c->value + delta) & counters->mask;
	}
}

static bool setup_is_same(const struct counter_setup *a, const struct counter_setup *b)
{
	return a->event == b->event && a->user == b->user && a->kernel == b->kernel &&
	       a->running == b->running;
}

void counter_set_up(struct counters *counters, unsigned int i, const struct counter_setup *setup)
{
	struct counter *c = &counters->counter[i];

	if (setup_is_same(&c->setup, setup))
		return;
	c->setup = *setup;
	c->base = counted_so_far(counters, setup);
	c->fresh = true;
}

void counters_start_fresh(struct counters *counters)
{
	unsigned int i;

	for (i = 0; i < counters->nr; i++) {
		struct counter *c = &counters->counter[i];

		if (c->fresh)
			c->base = counted_so_far(counters, &c->setup);
		c->fresh = false;
	}
}

u64 counters_distance(const struct counters *counters)
{
	u64 distance = DISTANCE_MAX;
	unsigned int i;

	for (i = 0; i < counters->nr; i++) {
		const struct counter *c = &counters->counter[i];
		u64 left = (counters->mask - c->value + 1) / event_rate(c->setup.event);

		if (c->setup.running && left < distance)
			distance = left;
	}
	return distance ? distance : 1;
}

bool counters_need_branches(const struct counters *counters)
{
	unsigned int i;

	for (i = 0; i < counters->nr; i++)
		if (counters->counter[i].setup.running &&
		    event_needs_branches(counters->counter[i].setup.event))
			return true;
	return false;
}

enum memory_watch counters_need_memory(const struct counters *counters)
{
	enum memory_watch need = MEMORY_IGNORED;
	unsigned int i;

	for (i = 0; i < counters->nr; i++) {
		const struct counter_setup *setup = &counters->counter[i].setup;

		if (setup->running && event_needs_memory(setup->event) > need)
			need = event_needs_memory(setup->event);
	}
	return need;
}
