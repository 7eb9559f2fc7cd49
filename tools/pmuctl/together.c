// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat --no-multiplex. Events stay flexible: pinned ones would be as sure of their counters only
 * by taking them from everybody else's events, and would still lose them to pinned ones of CPUs.
 * So nobody is disturbed, and the times the kernel keeps say afterwards whether it held.
 */
#include <errno.h>
#include <string.h>

#include "measure.h"
#include "together.h"

/* Long against a switch, short against what people notice. */
#define TRY_NS	1000000

int together_check(const struct counters *counters, struct why *why)
{
	double percent;
	const struct counter *counter = counters_part_time(counters, &percent);

	if (!counter)
		return 0;
	return why_set(why, "event '%s': it was on a counter for only %.2f%% of its time, and --no-multiplex allows no scaling. Count fewer events at once; 'pmuctl inspect' shows who has the counters.",
		       counter->name, percent);
}

static int try_open(struct counters *counters, const struct device *dev, struct why *why)
{
	const struct counters_mode mode = { 0 };
	uint64_t begin;
	int err;

	if (counters_open(counters, dev, 0, &mode, why))
		return -1;
	err = counters_enable(counters);
	if (err)
		return why_set(why, "events: they cannot be started: %s. See 'pmuctl doctor'.",
			       strerror(-err));
	for (begin = measure_now(); measure_now() - begin < TRY_NS;)
		;
	counters_read(counters, dev);
	return together_check(counters, why);
}

int together_try(const struct event_list *events, const struct device *dev, struct why *why)
{
	struct target self = { 0 };
	struct counters counters;
	int err;

	target_set_command(&self, 0);
	counters_init(&counters, events, &self);
	err = try_open(&counters, dev, why);
	counters_free(&counters);
	target_free(&self);
	return err;
}
