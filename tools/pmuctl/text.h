/* SPDX-License-Identifier: GPL-2.0-only */
/* Words for people: messages, nearest names, digits in groups. */
#ifndef PMUCTL_TEXT_H
#define PMUCTL_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define TEXT_NEAREST_MAX	3
#define TEXT_NAME_MAX		96

/* Why something was refused: filled in by whoever refuses, printed by the command. */
struct why {
	char text[1024];
};

/* The names closest to a word that was not found. */
struct nearest {
	const char *word;
	size_t limit;
	size_t nr;
	size_t distance[TEXT_NEAREST_MAX];
	char name[TEXT_NEAREST_MAX][TEXT_NAME_MAX];
};

/* Print "pmuctl: TEXT" with a final stop and a newline on stderr. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Store the reason; always returns -1, so that a refusal is one statement. */
int why_set(struct why *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Append to the reason. */
void why_add(struct why *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "." for a text that does not end a sentence yet, else "". */
const char *text_final_stop(const char *text);

/* Damerau-Levenshtein distance (adjacent letters may be swapped), without regard to case. */
size_t text_distance(const char *a, const char *b);

/* Start a search for names near @word; offer every candidate; then ask for the sentence. */
void nearest_init(struct nearest *near, const char *word);
void nearest_offer(struct nearest *near, const char *candidate);

/* " Did you mean 'a', 'b' or 'c'?", or "" if nothing is near. The caller frees it. */
char *nearest_sentence(const struct nearest *near);

/*
 * @value with its digits in groups of three. @separator is put between them: pass
 * text_separator() for the user's locale.
 */
void text_digits(char *buf, size_t size, uint64_t value, const char *separator);

/* The locale's thousands separator; "," where the locale (C, POSIX) has none. */
const char *text_separator(void);

/* The words of @argv in one string, with spaces between. The caller frees it. */
char *text_join(char *const argv[]);

/* Whole-string unsigned number in @base (0: as in C). Returns false if it is not one. */
bool text_number(const char *s, int base, uint64_t *value);

/* printf into new memory; never NULL. The caller frees it. */
char *text_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same with a va_list. */
char *text_vformat(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Memory or the end of the program: the command has nothing useful to do without. */
void *xrealloc(void *p, size_t nr, size_t size);
void *xcalloc(size_t nr, size_t size);
char *xstrdup(const char *s);

#endif
