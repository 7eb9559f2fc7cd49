// SPDX-License-Identifier: GPL-2.0-only
/* Opening and refusals, against a scripted device. */
#include <errno.h>

#include "bench.h"
#include "cgroup.h"
#include "refusal.h"
#include "total.h"

static void command_is_counted_from_its_exec(void **state)
{
	struct bench b = { .mode.on_exec = true };

	(void)state;
	target_set_command(&b.target, 1234);
	bench_add(&b, "cycles,{instructions,branches}", true);
	assert_int_equal(bench_open(&b, 3), 0);
	for (int i = 0; i < 3; i++) {
		bool leader = i < 2;

		assert_int_equal(script[i].pid, 1234);
		assert_int_equal(script[i].cpu, -1);
		assert_int_equal(script[i].group_fd, leader ? -1 : script[1].fd);
		assert_int_equal(script[i].attr.disabled, leader);
		assert_int_equal(script[i].attr.enable_on_exec, leader);
		assert_int_equal(script[i].attr.read_format, PERF_FORMAT_TOTAL_TIME_ENABLED |
				 PERF_FORMAT_TOTAL_TIME_RUNNING);
		assert_int_equal(script[i].attr.size, sizeof(script[i].attr));
		assert_false(script[i].attr.inherit);
	}
	bench_end(&b);
}

static void inherit_is_asked_for_only_by_mode(void **state)
{
	struct bench b = { .mode.inherit = true };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles", true);
	assert_int_equal(bench_open(&b, 1), 0);
	assert_true(script[0].attr.inherit);
	assert_false(script[0].attr.enable_on_exec);
	bench_end(&b);
}

static void named_event_refused_ends_it_with_the_modules_text(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles,branches", true);
	script[1].err = EBUSY;
	script[1].msg = "the NMI watchdog holds a counter. Run 'sysctl kernel.nmi_watchdog=0'";
	assert_int_equal(bench_open(&b, 2), -1);
	assert_string_equal(b.why.text,
			    "event 'branches': the NMI watchdog holds a counter. Run 'sysctl kernel.nmi_watchdog=0'.");
	bench_end(&b);
}

static void unnamed_event_refused_is_left_out(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles,branches", false);
	script[0].err = ENOENT;
	assert_int_equal(bench_open(&b, 2), 0);
	assert_int_equal(counters_accepted(&b.counters), 1);
	assert_true(b.counters.counter[0].refused);
	assert_string_equal(b.counters.counter[0].reason,
			    "event 'cycles': this machine has no such event. See 'pmuctl list' for those it has.");
	bench_end(&b);
}

static void refused_leader_takes_its_group_along(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "{cycles,branches}", false);
	script[0].err = ENOENT;
	assert_int_equal(bench_open(&b, 1), 0);
	counters_read(&b.counters, &b.dev);
	assert_int_equal(counter_total(&b.counters, 1, ALL_SPOTS).running, 0);
	bench_end(&b);
}

static void kernel_part_is_left_out_where_it_is_forbidden(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles,instructions:D", true);
	script[0].err = EACCES;
	script[2].err = EACCES;
	assert_int_equal(bench_open(&b, 4), 0);
	assert_false(script[0].attr.exclude_kernel);
	assert_true(script[1].attr.exclude_kernel && script[1].attr.exclude_hv);
	assert_string_equal(b.counters.counter[0].name, "cycles:u");
	assert_string_equal(b.counters.counter[1].name, "instructions:Du");
	bench_end(&b);
}

static void name_stays_if_the_user_part_is_refused_too(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles", true);
	script[0].err = script[1].err = EACCES;
	script[1].msg = "whole CPUs need CAP_PERFMON. Run as root";
	assert_int_equal(bench_open(&b, 2), -1);
	assert_string_equal(b.why.text,
			    "event 'cycles': whole CPUs need CAP_PERFMON. Run as root.");
	bench_end(&b);
}

static void chosen_levels_are_never_changed(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles:k", true);
	script[0].err = EACCES;
	script[0].msg = "paranoid=2 lets this user count user space only";
	assert_int_equal(bench_open(&b, 1), -1);
	assert_string_equal(b.why.text,
			    "event 'cycles:k': paranoid=2 lets this user count user space only. Run it as root, or see 'pmuctl doctor'.");
	bench_end(&b);
}

static void thread_that_ended_is_left_out_of_a_process(void **state)
{
	struct bench b = { 0 };

	(void)state;
	assert_int_equal(target_set_ids(&b.target, TARGET_THREAD, "11,12,11", &b.why), 0);
	assert_int_equal(target_find_threads(&b.target, &b.why), 2);
	assert_int_equal(target_find_threads(&b.target, &b.why), 0);
	b.target.kind = TARGET_PROCESS;
	bench_add(&b, "{cycles,branches}", true);
	script[0].err = ESRCH;
	script[1] = (struct scripted_open){ .value = 5, .enabled = 10, .running = 10 };
	script[2] = (struct scripted_open){ .value = 6, .enabled = 10, .running = 10 };
	assert_int_equal(bench_open(&b, 3), 0);
	assert_int_equal(script[1].pid, 12);
	assert_int_equal(script[2].group_fd, script[1].fd);
	counters_read(&b.counters, &b.dev);
	assert_int_equal(counter_total(&b.counters, 0, ALL_SPOTS).value, 5);
	assert_int_equal(counter_total(&b.counters, 1, ALL_SPOTS).value, 6);
	bench_end(&b);
}

static void thread_asked_for_by_number_must_be_there(void **state)
{
	struct bench b = { 0 };

	(void)state;
	assert_int_equal(target_set_ids(&b.target, TARGET_THREAD, "11", &b.why), 0);
	assert_int_equal(target_find_threads(&b.target, &b.why), 1);
	bench_add(&b, "cycles", true);
	script[0].err = ESRCH;
	assert_int_equal(bench_open(&b, 1), -1);
	assert_string_equal(b.why.text, "event 'cycles': the task has ended. Give one that runs.");
	bench_end(&b);
}

static void a_cgroup_is_the_pid_on_every_cpu(void **state)
{
	struct cgroup cgroup = { (char *)"a", 77 };
	struct bench b = { 0 };

	(void)state;
	bench_on_cpus(&b, "0\n");
	bench_add(&b, "cycles,branches", true);
	b.events.event[1].cgroup = &cgroup;
	assert_int_equal(bench_open(&b, 2), 0);
	assert_int_equal(script[0].pid, -1);
	assert_int_equal(script[0].flags, 0);
	assert_int_equal(script[1].pid, 77);
	assert_int_equal(script[1].cpu, 0);
	assert_int_equal(script[1].flags, PERF_FLAG_PID_CGROUP);
	bench_end(&b);
}

static void cpus_must_be_online(void **state)
{
	struct target target = { 0 };
	struct why why;

	(void)state;
	fixture_make();
	fixture_file("devices/system/cpu/online", "0-2\n");
	assert_int_equal(target_set_cpus(&target, "1-3", &why), -1);
	assert_string_equal(why.text, "CPU 3 is not online. Choose from 0-2");
	target_free(&target);
	assert_int_equal(target_set_cpus(&target, "2,0", &why), 0);
	assert_int_equal(target.nr, 2);
	assert_int_equal(target.spot[0].cpu, 0);
	target_free(&target);
	fixture_remove();
}

static void every_refusal_says_why_and_what_to_do(void **state)
{
	static const struct {
		int err;
		const char *text, *whole;
	} cases[] = {
		{ EINVAL, "", "event 'x': the module does not accept it like this. Count fewer events at once, or leave out modifiers." },
		{ EINVAL, "no counter is left.", "event 'x': no counter is left. Count fewer events at once, or leave out modifiers." },
		{ EINVAL, "no. Do that", "event 'x': no. Do that." },
		{ EIO, "", "event 'x': Input/output error." },
	};
	struct why why;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		refusal_event(&why, "x", cases[i].err, cases[i].text);
		assert_string_equal(why.text, cases[i].whole);
	}
	refusal_device(&why, EPROTO, 7);
	assert_string_equal(why.text, "/dev/pmuctl: the module speaks version 7 of the interface, this command version 1. Install module and command of one version.");
	refusal_device(&why, EIO, 0);
	assert_string_equal(why.text, "/dev/pmuctl: Input/output error. See 'pmuctl doctor'.");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, bench_setup)
	const struct CMUnitTest tests[] = {
		TEST(command_is_counted_from_its_exec),
		TEST(inherit_is_asked_for_only_by_mode),
		TEST(named_event_refused_ends_it_with_the_modules_text),
		TEST(unnamed_event_refused_is_left_out),
		TEST(refused_leader_takes_its_group_along),
		TEST(kernel_part_is_left_out_where_it_is_forbidden),
		TEST(name_stays_if_the_user_part_is_refused_too),
		TEST(chosen_levels_are_never_changed),
		TEST(thread_that_ended_is_left_out_of_a_process),
		TEST(thread_asked_for_by_number_must_be_there),
		TEST(a_cgroup_is_the_pid_on_every_cpu),
		TEST(cpus_must_be_online),
		TEST(every_refusal_says_why_and_what_to_do),
	};

	return cmocka_run_group_tests_name("tools/counters", tests, NULL, NULL);
}
