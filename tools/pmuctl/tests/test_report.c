// SPDX-License-Identifier: GPL-2.0-only
/* What stat prints, and the writer shared by all commands. */
#include <errno.h>
#include <math.h>

#include "made.h"

static void make_usual(struct made *m)
{
	made_begin(m, "cycles,instructions,branches:u,branch-misses:u,r1");
	made_finish(m);
	made_count(m, 0, 0, 2000000, 1000);
	made_count(m, 1, 0, 3000000, 1000);
	made_count(m, 2, 0, 1000, 500);
	made_count(m, 3, 0, 50, 1000);
	made_count(m, 4, 0, 0, 0);
}

static void text_is_as_perf_users_know_it(void **state)
{
	struct made m;

	(void)state;
	make_usual(&m);
	made_print(&m, OUT_TEXT);
	assert_string_equal(m.text,
		"\n Performance counter stats for 'xz -k a file':\n\n"
		"         2,000,000      cycles\n"
		"         3,000,000      instructions                     #     1.50  insn per cycle\n"
		"             2,000      branches:u                       (50.00%)  +- 50.0%\n"
		"                50      branch-misses:u                  #     2.50% of all branches\n"
		"     <not counted>      r1                               (0.00%)\n"
		"\n      1.500000000 seconds time elapsed\n\n"
		"      1.250000000 seconds user\n"
		"      0.125000000 seconds sys\n\n");
	made_end(&m);
}

static void csv_has_perfs_columns(void **state)
{
	struct made m;

	(void)state;
	make_usual(&m);
	m.counters.counter[4].refused = true;
	assert_int_equal(report_csv(m.file, &m.report, ";", -1), 0);
	assert_string_equal(m.text,
		"2000000;;cycles;1000;100.00;;;0.00\n"
		"3000000;;instructions;1000;100.00;1.50;insn per cycle;0.00\n"
		"2000;;branches:u;500;50.00;;;50.00\n"
		"50;;branch-misses:u;1000;100.00;2.50;of all branches;0.00\n"
		"<not supported>;;r1;0;100.00;;;\n");
	made_end(&m);
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
	made_print(&m, OUT_JSON);
	root = made_load(&m);
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
	made_end(&m);
}

static void repeated_runs_have_means_and_their_spread(void **state)
{
	static const uint64_t cycles[] = { 1000, 1200, 1400 };
	struct runs runs = { 0 };
	struct made m;
	json_t *root, *event;

	(void)state;
	made_begin(&m, "cycles,instructions");
	made_finish(&m);
	for (size_t i = 0; i < ARRAY_SIZE(cycles); i++) {
		made_count(&m, 0, 0, cycles[i], 1000);
		made_count(&m, 1, 0, 2400, 500);
		runs_add(&runs, &m.counters, 1.0 + i / 10.0);
	}
	m.report.runs = &runs;
	made_print(&m, OUT_TEXT);
	made_expect(&m, "for 'xz -k a file' (3 runs):\n");
	/* sqrt(40000 / 3) of 1200 */
	assert_string_equal(made_line(m.text, "cycles "), "             1,200      cycles          "
			    "                                                       ( +-  9.62% )");
	assert_string_equal(made_line(m.text, "instructions"),
			    "             4,800      instructions                     #     4.00  insn per cycle            ( +-  0.00% ) (50.00%)  +- 50.0%");
	made_expect(&m, "\n            1.1000 +- 0.0577 seconds time elapsed  ( +-  5.25% )\n");
	assert_null(strstr(m.text, "seconds user"));
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	made_expect(&m, "1200,,cycles,9.62%,1000,100.00,,,0.00\n"
		   "4800,,instructions,0.00%,500,50.00,4.00,insn per cycle,50.00\n");
	made_end(&m);
	made_begin(&m, "cycles,instructions");
	made_finish(&m);
	m.report.runs = &runs;
	made_print(&m, OUT_JSON);
	root = made_load(&m);
	assert_int_equal(json_integer_value(json_object_get(root, "runs")), 3);
	event = json_array_get(json_object_get(root, "events"), 0);
	assert_int_equal(json_integer_value(json_object_get(event, "value")), 1200);
	assert_true(fabs(json_real_value(json_object_get(event, "spread_percent")) - 9.6225) < 1e-3);
	json_decref(root);
	runs_free(&runs);
	made_end(&m);
}

static void intervals_have_a_time_before_each_line(void **state)
{
	struct made m;
	struct out out;

	(void)state;
	made_begin(&m, "cycles");
	made_finish(&m);
	made_count(&m, 0, 0, 12345, 1000);
	out_start(&out, m.file, OUT_TEXT);
	report_heading(&out, &m.report);
	report_interval(&out, &m.report, 1.25);
	assert_int_equal(out_finish(&out), 0);
	assert_string_equal(m.text, "#           time             counts unit events\n"
				    "     1.250000000             12,345      cycles\n");
	assert_int_equal(report_csv(m.file, &m.report, ",", 1.25), 0);
	made_expect(&m, "\n     1.250000000,12345,,cycles,1000,100.00,,,0.00\n");
	made_end(&m);
}

static void intervals_are_a_line_each_in_json(void **state)
{
	struct made m;
	struct out out;
	json_t *root;

	(void)state;
	made_begin(&m, "cycles");
	made_finish(&m);
	out_start(&out, m.file, OUT_JSON);
	out.compact = true;
	report_interval(&out, &m.report, 1.25);
	assert_int_equal(out_finish(&out), 0);
	assert_ptr_equal(strchr(m.text, '\n'), m.text + m.size - 1);
	root = made_load(&m);
	assert_true(json_real_value(json_object_get(root, "interval")) == 1.25);
	json_decref(root);
	made_end(&m);
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
	made_end(&m);

	m = (struct made){ 0 };
	m.file = open_memstream(&m.text, &m.size);
	write_sample(m.file, OUT_JSON);
	root = made_load(&m);
	thing = json_object_get(root, "thing");
	assert_string_equal(json_string_value(json_object_get(thing, "name")), "\"quoted\"\n");
	assert_true(json_is_null(json_object_get(thing, "absent")));
	assert_int_equal(json_integer_value(json_object_get(thing, "number")), INT64_MIN);
	assert_true(json_is_true(json_object_get(thing, "flag")));
	assert_int_equal(json_integer_value(json_object_get(thing, "both")), 5);
	assert_int_equal(json_integer_value(json_object_get(thing, "hidden")), 1);
	assert_null(strstr(m.text, "for people"));
	json_decref(root);
	made_end(&m);
}

static void full_disk_is_noticed(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct made m;

	(void)state;
	assert_non_null(full);
	make_usual(&m);
	assert_int_equal(report_csv(full, &m.report, ",", -1), -ENOSPC);
	fclose(full);
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_as_perf_users_know_it),
		cmocka_unit_test(csv_has_perfs_columns),
		cmocka_unit_test(json_tells_all),
		cmocka_unit_test(repeated_runs_have_means_and_their_spread),
		cmocka_unit_test(intervals_have_a_time_before_each_line),
		cmocka_unit_test(intervals_are_a_line_each_in_json),
		cmocka_unit_test(one_writer_for_text_and_json),
		cmocka_unit_test(full_disk_is_noticed),
	};

	return cmocka_run_group_tests_name("tools/report", tests, NULL, NULL);
}
