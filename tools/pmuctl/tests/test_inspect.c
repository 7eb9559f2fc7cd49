// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots: decoding whatever the module says, and what inspect makes of it. */
#include <errno.h>

#include "device_scripted.h"
#include "fixture.h"
#include "inspect.h"
#include "screen.h"

/* Records in the making. */
struct tape {
	char buf[8192];
	size_t size;
};

static void put_bytes(struct tape *tape, const void *record, size_t size)
{
	assert_true(tape->size + size <= sizeof(tape->buf));
	memcpy(tape->buf + tape->size, record, size);
	tape->size += size;
}

/* PUT(tape, SLOT, slot, .cpu = 1): a record with its header. */
#define PUT(tape, TYPE, name, ...)							\
	do {										\
		struct pmuctl_record_##name record = {					\
			.header = { PMUCTL_RECORD_##TYPE, sizeof(record) }, __VA_ARGS__	\
		};									\
		put_bytes(tape, &record, sizeof(record));				\
	} while (0)

#define USR	(1ULL << 16)
#define OS	(1ULL << 17)

/*
 * CPU 0 counts instructions:u for two tasks and itself, branches for nobody any more; a task's
 * group waits. CPU 1 is idle. Software has a clock on.
 */
static struct tape usual(void)
{
	struct tape tape = { .size = 0 };

	PUT(&tape, CPU_PMU, cpu_pmu, .cpu = 0, .pmu = 0, .nr_counters = 11, .nr_used = 2,
	    .rotating = 1, .passes = 7, .visits = 5, .rotations = 3, .starts = 9, .stops = 8,
	    .name = "cpu");
	PUT(&tape, CPU_PMU, cpu_pmu, .cpu = 0, .pmu = 1, .nr_counters = 12, .nr_used = 1,
	    .name = "software");
	PUT(&tape, CPU_PMU, cpu_pmu, .cpu = 1, .pmu = 0, .nr_counters = 11, .passes = 1,
	    .name = "cpu");
	PUT(&tape, SLOT, slot, .cpu = 0, .pmu = 0, .counter = 32, .class = 100,
	    .users = { 0, 0, 1, 1 }, .total = 12345678);
	PUT(&tape, SLOT, slot, .cpu = 0, .pmu = 0, .counter = 3, .class = 101, .total = 42);
	PUT(&tape, SLOT, slot, .cpu = 0, .pmu = 1, .counter = 1, .class = 102,
	    .users = { 0, 0, 0, 1 }, .total = 1000);
	PUT(&tape, CLASS, class, .id = 101, .pmu = 0, .config = 0xc4 | USR | OS);
	PUT(&tape, CLASS, class, .id = 100, .pmu = 0, .nr_events = 3, .config = 0xc0 | USR);
	PUT(&tape, CLASS, class, .id = 102, .pmu = 1, .nr_events = 1, .config = 1);
	PUT(&tape, CLASS, class, .id = 103, .pmu = 0, .nr_events = 2, .config = 0x3c | OS);
	PUT(&tape, CTX, ctx, .id = 1, .home = 0, .in_on = 0, .nr_events = 1, .time = 2000000000);
	PUT(&tape, GROUP, group, .leader = 10, .ctx = 1, .cpu = 0, .state = 1, .nr_events = 1);
	PUT(&tape, EVENT, event, .id = 10, .leader = 10, .class = 100, .state = 1,
	    .type = PERF_TYPE_RAW, .config = 0xc0, .value = 7);
	PUT(&tape, CTX, ctx, .id = 2, .tid = 123, .home = -1, .in_on = 0, .nr_events = 4,
	    .comm = "spin");
	PUT(&tape, GROUP, group, .leader = 20, .ctx = 2, .cpu = -1, .state = 1, .nr_events = 1);
	PUT(&tape, EVENT, event, .id = 20, .leader = 20, .parent = 10, .class = 100, .state = 1,
	    .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS, .value = 1000);
	PUT(&tape, GROUP, group, .leader = 21, .ctx = 2, .cpu = -1, .state = 0, .nr_events = 2,
	    .flags = PMUCTL_GROUP_WAITING);
	PUT(&tape, EVENT, event, .id = 21, .leader = 21, .class = 103,
	    .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES);
	PUT(&tape, EVENT, event, .id = 22, .leader = 21, .class = 103,
	    .type = PERF_TYPE_HW_CACHE, .config = 0x10000);
	PUT(&tape, GROUP, group, .leader = 23, .ctx = 2, .pmu = 1, .cpu = -1, .state = 1,
	    .nr_events = 1);
	PUT(&tape, EVENT, event, .id = 23, .leader = 23, .class = 102, .state = 1,
	    .type = PERF_TYPE_SOFTWARE, .config = 1);
	PUT(&tape, CTX, ctx, .id = 3, .tid = 5, .home = -1, .in_on = -1, .nr_events = 1,
	    .comm = "sleep");
	PUT(&tape, GROUP, group, .leader = 30, .ctx = 3, .cpu = -1, .state = 1, .nr_events = 1);
	PUT(&tape, EVENT, event, .id = 30, .leader = 30, .class = 100, .state = 1,
	    .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS);
	return tape;
}

/* What inspect prints of the records. The caller frees it. */
static char *show(const struct tape *tape, enum out_format format, const char *cpus, bool events,
		  const struct inspect_sums *before)
{
	struct inspect inspect = { .events = events, .before = before };
	struct cpulist list = { 0 };
	struct snapshot snapshot;
	char *text = NULL;
	struct out out;
	struct why why;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (cpus)
		assert_int_equal(cpulist_parse(&list, cpus, &why), 0);
	inspect.cpus = &list;
	snapshot_decode(&snapshot, tape->buf, tape->size);
	picture_make(&inspect.picture, &snapshot);
	out_start(&out, file, format);
	inspect_write(&out, &inspect);
	assert_int_equal(out_finish(&out), 0);
	fclose(file);
	picture_free(&inspect.picture);
	snapshot_free(&snapshot);
	cpulist_free(&list);
	return text;
}

static void table_shows_counters_users_and_who_waits(void **state)
{
	struct inspect_sums before = { 6, 5, 0, 1, 1 };
	struct tape tape = usual();
	char *text = show(&tape, OUT_TEXT, NULL, false, &before);

	(void)state;
	assert_string_equal(text,
		"3 contexts, 6 events.  passes 8 (+2)  visits 5 (+0)  rotations 3 (+3)  starts 9 (+8)  stops 8 (+7)\n"
		"\nCPU 0, cpu: 2 of 11 counters in use, groups take turns\n"
		"  counter  counts                                        total  cpu! task!   cpu  task\n"
		"  gp3      r00c4                                            42     .     .     .     .  idle\n"
		"  fixed0   instructions:u                           12,345,678     .     .     1     1  CPU 0, spin-123\n"
		"\nCPU 0, software: 1 of 12 counters in use\n"
		"  counter  counts                                        total  cpu! task!   cpu  task\n"
		"  sw1      task-clock                                    1,000     .     .     .     1  spin-123\n"
		"\nCPU 1, cpu: 0 of 11 counters in use\n"
		"\nWaiting for a counter\n"
		"  {cycles:k,L1-dcache-load-misses:k}  spin-123, flexible\n"
		"\nWho counts\n"
		"  CPU 0                    on CPU 0        1 events          2.000 s\n"
		"  spin-123                 on CPU 0        4 events          0.000 s\n"
		"  sleep-5                  out             1 events          0.000 s\n");
	free(text);
}

static void filter_leaves_other_cpus_out(void **state)
{
	struct tape tape = usual();
	char *text = show(&tape, OUT_TEXT, "1", true, NULL);

	(void)state;
	assert_non_null(strstr(text, "CPU 1, cpu"));
	assert_null(strstr(text, "CPU 0"));
	assert_null(strstr(text, "spin"));
	assert_null(strstr(text, "Waiting"));
	free(text);
}

static void events_are_listed_on_demand(void **state)
{
	struct tape tape = usual();
	char *text = show(&tape, OUT_TEXT, NULL, true, NULL);

	(void)state;
	assert_non_null(strstr(text, "        20 counts   instructions:u                                1,000  spin-123, inherited\n"));
	assert_non_null(strstr(text, "        21 waits    cycles:k "));
	free(text);
}

static void json_holds_the_same(void **state)
{
	struct tape tape = usual();
	char *text = show(&tape, OUT_JSON, NULL, true, NULL);
	json_t *root = json_loads(text, 0, NULL), *slot;

	(void)state;
	assert_non_null(root);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "sums"),
							    "passes")), 8);
	assert_int_equal(json_array_size(json_object_get(root, "cpus")), 3);
	slot = json_array_get(json_object_get(json_array_get(json_object_get(root, "cpus"), 0),
					      "slots"), 1);
	assert_string_equal(json_string_value(json_object_get(slot, "counter")), "fixed0");
	assert_string_equal(json_string_value(json_object_get(slot, "counts")), "instructions:u");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(slot, "users"),
							    "task")), 1);
	assert_false(json_is_true(json_object_get(slot, "idle")));
	assert_int_equal(json_array_size(json_object_get(slot, "counted_by")), 2);
	assert_int_equal(json_array_size(json_object_get(root, "waiting")), 1);
	assert_int_equal(json_array_size(json_object_get(root, "contexts")), 3);
	assert_int_equal(json_array_size(json_object_get(root, "events")), 6);
	assert_false(json_is_true(json_object_get(root, "incomplete")));
	json_decref(root);
	free(text);
}

static void unknown_records_are_skipped(void **state)
{
	struct { struct pmuctl_record header; __u64 more; } unknown = { { 99, sizeof(unknown) }, 1 };
	struct tape tape = { .size = 0 };
	struct snapshot snapshot;

	(void)state;
	put_bytes(&tape, &unknown, sizeof(unknown));
	PUT(&tape, SLOT, slot, .cpu = 5);
	snapshot_decode(&snapshot, tape.buf, tape.size);
	assert_int_equal(snapshot.skipped, 1);
	assert_int_equal(snapshot.slots.nr, 1);
	assert_int_equal(snapshot_slot(&snapshot, 0)->cpu, 5);
	assert_false(snapshot.cut);
	snapshot_free(&snapshot);
}

static void longer_and_shorter_records_are_read_as_far_as_known(void **state)
{
	struct { struct pmuctl_record_slot slot; __u64 more[3]; } longer = {
		.slot = { .header = { PMUCTL_RECORD_SLOT, sizeof(longer) }, .cpu = 1, .total = 9 },
		.more = { 1, 2, 3 },
	};
	struct pmuctl_record_slot shorter = {
		.header = { PMUCTL_RECORD_SLOT, 16 }, .cpu = 2, .pmu = 3, .total = 9,
	};
	struct tape tape = { .size = 0 };
	struct snapshot snapshot;

	(void)state;
	put_bytes(&tape, &longer, sizeof(longer));
	put_bytes(&tape, &shorter, 16);
	PUT(&tape, SLOT, slot, .cpu = 4);
	snapshot_decode(&snapshot, tape.buf, tape.size);
	assert_int_equal(snapshot.slots.nr, 3);
	assert_int_equal(snapshot_slot(&snapshot, 0)->total, 9);
	assert_int_equal(snapshot_slot(&snapshot, 1)->pmu, 3);
	assert_int_equal(snapshot_slot(&snapshot, 1)->total, 0);
	assert_int_equal(snapshot_slot(&snapshot, 2)->cpu, 4);
	snapshot_free(&snapshot);
}

static void broken_sizes_end_the_reading(void **state)
{
	static const __u32 sizes[] = { 0, 7, sizeof(struct pmuctl_record_slot) + 1, UINT32_MAX };
	struct tape whole = usual();
	struct snapshot snapshot;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct pmuctl_record_slot broken = { .header = { PMUCTL_RECORD_SLOT, sizes[i] } };
		struct tape tape = { .size = 0 };

		PUT(&tape, SLOT, slot, .cpu = 1);
		put_bytes(&tape, &broken, sizeof(broken));
		snapshot_decode(&snapshot, tape.buf, tape.size);
		assert_true(snapshot.cut);
		assert_int_equal(snapshot.slots.nr, 1);
		snapshot_free(&snapshot);
	}
	/* Cut anywhere, nothing is read behind the end. */
	for (size_t size = 0; size < whole.size; size++) {
		char *exact = xcalloc(size, 1);

		memcpy(exact, whole.buf, size);
		snapshot_decode(&snapshot, exact, size);
		snapshot_free(&snapshot);
		free(exact);
	}
}

static void records_that_belong_to_nobody_are_shown_all_the_same(void **state)
{
	struct tape tape = { .size = 0 };
	char *text;

	(void)state;
	PUT(&tape, CPU_PMU, cpu_pmu, .name = "cpu", .nr_used = 1, .nr_counters = 1);
	PUT(&tape, SLOT, slot, .class = 9, .users = { 1 });
	PUT(&tape, EVENT, event, .id = 1, .leader = 2, .class = 9, .state = 1, .type = 77);
	PUT(&tape, GROUP, group, .leader = 5, .ctx = 6, .flags = PMUCTL_GROUP_WAITING);
	text = show(&tape, OUT_TEXT, NULL, true, NULL);
	assert_non_null(strstr(text, "class 9"));
	assert_non_null(strstr(text, "type 77 config 0"));
	assert_non_null(strstr(text, "  ?, flexible"));
	free(text);
}

static void texts_are_terminated(void **state)
{
	struct tape tape = { .size = 0 };
	struct snapshot snapshot;
	struct pmuctl_record_ctx ctx = { .header = { PMUCTL_RECORD_CTX, sizeof(ctx) } };

	(void)state;
	memset(ctx.comm, 'x', sizeof(ctx.comm));
	put_bytes(&tape, &ctx, sizeof(ctx));
	snapshot_decode(&snapshot, tape.buf, tape.size);
	assert_int_equal(strlen(snapshot_ctx(&snapshot, 0)->comm), sizeof(ctx.comm) - 1);
	snapshot_free(&snapshot);
}

static void buffer_grows_until_all_fits(void **state)
{
	struct device dev = { .fd = -1 };
	size_t size = 200000;
	char *many = xcalloc(size, 1);
	struct snapshot snapshot;

	(void)state;
	scripted_begin();
	for (size_t at = 0; at < size; at += 8)
		((struct pmuctl_record *)(many + at))[0] = (struct pmuctl_record){ 99, 8 };
	script_snapshot.records = many;
	script_snapshot.size = size;
	script_snapshot.grow = 1000;
	assert_int_equal(snapshot_take(&snapshot, &dev), 0);
	assert_int_equal(script_snapshot.asked, 2);
	assert_int_equal(snapshot.skipped, size / 8);
	snapshot_free(&snapshot);
	/* Faster than anybody can ask: given up. */
	scripted_begin();
	script_snapshot.err = ENOSPC;
	assert_int_equal(snapshot_take(&snapshot, &dev), -ENOSPC);
	script_snapshot.err = EACCES;
	script_snapshot.asked = 0;
	assert_int_equal(snapshot_take(&snapshot, &dev), -EACCES);
	assert_int_equal(script_snapshot.asked, 1);
	free(many);
}

static void screen_shows_what_fits_and_says_what_does_not(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	screen_draw_lines(file, "a\nb\nc\n", 4, false);
	assert_string_equal(text, "\033[?7l\033[Ha\033[K\nb\033[K\nc\033[K\n\033[J\033[?7h");
	rewind(file);
	screen_draw_lines(file, "a\nb\nc\nd\n", 4, false);
	assert_non_null(strstr(text, "b\033[K\n... and 2 lines more: -C CPUS shows fewer.\033[K\n\033[J"));
	fclose(file);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_shows_counters_users_and_who_waits),
		cmocka_unit_test(filter_leaves_other_cpus_out),
		cmocka_unit_test(events_are_listed_on_demand),
		cmocka_unit_test(json_holds_the_same),
		cmocka_unit_test(unknown_records_are_skipped),
		cmocka_unit_test(longer_and_shorter_records_are_read_as_far_as_known),
		cmocka_unit_test(broken_sizes_end_the_reading),
		cmocka_unit_test(records_that_belong_to_nobody_are_shown_all_the_same),
		cmocka_unit_test(texts_are_terminated),
		cmocka_unit_test(buffer_grows_until_all_fits),
		cmocka_unit_test(screen_shows_what_fits_and_says_what_does_not),
	};

	return cmocka_run_group_tests_name("tools/inspect", tests, NULL, NULL);
}
