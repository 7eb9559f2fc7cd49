// SPDX-License-Identifier: GPL-2.0-only
/* What stat prints, and the writer shared by all commands. */
#include <errno.h>
#include <math.h>

#include "fixture.h"
#include "report.h"

/* A finished measurement with made-up counts. */
struct made {
	struct event_list events;
	struct target target;
	struct counters counters;
	struct report report;
	char *text;
	size_t size;
	FILE *file;
};

static void make(struct made *m, const char *events)
{
	static char *const command[] = { (char *)"xz", (char *)"-k", (char *)"a file", NULL };
	struct why why;

	memset(m, 0, sizeof(*m));
	assert_int_equal(events_parse(&m->events, events, true, &why), 0);
	target_set_command(&m->target, 1);
	m->report = (struct report){
		.counters = &m->counters,
		.command = command,
		.exit_status = 3,
		.elapsed = 1.5,
		.user = 1.25,
		.sys = 0.125,
	};
	m->file = open_memstream(&m->text, &m->size);
	assert_non_null(m->file);
}

/* After the target's spots are known. */
static void finish(struct made *m)
{
	counters_init(&m->counters, &m->events, &m->target);
	m->counters.nr_spots = m->target.nr;
	for (size_t i = 0; i < m->counters.nr; i++) {
		struct counter *counter = &m->counters.counter[i];

		counter->fd = xcalloc(m->target.nr, sizeof(int));
		counter->count = xcalloc(m->target.nr, sizeof(struct count));
		for (size_t spot = 0; spot < m->target.nr; spot++)
			counter->fd[spot] = -1;
	}
}

static void count(struct made *m, size_t i, size_t spot, uint64_t value, uint64_t running)
{
	m->counters.counter[i].count[spot] = (struct count){ value, 1000, running };
}

static void end(struct made *m)
{
	fclose(m->file);
	free(m->text);
	counters_free(&m->counters);
	target_free(&m->target);
	events_free(&m->events);
}

static void print(struct made *m, enum out_format format)
{
	struct out out;

	out_start(&out, m->file, format);
	report_write(&out, &m->report);
	assert_int_equal(out_finish(&out), 0);
}

static void expect(const struct made *m, const char *part)
{
	if (!strstr(m->text, part))
		fail_msg("'%s' is not in:\n%s", part, m->text);
}

static void make_usual(struct made *m)
{
	make(m, "cycles,instructions,branches:u,branch-misses:u,r1");
	finish(m);
	count(m, 0, 0, 2000000, 1000);
	count(m, 1, 0, 3000000, 1000);
	count(m, 2, 0, 1000, 500);
	count(m, 3, 0, 50, 1000);
	count(m, 4, 0, 0, 0);
}

static void text_is_as_perf_users_know_it(void **state)
{
	struct made m;

	(void)state;
	make_usual(&m);
	print(&m, OUT_TEXT);
	assert_string_equal(m.text,
		"\n Performance counter stats for 'xz -k a file':\n\n"
		"         2,000,000      cycles\n"
		"         3,000,000      instructions                     #     1.50  insn per cycle\n"
		"             2,000      branches:u                       (50.00%)\n"
		"                50      branch-misses:u                  #     2.50% of all branches\n"
		"     <not counted>      r1                               (0.00%)\n"
		"\n      1.500000000 seconds time elapsed\n\n"
		"      1.250000000 seconds user\n"
		"      0.125000000 seconds sys\n\n");
	end(&m);
}

static void csv_has_perfs_columns(void **state)
{
	struct made m;

	(void)state;
	make_usual(&m);
	m.counters.counter[4].refused = true;
	assert_int_equal(report_csv(m.file, &m.report, ";"), 0);
	assert_string_equal(m.text,
		"2000000;;cycles;1000;100.00;;\n"
		"3000000;;instructions;1000;100.00;1.50;insn per cycle\n"
		"2000;;branches:u;500;50.00;;\n"
		"50;;branch-misses:u;1000;100.00;2.50;of all branches\n"
		"<not supported>;;r1;0;100.00;;\n");
	end(&m);
}

static json_t *load(const struct made *m)
{
	json_error_t error;
	json_t *root = json_loads(m->text, 0, &error);

	if (!root)
		fail_msg("%s:\n%s", error.text, m->text);
	return root;
}

static void json_tells_all(void **state)
{
	json_t *root, *events, *event;
	struct made m;

	(void)state;
	make_usual(&m);
	m.counters.counter[4].refused = true;
	m.counters.counter[4].reason = xstrdup("because");
	m.report.note = "mind";
	print(&m, OUT_JSON);
	root = load(&m);
	assert_string_equal(json_string_value(json_object_get(root, "target")), "command");
	assert_int_equal(json_array_size(json_object_get(root, "command")), 3);
	assert_int_equal(json_integer_value(json_object_get(root, "exit_status")), 3);
	assert_true(json_real_value(json_object_get(root, "elapsed_seconds")) == 1.5);
	assert_true(json_real_value(json_object_get(root, "user_seconds")) == 1.25);
	assert_string_equal(json_string_value(json_object_get(root, "note")), "mind");
	events = json_object_get(root, "events");
	assert_int_equal(json_array_size(events), 5);
	event = json_array_get(events, 1);
	assert_string_equal(json_string_value(json_object_get(event, "event")), "instructions");
	assert_string_equal(json_string_value(json_object_get(event, "status")), "counted");
	assert_int_equal(json_integer_value(json_object_get(event, "value")), 3000000);
	assert_int_equal(json_integer_value(json_object_get(event, "time_enabled_ns")), 1000);
	event = json_object_get(event, "metric");
	assert_true(json_real_value(json_object_get(event, "value")) == 1.5);
	event = json_array_get(events, 4);
	assert_string_equal(json_string_value(json_object_get(event, "status")), "not supported");
	assert_string_equal(json_string_value(json_object_get(event, "reason")), "because");
	assert_null(json_object_get(event, "value"));
	json_decref(root);
	end(&m);
}

static void each_cpu_has_its_line_and_its_own_metric(void **state)
{
	struct why why;
	struct made m;

	(void)state;
	make(&m, "cycles,instructions");
	target_free(&m.target);
	fixture_make();
	fixture_file("devices/system/cpu/online", "0-7\n");
	assert_int_equal(target_set_cpus(&m.target, "1,7", &why), 0);
	fixture_remove();
	finish(&m);
	m.report.per_cpu = true;
	m.report.command = NULL;
	count(&m, 0, 0, 100, 1000);
	count(&m, 0, 1, 100, 1000);
	count(&m, 1, 0, 50, 1000);
	count(&m, 1, 1, 200, 1000);
	assert_int_equal(report_csv(m.file, &m.report, ","), 0);
	assert_string_equal(m.text, "CPU1,100,,cycles,1000,100.00,,\n"
				    "CPU7,100,,cycles,1000,100.00,,\n"
				    "CPU1,50,,instructions,1000,100.00,0.50,insn per cycle\n"
				    "CPU7,200,,instructions,1000,100.00,2.00,insn per cycle\n");
	print(&m, OUT_TEXT);
	expect(&m, " Performance counter stats for 'CPU(s) 1,7':\n");
	expect(&m, "CPU7                      100      cycles\n");
	assert_null(strstr(m.text, "seconds user"));
	end(&m);
}

static void metric_needs_the_same_levels(void **state)
{
	struct made m;

	(void)state;
	make(&m, "cycles:u,instructions:k");
	finish(&m);
	count(&m, 0, 0, 10, 1000);
	count(&m, 1, 0, 10, 1000);
	print(&m, OUT_TEXT);
	assert_null(strstr(m.text, "insn per cycle"));
	end(&m);
}

static void division_by_nothing_makes_no_metric(void **state)
{
	struct made m;

	(void)state;
	make(&m, "cycles,instructions");
	finish(&m);
	count(&m, 0, 0, 0, 1000);
	count(&m, 1, 0, 10, 1000);
	print(&m, OUT_JSON);
	assert_null(strstr(m.text, "metric"));
	end(&m);
}

static void clocks_are_in_milliseconds(void **state)
{
	struct made m;

	(void)state;
	make(&m, "task-clock");
	finish(&m);
	count(&m, 0, 0, 12345678, 1000);
	assert_int_equal(report_csv(m.file, &m.report, ","), 0);
	assert_string_equal(m.text, "12.35,msec,task-clock,1000,100.00,,\n");
	end(&m);
}

/* One value of each kind, as a command writes them. */
static void write_sample(FILE *file, enum out_format format)
{
	struct out out;

	out_start(&out, file, format);
	out_object(&out, "thing", "Thing");
	out_string(&out, "name", "name", "\"quoted\"\n");
	out_string(&out, "absent", "absent", NULL);
	out_number(&out, "number", "number", INT64_MIN);
	out_bool(&out, "flag", "flag", true);
	out_number_as(&out, "both", 5, "both", "five");
	out_number(&out, "hidden", NULL, 1);
	out_close(&out);
	out_text(&out, "for people\n");
	assert_int_equal(out_finish(&out), 0);
}

static void one_writer_for_text_and_json(void **state)
{
	struct made m = { 0 };
	json_t *root, *thing;

	(void)state;
	m.file = open_memstream(&m.text, &m.size);
	write_sample(m.file, OUT_TEXT);
	assert_string_equal(m.text, "Thing\n"
				    "  name               \"quoted\"\n\n"
				    "  number             -9223372036854775808\n"
				    "  flag               yes\n"
				    "  both               five\n"
				    "for people\n");
	end(&m);

	m = (struct made){ 0 };
	m.file = open_memstream(&m.text, &m.size);
	write_sample(m.file, OUT_JSON);
	root = load(&m);
	thing = json_object_get(root, "thing");
	assert_string_equal(json_string_value(json_object_get(thing, "name")), "\"quoted\"\n");
	assert_true(json_is_null(json_object_get(thing, "absent")));
	assert_int_equal(json_integer_value(json_object_get(thing, "number")), INT64_MIN);
	assert_true(json_is_true(json_object_get(thing, "flag")));
	assert_int_equal(json_integer_value(json_object_get(thing, "both")), 5);
	assert_int_equal(json_integer_value(json_object_get(thing, "hidden")), 1);
	assert_null(strstr(m.text, "for people"));
	json_decref(root);
	end(&m);
}

static void full_disk_is_noticed(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct made m;

	(void)state;
	assert_non_null(full);
	make_usual(&m);
	assert_int_equal(report_csv(full, &m.report, ","), -ENOSPC);
	fclose(full);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_as_perf_users_know_it),
		cmocka_unit_test(csv_has_perfs_columns),
		cmocka_unit_test(json_tells_all),
		cmocka_unit_test(each_cpu_has_its_line_and_its_own_metric),
		cmocka_unit_test(metric_needs_the_same_levels),
		cmocka_unit_test(division_by_nothing_makes_no_metric),
		cmocka_unit_test(clocks_are_in_milliseconds),
		cmocka_unit_test(one_writer_for_text_and_json),
		cmocka_unit_test(full_disk_is_noticed),
	};

	return cmocka_run_group_tests_name("tools/report", tests, NULL, NULL);
}
