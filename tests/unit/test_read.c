// SPDX-License-Identifier: GPL-2.0-only
/* Reading: every format, one by one and many at once. */
#include "world.h"

#define FORMATS (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | \
		 PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST)

static struct task_struct task = { .refs = 1 };
static struct task_struct other = { .refs = 1 };

static struct pmuctl_event *open_format(struct task_struct *whose, int kind, u64 format,
					struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(kind);
	struct pmuctl_event *event;

	attr.read_format = format;
	event = world_open_attr(whose, whose ? -1 : 0, &attr, leader);
	world_enable(event);
	return event;
}

/* What the read of a group of @n at @format holds, written down from perf_event_open(2). */
static int expect(u64 *values, u64 format, struct pmuctl_event **members, int n, u64 ns, u64 amount)
{
	u64 *next = values;
	int i;

	if (format & PERF_FORMAT_GROUP) {
		*next++ = n;
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			*next++ = ns;
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			*next++ = ns;
		for (i = 0; i < n; i++) {
			*next++ = world_amount(0, members[i]->attr.config, amount);
			if (format & PERF_FORMAT_ID)
				*next++ = members[i]->id;
			if (format & PERF_FORMAT_LOST)
				*next++ = 0;
		}
		return next - values;
	}
	*next++ = world_amount(0, members[0]->attr.config, amount);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*next++ = ns;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*next++ = ns;
	if (format & PERF_FORMAT_ID)
		*next++ = members[0]->id;
	if (format & PERF_FORMAT_LOST)
		*next++ = 0;
	return next - values;
}

/* FD-04, all 32 formats; FD-02 for each of them. */
static void fd_04_every_format(void **state)
{
	u64 format;

	(void)state;
	world_switch(0, &task);
	for (format = 0; format <= FORMATS; format++) {
		struct pmuctl_event *members[3];
		u64 got[16], expected[16];
		int i, n;

		for (i = 0; i < 3; i++)
			members[i] = open_format(&task, 1 + i, format, i ? members[0] : NULL);
		world_pass(7, 10);
		n = expect(expected, format, members, 3, 7, 10);
		assert_int_equal(pmuctl_read_size(format, 3), n * 8);
		assert_int_equal(pmuctl_event_read(members[0], got, n * 8), n * 8);
		assert_memory_equal(got, expected, n * 8);
		assert_int_equal(pmuctl_event_read(members[0], got, n * 8 - 1), -ENOSPC);
		for (i = 0; i < 3; i++)
			pmuctl_event_close(members[2 - i]);
	}
}

/* More members than a read has room for at first; all of one moment. */
static void groups_of_any_size(void **state)
{
	struct pmuctl_event *members[200];
	u64 values[400];
	int i, n;

	(void)state;
	world_switch(0, &task);
	for (n = 0; n < ARRAY_SIZE(members); n++) {
		members[n] = open_format(&task, 1 + n % 4, PERF_FORMAT_GROUP,
					 n ? members[0] : NULL);
		if (n % 20)
			continue;
		assert_int_equal(pmuctl_event_read(members[0], values, sizeof(values)),
				 (n + 2) * 8);
		assert_int_equal(values[0], n + 1);
	}
	pmuctl_event_control(members[0], PMUCTL_EVENT_RESET, true);
	world_pass(1, 10);
	pmuctl_event_read(members[5], values, sizeof(values));
	for (i = 0; i < n; i++)
		assert_int_equal(values[1 + i], world_amount(0, 1 + i % 4, 10));
	while (n--)
		pmuctl_event_close(members[n]);
}

static void a_read_without_memory_leaves_nothing(void **state)
{
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *event;
	u64 values[8];
	int nth, before, err = -ENOMEM;

	(void)state;
	attr.inherit = 1;
	attr.read_format = PERF_FORMAT_GROUP;
	event = world_open_attr(&task, -1, &attr, NULL);
	world_enable(event);
	before = shim_allocated;
	for (nth = 0; err < 0; nth++) {
		int refs = event->refs.n;

		shim_fail_after = nth;
		err = pmuctl_event_read(event, values, sizeof(values));
		shim_fail_after = -1;
		assert_true(err == 16 || err == -ENOMEM);
		assert_int_equal(shim_allocated, before);
		assert_int_equal(event->refs.n, refs);
	}
	assert_true(nth > 2);
	pmuctl_event_close(event);
}

/* ---- vector read ---- */

#define ITEMS 24

static struct pmuctl_event *opened[ITEMS];

/* A mixture: tasks, CPUs, groups, inherited ones, and one in error. */
static void open_mixture(void)
{
	struct perf_event_attr attr = world_attr(1);
	int i;

	for (i = 0; i < ITEMS; i++) {
		u64 format = i * 11 % 32;
		struct task_struct *whose = i / 3 % 3 == 0 ? &task : i / 3 % 3 == 1 ? &other : NULL;

		attr = world_attr(1 + i % 4);
		attr.read_format = format;
		attr.inherit = whose && i % 5 == 0;
		opened[i] = world_open_attr(whose, whose ? -1 : 0, &attr, NULL);
		world_enable(opened[i]);
	}
	/* Pinned to a counter that is pinned already. */
	for (i = 10; i < 12; i++) {
		pmuctl_event_close(opened[i]);
		attr = world_attr(8 + i);
		attr.pinned = 1;
		attr.config1 = 1;
		opened[i] = world_open_attr(NULL, 0, &attr, NULL);
		world_enable(opened[i]);
	}
	assert_true(pmuctl_event_failed(opened[11]));
}

static void close_mixture(void)
{
	int i;

	for (i = 0; i < ITEMS; i++)
		pmuctl_event_close(opened[i]);
	world_pass(shim_rotate_ns, 1);
}

static void prepare(struct pmuctl_read_item *items)
{
	int i;

	for (i = 0; i < ITEMS; i++)
		items[i].result = -1;
}

static void vector_read_gives_what_single_reads_give(void **state)
{
	struct pmuctl_read_item items[ITEMS];
	u64 values[ITEMS * 8], single[8];
	size_t size, offset = 0;
	int i;

	(void)state;
	world_switch(0, &task);
	open_mixture();
	world_pass(5, 10);
	prepare(items);
	size = pmuctl_events_read(opened, items, ITEMS, values, sizeof(values));
	for (i = 0; i < ITEMS; i++) {
		ssize_t n = pmuctl_event_read(opened[i], single, sizeof(single));

		assert_int_equal(items[i].result, n);
		if (n > 0)
			assert_memory_equal((char *)values + offset, single, n);
		offset += max(n, 0);
	}
	assert_int_equal(size, offset);
	assert_int_equal(items[11].result, 0);
	close_mixture();
}

/* What is no event costs its own item and nothing else. */
static void vector_read_skips_what_is_missing(void **state)
{
	struct pmuctl_event *one = open_format(&task, 1, 0, NULL);
	struct pmuctl_event *two = open_format(&task, 2, 0, NULL);
	struct pmuctl_event *events[] = { NULL, one, NULL, NULL, two, NULL };
	struct pmuctl_read_item items[ARRAY_SIZE(events)];
	u64 values[8];
	int i;

	(void)state;
	world_switch(0, &task);
	world_pass(1, 10);
	assert_int_equal(pmuctl_events_read(events, items, ARRAY_SIZE(events), values,
					    sizeof(values)), 16);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		assert_int_equal(items[i].result, events[i] ? 8 : -EBADF);
	assert_int_equal(values[0], world_amount(0, 1, 10));
	assert_int_equal(values[1], world_amount(0, 2, 10));
	pmuctl_event_close(one);
	pmuctl_event_close(two);
}

/* Of every size: what fits is there, whole; what does not is ENOSPC, and no byte beyond. */
static void vector_read_into_too_little_room(void **state)
{
	struct pmuctl_read_item items[ITEMS];
	size_t all, size, room;
	int i;

	(void)state;
	world_switch(0, &task);
	open_mixture();
	world_pass(5, 10);
	prepare(items);
	all = pmuctl_events_read(opened, items, ITEMS, (u64[ITEMS * 8]){}, ITEMS * 64);
	for (room = 0; room <= all; room += 4) {
		u64 *values = malloc(room + 8);	/* ASan watches its end */
		size_t sum = 0;

		prepare(items);
		size = pmuctl_events_read(opened, items, ITEMS, values, room);
		assert_true(size <= room);
		for (i = 0; i < ITEMS; i++) {
			assert_true(items[i].result >= 0 || items[i].result == -ENOSPC);
			sum += max(items[i].result, 0);
		}
		assert_int_equal(sum, size);
		free(values);
	}
	assert_int_equal(size, all);
	close_mixture();
}

/* Simple events of one context cost one entry. */
static void vector_read_of_one_context_is_one_entry(void **state)
{
	struct pmuctl_read_item items[64];
	struct pmuctl_event *events[64];
	u64 values[64], seq;
	int i;

	(void)state;
	world_switch(0, &task);
	for (i = 0; i < 64; i++)
		events[i] = open_format(&task, 1 + i % 4, 0, NULL);
	world_pass(1, 10);
	seq = pmuctl_cpus[0].seq;
	world_hw.raws = 0;
	assert_int_equal(pmuctl_events_read(events, items, 64, values, sizeof(values)),
			 sizeof(values));
	assert_int_equal(pmuctl_cpus[0].seq - seq, 1);
	assert_int_equal(world_hw.raws, 4);
	for (i = 0; i < 64; i++) {
		assert_int_equal(values[i], world_amount(0, 1 + i % 4, 10));
		pmuctl_event_close(events[i]);
	}
}

/* From another CPU than the one where the context is in. */
static void reads_reach_a_context_wherever_it_is(void **state)
{
	struct pmuctl_event *mine = open_format(&task, 1, 0, NULL);
	struct pmuctl_event *cpu = open_format(NULL, 1, 0, NULL);
	u64 value, sum = 0;
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		world_switch(i % SHIM_CPUS, &task);
		shim_cpu = i / 4 % SHIM_CPUS;
		world_pass(1, 10);
		sum += world_amount(i % SHIM_CPUS, 1, 10);
		assert_int_equal(pmuctl_event_read(mine, &value, 8), 8);
		assert_int_equal(value, sum);
		assert_int_equal(pmuctl_event_read(cpu, &value, 8), 8);
		assert_int_equal(value, world_amount(0, 1, 10) * (i + 1));
		world_switch(i % SHIM_CPUS, NULL);
	}
	pmuctl_event_close(mine);
	pmuctl_event_close(cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fd_04_every_format),
		TEST(groups_of_any_size),
		TEST(a_read_without_memory_leaves_nothing),
		TEST(vector_read_gives_what_single_reads_give),
		TEST(vector_read_skips_what_is_missing),
		TEST(vector_read_into_too_little_room),
		TEST(vector_read_of_one_context_is_one_entry),
		TEST(reads_reach_a_context_wherever_it_is),
	};

	return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
