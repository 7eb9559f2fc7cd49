/* SPDX-License-Identifier: GPL-2.0-only */
/* What a counter comes to: sums over spots, scaled, and how far that may be wrong. */
#ifndef PMUCTL_TOTAL_H
#define PMUCTL_TOTAL_H

#include <sys/types.h>

#include "counters.h"

/* What a counter comes to on one spot or on all, scaled spot by spot. */
struct total {
	uint64_t value;		/* as if it had been on a counter all the time it was enabled */
	uint64_t counted;	/* that much of it was really counted, the rest is extrapolated */
	uint64_t enabled;
	uint64_t running;
	bool blind;		/* on some spot it wanted a counter and never had one */
};

/* One counter on one spot, or the sum over all of them (ALL_SPOTS). */
#define ALL_SPOTS	((ssize_t)-1)
struct total counter_total(const struct counters *counters, size_t i, ssize_t spot);

/* @count's value as if it had run all the time it was enabled. */
uint64_t count_scaled(const struct count *count);

/* Share of the time it ran, in percent; 100 if it was never enabled. */
double running_percent(uint64_t enabled, uint64_t running);

/*
 * How far a scaled value may be from the truth, in percent of it; 0 if nothing was extrapolated,
 * negative if nothing can be said. The lower end is certain, for it was counted; the upper one
 * holds if events came at most twice as often while it waited as while it was on.
 */
double total_error_percent(const struct total *total);

#endif
