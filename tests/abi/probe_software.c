// SPDX-License-Identifier: GPL-2.0-only
/* Software events: which there are, what they count, what exclude bits do to them. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static const char *const names[] = {
	"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
	"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
	"bpf-output", "cgroup-switches",
};

static void probe_opens(void)
{
	struct perf_event_attr attr;
	char name[80];
	u64 config;

	for (config = 0; config < LENGTH(names); config++) {
		attr = software(config);
		snprintf(name, sizeof(name), "software: open %s", names[config]);
		answer_open(name, core_open(&attr, 0, -1, -1, 0));
		snprintf(name, sizeof(name), "software: open %s of a cpu", names[config]);
		answer_open(name, core_open(&attr, -1, 0, -1, 0));
	}
	attr = software(12);
	answer_open("software: open 12", core_open(&attr, 0, -1, -1, 0));
	attr = software(1000);
	answer_open("software: open 1000", core_open(&attr, 0, -1, -1, 0));
	attr = software(1ULL << 32);
	answer_open("software: open bit 32", core_open(&attr, 0, -1, -1, 0));
}

static void probe_attrs(void)
{
	static const struct {
		const char *what;
		struct perf_event_attr change;
	} changes[] = {
		{ "exclude_user", { .exclude_user = 1 } },
		{ "exclude_kernel", { .exclude_kernel = 1 } },
		{ "exclude_hv", { .exclude_hv = 1 } },
		{ "exclude_idle", { .exclude_idle = 1 } },
		{ "exclude_host", { .exclude_host = 1 } },
		{ "exclude_guest", { .exclude_guest = 1 } },
		{ "pinned", { .pinned = 1 } },
		{ "exclusive", { .exclusive = 1 } },
		{ "inherit", { .inherit = 1 } },
		{ "period 1", { .sample_period = 1 } },
		{ "frequency", { .freq = 1, .sample_freq = 1000 } },
		{ "precise", { .precise_ip = 1 } },
		{ "branch stack", { .sample_type = PERF_SAMPLE_BRANCH_STACK,
				    .branch_sample_type = PERF_SAMPLE_BRANCH_ANY } },
		{ "config1", { .config1 = 1 } },
	};
	static const u64 configs[] = { PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS };
	char name[80];
	size_t i, j, byte;

	for (j = 0; j < LENGTH(configs); j++) {
		for (i = 0; i < LENGTH(changes); i++) {
			struct perf_event_attr attr = software(configs[j]);

			for (byte = 0; byte < sizeof(attr); byte++)
				((char *)&attr)[byte] |= ((const char *)&changes[i].change)[byte];
			snprintf(name, sizeof(name), "software: open %s with %s", names[configs[j]],
				 changes[i].what);
			answer_open(name, core_open(&attr, 0, -1, -1, 0));
		}
	}
}

static bool near(u64 a, u64 b)
{
	return a <= b + b / 5 + 1000000 && b <= a + a / 5 + 1000000;
}

/* The clocks count nanoseconds, as long as their times run. */
static void probe_clocks(void)
{
	u64 config;

	for (config = PERF_COUNT_SW_CPU_CLOCK; config <= PERF_COUNT_SW_TASK_CLOCK; config++) {
		struct perf_event_attr attr = software(config);
		struct counts a, b;
		char name[80];
		int fd;

		fd = must_open(&attr, 0, -1, -1);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		burn(50);
		a = must_read(fd);
		snprintf(name, sizeof(name), "software: %s, near its time running", names[config]);
		answer(name, "%s, times %s", yes(near(a.value, a.running)), times_of(&a));
		usleep(50000);
		b = must_read(fd);
		snprintf(name, sizeof(name), "software: %s while the task sleeps", names[config]);
		answer(name, "%s", b.value - a.value < 25000000 ? "stands still" : "goes on");
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		a = must_read(fd);
		burn(5);
		b = must_read(fd);
		snprintf(name, sizeof(name), "software: %s, disabled", names[config]);
		answer(name, "%s", a.value == b.value ? "stands still" : "goes on");
		snprintf(name, sizeof(name), "software: %s, disabled, near its time running",
			 names[config]);
		answer(name, "%s", yes(near(a.value, a.running)));
		ioctl(fd, PERF_EVENT_IOC_RESET, 0);
		snprintf(name, sizeof(name), "software: %s, reset", names[config]);
		answer_value(name, fd);
		close(fd);
	}
}

static void probe_cpu_clock_of_cpu(void)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_CPU_CLOCK);
	struct counts c;
	int fd;

	attr.disabled = 0;
	fd = must_open(&attr, -1, 1, -1);
	usleep(50000);
	c = must_read(fd);
	answer("software: cpu-clock of an idle cpu", "near its time running %s, times %s",
	       yes(near(c.value, c.running)), times_of(&c));
	close(fd);
}

/* Counted while a puppet goes from one point of its script to the next. */
static const struct {
	const char *what;
	u64 config;
	const char *script;		/* c0s0 ... s0 */
	struct perf_event_attr change;
	u64 unit;			/* answers are rounded to it, so that preemption is not seen */
} counts[] = {
	{ "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, "c0s0c1c0c1s0", {}, 1 },
	{ "migrations, none", PERF_COUNT_SW_CPU_MIGRATIONS, "c0s0lc0ls0", {}, 1 },
	{ "migrations, exclude_kernel", PERF_COUNT_SW_CPU_MIGRATIONS, "c0s0c1c0c1s0",
	  { .exclude_kernel = 1 }, 1 },
	{ "migrations, exclude_user", PERF_COUNT_SW_CPU_MIGRATIONS, "c0s0c1c0c1s0",
	  { .exclude_user = 1 }, 1 },
	{ "migrations of children", PERF_COUNT_SW_CPU_MIGRATIONS, "c0s0f{c1c0}wc1s0",
	  { .inherit = 1 }, 1 },
	{ "faults", PERF_COUNT_SW_PAGE_FAULTS, "c0s0ps0", {}, PUPPET_PAGES },
	{ "faults, exclude_kernel", PERF_COUNT_SW_PAGE_FAULTS, "c0s0ps0", { .exclude_kernel = 1 },
	  PUPPET_PAGES },
	{ "faults, exclude_user", PERF_COUNT_SW_PAGE_FAULTS, "c0s0ps0", { .exclude_user = 1 }, 1 },
	{ "faults of children", PERF_COUNT_SW_PAGE_FAULTS, "c0s0f{p}wps0", { .inherit = 1 },
	  PUPPET_PAGES },
	{ "faults, not of children", PERF_COUNT_SW_PAGE_FAULTS, "c0s0f{p}wps0", {}, PUPPET_PAGES },
	{ "minor faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, "c0s0ps0", {}, PUPPET_PAGES },
	{ "major faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, "c0s0ps0", {}, 1 },
	{ "alignment faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, "c0s0ps0", {}, 1 },
	{ "emulation faults", PERF_COUNT_SW_EMULATION_FAULTS, "c0s0ps0", {}, 1 },
	{ "dummy", PERF_COUNT_SW_DUMMY, "c0s0plc1s0", {}, 1 },
	{ "bpf output", PERF_COUNT_SW_BPF_OUTPUT, "c0s0plc1s0", {}, 1 },
	{ "switches, exclude_kernel", PERF_COUNT_SW_CONTEXT_SWITCHES, "c0s0nns0",
	  { .exclude_kernel = 1 }, 1 },
};

static void probe_counts(void)
{
	char name[80];
	size_t i, byte;

	for (i = 0; i < LENGTH(counts); i++) {
		struct perf_event_attr attr = software(counts[i].config);
		struct stage s;
		int fd;

		for (byte = 0; byte < sizeof(attr); byte++)
			((char *)&attr)[byte] |= ((const char *)&counts[i].change)[byte];
		attr.disabled = 0;
		stage_open(&s, counts[i].script);
		snprintf(name, sizeof(name), "software: %s", counts[i].what);
		fd = core_open(&attr, s.pid, -1, -1, 0);
		if (fd < 0) {
			answer_open(name, fd);
			stage_kill(&s);
			continue;
		}
		stage_step(&s, 0);
		answer(name, "%llu times %llu",
		       (unsigned long long)(must_read(fd).value / counts[i].unit),
		       (unsigned long long)counts[i].unit);
		snprintf(name, sizeof(name), "software: %s, times", counts[i].what);
		answer_times(name, fd);
		stage_cue(&s, 0);
		stage_close(&s);
		close(fd);
	}
}

/* A page fault is counted where it happens, once: exact between two points. */
static void probe_exact_faults(void)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_PAGE_FAULTS);
	struct stage s;
	u64 before;
	int fd;

	attr.disabled = 0;
	stage_open(&s, "s0ps0ps0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	before = must_read(fd).value;
	stage_step(&s, 0);
	answer("software: faults, exactly", "%llu", (unsigned long long)(must_read(fd).value - before));
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	answer_value("software: faults, reset", fd);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* Each sleep is a switch at least; being preempted adds to it. */
static void probe_switches(void)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_CONTEXT_SWITCHES);
	struct stage s;
	int fd, of_cpu;

	attr.disabled = 0;
	stage_open(&s, "c1s0nnnnns0");
	fd = must_open(&attr, s.pid, -1, -1);
	of_cpu = must_open(&attr, -1, 1, -1);
	stage_step(&s, 0);
	answer("software: switches of five sleeps", "%s",
	       must_read(fd).value < 6 ? "too few" : must_read(fd).value > 60 ? "too many" : "about right");
	answer("software: switches of a cpu", "%s", yes(must_read(of_cpu).value >= must_read(fd).value));
	stage_cue(&s, 0);
	stage_close(&s);
}

void theme_software(void)
{
	probe_opens();
	probe_attrs();
	go_to_cpu(0);
	probe_clocks();
	probe_cpu_clock_of_cpu();
	probe_counts();
	probe_exact_faults();
	probe_switches();
}
