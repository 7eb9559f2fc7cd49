// SPDX-License-Identifier: GPL-2.0-only
/* Reasons of refusals. Formatting only: never allocates, never sleeps. */
#include <pmuctl/msg.h>

int pmuctl_refuse(struct pmuctl_msg *msg, int err, const char *fmt, ...)
{
	va_list args;

	if (msg->text[0])
		return err;
	va_start(args, fmt);
	vsnprintf(msg->text, sizeof(msg->text), fmt, args);
	va_end(args);
	return err;
}
