/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bench: one kind of work whose cost is measured, on whichever core was chosen. The table of all
 * of them is in main.c; what they share is in meter.h, pair.h and events.h.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "meter.h"

#include <stdint.h>

/* Lines a bench prints: bit n is METER_n, and one more for the groups the scheduler looked at. */
#define SHOW_KERNEL	(1u << METER_KERNEL)
#define SHOW_WRMSR	(1u << METER_WRMSR)
#define SHOW_RDPMC	(1u << METER_RDPMC)
#define SHOW_VISITS	(1u << METERS)

/* @budget is what @visits may be at most, where only the run itself can tell; else negative. */
struct outcome {
	struct cost cost;
	double visits;
	double budget;
};

/* Measures; 0, or -errno if the core cannot do that, with fail_reason() saying why. */
typedef int bench_fn(int arg, struct outcome *outcome);

/**
 * struct bench
 * @name: of its first line; further lines append to it
 * @pmuctl: what to run on pmuctl
 * @in_tree: what to run on in-tree perf; NULL if that makes no sense
 * @arg: for them
 * @show: SHOW_* lines
 * @features: PMUCTL_FEATURE_* without which pmuctl need not try
 * @note: what a reader must know of in-tree perf's figure or of its absence, or NULL
 */
struct bench {
	const char *name;
	bench_fn *pmuctl, *in_tree;
	int arg;
	unsigned int show;
	uint64_t features;
	const char *note;
};

bench_fn switch_tasks;
bench_fn switch_unmeasured;
bench_fn switch_inherited;
bench_fn switch_cgroups;
bench_fn waiting_rotation;
bench_fn waiting_switch;
bench_fn read_one;
bench_fn read_many;
bench_fn read_vector;
bench_fn open_event;
bench_fn open_new_class;
bench_fn close_event;
bench_fn open_first;
bench_fn close_last;

#endif /* BENCH_BENCH_H */
