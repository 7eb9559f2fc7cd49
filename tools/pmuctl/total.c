// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a counter comes to: sums over spots, scaling of what was on hardware for a part of the
 * time, and how far that may be wrong. Pure functions of counts.
 */
#include "total.h"

static void add_spot(struct total *total, const struct count *count)
{
	/* Each place is scaled by its own times before it goes into a sum of many. */
	total->value += count_scaled(count);
	total->counted += count->running ? count->value : 0;
	total->enabled += count->enabled;
	total->running += count->running;
	total->blind |= count->enabled && !count->running;
}

struct total counter_total(const struct counters *counters, size_t i, ssize_t spot)
{
	const struct counter *counter = &counters->counter[i];
	struct total total = { 0 };

	if (spot != ALL_SPOTS)
		add_spot(&total, &counter->count[spot]);
	else
		for (size_t s = 0; s < counters->nr_spots; s++)
			add_spot(&total, &counter->count[s]);
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

double running_percent(uint64_t enabled, uint64_t running)
{
	if (!enabled || running >= enabled)
		return 100.0;
	return 100.0 * running / enabled;
}

/*
 * With a rate r while it was on for R of E nanoseconds, the value printed is r E. If the rate
 * was between 0 and 2 r while it waited, the truth is between r R and r E + r (E - R): as far
 * above as r R, what was really counted, is below.
 */
double total_error_percent(const struct total *total)
{
	if (total->running >= total->enabled)
		return 0.0;
	/* None counted in a part of the time: twice nothing is no bound. */
	if (total->blind || !total->value)
		return -1.0;
	return 100.0 * (total->value - total->counted) / total->value;
}
