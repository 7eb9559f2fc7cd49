// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stat prints: a table for people, CSV in perf's columns, or JSON. Reads what was counted
 * and changes none of it.
 */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "report.h"

/* One line of a report. */
struct row {
	const struct counter *counter;
	int cpu;		/* -1: over all */
	struct count count;	/* value is scaled */
	bool has_metric;
	struct metric metric;
};

static bool same_levels(const struct counter *a, const struct counter *b)
{
	const struct perf_event_attr *x = &a->event->attr, *y = &b->event->attr;

	return x->exclude_user == y->exclude_user && x->exclude_kernel == y->exclude_kernel &&
	       x->exclude_hv == y->exclude_hv && a->user_only == b->user_only;
}

static struct count count_at(const struct counters *counters, size_t i, ssize_t spot)
{
	struct count count;

	if (spot < 0)
		return counter_total(counters, i);
	count = counters->counter[i].count[spot];
	count.value = count_scaled(&count);
	return count;
}

static void add_metric(struct row *row, const struct counters *counters, ssize_t spot)
{
	const struct perf_event_attr *attr = &row->counter->event->attr;
	__u32 type;
	__u64 config;

	if (!row->count.running || !metric_divisor(attr, &type, &config))
		return;
	for (size_t i = 0; i < counters->nr && !row->has_metric; i++) {
		const struct counter *other = &counters->counter[i];
		struct count count;

		if (other->refused || other->event->attr.type != type ||
		    other->event->attr.config != config || !same_levels(row->counter, other))
			continue;
		count = count_at(counters, i, spot);
		row->has_metric = count.value;
		if (row->has_metric)
			row->metric = metric_make(attr, row->count.value, count.value);
	}
}

static struct row make_row(const struct report *report, size_t i, ssize_t spot)
{
	const struct counters *counters = report->counters;
	struct row row = { .counter = &counters->counter[i], .cpu = -1 };

	if (spot >= 0)
		row.cpu = counters->target->spot[spot].cpu;
	if (!row.counter->refused) {
		row.count = count_at(counters, i, spot);
		add_metric(&row, counters, spot);
	}
	return row;
}

/* Call @each with every line of the report. */
static void each_row(const struct report *report,
		     void (*each)(const struct row *row, void *arg), void *arg)
{
	const struct counters *counters = report->counters;

	for (size_t i = 0; i < counters->nr; i++) {
		ssize_t first = report->per_cpu ? 0 : -1;
		ssize_t end = report->per_cpu ? (ssize_t)counters->nr_spots : 0;

		for (ssize_t spot = first; spot < end; spot++) {
			struct row row = make_row(report, i, spot);

			each(&row, arg);
		}
	}
}

static const char *row_status(const struct row *row)
{
	if (row->counter->refused)
		return "not supported";
	return row->count.running ? "counted" : "not counted";
}

/* Clocks count nanoseconds; people read milliseconds. */
static bool is_clock(const struct row *row)
{
	const struct perf_event_attr *attr = &row->counter->event->attr;

	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void row_value(const struct row *row, const char *separator, char *buf, size_t size)
{
	if (row->counter->refused || !row->count.running)
		snprintf(buf, size, "<%s>", row_status(row));
	else if (is_clock(row))
		snprintf(buf, size, "%.2f", (double)row->count.value / 1e6);
	else
		text_digits(buf, size, row->count.value, separator);
}

static void text_row(struct out *out, const struct row *row)
{
	bool part_time = row->count.running < row->count.enabled;
	char value[48], cpu[24] = "";

	row_value(row, text_separator(), value, sizeof(value));
	if (row->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "CPU%-7d ", row->cpu);
	out_text(out, "%s%18s %-4s ", cpu, value, is_clock(row) ? "msec" : "");
	if (!row->has_metric && !part_time) {
		out_text(out, "%s\n", row->counter->name);
		return;
	}
	out_text(out, "%-32s", row->counter->name);
	if (row->has_metric)
		out_text(out, " # %8.2f%s%-*s", row->metric.value,
			 row->metric.unit[0] == '%' ? "" : "  ", part_time ? 25 : 0,
			 row->metric.unit);
	if (part_time)
		out_text(out, " (%.2f%%)", count_percent(&row->count));
	out_text(out, "\n");
}

static void json_metric(struct out *out, const struct row *row)
{
	if (!row->has_metric)
		return;
	out_object(out, "metric", NULL);
	out_real(out, "value", row->metric.value);
	out_string(out, "unit", NULL, row->metric.unit);
	out_close(out);
}

static void write_row(const struct row *row, void *arg)
{
	struct out *out = arg;

	out_object(out, NULL, NULL);
	out_string(out, "event", NULL, row->counter->name);
	out_string(out, "status", NULL, row_status(row));
	if (row->cpu >= 0)
		out_number(out, "cpu", NULL, row->cpu);
	if (row->counter->refused) {
		out_string(out, "reason", NULL, row->counter->reason);
	} else {
		out_number(out, "value", NULL, (int64_t)row->count.value);
		out_string(out, "unit", NULL, is_clock(row) ? "ns" : "");
		out_number(out, "time_enabled_ns", NULL, (int64_t)row->count.enabled);
		out_number(out, "time_running_ns", NULL, (int64_t)row->count.running);
		out_real(out, "running_percent", count_percent(&row->count));
		json_metric(out, row);
	}
	out_close(out);
	text_row(out, row);
}

static void write_target(struct out *out, const struct report *report)
{
	static const char *const kind[] = { "command", "process", "thread", "cpu", "system" };
	static const char *const heading[] = { "'", "process id '", "thread id '", "'CPU(s) ",
					       "'system wide" };
	const struct target *target = report->counters->target;
	char *command = report->command ? text_join(report->command) : NULL;

	out_string(out, "target", NULL, kind[target->kind]);
	out_string(out, "ids", NULL, target->text);
	out_text(out, "\n Performance counter stats for %s%s':\n\n", heading[target->kind],
		 target->kind == TARGET_COMMAND ? command :
		 target->kind == TARGET_SYSTEM ? "" : target->text);
	free(command);
}

static void write_command(struct out *out, const struct report *report)
{
	if (!report->command) {
		out_string(out, "command", NULL, NULL);
		return;
	}
	out_array(out, "command", NULL);
	for (size_t i = 0; report->command[i]; i++)
		out_string(out, NULL, NULL, report->command[i]);
	out_close(out);
	out_number(out, "exit_status", NULL, report->exit_status);
}

static void write_times(struct out *out, const struct report *report)
{
	out_real(out, "elapsed_seconds", report->elapsed);
	out_text(out, "\n%17.9f seconds time elapsed\n\n", report->elapsed);
	/* Beside what was counted elsewhere, the command's times would only mislead. */
	if (report->counters->target->kind == TARGET_COMMAND) {
		out_real(out, "user_seconds", report->user);
		out_real(out, "sys_seconds", report->sys);
		out_text(out, "%17.9f seconds user\n%17.9f seconds sys\n\n", report->user,
			 report->sys);
	}
}

void report_write(struct out *out, const struct report *report)
{
	write_target(out, report);
	write_command(out, report);
	out_array(out, "events", NULL);
	each_row(report, write_row, out);
	out_close(out);
	write_times(out, report);
	if (report->note) {
		out_string(out, "note", NULL, report->note);
		out_text(out, " Note: %s\n\n", report->note);
	}
}

struct csv {
	FILE *file;
	const char *separator;
};

static void csv_row(const struct row *row, void *arg)
{
	const struct csv *csv = arg;
	const char *sep = csv->separator;
	char value[48], metric[48] = "";

	row_value(row, "", value, sizeof(value));
	if (row->has_metric)
		snprintf(metric, sizeof(metric), "%.2f", row->metric.value);
	if (row->cpu >= 0)
		fprintf(csv->file, "CPU%d%s", row->cpu, sep);
	fprintf(csv->file, "%s%s%s%s%s%s%llu%s%.2f%s%s%s%s\n", value, sep,
		is_clock(row) ? "msec" : "", sep, row->counter->name, sep,
		(unsigned long long)row->count.running, sep, count_percent(&row->count), sep,
		metric, sep, !row->has_metric ? "" :
		row->metric.unit + strspn(row->metric.unit, "% "));
}

int report_csv(FILE *file, const struct report *report, const char *separator)
{
	struct csv csv = { file, separator };
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = c ? uselocale(c) : (locale_t)0;

	/* A program reads this: a decimal comma would be one column more. */
	each_row(report, csv_row, &csv);
	if (c) {
		uselocale(before);
		freelocale(c);
	}
	if (fflush(file) || ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}
