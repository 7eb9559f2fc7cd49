// SPDX-License-Identifier: GPL-2.0-only
/* One measurement on the scripted device. */
#include "bench.h"

void bench_add(struct bench *b, const char *text, bool named)
{
	assert_int_equal(events_parse(&b->events, text, named, &b->why), 0);
}

void bench_on_cpus(struct bench *b, const char *online)
{
	fixture_make();
	fixture_file("devices/system/cpu/online", online);
	assert_int_equal(target_set_cpus(&b->target, NULL, &b->why), 0);
	fixture_remove();
}

int bench_open(struct bench *b, int opens)
{
	script_nr = opens;
	counters_init(&b->counters, &b->events, &b->target);
	return counters_open(&b->counters, &b->dev, 0, &b->mode, &b->why);
}

void bench_end(struct bench *b)
{
	assert_int_equal(script_done, script_nr);
	counters_free(&b->counters);
	target_free(&b->target);
	events_free(&b->events);
}

int bench_setup(void **state)
{
	(void)state;
	scripted_begin();
	return 0;
}
