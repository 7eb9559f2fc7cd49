// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words for people: messages, nearest names, digits in groups. Everything here is a pure
 * function of its arguments except say() and the memory helpers. It must never know what a
 * message is about.
 */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void *xrealloc(void *p, size_t nr, size_t size)
{
	p = reallocarray(p, nr ? nr : 1, size);
	if (!p) {
		say("out of memory: %zu bytes: %s. Free some memory and try again.", nr * size,
		    strerror(errno));
		exit(1);
	}
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = xrealloc(NULL, nr, size);

	memset(p, 0, nr * size);
	return p;
}

char *xstrdup(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(xrealloc(NULL, size, 1), s, size);
}

char *text_vformat(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0) {
		fputs("pmuctl: out of memory.\n", stderr);
		exit(1);
	}
	return s;
}

char *text_format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = text_vformat(fmt, ap);
	va_end(ap);
	return s;
}

const char *text_final_stop(const char *text)
{
	size_t length = strlen(text);

	return length && strchr(".!?", text[length - 1]) ? "" : ".";
}

void say(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = text_vformat(fmt, ap);
	va_end(ap);
	fprintf(stderr, "pmuctl: %s%s\n", s, text_final_stop(s));
	free(s);
}

int why_set(struct why *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);
	return -1;
}

void why_add(struct why *why, const char *fmt, ...)
{
	size_t used = strlen(why->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why->text + used, sizeof(why->text) - used, fmt, ap);
	va_end(ap);
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t min = a < b ? a : b;

	return min < c ? min : c;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t text_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), width = nb + 1, i, j, result;
	size_t *d = xcalloc((na + 1) * width, sizeof(*d));

	for (i = 0; i <= na; i++)
		d[i * width] = i;
	for (j = 0; j <= nb; j++)
		d[j] = j;
	for (i = 1; i <= na; i++) {
		for (j = 1; j <= nb; j++) {
			size_t *cell = &d[i * width + j];
			size_t change = !same_letter(a[i - 1], b[j - 1]);

			*cell = min3(cell[-1] + 1, *(cell - width) + 1,
				     *(cell - width - 1) + change);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				*cell = min3(*cell, d[(i - 2) * width + j - 2] + 1, *cell);
		}
	}
	result = d[na * width + nb];
	free(d);
	return result;
}

void nearest_init(struct nearest *near, const char *word)
{
	memset(near, 0, sizeof(*near));
	near->word = word;
	near->limit = 1 + strlen(word) * 2 / 5;
}

static bool already_offered(const struct nearest *near, const char *candidate)
{
	for (size_t i = 0; i < near->nr; i++)
		if (!strcasecmp(near->name[i], candidate))
			return true;
	return false;
}

void nearest_offer(struct nearest *near, const char *candidate)
{
	size_t distance, i;

	if (strlen(candidate) >= TEXT_NAME_MAX || already_offered(near, candidate))
		return;
	distance = text_distance(near->word, candidate);
	if (distance > near->limit)
		return;
	for (i = near->nr; i > 0 && near->distance[i - 1] > distance; i--) {
		if (i == TEXT_NEAREST_MAX)
			continue;
		near->distance[i] = near->distance[i - 1];
		strcpy(near->name[i], near->name[i - 1]);
	}
	if (i == TEXT_NEAREST_MAX)
		return;
	near->distance[i] = distance;
	strcpy(near->name[i], candidate);
	if (near->nr < TEXT_NEAREST_MAX)
		near->nr++;
}

char *nearest_sentence(const struct nearest *near)
{
	const char (*n)[TEXT_NAME_MAX] = near->name;
	size_t nr = 0;

	/* Beside a good guess, bad ones only distract. */
	while (nr < near->nr && near->distance[nr] <= near->distance[0] + 1)
		nr++;
	switch (nr) {
	case 0:
		return xstrdup("");
	case 1:
		return text_format(" Did you mean '%s'?", n[0]);
	case 2:
		return text_format(" Did you mean '%s' or '%s'?", n[0], n[1]);
	default:
		return text_format(" Did you mean '%s', '%s' or '%s'?", n[0], n[1], n[2]);
	}
}

void text_digits(char *buf, size_t size, uint64_t value, const char *separator)
{
	char plain[24];
	size_t nr = snprintf(plain, sizeof(plain), "%llu", (unsigned long long)value);
	size_t used = 0;

	if (size)
		buf[0] = '\0';
	for (size_t i = 0; i < nr && used < size; i++) {
		const char *between = i && (nr - i) % 3 == 0 ? separator : "";

		used += snprintf(buf + used, size - used, "%s%c", between, plain[i]);
	}
}

const char *text_separator(void)
{
	const char *separator = localeconv()->thousands_sep;

	return *separator ? separator : ",";
}

char *text_join(char *const argv[])
{
	char *all = xstrdup("");

	for (size_t i = 0; argv[i]; i++) {
		char *longer = text_format("%s%s%s", all, i ? " " : "", argv[i]);

		free(all);
		all = longer;
	}
	return all;
}

bool text_number(const char *s, int base, uint64_t *value)
{
	char *end;

	if (!isxdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, base);
	return !errno && end != s && !*end;
}
