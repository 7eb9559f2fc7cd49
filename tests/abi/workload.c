// SPDX-License-Identifier: GPL-2.0-only
/*
 * A workload of processes, threads and cgroups on two CPUs, counted in every way at once: the sums
 * of the parts must be the whole, to the last instruction. 1 tool that counts the whole system, 20
 * cgroups and 50 tasks are exact and never wait; on pmuctl they share two counters a CPU.
 *
 * usage: workload perf|pmuctl
 *
 * Everything is compared between two moments at which all puppets sleep; the program's own
 * instructions are counted by events of its own.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device.h"
#include "probe.h"
#include "stage.h"

#define CPUS 2
#define CGROUP "pmuctl-workload"

static int passed, failed;

__attribute__((format(printf, 2, 3)))
static void check(bool good, const char *what, ...)
{
	va_list args;

	if (good) {
		passed++;
		return;
	}
	failed++;
	printf("FAILED: ");
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	putchar('\n');
}

static void check_equal(const char *what, u64 is, u64 should)
{
	check(is == should, "%s: %llu, not %llu", what, (unsigned long long)is,
	      (unsigned long long)should);
}

/* ---- events, always a pair: instructions and branches of user space ---- */

#define KINDS 2

static const u64 kinds[KINDS] = { PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_INSTRUCTIONS };
static const char *const kind_names[KINDS] = { "instructions", "branches" };

/* One place of counting, with what it had at the first of the two moments. */
struct place {
	int fds[KINDS];
	struct counts before[KINDS], now[KINDS];
};

static void open_place(struct place *place, pid_t pid, int cpu, bool inherit, unsigned long flags)
{
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		struct perf_event_attr attr = counting(kinds[kind]);

		attr.disabled = 0;
		attr.inherit = inherit;
		place->fds[kind] = core_open(&attr, pid, cpu, -1, flags);
		if (place->fds[kind] < 0) {
			printf("FAILED: open: %s. %s\n", error_name(place->fds[kind]), core_reason());
			printf("workload: %d passed, %d failed\n", passed, failed + 1);
			exit(1);
		}
	}
}

static void close_place(struct place *place)
{
	close(place->fds[1]);
	close(place->fds[0]);
}

static u64 gained(const struct place *place, int kind)
{
	return place->now[kind].value - place->before[kind].value;
}

static void read_one_by_one(struct place *places, int n, bool first)
{
	int i, kind;

	for (i = 0; i < n; i++) {
		for (kind = 0; kind < KINDS; kind++)
			places[i].now[kind] = must_read(places[i].fds[kind]);
	}
	for (i = 0; first && i < n; i++)
		memcpy(places[i].before, places[i].now, sizeof(places[i].now));
}

/* In one call: the program executes nothing in user space between the first file and the last. */
static void read_at_once(struct place *places, int n, bool first)
{
	struct pmuctl_read_item *items = calloc(n * KINDS, sizeof(*items));
	struct counts *values = calloc(n * KINDS, sizeof(*values));
	size_t size = n * KINDS * sizeof(*values);
	long got;
	int i, bad = 0;

	for (i = 0; i < n * KINDS; i++)
		items[i].fd = places[i / KINDS].fds[i % KINDS];
	got = device_read(items, n * KINDS, (u64 *)values, size);
	for (i = 0; i < n * KINDS; i++) {
		bad += items[i].result != sizeof(*values);
		places[i / KINDS].now[i % KINDS] = values[i];
	}
	check(got == (long)size && !bad, "vector read: %ld bytes of %zu, %d files without", got, size, bad);
	for (i = 0; first && i < n; i++)
		memcpy(places[i].before, places[i].now, sizeof(places[i].now));
	free(items);
	free(values);
}

/* The program's own events and those of its CPUs are of one moment only if they are read at once. */
static void read_places(struct place *places, int n, bool first)
{
	if (core_device() >= 0)
		read_at_once(places, n, first);
	else
		read_one_by_one(places, n, first);
}

static void check_never_waited(const char *what, const struct place *places, int n)
{
	int i, kind, bad = 0;

	for (i = 0; i < n; i++) {
		for (kind = 0; kind < KINDS; kind++)
			bad += places[i].now[kind].running != places[i].now[kind].enabled;
	}
	check(!bad, "%s: %d of %d waited", what, bad, n * KINDS);
}

static u64 sum(const struct place *places, int n, int kind)
{
	u64 all = 0;

	while (n-- > 0)
		all += gained(&places[n], kind);
	return all;
}

static void check_sum(const char *what, const struct place *places, int n, const struct place *whole)
{
	char name[120];
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		snprintf(name, sizeof(name), "%s, %s", what, kind_names[kind]);
		check_equal(name, sum(places, n, kind), gained(whole, kind));
	}
}

/* ---- parts and the whole ---- */

/* What each task of the workload does: moves, forks, grandchildren, a thread, an exec. */
#define WORK "lc1lf{lc0l}lf{lf{lc1l}wv{l}xll}wc0lf{t{lc1l}lc0l}wlc1l"
#define TASKS 4

static void check_alone(struct place *alone)
{
	struct stage s;

	stage_open(&s, "c0s0" WORK "s0");
	open_place(alone, s.pid, -1, true, 0);
	read_one_by_one(alone, 1, true);
	stage_step(&s, 0);
	read_one_by_one(alone, 1, false);
	stage_kill(&s);
	close_place(alone);
}

/* All tasks of one process tree: its first thread, two more, a child; each with its children. */
static void start_tasks(struct stage *s, pid_t *tids)
{
	int i;

	stage_cue(s, 0);
	for (i = TASKS - 1; i >= 0; i--)
		tids[i] = stage_wait(s, i);
}

static void run_tasks(struct stage *s)
{
	int i;

	for (i = 0; i < TASKS; i++)
		stage_cue(s, i);
	for (i = 0; i < TASKS; i++)
		stage_wait(s, i);
}

/* The child's parent exits at once, or the first thread would wait for the child in its own work. */
#define TREE "c0s0" \
	"f{f{c1s3" WORK "s3s3}}w" "t{c1s1" WORK "s1s1}" "t{c0s2" WORK "s2s2}" \
	"c0s0" WORK "s0s0"

struct sums {
	struct place whole, by_task[TASKS], cpus[CPUS];
	struct place by_cpu[CPUS], cgroup[CPUS];	/* on pmuctl */
};

static void read_sums(struct sums *t, bool first)
{
	read_one_by_one(&t->whole, 1, first);
	read_one_by_one(t->by_task, TASKS, first);
	read_one_by_one(t->cpus, CPUS, first);
	if (core_device() < 0)
		return;
	read_one_by_one(t->by_cpu, CPUS, first);
	read_one_by_one(t->cgroup, CPUS, first);
}

static void check_sums(const struct sums *t, const struct place *alone)
{
	char name[80];
	int i, kind;

	check_sum("tasks make the whole", t->by_task, TASKS, &t->whole);
	for (kind = 0; kind < KINDS; kind++) {
		check(sum(t->cpus, CPUS, kind) >= gained(&t->whole, kind),
		      "CPUs have at least the whole, %s", kind_names[kind]);
		for (i = 0; i < TASKS; i++) {
			snprintf(name, sizeof(name), "task %d does what it does alone, %s", i,
				 kind_names[kind]);
			check_equal(name, gained(&t->by_task[i], kind), gained(alone, kind));
		}
	}
	check_never_waited("whole", &t->whole, 1);
	check_never_waited("tasks", t->by_task, TASKS);
	check_never_waited("CPUs", t->cpus, CPUS);
	if (core_device() < 0)
		return;
	check_sum("cgroup on its CPUs makes the whole", t->cgroup, CPUS, &t->whole);
	check_sum("tree bound to each CPU makes the whole", t->by_cpu, CPUS, &t->whole);
	check_never_waited("cgroup", t->cgroup, CPUS);
}

/* Everything at once. In-tree perf gives each event a counter of its own, and has not enough for all. */
static void test_sums(void)
{
	bool all = core_device() >= 0;
	static struct place alone;
	static struct sums t;
	int dir = cgroup_make(NULL, CGROUP), i;
	pid_t tids[TASKS];
	struct stage s;

	check_alone(&alone);
	stage_open(&s, TREE);
	cgroup_move(CGROUP, s.pid);
	open_place(&t.whole, s.pid, -1, true, 0);
	for (i = 0; i < CPUS; i++) {
		open_place(&t.cpus[i], -1, i, false, 0);
		if (all)
			open_place(&t.by_cpu[i], s.pid, i, true, 0);
		if (all)
			open_place(&t.cgroup[i], dir, i, false, PERF_FLAG_PID_CGROUP);
	}
	start_tasks(&s, tids);
	for (i = 0; i < TASKS; i++)
		open_place(&t.by_task[i], tids[i], -1, true, 0);
	read_sums(&t, true);
	run_tasks(&s);
	read_sums(&t, false);
	check_sums(&t, &alone);

	stage_kill(&s);
	for (i = 0; i < TASKS; i++)
		close_place(&t.by_task[i]);
	for (i = 0; i < CPUS; i++) {
		close_place(&t.cpus[i]);
		if (all)
			close_place(&t.by_cpu[i]);
		if (all)
			close_place(&t.cgroup[i]);
	}
	close_place(&t.whole);
	close(dir);
	cgroup_remove(CGROUP);
}

/* Bound events, or those of a cgroup, beside the whole: so few that in-tree perf has the counters. */
static void test_parts(bool bound)
{
	struct place whole, parts[CPUS];
	int dir = cgroup_make(NULL, CGROUP), i;
	pid_t tids[TASKS];
	struct stage s;

	stage_open(&s, TREE);
	cgroup_move(CGROUP, s.pid);
	open_place(&whole, s.pid, -1, true, 0);
	for (i = 0; i < CPUS; i++) {
		if (bound)
			open_place(&parts[i], s.pid, i, true, 0);
		else
			open_place(&parts[i], dir, i, false, PERF_FLAG_PID_CGROUP);
	}
	start_tasks(&s, tids);
	read_one_by_one(&whole, 1, true);
	read_one_by_one(parts, CPUS, true);
	run_tasks(&s);
	read_one_by_one(&whole, 1, false);
	read_one_by_one(parts, CPUS, false);
	check_sum(bound ? "bound parts make the whole" : "cgroup makes the whole", parts, CPUS, &whole);
	check_never_waited(bound ? "whole beside bound parts" : "whole beside its cgroup", &whole, 1);
	stage_kill(&s);
	for (i = 0; i < CPUS; i++)
		close_place(&parts[i]);
	close_place(&whole);
	close(dir);
	cgroup_remove(CGROUP);
}

/* ---- sharing ---- */

#define CGROUPS	20
#define SHARERS	50

/* Everything that is counted: one array, for the vector read. */
enum {
	SELF = 0,
	FIRST_CPU = 1,
	FIRST_CGROUP = FIRST_CPU + CPUS,
	FIRST_TASK = FIRST_CGROUP + CGROUPS * CPUS,
	PLACES = FIRST_TASK + SHARERS,
};

/* Counters of @cpu that somebody counts with; the sum of rotations of all PMUs. */
static void count_slots(int *slots, u64 *rotations, int *events)
{
	const struct pmuctl_record *record = NULL;
	struct snapshot snapshot;
	int error = 0, level, ret = device_snapshot(&snapshot);

	memset(slots, 0, CPUS * sizeof(*slots));
	*rotations = *events = 0;
	if (ret) {
		check(false, "snapshot: %s", error_name(ret));
		return;
	}
	while ((record = device_next(&snapshot, record, &error))) {
		const struct pmuctl_record_slot *slot = (const void *)record;
		const struct pmuctl_record_cpu_pmu *pmu = (const void *)record;
		u64 users = 0;

		*events += record->type == PMUCTL_RECORD_EVENT;
		if (record->type == PMUCTL_RECORD_CPU_PMU)
			*rotations += pmu->rotations;
		if (record->type != PMUCTL_RECORD_SLOT)
			continue;
		for (level = 0; level < PMUCTL_LEVELS; level++)
			users += slot->users[level];
		if (users && slot->cpu >= 0 && slot->cpu < CPUS)
			slots[slot->cpu]++;
	}
	check(!error, "snapshot: a record makes no sense");
	free(snapshot.records);
}

static void check_slots(const char *when, u64 *rotations)
{
	int slots[CPUS], events;

	if (core_device() < 0)
		return;
	count_slots(slots, rotations, &events);
	check(slots[0] == 2 && slots[1] == 2, "%s: counters in use are %d and %d, not 2 and 2", when,
	      slots[0], slots[1]);
	check_equal(when, events, PLACES * KINDS);
}

/* The CPUs have what the tasks executed, and what the program itself did. */
static void check_cpus(const struct place *places, const struct place *alone, int kind)
{
	u64 all = sum(&places[FIRST_CPU], CPUS, kind), tasks = SHARERS * gained(alone, kind);
	char name[80];

	snprintf(name, sizeof(name), "shared: all CPUs, %s", kind_names[kind]);
	if (core_device() >= 0)
		check_equal(name, all, tasks + gained(&places[SELF], kind));
	else
		check(all >= tasks, "%s: too few", name);
}

/* Each of the tasks, cgroups and CPUs has exactly what ran in it. */
static void check_sharers(const struct place *places, const struct place *alone)
{
	char name[80];
	int i, kind;

	for (kind = 0; kind < KINDS; kind++) {
		for (i = 0; i < SHARERS; i++) {
			snprintf(name, sizeof(name), "shared: task %d, %s", i, kind_names[kind]);
			check_equal(name, gained(&places[FIRST_TASK + i], kind), gained(alone, kind));
		}
		for (i = 0; i < CGROUPS; i++) {
			u64 tasks = SHARERS / CGROUPS + (i < SHARERS % CGROUPS);

			snprintf(name, sizeof(name), "shared: cgroup %d, %s", i, kind_names[kind]);
			check_equal(name, sum(&places[FIRST_CGROUP + i * CPUS], CPUS, kind),
				    tasks * gained(alone, kind));
		}
		check_cpus(places, alone, kind);
	}
	check_never_waited("shared", places, PLACES);
}

static void test_sharing(void)
{
	static struct place places[PLACES], alone;
	static struct stage stages[SHARERS];
	char name[64], path[128];
	int dirs[CGROUPS], i, cpu;
	u64 rotations = 0, later = 0;

	check_alone(&alone);
	close(cgroup_make(NULL, CGROUP));
	open_place(&places[SELF], 0, -1, false, 0);
	for (cpu = 0; cpu < CPUS; cpu++)
		open_place(&places[FIRST_CPU + cpu], -1, cpu, false, 0);
	for (i = 0; i < CGROUPS; i++) {
		snprintf(name, sizeof(name), "%d", i);
		dirs[i] = cgroup_make(CGROUP, name);
		for (cpu = 0; cpu < CPUS; cpu++)
			open_place(&places[FIRST_CGROUP + i * CPUS + cpu], dirs[i], cpu, false,
				   PERF_FLAG_PID_CGROUP);
	}
	for (i = 0; i < SHARERS; i++) {
		stage_open(&stages[i], "c0s0" WORK "s0");
		snprintf(path, sizeof(path), CGROUP "/%d", i % CGROUPS);
		cgroup_move(path, stages[i].pid);
		open_place(&places[FIRST_TASK + i], stages[i].pid, -1, true, 0);
	}

	check_slots("shared: at the beginning", &rotations);
	read_places(places, PLACES, true);
	for (i = 0; i < SHARERS; i++)
		stage_cue(&stages[i], 0);
	for (i = 0; i < SHARERS; i++)
		stage_wait(&stages[i], 0);
	read_places(places, PLACES, false);
	check_slots("shared: at the end", &later);
	check_equal("shared: nothing took turns", later, rotations);
	check_sharers(places, &alone);

	for (i = 0; i < SHARERS; i++)
		stage_kill(&stages[i]);
	for (i = PLACES - 1; i >= 0; i--)
		close_place(&places[i]);
	for (i = 0; i < CGROUPS; i++) {
		close(dirs[i]);
		snprintf(path, sizeof(path), CGROUP "/%d", i);
		cgroup_remove(path);
	}
	cgroup_remove(CGROUP);
}

int main(int argc, char **argv)
{
	struct rlimit limit = { 8192, 8192 };

	if (argc != 2 || !core_choose(argv[1])) {
		fprintf(stderr, "workload: usage: workload perf|pmuctl (and the core must be there)\n");
		return 2;
	}
	if (sysconf(_SC_NPROCESSORS_ONLN) < CPUS) {
		fprintf(stderr, "workload: one CPU is not enough\n");
		return 2;
	}
	/* Nothing is printed while it is counted: whoever carries it on would be counted too. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	setrlimit(RLIMIT_NOFILE, &limit);
	test_parts(false);
	test_parts(true);
	test_sums();
	test_sharing();
	if (core_device() < 0)
		printf("workload: in-tree perf was not asked for a vector read and a snapshot\n");
	printf("workload: %d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
