// SPDX-License-Identifier: GPL-2.0-only
/*
 * See meter.h.
 *
 * The same work executes the same instructions, except that a timer interrupt, another task or a
 * period of the scheduler's load averages may come in between, which only adds. So samples are
 * short, there are many, and the least of them are the work alone. Of these not the very least: in
 * a few samples in ten thousand the work itself is cut short (a task found awake that mostly
 * sleeps). The hundredth part is left out, and the next sample is the figure.
 *
 * Registers are those of that sample, so that all figures of a cost belong together.
 */
#include "meter.h"

#include <cpuid.h>
#include <stdlib.h>

#define LEAF		0x504d5500
#define SIGNATURE	0x504d5543

bool meter_works(void)
{
	unsigned int a, b, c, d;

	__cpuid_count(LEAF, 0, a, b, c, d);
	return b == SIGNATURE;
}

void meter_read(struct sample *sample)
{
	unsigned int i, a, b, c, d;

	for (i = 0; i < METERS; i++) {
		__cpuid_count(LEAF, i, a, b, c, d);
		sample->n[i] = (uint64_t)d << 32 | a;
	}
}

void meter_since(struct sample *sample)
{
	struct sample now;
	int i;

	meter_read(&now);
	for (i = 0; i < METERS; i++)
		sample->n[i] = now.n[i] - sample->n[i];
}

static int by_kernel(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->n[METER_KERNEL] > y->n[METER_KERNEL]) - (x->n[METER_KERNEL] < y->n[METER_KERNEL]);
}
struct cost meter_cost(struct sample *samples, int nr)
{
	struct cost cost;
	int i;

	qsort(samples, nr, sizeof(*samples), by_kernel);
	for (i = 0; i < METERS; i++)
		cost.n[i] = samples[nr / 100].n[i];
	return cost;
}

struct cost meter_times(struct cost cost, double factor)
{
	int i;

	for (i = 0; i < METERS; i++)
		cost.n[i] *= factor;
	return cost;
}

struct cost meter_sum(struct cost a, struct cost b)
{
	int i;

	for (i = 0; i < METERS; i++)
		a.n[i] += b.n[i];
	return a;
}

struct cost meter_added(struct cost with, struct cost without)
{
	return meter_sum(with, meter_times(without, -1));
}
