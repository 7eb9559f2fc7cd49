// SPDX-License-Identifier: GPL-2.0-only
/* See fail.h. */
#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char reason[512];

int fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return err;
}

const char *fail_reason(void)
{
	return reason;
}

void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "pmuctl: bench: %s: %s\n", what, strerror(errno));
	exit(1);
}
