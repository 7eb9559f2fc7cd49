// SPDX-License-Identifier: GPL-2.0-only
/*
 * One writer for both shapes of output: lines for people, JSON for programs (jansson). A command
 * says each thing once and never asks which of the two is being written.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "text.h"

#define LABEL_WIDTH	18

/* NO_COLOR (no-color.org): any non-empty value turns colours off. */
bool out_may_colour(FILE *file)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if ((no && *no) || (terminal && !strcmp(terminal, "dumb")))
		return false;
	return isatty(fileno(file));
}

void out_start(struct out *out, FILE *file, enum out_format format)
{
	memset(out, 0, sizeof(*out));
	out->file = file;
	out->format = format;
	if (format == OUT_JSON)
		out->open[0] = json_object();
	else
		out->colour = out_may_colour(file);
}

int out_finish(struct out *out)
{
	if (out->format == OUT_JSON) {
		/* 12 digits: what a clock in nanoseconds and a ratio need, without noise. */
		size_t flags = JSON_REAL_PRECISION(12) | (out->compact ? 0 : JSON_INDENT(2));

		errno = 0;
		if (json_dumpf(out->open[0], out->file, flags) && !errno)
			errno = EIO;
		fputc('\n', out->file);
		json_decref(out->open[0]);
		out->open[0] = NULL;
	}
	if (fflush(out->file) || ferror(out->file))
		return errno ? -errno : -EIO;
	return 0;
}

static void put(struct out *out, const char *key, json_t *value)
{
	json_t *into = out->open[out->depth];

	if (key)
		json_object_set_new(into, key, value);
	else
		json_array_append_new(into, value);
}

static void open_below(struct out *out, const char *key, const char *heading, json_t *value)
{
	if (out->format == OUT_JSON) {
		put(out, key, value);
		if (out->depth + 1 < OUT_DEPTH_MAX)
			out->open[++out->depth] = value;
		return;
	}
	json_decref(value);
	if (heading)
		fprintf(out->file, "%*s%s\n", 2 * out->depth, "", heading);
	out->depth++;
}

void out_object(struct out *out, const char *key, const char *heading)
{
	open_below(out, key, heading, json_object());
}

void out_array(struct out *out, const char *key, const char *heading)
{
	open_below(out, key, heading, json_array());
}

void out_close(struct out *out)
{
	out->depth--;
}

static void labelled(struct out *out, const char *label, const char *text)
{
	if (label && text)
		fprintf(out->file, "%*s%-*s %s\n", 2 * out->depth, "", LABEL_WIDTH, label, text);
}

void out_string(struct out *out, const char *key, const char *label, const char *value)
{
	if (out->format == OUT_JSON)
		put(out, key, value ? json_string(value) : json_null());
	else
		labelled(out, label, value);
}

void out_number_as(struct out *out, const char *key, int64_t value, const char *label,
		   const char *text)
{
	if (out->format == OUT_JSON)
		put(out, key, json_integer(value));
	else
		labelled(out, label, text);
}

void out_number(struct out *out, const char *key, const char *label, int64_t value)
{
	char *text = text_format("%lld", (long long)value);

	out_number_as(out, key, value, label, text);
	free(text);
}

void out_real(struct out *out, const char *key, double value)
{
	if (out->format == OUT_JSON)
		put(out, key, json_real(value));
}

void out_bool(struct out *out, const char *key, const char *label, bool value)
{
	if (out->format == OUT_JSON)
		put(out, key, json_boolean(value));
	else
		labelled(out, label, value ? "yes" : "no");
}

void out_text(struct out *out, const char *fmt, ...)
{
	va_list ap;

	if (out->format != OUT_TEXT)
		return;
	va_start(ap, fmt);
	vfprintf(out->file, fmt, ap);
	va_end(ap);
}

const char *out_mark_name(enum out_mark mark)
{
	static const char *const name[] = { "ok", "info", "warn", "fail" };

	return name[mark];
}

void out_mark(struct out *out, enum out_mark mark)
{
	static const char *const word[] = { "ok  ", "info", "warn", "FAIL" };
	static const char *const colour[] = { "32", "36", "33", "1;31" };

	out_coloured(out, colour[mark], word[mark]);
}

void out_coloured(struct out *out, const char *colour, const char *text)
{
	if (out->colour)
		out_text(out, "\033[%sm%s\033[0m", colour, text);
	else
		out_text(out, "%s", text);
}
