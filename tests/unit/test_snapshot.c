// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots: records that parse, refer to each other and agree with what counts. */
#include "world.h"

#include <pmuctl/snapshot.h>

static struct task_struct task = { .refs = 1, .pid = 42, .comm = "spin" };
static struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };

#define EVENTS 9
static struct pmuctl_event *events[EVENTS];

/* Of a task, a CPU, a cgroup; a group, pinned, more than fit, software, exclusive, inherited. */
static void open_some(void)
{
	struct perf_event_attr attr = world_attr(1);
	struct perf_event_attr sw = world_software_attr(PERF_COUNT_SW_TASK_CLOCK);
	int i;

	events[0] = world_open(&task, -1, 1, NULL);
	events[1] = world_open(&task, -1, 2, events[0]);
	attr.pinned = 1;
	events[2] = world_open_attr(NULL, 1, &attr, NULL);
	attr = world_attr(3);
	events[3] = world_open_cgroup(&group, 1, &attr, NULL);
	for (i = 4; i < 7; i++)
		events[i] = world_open(&task, -1, i, NULL);
	events[7] = world_open_attr(&task, -1, &sw, NULL);
	attr.exclusive = 1;
	attr.inherit = 1;
	events[8] = world_open_attr(&task, -1, &attr, NULL);
	for (i = 0; i < EVENTS; i++)
		world_enable(events[i]);
}

static void close_some(void)
{
	int i;

	for (i = EVENTS - 1; i >= 0; i--)
		pmuctl_event_close(events[i]);
	world_pass(shim_rotate_ns, 1);
	assert_int_equal(group.refs, 1);
}

struct parsed {
	int n[PMUCTL_RECORD_EVENT + 1];
	const struct pmuctl_record_ctx *ctx;
	const struct pmuctl_record_group *group;
	u32 left;	/* events of the group that are still to come */
	u64 classes[32];
};

static const struct pmuctl_event *find_event(u64 id)
{
	int i;

	for (i = 0; i < EVENTS; i++) {
		if (events[i]->id == id)
			return events[i];
	}
	return NULL;
}

static bool is_class(const struct parsed *parsed, u64 id)
{
	int i;

	for (i = 0; i < parsed->n[PMUCTL_RECORD_CLASS]; i++) {
		if (parsed->classes[i] == id)
			return true;
	}
	return false;
}

static void check_event(const struct parsed *parsed, const struct pmuctl_record_event *record)
{
	const struct pmuctl_event *event = find_event(record->id);
	struct world_reading reading;

	assert_true(is_class(parsed, record->class));
	if (!event) {
		assert_non_null(find_event(record->parent));
		return;
	}
	assert_int_equal(record->state, event->state);
	assert_int_equal(record->type, event->attr.type);
	assert_int_equal(record->config, event->attr.config);
	assert_int_equal(record->leader, pmuctl_group_leader(event->group)->id);
	if (event->attr.inherit)
		return;
	reading = world_read((struct pmuctl_event *)event);
	assert_int_equal(record->value, reading.count);
	assert_int_equal(record->enabled, reading.enabled);
	assert_int_equal(record->running, reading.running);
}

static void check_group(const struct parsed *parsed, const struct pmuctl_record_group *record)
{
	const struct pmuctl_event *leader = find_event(record->leader);

	assert_int_equal(record->ctx, parsed->ctx->id);
	if (!leader)
		return;
	assert_int_equal(record->cpu, leader->cpu);
	assert_int_equal(record->nr_events, leader->own.nr);
	assert_int_equal(record->cgroup, leader->cgroup ? leader->cgroup->id : 0);
	assert_int_equal(record->flags, (leader->attr.pinned ? PMUCTL_GROUP_PINNED : 0) |
			 (leader->attr.exclusive ? PMUCTL_GROUP_EXCLUSIVE : 0) |
			 (leader->state == PMUCTL_STATE_INACTIVE ? PMUCTL_GROUP_WAITING : 0));
}

static const u32 sizes[] = {
	[PMUCTL_RECORD_CPU_PMU] = sizeof(struct pmuctl_record_cpu_pmu),
	[PMUCTL_RECORD_SLOT] = sizeof(struct pmuctl_record_slot),
	[PMUCTL_RECORD_CLASS] = sizeof(struct pmuctl_record_class),
	[PMUCTL_RECORD_CTX] = sizeof(struct pmuctl_record_ctx),
	[PMUCTL_RECORD_GROUP] = sizeof(struct pmuctl_record_group),
	[PMUCTL_RECORD_EVENT] = sizeof(struct pmuctl_record_event),
};

static void parse_one(struct parsed *parsed, const struct pmuctl_record *header)
{
	const struct pmuctl_record_class *class;

	assert_in_range(header->type, PMUCTL_RECORD_CPU_PMU, PMUCTL_RECORD_EVENT);
	assert_int_equal(header->size, sizes[header->type]);
	assert_int_equal(header->size % 8, 0);
	switch (header->type) {
	case PMUCTL_RECORD_CLASS:
		class = (const void *)header;
		parsed->classes[parsed->n[header->type]] = class->id;
		break;
	case PMUCTL_RECORD_CTX:
		parsed->ctx = (const void *)header;
		break;
	case PMUCTL_RECORD_GROUP:
		check_group(parsed, (const void *)header);
		break;
	case PMUCTL_RECORD_EVENT:
		check_event(parsed, (const void *)header);
		break;
	}
	parsed->n[header->type]++;
}

static void parse(struct parsed *parsed, const char *buf, size_t size)
{
	size_t at = 0;

	while (at < size) {
		const struct pmuctl_record *header = (const void *)(buf + at);

		assert_true(size - at >= sizeof(*header));
		parse_one(parsed, header);
		at += header->size;
	}
	assert_int_equal(at, size);
}

static void records_parse_and_agree_with_what_counts(void **state)
{
	struct task_struct child = { .refs = 1, .pid = 43 };
	struct parsed parsed = {};
	static u64 buf[8192];
	ssize_t size;

	(void)state;
	world_switch(1, &task);
	open_some();
	world_fork(&task, &child, false);
	world_pass(5, 10);
	size = pmuctl_snapshot(buf, sizeof(buf));
	assert_in_range(size, 1, sizeof(buf));
	parse(&parsed, (const char *)buf, size);
	assert_int_equal(parsed.n[PMUCTL_RECORD_CPU_PMU], SHIM_CPUS * pmuctl_nr_pmus);
	assert_int_equal(parsed.n[PMUCTL_RECORD_CTX], 3);
	assert_int_equal(parsed.n[PMUCTL_RECORD_EVENT], EVENTS + 1);
	assert_int_equal(parsed.n[PMUCTL_RECORD_GROUP], EVENTS - 1 + 1);
	assert_true(parsed.n[PMUCTL_RECORD_SLOT] >= world_counters_on(1));
	close_some();
}

/* SHR-15: who shares what can be seen. */
static void shr_15_slots_show_their_users(void **state)
{
	struct pmuctl_event *mine = world_open(&task, -1, 1, NULL);
	struct pmuctl_event *cpu = world_open(NULL, 1, 1, NULL);
	static u64 buf[8192];
	ssize_t size, at;
	int found = 0;

	(void)state;
	world_switch(1, &task);
	world_enable(mine);
	world_enable(cpu);
	world_pass(5, 10);
	size = pmuctl_snapshot(buf, sizeof(buf));
	for (at = 0; at < size; at += ((struct pmuctl_record *)((char *)buf + at))->size) {
		struct pmuctl_record_slot *record = (void *)((char *)buf + at);

		if (record->header.type != PMUCTL_RECORD_SLOT)
			continue;
		found++;
		assert_int_equal(record->cpu, 1);
		assert_int_equal(record->class, mine->class->id);
		assert_int_equal(record->users[PMUCTL_LEVEL_CPU_FLEXIBLE], 1);
		assert_int_equal(record->users[PMUCTL_LEVEL_TASK_FLEXIBLE], 1);
		assert_int_equal(record->total, world_amount(1, 1, 10));
	}
	assert_int_equal(found, 1);
	pmuctl_event_close(mine);
	pmuctl_event_close(cpu);
}

/* Whatever the size: what is stored is a beginning of all, whole records, and no byte beyond. */
static void too_little_room_is_told_and_not_exceeded(void **state)
{
	static u64 whole[8192];
	ssize_t size, needed;

	(void)state;
	world_switch(1, &task);
	open_some();
	needed = pmuctl_snapshot(whole, sizeof(whole));
	assert_int_equal(pmuctl_snapshot(NULL, 0), needed);
	for (size = 8; size < needed; size += 24) {
		char *buf = malloc(size);

		memset(buf, 0xee, size);
		assert_int_equal(pmuctl_snapshot(buf, size), needed);
		free(buf);
	}
	close_some();
}

static void a_cpu_that_is_down_has_no_records(void **state)
{
	struct parsed parsed = {};
	static u64 buf[8192];
	ssize_t size;

	(void)state;
	open_some();
	world_cpu_down(1);
	size = pmuctl_snapshot(buf, sizeof(buf));
	parse(&parsed, (const char *)buf, size);
	assert_int_equal(parsed.n[PMUCTL_RECORD_CPU_PMU], (SHIM_CPUS - 1) * pmuctl_nr_pmus);
	world_cpu_up(1);
	close_some();
}

static void no_memory_is_enomem(void **state)
{
	static u64 buf[8192];
	int before;

	(void)state;
	open_some();
	before = shim_allocated;
	shim_fail_after = 0;
	assert_int_equal(pmuctl_snapshot(buf, sizeof(buf)), -ENOMEM);
	assert_int_equal(shim_allocated, before);
	assert_false(shim_cpus_locked);
	close_some();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_parse_and_agree_with_what_counts),
		TEST(shr_15_slots_show_their_users),
		TEST(too_little_room_is_told_and_not_exceeded),
		TEST(a_cpu_that_is_down_has_no_records),
		TEST(no_memory_is_enomem),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
