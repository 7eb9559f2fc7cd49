// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks a performance-event core questions and prints one line an answer. Run on in-tree perf and
 * on pmuctl in the same guest, the outputs are compared line by line (tests/abi/compare).
 *
 * usage: probe perf|pmuctl
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core.h"
#include "loop.h"

#define ROUNDS 1000000UL
#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

typedef uint64_t u64;

static bool on_pmuctl;

static struct perf_event_attr counting(u64 config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_HARDWARE,
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format = TIMES,
	};
}

static const char *error_name(int err)
{
	return err < 0 ? strerrorname_np(-err) : "ok";
}

/* Every refusal of pmuctl says why: not printed, in-tree perf has none, but required. */
static void report(const char *what, int fd)
{
	if (on_pmuctl && fd < 0 && !core_reason()[0])
		printf("%s: %s, and no reason was given\n", what, error_name(fd));
	else
		printf("%s: %s\n", what, error_name(fd));
	if (fd >= 0)
		close(fd);
}

static int must_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = core_open(attr, pid, cpu, group, 0);

	if (fd < 0) {
		printf("open failed: %s %s\n", error_name(fd), core_reason());
		exit(1);
	}
	return fd;
}

/* ---- what an open refuses ---- */

static const struct {
	const char *what;
	struct perf_event_attr change;	/* fields that differ from counting(instructions) */
	pid_t pid;
	int cpu;
	int group;
	unsigned long flags;
} opens[] = {
	{ "open: plain", {}, 0, -1, -1, 0 },
	{ "open: task bound to a cpu", {}, 0, 0, -1, 0 },
	{ "open: cpu", {}, -1, 0, -1, 0 },
	{ "open: pid -1 cpu -1", {}, -1, -1, -1, 0 },
	{ "open: cpu out of range", {}, 0, 100000, -1, 0 },
	{ "open: cpu -2", {}, 0, -2, -1, 0 },
	{ "open: no such pid", {}, 4000000, -1, -1, 0 },
	{ "open: unknown flags", {}, 0, -1, -1, 1UL << 20 },
	{ "open: cloexec", {}, 0, -1, -1, PERF_FLAG_FD_CLOEXEC },
	{ "open: group is not an event", {}, 0, -1, 0, 0 },
	{ "open: group is not a file", {}, 0, -1, 4321, 0 },
	{ "open: cgroup without cpu", {}, 0, -1, -1, PERF_FLAG_PID_CGROUP },
	{ "open: sample_type", { .sample_type = 1ULL << 50 }, 0, -1, -1, 0 },
	{ "open: read_format", { .read_format = 1ULL << 50 }, 0, -1, -1, 0 },
	{ "open: reserved_2", { .__reserved_2 = 1 }, 0, -1, -1, 0 },
	{ "open: unknown type", { .type = 12345 }, 0, -1, -1, 0 },
	{ "open: unknown generic event", { .config = 55 }, 0, -1, -1, 0 },
	{ "open: inherit_thread alone", { .inherit_thread = 1 }, 0, -1, -1, 0 },
	{ "open: sigtrap alone", { .sigtrap = 1 }, 0, -1, -1, 0 },
	{ "open: period bit 63", { .sample_period = 1ULL << 63 }, 0, -1, -1, 0 },
	{ "open: remove and enable on exec", { .remove_on_exec = 1, .enable_on_exec = 1 },
	  0, -1, -1, 0 },
	{ "open: identifier though counting", { .sample_type = PERF_SAMPLE_IDENTIFIER },
	  0, -1, -1, 0 },
	{ "open: pinned", { .pinned = 1 }, 0, -1, -1, 0 },
	{ "open: exclusive", { .exclusive = 1 }, 0, -1, -1, 0 },
	{ "open: exclude_host", { .exclude_host = 1 }, 0, -1, -1, 0 },
	{ "open: inherit", { .inherit = 1 }, 0, -1, -1, 0 },
	{ "open: sampling", { .sample_period = 100000 }, 0, -1, -1, 0 },
};

static void apply(struct perf_event_attr *attr, const struct perf_event_attr *change)
{
	attr->type = change->type ?: attr->type;
	attr->config = change->config ?: attr->config;
	attr->sample_type |= change->sample_type;
	attr->read_format |= change->read_format;
	attr->sample_period = change->sample_period;
	attr->__reserved_2 = change->__reserved_2;
	attr->inherit = change->inherit;
	attr->inherit_thread = change->inherit_thread;
	attr->sigtrap = change->sigtrap;
	attr->remove_on_exec = change->remove_on_exec;
	attr->enable_on_exec = change->enable_on_exec;
	attr->pinned = change->pinned;
	attr->exclusive = change->exclusive;
	attr->exclude_host = change->exclude_host;
}

static void probe_opens(void)
{
	size_t i;

	for (i = 0; i < sizeof(opens) / sizeof(opens[0]); i++) {
		struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

		apply(&attr, &opens[i].change);
		report(opens[i].what, core_open(&attr, opens[i].pid, opens[i].cpu, opens[i].group,
						opens[i].flags));
	}
}

/* The size protocol; the buffer is longer than any kernel's attr. */
static void probe_attr_size(void)
{
	static const struct {
		uint32_t size;
		int tail;	/* a byte that is not zero, or 0 */
	} sizes[] = { { 0, 0 }, { 32, 0 }, { 64, 0 }, { 72, 0 }, { 4000, 0 }, { 4000, 3000 },
		      { 5000, 0 } };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		union {
			struct perf_event_attr attr;
			char bytes[8192];
		} u = { .attr = counting(PERF_COUNT_HW_INSTRUCTIONS) };
		char what[64];
		int fd;

		u.attr.size = sizes[i].size;
		u.bytes[sizes[i].tail] |= !!sizes[i].tail;
		snprintf(what, sizeof(what), "size %u%s", sizes[i].size,
			 sizes[i].tail ? " with a tail" : "");
		fd = core_open(&u.attr, 0, -1, -1, 0);
		report(what, fd);
		if (fd == -E2BIG)
			printf("%s: kernel's size %u\n", what, u.attr.size);
	}
}

static void probe_group_opens(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader = must_open(&attr, 0, -1, -1);
	int sibling = must_open(&attr, 0, -1, leader);

	report("group: sibling as leader", core_open(&attr, 0, -1, sibling, 0));
	report("group: other cpu", core_open(&attr, 0, 0, leader, 0));
	report("group: of a cpu", core_open(&attr, -1, 0, leader, 0));
	attr.pinned = 1;
	report("group: pinned sibling", core_open(&attr, 0, -1, leader, 0));
	attr.pinned = 0;
	report("group: no_group", core_open(&attr, 0, -1, leader, PERF_FLAG_FD_NO_GROUP));
	close(sibling);
	close(leader);
}

/* ---- counting ---- */

static void probe_counts(void)
{
	static const struct {
		const char *what;
		u64 config;
	} events[] = {
		{ "instructions", PERF_COUNT_HW_INSTRUCTIONS },
		{ "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	};
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct perf_event_attr attr = counting(events[i].config);
		int fd = must_open(&attr, 0, -1, -1);
		u64 values[3];

		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		loop(ROUNDS);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (read(fd, values, sizeof(values)) != sizeof(values))
			printf("count: short read\n");
		printf("count: %s of the loop: %llu\n", events[i].what,
		       (unsigned long long)values[0]);
		printf("count: %s times: %s\n", events[i].what,
		       values[1] && values[1] == values[2] ? "equal" : "differ");
		close(fd);
	}
}

static void probe_reset(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = must_open(&attr, 0, -1, -1);
	u64 before[3], after[3];

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, before, sizeof(before)) != sizeof(before))
		printf("reset: short read\n");
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	if (read(fd, after, sizeof(after)) != sizeof(after))
		printf("reset: short read\n");
	printf("reset: value %llu, times %s\n", (unsigned long long)after[0],
	       before[1] == after[1] && before[2] == after[2] ? "kept" : "changed");
	close(fd);
}

static void probe_group_read(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	u64 values[7] = {}, of_sibling[7] = {}, id = 0;
	int leader, sibling;
	ssize_t size;

	attr.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	leader = must_open(&attr, 0, -1, -1);
	attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);

	size = read(leader, values, sizeof(values));
	printf("group read: %zd bytes\n", size);
	printf("group read: nr %llu instructions %llu branches %llu\n",
	       (unsigned long long)values[0], (unsigned long long)values[3],
	       (unsigned long long)values[5]);
	ioctl(leader, PERF_EVENT_IOC_ID, &id);
	printf("group read: leader's id %s\n", id && id == values[4] ? "first" : "not first");
	size = read(sibling, of_sibling, sizeof(of_sibling));
	printf("group read: sibling's %zd bytes, %s\n", size,
	       memcmp(values, of_sibling, sizeof(values)) ? "other" : "the same");
	printf("group read: short buffer: %s\n",
	       read(leader, values, 48) < 0 ? error_name(-errno) : "ok");
	close(sibling);
	close(leader);
}

static void probe_file(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = must_open(&attr, 0, -1, -1);
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	static const struct {
		const char *what;
		unsigned long cmd, arg;
	} ioctls[] = {
		{ "refresh", PERF_EVENT_IOC_REFRESH, 1 },
		{ "unknown", 0x2477, 0 },
		{ "pause_output", PERF_EVENT_IOC_PAUSE_OUTPUT, 1 },
		{ "set_output to itself", PERF_EVENT_IOC_SET_OUTPUT, 0 },
	};
	size_t i;
	int ready;

	for (i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]); i++) {
		unsigned long arg = ioctls[i].cmd == PERF_EVENT_IOC_SET_OUTPUT ? (unsigned long)fd
									       : ioctls[i].arg;

		printf("ioctl: %s: %s\n", ioctls[i].what,
		       ioctl(fd, ioctls[i].cmd, arg) ? error_name(-errno) : "ok");
	}
	ready = poll(&poller, 1, 0);
	printf("poll: %d ready, events %x\n", ready, poller.revents);
	printf("write: %s\n", write(fd, "x", 1) < 0 ? error_name(-errno) : "ok");
	printf("lseek: %s\n", lseek(fd, 0, SEEK_SET) < 0 ? error_name(-errno) : "ok");
	close(fd);
}

/* ---- other tasks ---- */

/*
 * A child that waits for a byte, runs @child, and ends. Give the byte with start(), collect it
 * with finish().
 */
struct child {
	pid_t pid;
	int go;
};

static struct child spawn(void (*child)(void))
{
	int pipe_fds[2];
	struct child c;
	char byte;

	if (pipe(pipe_fds))
		exit(1);
	c.pid = fork();
	if (!c.pid) {
		close(pipe_fds[1]);
		if (read(pipe_fds[0], &byte, 1) == 1)
			child();
		_exit(0);
	}
	close(pipe_fds[0]);
	c.go = pipe_fds[1];
	return c;
}

static void finish(struct child *c)
{
	if (write(c->go, "x", 1) != 1)
		exit(1);
	waitpid(c->pid, NULL, 0);
	close(c->go);
}

static void loop_child(void)
{
	loop(ROUNDS);
}

static void exec_child(void)
{
	execl("/proc/self/exe", "probe", "loop", NULL);
}

static void probe_attach(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	struct child c = spawn(loop_child);
	u64 values[3] = {};
	int fd;

	attr.disabled = 0;
	usleep(100000);	/* let it wait in its read, so that it is counted from there */
	fd = must_open(&attr, c.pid, -1, -1);
	finish(&c);
	printf("attach: %zd bytes after exit\n", read(fd, values, sizeof(values)));
	printf("attach: instructions %llu\n", (unsigned long long)values[0]);
	printf("attach: times %s\n", values[1] && values[1] == values[2] ? "equal" : "differ");
	report("attach: join a group whose task exited", core_open(&attr, 0, -1, fd, 0));
	close(fd);
}

/* The dynamic linker's work depends on where things are mapped: the range is all that is sure. */
static void probe_exec(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	struct child c = spawn(exec_child);
	u64 values[3] = {};
	int fd;

	attr.enable_on_exec = 1;
	fd = must_open(&attr, c.pid, -1, -1);
	finish(&c);
	if (read(fd, values, sizeof(values)) != sizeof(values))
		printf("exec: short read\n");
	printf("exec: branches %s\n", values[0] >= ROUNDS && values[0] < ROUNDS + ROUNDS / 10 ?
	       "those of the program" : "not those of the program");
	close(fd);
}

static void probe_cpu(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	cpu_set_t all, zero;
	u64 values[3] = {};
	int fd;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&zero);
	CPU_SET(0, &zero);
	sched_setaffinity(0, sizeof(zero), &zero);
	attr.disabled = 0;
	fd = must_open(&attr, -1, 0, -1);
	loop(ROUNDS);
	sched_setaffinity(0, sizeof(all), &all);
	if (read(fd, values, sizeof(values)) != sizeof(values))
		printf("cpu: short read\n");
	printf("cpu: instructions %s\n", values[0] >= 2 * ROUNDS ? "at least the loop's" :
	       "fewer than the loop's");
	printf("cpu: times %s\n", values[1] && values[1] == values[2] ? "equal" : "differ");
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "loop")) {
		loop(ROUNDS);
		return 0;
	}
	if (argc != 2 || !core_choose(argv[1])) {
		fprintf(stderr, "probe: usage: probe perf|pmuctl (and the core must be there)\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	on_pmuctl = !strcmp(argv[1], "pmuctl");
	probe_opens();
	probe_attr_size();
	probe_group_opens();
	probe_counts();
	probe_reset();
	probe_group_read();
	probe_file();
	fflush(stdout);
	probe_attach();
	fflush(stdout);
	probe_exec();
	probe_cpu();
	return fflush(stdout) ? 1 : 0;
}
