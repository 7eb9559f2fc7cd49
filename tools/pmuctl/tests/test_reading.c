// SPDX-License-Identifier: GPL-2.0-only
/* Reading counters, sums over places, scaling and its error, against a scripted device. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "bench.h"
#include "together.h"
#include "total.h"

static void sums_are_scaled_place_by_place(void **state)
{
	struct bench b = { 0 };
	struct total total;

	(void)state;
	bench_on_cpus(&b, "0-2\n");
	bench_add(&b, "cycles", true);
	script[0] = (struct scripted_open){ .value = 100, .enabled = 50, .running = 50 };
	script[1] = (struct scripted_open){ .value = 100, .enabled = 50, .running = 25 };
	script[2] = (struct scripted_open){ .value = 0, .enabled = 50, .running = 0 };
	assert_int_equal(bench_open(&b, 3), 0);
	for (int cpu = 0; cpu < 3; cpu++) {
		assert_int_equal(script[cpu].cpu, cpu);
		assert_int_equal(script[cpu].pid, -1);
	}
	counters_read(&b.counters, &b.dev);
	total = counter_total(&b.counters, 0, ALL_SPOTS);
	assert_int_equal(total.value, 300);
	assert_int_equal(total.enabled, 150);
	assert_int_equal(total.running, 75);
	assert_true(running_percent(total.enabled, total.running) == 50.0);
	bench_end(&b);
}

static void end_of_file_is_no_count(void **state)
{
	struct bench b = { 0 };
	char drain[24];

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles:D", true);
	script[0] = (struct scripted_open){ .value = 100, .enabled = 50, .running = 50 };
	assert_int_equal(bench_open(&b, 1), 0);
	assert_int_equal(read(script[0].fd, drain, sizeof(drain)), sizeof(drain));
	counters_read(&b.counters, &b.dev);
	assert_int_equal(counter_total(&b.counters, 0, ALL_SPOTS).running, 0);
	bench_end(&b);
}

static void many_files_are_read_in_one_call(void **state)
{
	struct bench b = { .dev.info.features = PMUCTL_FEATURE_READ_VECTOR };
	char drain[24];

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles,branches,instructions", true);
	script[0] = (struct scripted_open){ .value = 1, .enabled = 10, .running = 10 };
	script[1] = (struct scripted_open){ .value = 2, .enabled = 10, .running = 10 };
	script[2] = (struct scripted_open){ .value = 3, .enabled = 10, .running = 10 };
	assert_int_equal(bench_open(&b, 3), 0);
	/* The one in the middle is at its end: it gives no bytes, and moves none of the others. */
	assert_int_equal(read(script[1].fd, drain, sizeof(drain)), sizeof(drain));
	counters_read(&b.counters, &b.dev);
	assert_int_equal(script_reads, 1);
	assert_int_equal(counter_total(&b.counters, 0, ALL_SPOTS).value, 1);
	assert_int_equal(counter_total(&b.counters, 1, ALL_SPOTS).running, 0);
	assert_int_equal(counter_total(&b.counters, 2, ALL_SPOTS).value, 3);
	bench_end(&b);
}

static void vector_read_refused_falls_back_to_files(void **state)
{
	struct bench b = { .dev.info.features = PMUCTL_FEATURE_READ_VECTOR };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles", true);
	script[0] = (struct scripted_open){ .value = 7, .enabled = 10, .running = 10 };
	script_read_err = ENOMEM;
	assert_int_equal(bench_open(&b, 1), 0);
	counters_read(&b.counters, &b.dev);
	assert_int_equal(script_reads, 1);
	assert_int_equal(counter_total(&b.counters, 0, ALL_SPOTS).value, 7);
	bench_end(&b);
}

static void more_files_than_a_call_takes_need_more_calls(void **state)
{
	struct device dev = { .info.features = PMUCTL_FEATURE_READ_VECTOR };
	const size_t nr = PMUCTL_READ_MAX + 2;
	struct reading *reading = xcalloc(nr, sizeof(*reading));
	struct count *count = xcalloc(nr, sizeof(*count));
	struct count same = { 5, 6, 7 };
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	for (size_t i = 0; i < nr; i++)
		reading[i] = (struct reading){ i == 1 ? -1 : fd[0], &count[i] };
	/* As many as a pipe holds; the rest finds its end. */
	for (int i = 0; i < 100; i++)
		assert_int_equal(write(fd[1], &same, sizeof(same)), sizeof(same));
	close(fd[1]);
	readings_take(&dev, reading, nr);
	assert_int_equal(script_reads, 2);
	assert_int_equal(count[0].running, 7);
	assert_int_equal(count[1].running, 0);
	assert_int_equal(count[100].running, 7);
	assert_int_equal(count[101].running, 0);
	close(fd[0]);
	free(reading);
	free(count);
}

static void steps_give_differences(void **state)
{
	struct bench b = { 0 };
	struct count later = { 150, 80, 60 };
	int fd[2];

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles", true);
	script[0] = (struct scripted_open){ .value = 100, .enabled = 50, .running = 50 };
	assert_int_equal(bench_open(&b, 1), 0);
	counters_read(&b.counters, &b.dev);
	counters_step(&b.counters);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], &later, sizeof(later)), sizeof(later));
	close(fd[1]);
	assert_int_equal(dup2(fd[0], b.counters.counter[0].fd[0]), b.counters.counter[0].fd[0]);
	close(fd[0]);
	counters_read(&b.counters, &b.dev);
	/* 50 in 10 of 30 */
	assert_int_equal(b.counters.counter[0].count[0].value, 50);
	assert_int_equal(b.counters.counter[0].count[0].enabled, 30);
	assert_int_equal(counter_total(&b.counters, 0, ALL_SPOTS).value, 150);
	/* What cannot be read any more is nothing, not less than nothing. */
	counters_step(&b.counters);
	counters_read(&b.counters, &b.dev);
	assert_int_equal(b.counters.counter[0].count[0].value, 0);
	assert_int_equal(b.counters.counter[0].count[0].enabled, 0);
	bench_end(&b);
}

static void bound_is_what_was_not_counted(void **state)
{
	static const struct {
		struct total total;
		double percent;
	} cases[] = {
		{ { 100, 100, 10, 10, false }, 0 },
		{ { 400, 100, 40, 10, false }, 75 },
		/* One place seen all the time, one half of it: 100 of 300 are made up. */
		{ { 300, 200, 20, 15, false }, 100.0 / 3 },
		{ { 0, 0, 20, 10, false }, -1 },
		{ { 100, 100, 20, 10, true }, -1 },
		{ { 0, 0, 0, 0, false }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_true(fabs(total_error_percent(&cases[i].total) - cases[i].percent) < 1e-9);
}

static void a_place_without_a_counter_makes_the_sum_blind(void **state)
{
	struct bench b = { 0 };
	double percent;

	(void)state;
	bench_on_cpus(&b, "0-1\n");
	bench_add(&b, "cycles", true);
	script[0] = (struct scripted_open){ .value = 100, .enabled = 50, .running = 50 };
	script[1] = (struct scripted_open){ .value = 0, .enabled = 50, .running = 0 };
	assert_int_equal(bench_open(&b, 2), 0);
	counters_read(&b.counters, &b.dev);
	assert_true(counter_total(&b.counters, 0, ALL_SPOTS).blind);
	assert_false(counter_total(&b.counters, 0, 0).blind);
	assert_ptr_equal(counters_part_time(&b.counters, &percent), &b.counters.counter[0]);
	assert_true(percent == 0);
	bench_end(&b);
}

static void no_multiplex_tries_on_itself_first(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_add(&b, "cycles,branches", true);
	script_nr = 2;
	script[0] = (struct scripted_open){ .value = 1, .enabled = 10, .running = 10 };
	script[1] = (struct scripted_open){ .value = 0, .enabled = 10, .running = 0 };
	/* Pipes cannot be started. */
	assert_int_equal(together_try(&b.events, &b.dev, &b.why), -1);
	assert_int_equal(script[0].pid, 0);
	assert_true(strstr(b.why.text, "cannot be started"));
	bench_end(&b);
}

static void part_time_is_refused_with_name_and_share(void **state)
{
	struct bench b = { 0 };

	(void)state;
	target_set_command(&b.target, 1);
	bench_add(&b, "cycles,branches", true);
	script[0] = (struct scripted_open){ .value = 1, .enabled = 10, .running = 10 };
	script[1] = (struct scripted_open){ .value = 1, .enabled = 8, .running = 2 };
	assert_int_equal(bench_open(&b, 2), 0);
	counters_read(&b.counters, &b.dev);
	assert_int_equal(together_check(&b.counters, &b.why), -1);
	assert_string_equal(b.why.text, "event 'branches': it was on a counter for only 25.00% of its time, and --no-multiplex allows no scaling. Count fewer events at once; 'pmuctl inspect' shows who has the counters.");
	bench_end(&b);
}

static void large_counts_keep_their_last_digit(void **state)
{
	struct count count = { (1ULL << 60) + 1, 1000, 1000 };

	(void)state;
	assert_int_equal(count_scaled(&count), (1ULL << 60) + 1);
	count.running = 0;
	assert_int_equal(count_scaled(&count), 0);
	assert_true(running_percent(count.enabled, count.running) == 0.0);
	count.enabled = 0;
	assert_true(running_percent(count.enabled, count.running) == 100.0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, bench_setup)
	const struct CMUnitTest tests[] = {
		TEST(sums_are_scaled_place_by_place),
		TEST(end_of_file_is_no_count),
		TEST(many_files_are_read_in_one_call),
		TEST(vector_read_refused_falls_back_to_files),
		TEST(more_files_than_a_call_takes_need_more_calls),
		TEST(steps_give_differences),
		TEST(bound_is_what_was_not_counted),
		TEST(a_place_without_a_counter_makes_the_sum_blind),
		TEST(no_multiplex_tries_on_itself_first),
		TEST(part_time_is_refused_with_name_and_share),
		TEST(large_counts_keep_their_last_digit),
	};

	return cmocka_run_group_tests_name("tools/reading", tests, NULL, NULL);
}
