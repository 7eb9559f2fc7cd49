/* SPDX-License-Identifier: GPL-2.0-only */
/* One measurement on the scripted device, as run.c sets it up. */
#ifndef PMUCTL_TEST_BENCH_H
#define PMUCTL_TEST_BENCH_H

#include "counters.h"
#include "device_scripted.h"
#include "fixture.h"

/* All zero to begin; the target is the test's to set. */
struct bench {
	struct event_list events;
	struct target target;
	struct counters counters;
	struct device dev;
	struct counters_mode mode;
	struct why why;
};

void bench_add(struct bench *b, const char *text, bool named);

/* Count CPUs: all of a made-up machine that has these. */
void bench_on_cpus(struct bench *b, const char *online);

/* Open what was added; the script expects so many opens. */
int bench_open(struct bench *b, int opens);
void bench_end(struct bench *b);

/* For cmocka: an empty script. */
int bench_setup(void **state);

#endif
