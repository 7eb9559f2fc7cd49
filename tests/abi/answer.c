// SPDX-License-Identifier: GPL-2.0-only
/* Prints the probe's answers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

const char *error_name(long ret)
{
	return ret < 0 ? strerrorname_np(-ret) : "ok";
}

const char *yes(bool it_is)
{
	return it_is ? "yes" : "no";
}

const char *times_of(const struct counts *c)
{
	if (c->running > c->enabled)
		return "impossible";
	if (!c->enabled)
		return "never enabled";
	if (!c->running)
		return "waited all the time";
	return c->running == c->enabled ? "equal" : "waited";
}

void answer(const char *name, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	printf("%s: ", name);
	vprintf(text, args);
	putchar('\n');
	va_end(args);
}

void answer_error(const char *name, long ret)
{
	answer(name, "%s", error_name(ret));
}

void answer_errno(const char *name, long ret)
{
	answer_error(name, ret < 0 ? -errno : ret);
}

void answer_open(const char *name, int fd)
{
	if (fd < 0 && core_gives_reasons() && !core_reason()[0])
		answer(name, "%s, and no reason was given", error_name(fd));
	else
		answer_error(name, fd);
	if (fd >= 0)
		close(fd);
}

void answer_value(const char *name, int fd)
{
	answer(name, "%llu", (unsigned long long)must_read(fd).value);
}

void answer_times(const char *name, int fd)
{
	struct counts c = must_read(fd);

	answer(name, "%s", times_of(&c));
}
