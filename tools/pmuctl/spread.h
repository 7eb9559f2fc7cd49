/* SPDX-License-Identifier: GPL-2.0-only */
/* Mean of repeated measurements, and how sure it is. */
#ifndef PMUCTL_SPREAD_H
#define PMUCTL_SPREAD_H

#include <stddef.h>

/* Samples taken so far; all zero to begin. @squares: of differences from @mean, summed up. */
struct spread {
	size_t nr;
	double mean;
	double squares;
};

void spread_add(struct spread *spread, double sample);

/* Standard deviation of the mean; 0 with fewer than two samples. */
double spread_deviation(const struct spread *spread);

/* The same in percent of the mean; 0 if that is 0. */
double spread_percent(const struct spread *spread);

#endif
