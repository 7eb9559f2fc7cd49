// SPDX-License-Identifier: GPL-2.0-only
/*
 * More different events than counters: all get their turn, groups as a whole, and their times say
 * how long. Bounds are coarse, as the guest's clock is its host's; what must be exact is compared
 * exactly.
 */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static int open_raw(int nr, pid_t pid, int cpu, int group, bool pinned)
{
	struct perf_event_attr attr = raw(raw_configs[nr]);

	attr.disabled = 0;
	attr.pinned = pinned;
	return must_open(&attr, pid, cpu, group);
}

/* The same, off: for groups that are to begin all at once. */
static int open_raw_off(int nr, int group)
{
	struct perf_event_attr attr = raw(raw_configs[nr]);

	attr.disabled = group < 0;
	return must_open(&attr, 0, -1, group);
}

static void close_all(const int *fds, int n)
{
	while (n-- > 0)
		close(fds[n]);
}

/* How much of the counters @n events had, and how fairly. */
static void answer_shares(const char *what, const int *fds, int n)
{
	struct counts c[NR_RAW];
	u64 sum = 0, least = ~0ULL, enabled = 0;
	bool ran = true, possible = true;
	int held = counters(), i;
	char name[120];

	for (i = 0; i < n; i++)
		c[i] = must_read(fds[i]);
	for (i = 0; i < n; i++) {
		ran = ran && c[i].running;
		possible = possible && c[i].running <= c[i].enabled;
		sum += c[i].running;
		least = c[i].running < least ? c[i].running : least;
		enabled = c[i].enabled > enabled ? c[i].enabled : enabled;
	}
	snprintf(name, sizeof(name), "multiplex: %s, each ran", what);
	answer(name, "%s", yes(ran));
	snprintf(name, sizeof(name), "multiplex: %s, running at most enabled", what);
	answer(name, "%s", yes(possible));
	snprintf(name, sizeof(name), "multiplex: %s, counters were in use", what);
	answer(name, "%s", sum > held * enabled / 20 * 21 ? "more than there are" :
	       sum < held * enabled / 3 * 2 ? "too few" : "most");
	snprintf(name, sizeof(name), "multiplex: %s, none ran for less than half its share", what);
	answer(name, "%s", yes(least >= held * enabled / n / 2));
}

static void probe_sixteen(void)
{
	int fds[NR_RAW], steady, i;
	struct counts c;
	u64 truth;
	bool close_enough = true;

	steady = open_raw(1, 0, -1, -1, true);
	for (i = 0; i < NR_RAW; i++)
		fds[i] = open_raw(i, 0, -1, -1, false);
	ioctl(steady, PERF_EVENT_IOC_RESET, 0);
	burn(800);
	truth = must_read(steady).value;
	/* The first four count what the loop is made of. */
	for (i = 0; i < 4; i++) {
		c = must_read(fds[i]);
		c.value = (double)c.value * c.enabled / c.running;
		close_enough = close_enough && c.value > truth / 2 && c.value < truth * 2;
	}
	answer_shares("sixteen events", fds, NR_RAW);
	answer("multiplex: sixteen events, scaled counts are near the truth", "%s",
	       yes(close_enough));
	answer_times("multiplex: sixteen events, a pinned one's times", steady);

	/* Half of them go: the others have counters for themselves. */
	close_all(fds + 7, NR_RAW - 7);
	burn(50);
	c = must_read(fds[3]);
	burn(50);
	truth = must_read(fds[3]).running - c.running;
	answer("multiplex: the others closed, it runs all the time", "%s",
	       yes(must_read(fds[3]).enabled - c.enabled >= truth && truth >= 45000000));
	close_all(fds, 7);
	close(steady);
}

/* What fits never waits. */
static void probe_fitting(void)
{
	int n = counters(), fds[NR_RAW], i, equal = 0;

	for (i = 0; i < n; i++)
		fds[i] = open_raw(i, 0, -1, -1, false);
	burn(50);
	for (i = 0; i < n; i++) {
		struct counts c = must_read(fds[i]);

		equal += c.running == c.enabled;
	}
	answer("multiplex: as many events as counters, never waited", "%d", equal);
	close_all(fds, n);
}

/* Two groups of five, of which only one fits at a time. */
static void probe_groups(void)
{
	int fds[10], i;
	struct counts leaders[2];
	bool together = true;

	for (i = 0; i < 10; i++)
		fds[i] = open_raw_off(i, i % 5 ? fds[i - i % 5] : -1);
	ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0);
	ioctl(fds[5], PERF_EVENT_IOC_ENABLE, 0);
	burn(400);
	for (i = 0; i < 10; i += 5)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	for (i = 0; i < 10; i++) {
		struct counts c = must_read(fds[i]);

		if (!(i % 5))
			leaders[i / 5] = c;
		else
			together = together && c.running == leaders[i / 5].running;
	}
	answer("multiplex: two groups, times", "%s, %s", times_of(&leaders[0]), times_of(&leaders[1]));
	answer("multiplex: two groups, members run together", "%s", yes(together));
	/* They are enabled one after the other, which is why a fifth is allowed for. */
	answer("multiplex: two groups, never both at once", "%s",
	       yes(leaders[0].running + leaders[1].running <= leaders[0].enabled / 5 * 6));
	close_all(fds, 10);
}

/* Whole CPUs: a puppet keeps it busy. */
static void probe_cpu_events(void)
{
	int fds[NR_RAW], i;
	struct stage s;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	for (i = 0; i < NR_RAW; i++)
		fds[i] = open_raw(i, -1, 1, -1, false);
	stage_cue(&s, 0);
	usleep(800000);
	answer_shares("cpu's events", fds, NR_RAW);
	close_all(fds, NR_RAW);
	stage_kill(&s);
}

/* @k counters of CPU 1 are held; what becomes of what a task there wants (SCH-01, SCH-06). */
static void probe_held(const char *what, int k, bool pinned)
{
	int held[NR_RAW], pair[2], single, i;
	struct stage s;
	char name[120];

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	for (i = 0; i < k; i++)
		held[i] = open_raw(i, -1, 1, -1, pinned);
	pair[0] = open_raw(10, s.pid, -1, -1, false);
	pair[1] = open_raw(11, s.pid, -1, pair[0], false);
	stage_cue(&s, 0);
	usleep(50000);
	snprintf(name, sizeof(name), "multiplex: %s, a group of two", what);
	answer_times(name, pair[0]);
	snprintf(name, sizeof(name), "multiplex: %s, its sibling", what);
	answer_times(name, pair[1]);
	close_all(pair, 2);
	single = open_raw(12, s.pid, -1, -1, false);
	usleep(50000);
	snprintf(name, sizeof(name), "multiplex: %s, a single event", what);
	answer_times(name, single);
	close_all(held, k);
	usleep(50000);
	snprintf(name, sizeof(name), "multiplex: %s, released", what);
	answer_times(name, single);
	close(single);
	stage_kill(&s);
}

/* A pinned event of a task takes a counter from flexible ones of its CPU. */
static void probe_precedence(void)
{
	int n = counters(), held[NR_RAW], mine, i, waited = 0;
	struct stage s;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	for (i = 0; i < n; i++)
		held[i] = open_raw(i, -1, 1, -1, false);
	mine = open_raw(10, s.pid, -1, -1, true);
	stage_cue(&s, 0);
	usleep(100000);
	answer_times("multiplex: task's pinned event beside a full cpu", mine);
	for (i = 0; i < n; i++) {
		struct counts c = must_read(held[i]);

		waited += c.running < c.enabled;
	}
	answer("multiplex: cpu's events beside a task's pinned one, some waited", "%s", yes(waited));
	close_all(held, n);
	stage_kill(&s);
}

/* Children take turns as their parents do, and exact remains exact. */
static void probe_inherited(void)
{
	int fds[NR_RAW], steady, i;
	bool possible = true;
	struct perf_event_attr attr;
	struct stage s;

	stage_open(&s, "s0f{L}f{L}Lws0");
	attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	attr.disabled = 0;
	attr.inherit = 1;
	attr.pinned = 1;
	steady = must_open(&attr, s.pid, -1, -1);
	for (i = 0; i < NR_RAW; i++) {
		attr = raw(raw_configs[i]);
		attr.disabled = 0;
		attr.inherit = 1;
		fds[i] = must_open(&attr, s.pid, -1, -1);
	}
	stage_step(&s, 0);
	for (i = 0; i < NR_RAW; i++) {
		struct counts c = must_read(fds[i]);

		possible = possible && c.running && c.running <= c.enabled;
	}
	answer("multiplex: inherited, all ran, at most enabled", "%s", yes(possible));
	answer_value("multiplex: inherited, pinned one", steady);
	answer_times("multiplex: inherited, pinned one's times", steady);
	stage_kill(&s);
}

void theme_multiplex(void)
{
	int n = counters();

	go_to_cpu(1);
	probe_sixteen();
	probe_fitting();
	probe_groups();
	probe_cpu_events();
	probe_held("all counters held", n, true);
	probe_held("all counters but one held", n - 1, true);
	probe_held("all counters in use by the cpu's events", n, false);
	probe_precedence();
	probe_inherited();
}
