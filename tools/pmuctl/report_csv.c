// SPDX-License-Identifier: GPL-2.0-only
/*
 * CSV in the columns of perf stat -x, in perf's order, with one of ours behind them. A program
 * reads this: a column never moves.
 */
#include <errno.h>
#include <locale.h>
#include <string.h>

#include "row.h"

struct csv {
	FILE *file;
	const char *separator;
	double time;		/* negative: none */
};

static void write_place(const struct csv *csv, const struct row *row)
{
	if (csv->time >= 0)
		fprintf(csv->file, "%16.9f%s", csv->time, csv->separator);
	if (row->spot && row->spot->cpu >= 0)
		fprintf(csv->file, "CPU%d%s", row->spot->cpu, csv->separator);
	else if (row->spot)
		fprintf(csv->file, "%s-%d%s", row->spot->comm, row->spot->pid, csv->separator);
}

static void write_event(const struct csv *csv, const struct row *row)
{
	const char *cgroup = row_cgroup(row), *sep = csv->separator;
	char value[48];

	row_value(row, "", value, sizeof(value));
	fprintf(csv->file, "%s%s%s%s%s%s", value, sep, row_unit(row), sep, row->counter->name, sep);
	if (cgroup)
		fprintf(csv->file, "%s%s", cgroup, sep);
	if (row->line)
		fprintf(csv->file, "%.2f%%%s", spread_percent(&row->line->value), sep);
}

static void write_metric(const struct csv *csv, const struct row *row)
{
	const struct metric *metric = &row->metric;

	if (row->has_metric)
		fprintf(csv->file, "%.*f%s%s", metric->digits, metric->value, csv->separator,
			metric->unit + strspn(metric->unit, "% "));
	else
		fputs(csv->separator, csv->file);
}

static void write_row(const struct row *row, void *arg)
{
	const struct csv *csv = arg;
	double error = total_error_percent(&row->total);
	const char *sep = csv->separator;

	write_place(csv, row);
	write_event(csv, row);
	fprintf(csv->file, "%llu%s%.2f%s", (unsigned long long)row->total.running, sep,
		running_percent(row->total.enabled, row->total.running), sep);
	write_metric(csv, row);
	fputs(sep, csv->file);
	if (row->total.running && error >= 0)
		fprintf(csv->file, "%.2f", error);
	fputc('\n', csv->file);
}

int report_csv(FILE *file, const struct report *report, const char *separator, double time)
{
	struct csv csv = { file, separator, time };
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = c ? uselocale(c) : (locale_t)0;

	/* A decimal comma would be one column more. */
	rows_each(report, write_row, &csv);
	if (c) {
		uselocale(before);
		freelocale(c);
	}
	if (fflush(file) || ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}
