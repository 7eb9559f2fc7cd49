// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every ioctl of an event file with every kind of argument (FD-06 to FD-09), and on whom the ones
 * for groups act.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"

/* Not in the header of all kernels: their numbers are what matters. */
#define IOC_SET_BPF		_IOW('$', 8, __u32)
#define IOC_QUERY_BPF		_IOWR('$', 10, struct perf_event_query_bpf *)
#define IOC_MODIFY_ATTRIBUTES	_IOW('$', 11, struct perf_event_attr *)

static u64 word = 1, zero, bit_63 = 1ULL << 63;
static struct perf_event_attr modification;

static const struct {
	const char *what;
	unsigned long cmd;
	unsigned long arg;
	void *pointer;		/* instead of arg */
} calls[] = {
	{ "enable", PERF_EVENT_IOC_ENABLE, 0, NULL },
	{ "enable group", PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP, NULL },
	{ "enable, unknown flag", PERF_EVENT_IOC_ENABLE, 2, NULL },
	{ "disable", PERF_EVENT_IOC_DISABLE, 0, NULL },
	{ "disable group", PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP, NULL },
	{ "disable, unknown flag", PERF_EVENT_IOC_DISABLE, ~0UL, NULL },
	{ "reset", PERF_EVENT_IOC_RESET, 0, NULL },
	{ "reset group", PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP, NULL },
	{ "refresh 0 (FD-07)", PERF_EVENT_IOC_REFRESH, 0, NULL },
	{ "refresh 1 (FD-07)", PERF_EVENT_IOC_REFRESH, 1, NULL },
	{ "refresh -1 (FD-07)", PERF_EVENT_IOC_REFRESH, ~0UL, NULL },
	{ "period (FD-08)", PERF_EVENT_IOC_PERIOD, 0, &word },
	{ "period of 0 (FD-08)", PERF_EVENT_IOC_PERIOD, 0, &zero },
	{ "period with bit 63 (FD-08)", PERF_EVENT_IOC_PERIOD, 0, &bit_63 },
	{ "period at NULL", PERF_EVENT_IOC_PERIOD, 0, NULL },
	{ "set_output -1", PERF_EVENT_IOC_SET_OUTPUT, ~0UL, NULL },
	{ "set_output -1 as an int", PERF_EVENT_IOC_SET_OUTPUT, 0xffffffffUL, NULL },
	{ "set_output -2", PERF_EVENT_IOC_SET_OUTPUT, ~1UL, NULL },
	{ "set_output to no file", PERF_EVENT_IOC_SET_OUTPUT, 4321, NULL },
	{ "set_output to no event", PERF_EVENT_IOC_SET_OUTPUT, 0, NULL },
	{ "set_filter", PERF_EVENT_IOC_SET_FILTER, 0, "common_pid == 1" },
	{ "set_filter at NULL", PERF_EVENT_IOC_SET_FILTER, 0, NULL },
	{ "id", PERF_EVENT_IOC_ID, 0, &word },
	{ "id at NULL", PERF_EVENT_IOC_ID, 0, NULL },
	{ "set_bpf of no file", IOC_SET_BPF, 4321, NULL },
	{ "set_bpf of no program", IOC_SET_BPF, 0, NULL },
	{ "pause_output 1", PERF_EVENT_IOC_PAUSE_OUTPUT, 1, NULL },
	{ "pause_output 0", PERF_EVENT_IOC_PAUSE_OUTPUT, 0, NULL },
	{ "query_bpf", IOC_QUERY_BPF, 0, &zero },
	{ "query_bpf at NULL", IOC_QUERY_BPF, 0, NULL },
	{ "modify_attributes", IOC_MODIFY_ATTRIBUTES, 0, &modification },
	{ "modify_attributes at NULL", IOC_MODIFY_ATTRIBUTES, 0, NULL },
	{ "number 12", _IO('$', 12), 0, NULL },
	{ "number 119", 0x2477, 0, NULL },
	{ "enable of another magic", _IO('%', 0), 0, NULL },
	{ "enable with a size", _IOW('$', 0, u64), 0, NULL },
	{ "id with another size", _IOR('$', 7, u64), 0, &word },
	{ "period with another size", _IOW('$', 4, __u32), 0, &word },
	{ "0", 0, 0, NULL },
};

static void probe_calls(const char *on, int fd)
{
	char name[120];
	size_t i;

	for (i = 0; i < LENGTH(calls); i++) {
		unsigned long arg = calls[i].pointer ? (unsigned long)calls[i].pointer : calls[i].arg;

		snprintf(name, sizeof(name), "ioctl: %s, %s", on, calls[i].what);
		answer_errno(name, ioctl(fd, calls[i].cmd, arg));
	}
	snprintf(name, sizeof(name), "ioctl: %s, set_output to itself", on);
	answer_errno(name, ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (long)fd));
}

static void probe_all_calls(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader, sibling, inherited;

	modification = attr;
	leader = must_open(&attr, 0, -1, -1);
	sibling = must_open(&attr, 0, -1, leader);
	probe_calls("leader", leader);
	probe_calls("sibling", sibling);
	attr.inherit = 1;
	inherited = must_open(&attr, 0, -1, -1);
	probe_calls("inherited", inherited);
	attr = software(PERF_COUNT_SW_DUMMY);
	probe_calls("dummy", must_open(&attr, 0, -1, -1));
}

/* SET_OUTPUT between events without rings (FD-09, REG-08). */
static void probe_outputs(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int task = must_open(&attr, 0, -1, -1), again = must_open(&attr, 0, -1, -1);
	int cpu0 = must_open(&attr, -1, 0, -1), cpu1 = must_open(&attr, -1, 1, -1);
	int bound = must_open(&attr, 0, 0, -1), other = must_open(&attr, getppid(), -1, -1), clock;

	attr.use_clockid = 1;
	attr.clockid = 1;
	clock = must_open(&attr, 0, -1, -1);
	answer_errno("set_output: same task (REG-08)", ioctl(again, PERF_EVENT_IOC_SET_OUTPUT, (long)task));
	answer_errno("set_output: another task", ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, (long)task));
	answer_errno("set_output: another cpu", ioctl(cpu1, PERF_EVENT_IOC_SET_OUTPUT, (long)cpu0));
	answer_errno("set_output: task into cpu", ioctl(task, PERF_EVENT_IOC_SET_OUTPUT, (long)cpu0));
	answer_errno("set_output: bound task into its cpu",
		     ioctl(bound, PERF_EVENT_IOC_SET_OUTPUT, (long)cpu0));
	answer_errno("set_output: another clock", ioctl(clock, PERF_EVENT_IOC_SET_OUTPUT, (long)task));
}

/* ---- on whom ENABLE, DISABLE and RESET act ---- */

#define MEMBERS 3

static int group[MEMBERS];

static void open_group(bool disabled)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int i;

	attr.disabled = disabled;
	for (i = 0; i < MEMBERS; i++)
		group[i] = must_open(&attr, 0, -1, i ? group[0] : -1);
}

/* Which members count now: a letter each. */
static void answer_who_counts(const char *name)
{
	u64 before[MEMBERS];
	char who[MEMBERS + 1] = {};
	int i;

	for (i = 0; i < MEMBERS; i++)
		before[i] = must_read(group[i]).value;
	loop(ROUNDS);
	for (i = 0; i < MEMBERS; i++)
		who[i] = must_read(group[i]).value >= before[i] + 2 * ROUNDS ? 'c' : '-';
	answer(name, "%s", who);
}

static void close_group(void)
{
	int i;

	for (i = MEMBERS - 1; i >= 0; i--)
		close(group[i]);
}

static void probe_enable(void)
{
	static const struct {
		const char *what;
		bool disabled;
		unsigned long cmd;
		int member;
		unsigned long arg;
	} cases[] = {
		{ "all off, enable leader", true, PERF_EVENT_IOC_ENABLE, 0, 0 },
		{ "all off, enable sibling", true, PERF_EVENT_IOC_ENABLE, 1, 0 },
		{ "all off, enable group by leader", true, PERF_EVENT_IOC_ENABLE, 0, 1 },
		{ "all off, enable group by sibling", true, PERF_EVENT_IOC_ENABLE, 1, 1 },
		{ "all on", false, PERF_EVENT_IOC_ENABLE, 0, 0 },
		{ "all on, disable leader", false, PERF_EVENT_IOC_DISABLE, 0, 0 },
		{ "all on, disable sibling", false, PERF_EVENT_IOC_DISABLE, 1, 0 },
		{ "all on, disable group by leader", false, PERF_EVENT_IOC_DISABLE, 0, 1 },
		{ "all on, disable group by sibling", false, PERF_EVENT_IOC_DISABLE, 1, 1 },
	};
	char name[120];
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		open_group(cases[i].disabled);
		ioctl(group[cases[i].member], cases[i].cmd, cases[i].arg);
		snprintf(name, sizeof(name), "ioctl: %s, counting", cases[i].what);
		answer_who_counts(name);
		close_group();
	}
}

/* Times of siblings while their leader is off (SCH-11). */
static void probe_sibling_times(void)
{
	open_group(true);
	ioctl(group[1], PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	answer_times("ioctl: sibling on, leader off, times (SCH-11)", group[1]);
	ioctl(group[0], PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(group[0], PERF_EVENT_IOC_DISABLE, 0);
	answer_times("ioctl: sibling on, leader was on, times (SCH-11)", group[1]);
	answer_value("ioctl: sibling on, leader was on", group[1]);
	answer("ioctl: sibling's times are its leader's", "%s",
	       yes(must_read(group[0]).enabled == must_read(group[1]).enabled));
	answer_times("ioctl: sibling off, leader was on, times", group[2]);
	close_group();
}

static void probe_reset(void)
{
	char who[MEMBERS + 1];
	int by, i;

	for (by = 0; by < 4; by++) {
		char name[80];

		open_group(false);
		loop(ROUNDS);
		ioctl(group[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
		ioctl(group[by & 1], PERF_EVENT_IOC_RESET, by & 2 ? PERF_IOC_FLAG_GROUP : 0);
		for (i = 0; i < MEMBERS; i++)
			who[i] = must_read(group[i]).value ? 'c' : '0';
		who[MEMBERS] = '\0';
		snprintf(name, sizeof(name), "ioctl: reset %sby %s", by & 2 ? "group " : "",
			 by & 1 ? "sibling" : "leader");
		answer(name, "%s", who);
		close_group();
	}
}

void theme_ioctl(void)
{
	probe_all_calls();
	probe_outputs();
	probe_enable();
	probe_sibling_times();
	probe_reset();
}
