// SPDX-License-Identifier: GPL-2.0-only
/* The lines of a report: places, cgroups, and figures made of two counts. */
#include "cgroup.h"
#include "made.h"

static void each_cpu_has_its_line_and_its_own_metric(void **state)
{
	struct why why;
	struct made m;

	(void)state;
	made_begin(&m, "cycles,instructions");
	target_free(&m.target);
	fixture_make();
	fixture_file("devices/system/cpu/online", "0-7\n");
	assert_int_equal(target_set_cpus(&m.target, "1,7", &why), 0);
	fixture_remove();
	made_finish(&m);
	m.report.per_spot = true;
	m.report.command = NULL;
	made_count(&m, 0, 0, 100, 1000);
	made_count(&m, 0, 1, 100, 1000);
	made_count(&m, 1, 0, 50, 1000);
	made_count(&m, 1, 1, 200, 1000);
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	assert_string_equal(m.text, "CPU1,100,,cycles,1000,100.00,,,0.00\n"
				    "CPU7,100,,cycles,1000,100.00,,,0.00\n"
				    "CPU1,50,,instructions,1000,100.00,0.50,insn per cycle,0.00\n"
				    "CPU7,200,,instructions,1000,100.00,2.00,insn per cycle,0.00\n");
	made_print(&m, OUT_TEXT);
	made_expect(&m, " Performance counter stats for 'CPU(s) 1,7':\n");
	made_expect(&m, "CPU7                      100      cycles\n");
	assert_null(strstr(m.text, "seconds user"));
	made_end(&m);
}

static void metric_needs_the_same_levels(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "cycles:u,instructions:k");
	made_finish(&m);
	made_count(&m, 0, 0, 10, 1000);
	made_count(&m, 1, 0, 10, 1000);
	made_print(&m, OUT_TEXT);
	assert_null(strstr(m.text, "insn per cycle"));
	made_end(&m);
}

static void division_by_nothing_makes_no_metric(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "cycles,instructions");
	made_finish(&m);
	made_count(&m, 0, 0, 0, 1000);
	made_count(&m, 1, 0, 10, 1000);
	made_print(&m, OUT_JSON);
	assert_null(strstr(m.text, "metric"));
	made_end(&m);
}

static void clocks_are_in_milliseconds(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "task-clock");
	made_finish(&m);
	made_count(&m, 0, 0, 12345678, 1000);
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	assert_string_equal(m.text, "12.35,msec,task-clock,1000,100.00,0.008,CPUs utilized,0.00\n");
	made_end(&m);
}

static void rates_are_made_with_the_clock(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "task-clock,page-faults,cycles,cs,branches");
	made_finish(&m);
	made_count(&m, 0, 0, 3000000, 1000);
	made_count(&m, 1, 0, 150, 1000);
	made_count(&m, 2, 0, 9000000, 1000);
	made_count(&m, 3, 0, 0, 1000);
	made_count(&m, 4, 0, 6000000, 1000);
	m.report.elapsed = 0.004;
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	assert_string_equal(m.text, "3.00,msec,task-clock,1000,100.00,0.750,CPUs utilized,0.00\n"
				    "150,,page-faults,1000,100.00,50.000,K/sec,0.00\n"
				    "9000000,,cycles,1000,100.00,3.000,GHz,0.00\n"
				    "0,,cs,1000,100.00,0.000,/sec,0.00\n"
				    "6000000,,branches,1000,100.00,2.000,G/sec,0.00\n");
	made_end(&m);
}

static void each_thread_has_its_name(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "cycles");
	m.target.kind = TARGET_THREAD;
	strcpy(m.target.spot[0].comm, "xz");
	made_finish(&m);
	made_count(&m, 0, 0, 100, 1000);
	m.report.per_spot = true;
	m.target.text = "1";
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	made_print(&m, OUT_TEXT);
	made_expect(&m, "xz-1,100,,cycles,1000,100.00,,,0.00\n");
	made_expect(&m, "              xz-1                       100      cycles\n");
	made_end(&m);
}

static void cgroups_stand_beside_their_events(void **state)
{
	struct cgroup cgroup[] = { { (char *)"a.slice", -1 }, { (char *)"b.slice", -1 } };
	struct made m;

	(void)state;
	made_begin(&m, "cycles,instructions,instructions");
	m.events.event[0].cgroup = m.events.event[1].cgroup = &cgroup[0];
	m.events.event[2].cgroup = &cgroup[1];
	made_finish(&m);
	made_count(&m, 0, 0, 100, 1000);
	made_count(&m, 1, 0, 200, 1000);
	made_count(&m, 2, 0, 300, 1000);
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	made_print(&m, OUT_TEXT);
	/* The second cgroup's cycles were not counted: no figure is made with the first one's. */
	made_expect(&m, "100,,cycles,a.slice,1000,100.00,,,0.00\n"
		   "200,,instructions,a.slice,1000,100.00,2.00,insn per cycle,0.00\n"
		   "300,,instructions,b.slice,1000,100.00,,,0.00\n");
	made_expect(&m, "               300      instructions             b.slice\n");
	made_end(&m);
}

static void bound_is_unknown_where_nothing_was_seen(void **state)
{
	struct made m;

	(void)state;
	made_begin(&m, "cycles,instructions");
	made_finish(&m);
	made_count(&m, 0, 0, 0, 250);
	m.counters.counter[1].count[0] = (struct count){ 30, 1000, 750 };
	assert_int_equal(report_csv(m.file, &m.report, ",", -1), 0);
	made_print(&m, OUT_TEXT);
	made_expect(&m, "0,,cycles,250,25.00,,,\n40,,instructions,750,75.00,,,25.00\n");
	made_expect(&m, "(25.00%)  +- ?\n");
	made_expect(&m, "(75.00%)  +- 25.0%\n");
	made_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cpu_has_its_line_and_its_own_metric),
		cmocka_unit_test(metric_needs_the_same_levels),
		cmocka_unit_test(division_by_nothing_makes_no_metric),
		cmocka_unit_test(clocks_are_in_milliseconds),
		cmocka_unit_test(rates_are_made_with_the_clock),
		cmocka_unit_test(each_thread_has_its_name),
		cmocka_unit_test(cgroups_stand_beside_their_events),
		cmocka_unit_test(bound_is_unknown_where_nothing_was_seen),
	};

	return cmocka_run_group_tests_name("tools/rows", tests, NULL, NULL);
}
