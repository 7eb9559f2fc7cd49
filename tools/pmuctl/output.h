/* SPDX-License-Identifier: GPL-2.0-only */
/* One writer for both shapes of output: lines for people, JSON for programs. */
#ifndef PMUCTL_OUTPUT_H
#define PMUCTL_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum out_format {
	OUT_TEXT,
	OUT_JSON,
};

/* How a thing stands, for a word that may carry a colour. */
enum out_mark {
	MARK_OK,
	MARK_INFO,
	MARK_WARN,
	MARK_FAIL,
};

#define OUT_DEPTH_MAX	8

/* Made by out_start(), used by one command, ended by out_finish(). */
struct out {
	FILE *file;
	enum out_format format;
	bool colour;
	bool compact;	/* JSON on one line */
	int depth;
	json_t *open[OUT_DEPTH_MAX];
};

/* Whether what is written there may have colours: a terminal, and nobody said no. */
bool out_may_colour(FILE *file);

/* Begin: in JSON, one object is open until out_finish(). */
void out_start(struct out *out, FILE *file, enum out_format format);

/* End and flush. Returns 0, or -errno if the text could not be written. */
int out_finish(struct out *out);

/*
 * Open an object or an array below the one that is open. @key: NULL inside an array.
 * @heading: a line for the text output, NULL for none.
 */
void out_object(struct out *out, const char *key, const char *heading);
void out_array(struct out *out, const char *key, const char *heading);
void out_close(struct out *out);

/*
 * One value. @key: NULL inside an array. @label: what people read; NULL leaves it out of the
 * text. A NULL @value is null in JSON and no line in the text.
 */
void out_string(struct out *out, const char *key, const char *label, const char *value);
void out_number(struct out *out, const char *key, const char *label, int64_t value);
void out_real(struct out *out, const char *key, double value);
void out_bool(struct out *out, const char *key, const char *label, bool value);

/* A value that people read as one text and programs as a number. */
void out_number_as(struct out *out, const char *key, int64_t value, const char *label,
		   const char *text);

/* Text output only. */
void out_text(struct out *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* @text in a colour, the digits of an SGR sequence, on a terminal. Text output only. */
void out_coloured(struct out *out, const char *colour, const char *text);

/* "ok", "info", "warn", "FAIL": four letters, coloured on a terminal. Text output only. */
void out_mark(struct out *out, enum out_mark mark);

/* The word for a mark in JSON. */
const char *out_mark_name(enum out_mark mark);

#endif
