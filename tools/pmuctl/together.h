/* SPDX-License-Identifier: GPL-2.0-only */
/* stat --no-multiplex: every event on a counter all the time, or a refusal. */
#ifndef PMUCTL_TOGETHER_H
#define PMUCTL_TOGETHER_H

#include "counters.h"

/*
 * Whether all @events can be on counters together: tries it on pmuctl itself for a moment.
 * Returns -1 with the whole message in @why.
 */
int together_try(const struct event_list *events, const struct device *dev, struct why *why);

/* Whether all of @counters, just read, were. Returns -1 with the whole message in @why. */
int together_check(const struct counters *counters, struct why *why);

#endif
