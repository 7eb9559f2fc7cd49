// SPDX-License-Identifier: GPL-2.0-only
/*
 * What read(2) of an event file gives, in the layouts of perf_event_open(2) (checklist FD-01 to
 * -04): all values of a group are of one moment, those of each child group as well.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>
#include <pmuctl/read.h>

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

/* ---- writing down ---- */

struct writer {
	u64 format;
	u64 *next;
};

static void put(struct writer *writer, u64 value)
{
	*writer->next++ = value;
}

static void put_times(struct writer *writer, const struct pmuctl_values *values)
{
	if (writer->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(writer, values->enabled);
	if (writer->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(writer, values->running);
}

static void put_id(struct writer *writer, u64 id)
{
	if (writer->format & PERF_FORMAT_ID)
		put(writer, id);
	if (writer->format & PERF_FORMAT_LOST)
		put(writer, 0);		/* samples lost; a counting event takes none */
}

static void put_single(struct writer *writer, const struct pmuctl_event *event,
		       const struct pmuctl_values *values)
{
	put(writer, values->count);
	put_times(writer, values);
	put_id(writer, event->id);
}

/* The leader first, whose times are the group's. */
static void put_group(struct writer *writer, const struct pmuctl_member *members, u32 n)
{
	u32 i;

	put(writer, n);
	put_times(writer, &members[0].values);
	for (i = 0; i < n; i++) {
		put(writer, members[i].values.count);
		put_id(writer, members[i].event->id);
	}
}

/* ---- gathering a group ---- */

/* Members of one group; @n may exceed @max: then nothing was gathered. */
struct gathering {
	struct pmuctl_event *event;
	bool alone;
	struct pmuctl_member *members;
	u32 max, n;
	u32 generation;
};

static void gather_one(struct gathering *gathering, struct pmuctl_event *event)
{
	gathering->members[gathering->n++] = (struct pmuctl_member){
		.event = pmuctl_event_get(event),
		.values = __pmuctl_event_values(event),
	};
}

/* A child that is not installed yet, or no more, is a group of one. */
static void gather_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct gathering *gathering = arg;
	struct pmuctl_group *group = gathering->event->group;
	struct pmuctl_event *event;
	u32 n = gathering->alone || !group ? 1 : group->nr;

	gathering->n = 0;
	gathering->generation = group && !gathering->alone ? group->generation : 0;
	if (n > gathering->max) {
		gathering->n = n;
		return;
	}
	if (gathering->alone || !group) {
		gather_one(gathering, gathering->event);
		return;
	}
	list_for_each_entry(event, &group->members, group_node)
		gather_one(gathering, event);
}

static void put_members(struct pmuctl_member *members, u32 n)
{
	while (n--)
		pmuctl_event_put(members[n].event);
}

/* Add what one child group counted to its parents' sums. */
static int add_child(struct gathering *own, struct gathering *child)
{
	bool alike;

	pmuctl_ctx_call(child->event->ctx, gather_here, child);
	if (child->n > child->max)
		return -ECHILD;
	alike = child->n == own->n && child->generation == own->generation;
	if (alike)
		pmuctl_family_add_values(own->members, child->members, own->n);
	put_members(child->members, child->n);
	/* A child that has ended since is no group any more, but part of what was folded. */
	return alike || !pmuctl_family_is_child(child->event) ? 0 : -ECHILD;
}

/* Add up what the children counted; ECHILD if a child's group is not like its parent's (FD-03). */
static int add_children(struct gathering *own)
{
	struct gathering child = { .alone = own->alone, .max = own->n };
	struct pmuctl_event *leader = own->members[0].event;
	int err = 0;

	child.members = kcalloc(own->n, sizeof(*child.members), GFP_KERNEL);
	if (!child.members)
		return -ENOMEM;
	pmuctl_family_begin(leader);
	pmuctl_family_reset(own->members, own->n);
	while (!err && (child.event = pmuctl_family_next(leader))) {
		err = add_child(own, &child);
		pmuctl_event_put(child.event);
	}
	pmuctl_family_sum(own->members, own->n);
	pmuctl_family_end(leader);
	kfree(child.members);
	return err;
}

/* ---- one event ---- */

struct single {
	const struct pmuctl_event *event;
	struct writer writer;
};

static void single_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct single *single = arg;
	struct pmuctl_values values = __pmuctl_event_values(single->event);

	put_single(&single->writer, single->event, &values);
}

/* No group, no children: what most reads are. */
static ssize_t read_single(struct pmuctl_event *event, u64 *values, size_t size)
{
	struct single single = {
		.event = event,
		.writer = { .format = event->attr.read_format, .next = values },
	};

	if (event->read_size > size)
		return -ENOSPC;
	if (!pmuctl_ctx_look(event->ctx, single_here, &single))
		pmuctl_ctx_call(event->ctx, single_here, &single);
	return event->read_size;
}

static ssize_t write_down(const struct gathering *gathering, struct writer *writer, size_t size)
{
	if (pmuctl_read_size(writer->format, gathering->n) > size)
		return -ENOSPC;
	if (gathering->alone)
		put_single(writer, gathering->event, &gathering->members[0].values);
	else
		put_group(writer, gathering->members, gathering->n);
	return pmuctl_read_size(writer->format, gathering->n);
}

/* With room for @max members: the length, or 0 if there are more. */
static ssize_t read_members(struct gathering *gathering, struct writer *writer, size_t size)
{
	ssize_t result = 0;

	pmuctl_ctx_call(gathering->event->ctx, gather_here, gathering);
	if (gathering->n > gathering->max)
		return 0;
	if (pmuctl_family_exists(gathering->members[0].event))
		result = add_children(gathering);
	if (!result)
		result = write_down(gathering, writer, size);
	put_members(gathering->members, gathering->n);
	return result;
}

static ssize_t read_many(struct pmuctl_event *event, struct writer *writer, size_t size)
{
	struct gathering gathering = {
		.event = event, .alone = !(writer->format & PERF_FORMAT_GROUP), .max = 8,
	};
	ssize_t result = 0;

	while (!result) {
		gathering.members = kcalloc(gathering.max, sizeof(*gathering.members), GFP_KERNEL);
		if (!gathering.members)
			return -ENOMEM;
		result = read_members(&gathering, writer, size);
		kfree(gathering.members);
		gathering.max = gathering.n;
	}
	return result;
}

ssize_t pmuctl_event_read(struct pmuctl_event *event, u64 *values, size_t size)
{
	struct writer writer = { .format = event->attr.read_format, .next = values };

	/* FD-01: a pinned event that lost its place has nothing to say. */
	if (pmuctl_event_failed(event))
		return 0;
	if (event->simple)
		return read_single(event, values, size);
	return read_many(event, &writer, size);
}

/* ---- many events ---- */

struct batch {
	struct pmuctl_event **events;
	struct pmuctl_read_item *items;
	u32 n, done;
	u64 *next;
	const u64 *end;
};

/* Interrupts are off for this many at most. */
#define BATCH_MAX 64

/* Simple events of one context that follow each other are read in one go. */
static void batch_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct batch *batch = arg;

	while (batch->done < batch->n) {
		struct pmuctl_event *event = batch->events[batch->done];
		struct single single = { .event = event, .writer.next = batch->next };

		if (!event || event->ctx != ctx || !event->simple || pmuctl_event_failed(event) ||
		    event->read_size > (batch->end - batch->next) * sizeof(u64))
			break;
		single.writer.format = event->attr.read_format;
		single_here(ctx, &single);
		batch->next = single.writer.next;
		batch->items[batch->done++].result = event->read_size;
	}
}

static void read_batch(struct batch *batch)
{
	struct pmuctl_ctx *ctx = batch->events[0]->ctx;

	if (!pmuctl_ctx_look(ctx, batch_here, batch))
		pmuctl_ctx_call(ctx, batch_here, batch);
}

size_t pmuctl_events_read(struct pmuctl_event **events, struct pmuctl_read_item *items, u32 n,
			  u64 *values, size_t size)
{
	u64 *next = values, *end = values + size / sizeof(u64);
	u32 i = 0;

	while (i < n) {
		struct batch batch = {
			.events = &events[i], .items = &items[i],
			.n = min(n - i, (u32)BATCH_MAX), .next = next, .end = end,
		};

		if (events[i])
			read_batch(&batch);
		i += batch.done;
		next = batch.next;
		if (i == n || batch.done)
			continue;
		items[i].result = !events[i] ? -EBADF :
				  pmuctl_event_read(events[i], next, (end - next) * sizeof(u64));
		if (items[i].result > 0)
			next += items[i].result / sizeof(u64);
		i++;
	}
	return (next - values) * sizeof(u64);
}
