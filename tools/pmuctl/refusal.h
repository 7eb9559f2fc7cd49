/* SPDX-License-Identifier: GPL-2.0-only */
/* What to tell a user whose event, device or snapshot was refused. */
#ifndef PMUCTL_REFUSAL_H
#define PMUCTL_REFUSAL_H

#include "text.h"

/*
 * "event 'NAME': WHY. WHAT TO DO." for an open that failed with @err (positive). @text is the
 * module's reason, "" if it gave none.
 */
void refusal_event(struct why *why, const char *name, int err, const char *text);

/* The same for device_connect(). @abi: the module's, for EPROTO. */
void refusal_device(struct why *why, int err, unsigned int abi);

/* The same for a snapshot that failed with @err. */
void refusal_snapshot(struct why *why, int err);

#endif
