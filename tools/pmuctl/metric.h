/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures made of two counts, as perf stat shows them beside the count. */
#ifndef PMUCTL_METRIC_H
#define PMUCTL_METRIC_H

#include <linux/perf_event.h>
#include <stdbool.h>

/* @unit begins with '%' for a share. */
struct metric {
	double value;
	const char *unit;
};

/* Which event @attr is to be divided by; false if nothing is made of it. */
bool metric_divisor(const struct perf_event_attr *attr, __u32 *type, __u64 *config);

/* The figure; call it only where metric_divisor() said there is one. */
struct metric metric_make(const struct perf_event_attr *attr, double count, double divisor);

#endif
