// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mean and its deviation in one pass (Welford), as perf stat -r computes them. Sums of squares
 * would lose every digit of large counts that differ little.
 */
#include <math.h>

#include "spread.h"

void spread_add(struct spread *spread, double sample)
{
	double before = sample - spread->mean;

	spread->nr++;
	spread->mean += before / (double)spread->nr;
	spread->squares += before * (sample - spread->mean);
}

double spread_deviation(const struct spread *spread)
{
	double nr = (double)spread->nr;

	return spread->nr < 2 ? 0.0 : sqrt(spread->squares / (nr - 1) / nr);
}

double spread_percent(const struct spread *spread)
{
	return spread->mean != 0.0 ? 100.0 * spread_deviation(spread) / spread->mean : 0.0;
}
