// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stat prints: a table for people, or JSON. Reads what was counted and changes none of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "row.h"

/* One report on its way; @time is negative for that of the whole. */
struct writer {
	struct out *out;
	double time;
};

static void text_place(const struct writer *w, const struct row *row)
{
	if (w->time >= 0)
		out_text(w->out, "%16.9f ", w->time);
	if (row->spot && row->spot->cpu >= 0)
		out_text(w->out, "CPU%-7d ", row->spot->cpu);
	else if (row->spot)
		out_text(w->out, "%16s-%-8d ", row->spot->comm, row->spot->pid);
}

static void text_metric(struct out *out, const struct row *row, bool more)
{
	const struct metric *metric = &row->metric;

	if (row->has_metric)
		out_text(out, " # %8.*f%s%-*s", metric->digits, metric->value,
			 metric->unit[0] == '%' ? "" : "  ", more ? 25 : 0, metric->unit);
	else if (row->line)
		out_text(out, "%38s", "");
}

/* How long it was on a counter, and how far the scaled value may be off. */
static void text_part_time(struct out *out, const struct row *row)
{
	double error = total_error_percent(&row->total);

	out_text(out, " (%.2f%%)", running_percent(row->total.enabled, row->total.running));
	if (row->total.running && error >= 0)
		out_text(out, "  +- %.1f%%", error);
	else if (row->total.running)
		out_text(out, "  +- ?");
}

static void text_row(const struct writer *w, const struct row *row)
{
	const char *cgroup = row_cgroup(row);
	bool part_time = row_part_time(row);
	char value[48], name[96];

	row_value(row, text_separator(), value, sizeof(value));
	snprintf(name, sizeof(name), cgroup ? "%-24s %s" : "%s", row->counter->name, cgroup);
	text_place(w, row);
	out_text(w->out, "%18s %-4s ", value, row_unit(row));
	if (!row->has_metric && !row->line && !part_time) {
		out_text(w->out, "%s\n", name);
		return;
	}
	out_text(w->out, "%-32s", name);
	text_metric(w->out, row, row->line || part_time);
	if (row->line)
		out_text(w->out, " ( +-%6.2f%% )", spread_percent(&row->line->value));
	if (part_time)
		text_part_time(w->out, row);
	out_text(w->out, "\n");
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

static void json_place(struct out *out, const struct row *row)
{
	if (row->spot && row->spot->cpu >= 0)
		out_number(out, "cpu", NULL, row->spot->cpu);
	if (row->spot && row->spot->cpu < 0) {
		out_string(out, "comm", NULL, row->spot->comm);
		out_number(out, "tid", NULL, row->spot->pid);
	}
	if (row_cgroup(row))
		out_string(out, "cgroup", NULL, row_cgroup(row));
}

static void json_total(struct out *out, const struct row *row)
{
	const struct total *total = &row->total;
	double error = total_error_percent(total);

	out_number(out, "value", NULL, (int64_t)total->value);
	out_string(out, "unit", NULL, metric_is_clock(&row->counter->event->attr) ? "ns" : "");
	if (row->line)
		out_real(out, "spread_percent", spread_percent(&row->line->value));
	out_number(out, "time_enabled_ns", NULL, (int64_t)total->enabled);
	out_number(out, "time_running_ns", NULL, (int64_t)total->running);
	out_real(out, "running_percent", running_percent(total->enabled, total->running));
	if (total->running && error >= 0)
		out_real(out, "error_percent", error);
	else
		out_string(out, "error_percent", NULL, NULL);
	json_metric(out, row);
}

static void write_row(const struct row *row, void *arg)
{
	const struct writer *w = arg;
	struct out *out = w->out;

	out_object(out, NULL, NULL);
	out_string(out, "event", NULL, row->counter->name);
	out_string(out, "status", NULL, row_status(row));
	json_place(out, row);
	if (row->counter->refused)
		out_string(out, "reason", NULL, row->counter->reason);
	else
		json_total(out, row);
	out_close(out);
	text_row(w, row);
}

static void write_rows(struct out *out, const struct report *report, double time)
{
	struct writer w = { out, time };

	out_array(out, "events", NULL);
	rows_each(report, write_row, &w);
	out_close(out);
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
	out_text(out, "\n Performance counter stats for %s%s'", heading[target->kind],
		 target->kind == TARGET_COMMAND ? command :
		 target->kind == TARGET_SYSTEM ? "" : target->text);
	if (report->runs)
		out_text(out, " (%zu runs)", report->runs->nr);
	out_text(out, ":\n\n");
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

/* As many digits as the deviation has zeros behind the point, and two more, as perf has it. */
static int elapsed_digits(double deviation)
{
	double zeros = deviation > 0 && deviation <= 1 ? ceil(-log10(deviation)) : 0;

	return zeros > 9 ? 9 : (int)zeros + 2;
}

/* One run's user and system time would say nothing of the others. */
static void write_times_of_runs(struct out *out, const struct spread *elapsed)
{
	double deviation = spread_deviation(elapsed);
	int digits = elapsed_digits(deviation);

	out_real(out, "elapsed_seconds", elapsed->mean);
	out_real(out, "elapsed_spread_percent", spread_percent(elapsed));
	out_text(out, "\n %17.*f +- %.*f seconds time elapsed  ( +-%6.2f%% )\n\n", digits,
		 elapsed->mean, digits, deviation, spread_percent(elapsed));
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
	if (report->runs)
		out_number(out, "runs", NULL, (int64_t)report->runs->nr);
	write_rows(out, report, -1);
	if (report->runs)
		write_times_of_runs(out, &report->runs->elapsed);
	else
		write_times(out, report);
	if (report->note) {
		out_string(out, "note", NULL, report->note);
		out_text(out, " Note: %s\n\n", report->note);
	}
}

void report_interval(struct out *out, const struct report *report, double time)
{
	out_real(out, "interval", time);
	write_rows(out, report, time);
}

void report_heading(struct out *out, const struct report *report)
{
	const struct target *target = report->counters->target;

	out_text(out, "#           time ");
	if (report->per_spot)
		out_text(out, target_is_tasks(target) ? "            comm-pid      " : "CPU        ");
	out_text(out, "%18s %-4s %s\n", "counts", "unit", "events");
}
