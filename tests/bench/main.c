// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures one core: what each kind of work costs in guest instructions and accesses to the PMU's
 * registers. It prints a line a figure, which tests/bench/report joins with the other core's:
 *
 *	NAME <tab> VALUE|unsupported|n/a <tab> BUDGET|- <tab> NOTE
 *
 * usage: bench perf|pmuctl [PATTERN]
 */
#include "bench.h"
#include "device.h"
#include "fail.h"
#include "../abi/core.h"

#include <errno.h>
#include <fnmatch.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TASK		PMUCTL_FEATURE_COUNT_TASK
#define WAIT		(PMUCTL_FEATURE_MULTIPLEX | PMUCTL_FEATURE_SNAPSHOT)
#define SWITCH		(SHOW_KERNEL | SHOW_WRMSR | SHOW_RDPMC)
#define WRITES		(SHOW_KERNEL | SHOW_WRMSR)
#define MULTIPLEXED	"in-tree multiplexes: 10 of each task's 100 events count at a time"
#define VECTOR		"one vector read; in-tree: 64 reads"
#define NO_SUMS		"in-tree shares nothing and does not say what it visits"

static const struct bench benches[] = {
	{ "task-switch-1", switch_tasks, switch_tasks, 1, SWITCH, TASK, NULL },
	{ "task-switch-2", switch_tasks, switch_tasks, 2, SWITCH, TASK, NULL },
	{ "task-switch-4", switch_tasks, switch_tasks, 4, SWITCH, TASK, NULL },
	{ "task-switch-8", switch_tasks, switch_tasks, 8, SWITCH, TASK, NULL },
	{ "task-switch-100", switch_tasks, switch_tasks, 100, SWITCH, TASK, MULTIPLEXED },
	{ "unmeasured-switch", switch_unmeasured, switch_unmeasured, 1, WRITES, TASK, NULL },
	{ "inherited-switch-8", switch_inherited, switch_inherited, 8, SWITCH,
	  TASK | PMUCTL_FEATURE_INHERIT, NULL },
	{ "cgroup-switch-8", switch_cgroups, switch_cgroups, 8, SWITCH, PMUCTL_FEATURE_CGROUP,
	  NULL },
	{ "waiting-rotation", waiting_rotation, NULL, 10000, SHOW_VISITS, TASK | WAIT, NO_SUMS },
	{ "waiting-switch", waiting_switch, NULL, 10000, SWITCH | SHOW_VISITS, TASK | WAIT,
	  NO_SUMS },
	{ "read", read_one, read_one, 1, SHOW_KERNEL | SHOW_RDPMC, TASK, NULL },
	{ "read-64-single", read_many, read_many, 64, SHOW_KERNEL, TASK, NULL },
	{ "read-64", read_vector, read_many, 64, SHOW_KERNEL, TASK | PMUCTL_FEATURE_READ_VECTOR,
	  VECTOR },
	{ "open", open_event, open_event, 64, WRITES, TASK, NULL },
	{ "close", close_event, close_event, 64, WRITES, TASK, NULL },
	{ "open-new-class", open_new_class, open_new_class, 1, WRITES, TASK, NULL },
	{ "open-first", open_first, open_first, 1, WRITES, TASK, NULL },
	{ "close-last", close_last, close_last, 1, WRITES, TASK, NULL },
};

static bool on_pmuctl;

/* In the order of SHOW_*'s bits. */
static const char *const suffixes[] = { "", "-user", "-wrmsr", "-rdmsr", "-rdpmc", "-visits" };

static void print(const struct bench *bench, int line, const char *value, double budget,
		  const char *note)
{
	printf("%s%s\t%s\t", bench->name, suffixes[line], value);
	if (budget < 0)
		printf("-\t%s\n", note);
	else
		printf("%.2f\t%s\n", budget, note);
}

static void print_figure(const struct bench *bench, int line, const struct outcome *outcome)
{
	bool visits = line == METERS;
	char value[32];

	snprintf(value, sizeof(value), "%.*f", visits ? 2 : line == METER_KERNEL ? 0 : 1,
		 visits ? outcome->visits : outcome->cost.n[line]);
	print(bench, line, value, visits ? outcome->budget : -1, bench->note ?: "");
}

/* Every line of the bench comes out, whatever became of it. */
static void print_all(const struct bench *bench, const char *instead, const char *note,
		      const struct outcome *outcome)
{
	int line;

	for (line = 0; line <= METERS; line++) {
		if (!(bench->show & 1u << line))
			continue;
		if (instead)
			print(bench, line, instead, -1, note);
		else
			print_figure(bench, line, outcome);
	}
	fflush(stdout);
}

/* perf sets its hooks back a second after the last event closed. */
static void settle(void)
{
	usleep(1500000);
}

static int check_features(const struct bench *bench)
{
	const char *lacks = on_pmuctl ? device_lacks(bench->features) : NULL;

	return lacks ? fail(-EOPNOTSUPP, "the module lacks: %s", lacks) : 0;
}

static void measure(const struct bench *bench)
{
	struct outcome outcome = { .budget = -1 };
	bench_fn *run = on_pmuctl ? bench->pmuctl : bench->in_tree;

	if (!run) {
		print_all(bench, "n/a", bench->note, NULL);
		return;
	}
	settle();
	if (check_features(bench) || run(bench->arg, &outcome))
		print_all(bench, "unsupported", fail_reason(), NULL);
	else
		print_all(bench, NULL, NULL, &outcome);
}

static void stay_on_cpu_0(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	must(!sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

static int usage(void)
{
	fprintf(stderr, "usage: bench perf|pmuctl [PATTERN]\n");
	return 2;
}

static int measure_matching(const char *pattern)
{
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		if (fnmatch(pattern, benches[i].name, 0))
			continue;
		measure(&benches[i]);
		n++;
	}
	if (n)
		return 0;
	fprintf(stderr, "pmuctl: bench: nothing is called '%s'. The names are in main.c.\n", pattern);
	return 2;
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3)
		return usage();
	on_pmuctl = !strcmp(argv[1], "pmuctl");
	if (!core_choose(argv[1])) {
		fprintf(stderr, "pmuctl: bench: there is no core '%s'.\n", argv[1]);
		return 2;
	}
	if (!meter_works()) {
		fprintf(stderr, "pmuctl: bench: this CPU is no PMU model. Run it in tests/vm/run.\n");
		return 2;
	}
	stay_on_cpu_0();
	return measure_matching(argc > 2 ? argv[2] : "*");
}
