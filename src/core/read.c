// SPDX-License-Identifier: GPL-2.0-only
/*
 * What read(2) of an event file gives, in the layouts of perf_event_open(2) (checklist FD-02,
 * FD-04): all values of a group are of one moment.
 */
#include <pmuctl/event.h>

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* PERF_FORMAT_LOST came with 6.0; headers of older programs lack it, ours are never that old. */
static size_t words_of_event(u64 read_format)
{
	return 1 + !!(read_format & PERF_FORMAT_ID) + !!(read_format & PERF_FORMAT_LOST);
}

size_t pmuctl_read_size(u64 read_format, u32 nr)
{
	size_t words = hweight64(read_format & TIMES);

	if (read_format & PERF_FORMAT_GROUP)
		words += 1 + nr * words_of_event(read_format);
	else
		words += words_of_event(read_format);
	return words * sizeof(u64);
}

struct reading {
	const struct pmuctl_event *event;
	u64 *next;
	size_t size;
	ssize_t result;
};

static void put(struct reading *reading, u64 value)
{
	*reading->next++ = value;
}

static void put_times(struct reading *reading, const struct pmuctl_event *event)
{
	u64 format = reading->event->attr.read_format;
	u64 enabled, running;

	__pmuctl_event_times(event, &enabled, &running);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(reading, enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(reading, running);
}

static void put_id(struct reading *reading, const struct pmuctl_event *event)
{
	u64 format = reading->event->attr.read_format;

	if (format & PERF_FORMAT_ID)
		put(reading, event->id);
	if (format & PERF_FORMAT_LOST)
		put(reading, 0);	/* samples lost; a counting event takes none */
}

static void read_single(struct reading *reading)
{
	put(reading, __pmuctl_event_count(reading->event));
	put_times(reading, reading->event);
	put_id(reading, reading->event);
}

/* A sibling's read gives the whole group, the leader first, with the leader's times. */
static void read_group(struct reading *reading)
{
	const struct pmuctl_group *group = reading->event->group;
	const struct pmuctl_event *event;

	put(reading, group->nr);
	put_times(reading, pmuctl_group_leader(group));
	list_for_each_entry(event, &group->members, group_node) {
		put(reading, __pmuctl_event_count(event));
		put_id(reading, event);
	}
}

static void read_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct reading *reading = arg;
	u64 format = reading->event->attr.read_format;
	size_t size = pmuctl_read_size(format, reading->event->group->nr);

	if (size > reading->size) {
		reading->result = -ENOSPC;
		return;
	}
	if (format & PERF_FORMAT_GROUP)
		read_group(reading);
	else
		read_single(reading);
	reading->result = size;
}

ssize_t pmuctl_event_read(struct pmuctl_event *event, u64 *values, size_t size)
{
	struct reading reading = { .event = event, .next = values, .size = size };

	pmuctl_ctx_call(event->ctx, read_here, &reading);
	return reading.result;
}
