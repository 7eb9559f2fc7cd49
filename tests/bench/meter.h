/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMU model's own totals, by its magic CPUID leaf, and what becomes of many differences of
 * them. Reading them costs no kernel instruction and no MSR access, so it needs no correction.
 */
#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of the leaf's sub-leaves. */
enum {
	METER_KERNEL,
	METER_USER,
	METER_WRMSR,
	METER_RDMSR,
	METER_RDPMC,
	METERS,
};

/* Totals at one moment, or a difference of two. */
struct sample {
	uint64_t n[METERS];
};

/* What some work costs. */
struct cost {
	double n[METERS];
};

/* Is there a model? */
bool meter_works(void);

void meter_read(struct sample *sample);

/* @sample, taken before the work, becomes what was spent since. */
void meter_since(struct sample *sample);

/* The cost of the work of which @nr samples were taken. Sorts the samples. */
struct cost meter_cost(struct sample *samples, int nr);

struct cost meter_times(struct cost cost, double factor);
struct cost meter_sum(struct cost a, struct cost b);

/* What @with costs more than @without. */
struct cost meter_added(struct cost with, struct cost without);

#endif /* BENCH_METER_H */
