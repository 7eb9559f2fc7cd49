// SPDX-License-Identifier: GPL-2.0-only
/*
 * What several runs came to. Keeps means and deviations, not the runs: each run's counters are
 * gone when the next begins.
 */
#include <math.h>
#include <stdlib.h>

#include "runs.h"

static size_t lines_of_one(const struct runs *runs)
{
	return runs->per_spot ? runs->nr_spots : 1;
}

const struct runs_line *runs_line(const struct runs *runs, size_t i, ssize_t spot)
{
	return &runs->line[i * lines_of_one(runs) + (spot == ALL_SPOTS ? 0 : (size_t)spot)];
}

static void add_total(struct runs_line *line, const struct total *total)
{
	spread_add(&line->value, (double)total->value);
	spread_add(&line->counted, (double)total->counted);
	spread_add(&line->enabled, (double)total->enabled);
	spread_add(&line->running, (double)total->running);
	line->blind |= total->blind;
}

void runs_add(struct runs *runs, const struct counters *counters, double elapsed)
{
	size_t lines;

	runs->nr_spots = counters->nr_spots;
	lines = lines_of_one(runs);
	if (!runs->nr++)
		runs->line = xcalloc(counters->nr * lines, sizeof(*runs->line));
	for (size_t i = 0; i < counters->nr; i++) {
		for (size_t l = 0; l < lines; l++) {
			ssize_t spot = runs->per_spot ? (ssize_t)l : ALL_SPOTS;
			struct total total = counter_total(counters, i, spot);

			add_total(&runs->line[i * lines + l], &total);
		}
	}
	spread_add(&runs->elapsed, elapsed);
}

static uint64_t mean(const struct spread *spread)
{
	return (uint64_t)llround(spread->mean);
}

struct total runs_total(const struct runs_line *line)
{
	return (struct total){
		.value = mean(&line->value),
		.counted = mean(&line->counted),
		.enabled = mean(&line->enabled),
		.running = mean(&line->running),
		.blind = line->blind,
	};
}

void runs_free(struct runs *runs)
{
	free(runs->line);
	*runs = (struct runs){ 0 };
}
