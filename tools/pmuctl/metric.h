/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures made of two counts, or of a count and a time, as perf stat shows them. */
#ifndef PMUCTL_METRIC_H
#define PMUCTL_METRIC_H

#include <linux/perf_event.h>
#include <stdbool.h>

/* @unit begins with '%' for a share. @digits: behind the point. */
struct metric {
	double value;
	int digits;
	const char *unit;
};

/* Which event @attr is to be divided by; false if nothing is made of it. */
bool metric_divisor(const struct perf_event_attr *attr, __u32 *type, __u64 *config);

/* The figure; call it only where metric_divisor() said there is one. */
struct metric metric_ratio(const struct perf_event_attr *attr, double count, double divisor);

/* Whether @attr counts nanoseconds on a CPU: what rates are made with. */
bool metric_is_clock(const struct perf_event_attr *attr);

/* Of a clock: how many CPUs were busy in @seconds of the wall clock. */
struct metric metric_utilized(double ns, double seconds);

/* Of any other event: how often it came in each second on a CPU. */
struct metric metric_rate(const struct perf_event_attr *attr, double count, double ns);

#endif
