/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reason of a refusal, on its way from the check that made it to the caller of the open ioctl.
 */
#ifndef PMUCTL_MSG_H
#define PMUCTL_MSG_H

#include <pmuctl/plat.h>

#define PMUCTL_MSG_MAX 256

/**
 * struct pmuctl_msg - one text
 * @text: empty, or "which rule refused. What to do"; terminated, no final full stop or newline
 *
 * Lives on the caller's stack or in its request; never shared.
 */
struct pmuctl_msg {
	char text[PMUCTL_MSG_MAX];
};

/*
 * Set the text and return @err, so that a check reads
 *	if (bad)
 *		return pmuctl_refuse(msg, -EINVAL, "why. What to do");
 * The first text wins: an outer layer may add one where the inner gave none.
 */
__printf(3, 4)
int pmuctl_refuse(struct pmuctl_msg *msg, int err, const char *fmt, ...);

#endif /* PMUCTL_MSG_H */
