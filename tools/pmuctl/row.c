// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of a report, whatever it looks like: which there are, what each came to, and the
 * figure perf would show beside it. Prints nothing.
 */
#include <stdio.h>
#include <string.h>

#include "cgroup.h"
#include "row.h"

static struct total total_at(const struct report *report, size_t i, ssize_t spot)
{
	if (report->runs)
		return runs_total(runs_line(report->runs, i, spot));
	return counter_total(report->counters, i, spot);
}

static bool same_levels(const struct counter *a, const struct counter *b)
{
	const struct perf_event_attr *x = &a->event->attr, *y = &b->event->attr;

	return x->exclude_user == y->exclude_user && x->exclude_kernel == y->exclude_kernel &&
	       x->exclude_hv == y->exclude_hv && a->user_only == b->user_only;
}

static bool same_cgroup(const struct counter *a, const struct counter *b)
{
	const struct cgroup *x = a->event->cgroup, *y = b->event->cgroup;

	return x == y || (x && y && !strcmp(x->name, y->name));
}

static bool is_event(const struct counter *counter, __u32 type, __u64 config)
{
	return counter->event->attr.type == type && counter->event->attr.config == config;
}

/* What the divisor of @counter came to; 0 if it is not counted beside it. */
static double ratio_divisor(const struct report *report, const struct counter *counter,
			    ssize_t spot)
{
	const struct counters *counters = report->counters;
	__u32 type;
	__u64 config;

	if (!metric_divisor(&counter->event->attr, &type, &config))
		return 0;
	for (size_t i = 0; i < counters->nr; i++) {
		const struct counter *other = &counters->counter[i];
		uint64_t value;

		if (other->refused || !is_event(other, type, config) ||
		    !same_levels(counter, other) || !same_cgroup(counter, other))
			continue;
		value = total_at(report, i, spot).value;
		if (value)
			return (double)value;
	}
	return 0;
}

/* Nanoseconds on a CPU, from the first clock counted beside it; 0 if there is none. */
static double clock_beside(const struct report *report, const struct counter *counter,
			   ssize_t spot)
{
	const struct counters *counters = report->counters;

	for (size_t i = 0; i < counters->nr; i++) {
		const struct counter *other = &counters->counter[i];
		uint64_t value;

		if (other->refused || !metric_is_clock(&other->event->attr) ||
		    !same_cgroup(counter, other))
			continue;
		value = total_at(report, i, spot).value;
		if (value)
			return (double)value;
	}
	return 0;
}

static void add_metric(struct row *row, const struct report *report, ssize_t spot)
{
	const struct perf_event_attr *attr = &row->counter->event->attr;
	double count = (double)row->total.value, divisor;

	if (!row->total.running)
		return;
	row->has_metric = true;
	if (metric_is_clock(attr) && report->elapsed > 0)
		row->metric = metric_utilized(count, report->elapsed);
	else if ((divisor = ratio_divisor(report, row->counter, spot)))
		row->metric = metric_ratio(attr, count, divisor);
	else if ((divisor = clock_beside(report, row->counter, spot)))
		row->metric = metric_rate(attr, count, divisor);
	else
		row->has_metric = false;
}

static struct row make_row(const struct report *report, size_t i, ssize_t spot)
{
	const struct counters *counters = report->counters;
	struct row row = { .counter = &counters->counter[i] };

	if (spot != ALL_SPOTS)
		row.spot = &counters->target->spot[spot];
	if (row.counter->refused)
		return row;
	if (report->runs)
		row.line = runs_line(report->runs, i, spot);
	row.total = total_at(report, i, spot);
	add_metric(&row, report, spot);
	return row;
}

void rows_each(const struct report *report, void (*each)(const struct row *row, void *arg),
	       void *arg)
{
	ssize_t first = report->per_spot ? 0 : ALL_SPOTS;
	ssize_t end = report->per_spot ? (ssize_t)report->counters->nr_spots : ALL_SPOTS + 1;

	for (size_t i = 0; i < report->counters->nr; i++) {
		for (ssize_t spot = first; spot < end; spot++) {
			struct row row = make_row(report, i, spot);

			each(&row, arg);
		}
	}
}

const char *row_status(const struct row *row)
{
	if (row->counter->refused)
		return "not supported";
	return row->total.running ? "counted" : "not counted";
}

/* Clocks count nanoseconds; people read milliseconds. */
static bool is_clock(const struct row *row)
{
	return metric_is_clock(&row->counter->event->attr);
}

void row_value(const struct row *row, const char *separator, char *buf, size_t size)
{
	if (row->counter->refused || !row->total.running)
		snprintf(buf, size, "<%s>", row_status(row));
	else if (is_clock(row))
		snprintf(buf, size, "%.2f", (double)row->total.value / 1e6);
	else
		text_digits(buf, size, row->total.value, separator);
}

const char *row_unit(const struct row *row)
{
	return is_clock(row) ? "msec" : "";
}

bool row_part_time(const struct row *row)
{
	return row->total.running < row->total.enabled;
}

const char *row_cgroup(const struct row *row)
{
	return row->counter->event->cgroup ? row->counter->event->cgroup->name : NULL;
}
