// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of cgroups (v2): what an open refuses, and that a task is counted in each cgroup it was in,
 * in their ancestors, and exactly once in each (CG).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

#define A "pmuctl-a"
#define B "pmuctl-b"
#define CPUS 2

static int dir_a, dir_b, dir_child;

static int open_cgroup(int dir, int cpu, int group)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd;

	attr.disabled = 0;
	fd = core_open(&attr, dir, cpu, group, PERF_FLAG_PID_CGROUP);
	if (fd < 0)
		answer("cgroup: open", "%s", error_name(fd));
	return fd;
}

/* An event of @dir on each CPU. */
static void open_all(int dir, int *fds)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		fds[cpu] = open_cgroup(dir, cpu, -1);
}

static u64 sum(const int *fds)
{
	return must_read(fds[0]).value + must_read(fds[1]).value;
}

static void answer_sum(const char *name, const int *fds)
{
	answer(name, "%llu", (unsigned long long)sum(fds));
}

static int open_task(pid_t pid)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.disabled = 0;
	return must_open(&attr, pid, -1, -1);
}

static void probe_refusals(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	const unsigned long flag = PERF_FLAG_PID_CGROUP;
	char name[] = "/tmp/pmuctl.XXXXXX";
	int leader, plain, fd;

	answer_open("cgroup: plain", core_open(&attr, dir_a, 0, -1, flag));
	answer_open("cgroup: root", core_open(&attr, open("/sys/fs/cgroup", O_RDONLY), 0, -1, flag));
	answer_open("cgroup: with cloexec", core_open(&attr, dir_a, 0, -1, flag | PERF_FLAG_FD_CLOEXEC));
	answer_open("cgroup: any cpu (OPEN-07)", core_open(&attr, dir_a, -1, -1, flag));
	answer_open("cgroup: pid -1 (OPEN-07)", core_open(&attr, -1, 0, -1, flag));
	answer_open("cgroup: pid -2", core_open(&attr, -2, 0, -1, flag));
	answer_open("cgroup: no file (OPEN-18)", core_open(&attr, 4321, 0, -1, flag));
	answer_open("cgroup: cpu 2", core_open(&attr, dir_a, 2, -1, flag));
	answer_open("cgroup: cpu -2", core_open(&attr, dir_a, -2, -1, flag));
	answer_open("cgroup: file is /dev/null (OPEN-18)",
		    core_open(&attr, open("/dev/null", O_RDONLY), 0, -1, flag));
	answer_open("cgroup: file is another directory",
		    core_open(&attr, open(mkdtemp(name) ?: "/", O_RDONLY), 0, -1, flag));
	answer_open("cgroup: file is in a cgroup's directory",
		    core_open(&attr, open("/sys/fs/cgroup/" A "/cgroup.procs", O_RDONLY), 0, -1, flag));
	answer_open("cgroup: opened as a path",
		    core_open(&attr, open("/sys/fs/cgroup/" A, O_PATH), 0, -1, flag));
	fd = cgroup_make(NULL, "pmuctl-gone");
	cgroup_remove("pmuctl-gone");
	answer_open("cgroup: removed", core_open(&attr, fd, 0, -1, flag));

	leader = open_cgroup(dir_a, 0, -1);
	plain = must_open(&attr, -1, 0, -1);
	answer_open("cgroup: sibling of the same", core_open(&attr, dir_a, 0, leader, flag));
	answer_open("cgroup: sibling on another cpu", core_open(&attr, dir_a, 1, leader, flag));
	answer_open("cgroup: sibling of another (OPEN-18)", core_open(&attr, dir_b, 0, leader, flag));
	answer_open("cgroup: sibling of a child", core_open(&attr, dir_child, 0, leader, flag));
	answer_open("cgroup: sibling of none", core_open(&attr, -1, 0, leader, 0));
	answer_open("cgroup: sibling of a cpu's", core_open(&attr, dir_a, 0, plain, flag));
	attr.inherit = 1;
	answer_open("cgroup: inherited", core_open(&attr, dir_a, 0, -1, flag));
	attr.inherit = 0;
	attr.pinned = 1;
	answer_open("cgroup: pinned", core_open(&attr, dir_a, 0, -1, flag));
	attr.pinned = 0;
	attr.enable_on_exec = 1;
	answer_open("cgroup: enable_on_exec", core_open(&attr, dir_a, 0, -1, flag));
	attr = software(PERF_COUNT_SW_CPU_CLOCK);
	answer_open("cgroup: cpu-clock", core_open(&attr, dir_a, 0, -1, flag));
	attr = software(PERF_COUNT_SW_CGROUP_SWITCHES);
	answer_open("cgroup: cgroup-switches", core_open(&attr, dir_a, 0, -1, flag));
	close(leader);
	close(plain);
}

/* In one cgroup all the time, on both CPUs. */
static void probe_resident(void)
{
	int a[CPUS], b[CPUS], whole;
	struct counts c;
	struct stage s;

	open_all(dir_a, a);
	open_all(dir_b, b);
	stage_open(&s, "c0s0llc1lc0ls0f{l}v{l}wls0");
	cgroup_move(A, s.pid);
	whole = open_task(s.pid);
	stage_step(&s, 0);
	answer_value("cgroup: resident, the task", whole);
	answer_value("cgroup: resident, on cpu 0", a[0]);
	answer_value("cgroup: resident, on cpu 1", a[1]);
	answer("cgroup: resident, parts make the whole", "%s", yes(sum(a) == must_read(whole).value));
	answer_sum("cgroup: resident, another cgroup", b);
	answer_times("cgroup: resident, times on cpu 0", a[0]);
	c = must_read(a[0]);
	usleep(20000);
	answer("cgroup: resident and asleep, enabled", "%s",
	       must_read(a[0]).enabled == c.enabled ? "stands still" : "goes on");
	answer_times("cgroup: another cgroup, times", b[0]);
	stage_step(&s, 0);
	answer_sum("cgroup: its children too", a);
	stage_cue(&s, 0);
	stage_close(&s);
	answer_sum("cgroup: all exited", a);
}

/* Moved from one to the other and back while asleep; one of the events is of a child cgroup. */
static void probe_moved(void)
{
	int a[CPUS], b[CPUS], child[CPUS], whole;
	struct stage s;

	open_all(dir_a, a);
	open_all(dir_b, b);
	open_all(dir_child, child);
	stage_open(&s, "s0ls0ls0ls0ls0");
	cgroup_move(A, s.pid);
	whole = open_task(s.pid);
	stage_step(&s, 0);
	cgroup_move(B, s.pid);
	stage_step(&s, 0);
	answer_sum("cgroup: moved, first one", a);
	answer_sum("cgroup: moved, second one", b);
	cgroup_move(A "/child", s.pid);
	stage_step(&s, 0);
	answer_sum("cgroup: moved into a child, the child", child);
	answer_sum("cgroup: moved into a child, its parent", a);
	cgroup_move("", s.pid);
	stage_step(&s, 0);
	answer_sum("cgroup: moved out, first one", a);
	answer_sum("cgroup: moved out, second one", b);
	answer_sum("cgroup: moved out, child", child);
	answer_value("cgroup: moved, the task", whole);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* Moved in the middle of its loop, on another CPU than the mover's (CG-07). */
static void probe_moved_running(void)
{
	int a[CPUS], b[CPUS], whole;
	struct stage s;

	go_to_cpu(0);
	open_all(dir_a, a);
	open_all(dir_b, b);
	stage_open(&s, "c1s0LLs0");
	cgroup_move(A, s.pid);
	whole = open_task(s.pid);
	stage_cue(&s, 0);
	usleep(50000);
	cgroup_move(B, s.pid);
	usleep(50000);
	cgroup_move(A, s.pid);
	usleep(20000);
	cgroup_move(B, s.pid);
	stage_wait(&s, 0);
	answer_value("cgroup: moved while it ran, the task", whole);
	answer("cgroup: moved while it ran, both counted", "%s", yes(sum(a) && sum(b)));
	answer("cgroup: moved while it ran, parts make the whole (CG-07)", "%s",
	       yes(sum(a) + sum(b) == must_read(whole).value));
	stage_cue(&s, 0);
	stage_close(&s);
	go_anywhere();
}

/* Two tasks of two cgroups take turns on one CPU. */
static void probe_two_tasks(void)
{
	int a[CPUS], b[CPUS], of_first, of_second;
	struct stage first, second;

	open_all(dir_a, a);
	open_all(dir_b, b);
	stage_open(&first, "c1s0LnLs0");
	stage_open(&second, "c1s0LnLs0");
	cgroup_move(A, first.pid);
	cgroup_move(B, second.pid);
	of_first = open_task(first.pid);
	of_second = open_task(second.pid);
	stage_cue(&first, 0);
	stage_cue(&second, 0);
	stage_wait(&first, 0);
	stage_wait(&second, 0);
	answer("cgroup: two tasks on one cpu, each in its own", "%s",
	       yes(sum(a) == must_read(of_first).value && sum(b) == must_read(of_second).value));
	answer_sum("cgroup: two tasks on one cpu, first one", a);
	answer_times("cgroup: two tasks on one cpu, times", a[1]);
	stage_cue(&first, 0);
	stage_cue(&second, 0);
	stage_close(&first);
	stage_close(&second);
}

/* Opened, disabled, enabled, reset while a task of the cgroup runs elsewhere (SHR-10). */
static void probe_control(void)
{
	struct counts before, after;
	struct stage s;
	int fd;

	go_to_cpu(0);
	stage_open(&s, "c1s0b");
	cgroup_move(A, s.pid);
	stage_cue(&s, 0);
	usleep(20000);
	fd = open_cgroup(dir_a, 1, -1);
	usleep(20000);
	before = must_read(fd);
	answer("cgroup: opened while it ran, counts", "%s, times %s", yes(before.value > 0),
	       times_of(&before));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	before = must_read(fd);
	usleep(20000);
	after = must_read(fd);
	answer("cgroup: disabled while it ran", "%s",
	       before.value == after.value && before.enabled == after.enabled ? "stands still" : "goes on");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	usleep(20000);
	answer("cgroup: enabled while it ran", "%s",
	       must_read(fd).value > after.value ? "goes on" : "stands still");
	answer_times("cgroup: enabled while it ran, times", fd);
	/* Out of the cgroup in the middle of its loop. */
	cgroup_move("", s.pid);
	before = must_read(fd);
	usleep(20000);
	after = must_read(fd);
	answer("cgroup: moved out while it ran", "%s", before.value == after.value ? "stands still" : "goes on");
	stage_kill(&s);
	close(fd);
	go_anywhere();
}

static void probe_group(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader, sibling;
	u64 values[8] = {};
	struct stage s;
	ssize_t size;

	attr.read_format |= PERF_FORMAT_GROUP;
	leader = core_open(&attr, dir_a, 1, -1, PERF_FLAG_PID_CGROUP);
	attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	sibling = core_open(&attr, dir_a, 1, leader, PERF_FLAG_PID_CGROUP);
	stage_open(&s, "c1s0ls0ls0");
	cgroup_move(A, s.pid);
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	stage_step(&s, 0);
	size = read(leader, values, sizeof(values));
	answer("cgroup: group read", "%zd bytes, nr %llu, %llu %llu", size,
	       (unsigned long long)values[0], (unsigned long long)values[3],
	       (unsigned long long)values[4]);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	stage_step(&s, 0);
	size = read(sibling, values, sizeof(values));
	answer("cgroup: group disabled and reset", "%zd bytes, %llu %llu", size,
	       (unsigned long long)values[3], (unsigned long long)values[4]);
	stage_cue(&s, 0);
	stage_close(&s);
}

static void probe_software_counts(void)
{
	struct perf_event_attr attr = software(PERF_COUNT_SW_PAGE_FAULTS);
	struct stage s;
	u64 before;
	int fd;

	attr.disabled = 0;
	fd = core_open(&attr, dir_a, 1, -1, PERF_FLAG_PID_CGROUP);
	if (fd < 0) {
		answer_open("cgroup: page-faults", fd);
		return;
	}
	stage_open(&s, "c1s0ps0ps0ps0");
	cgroup_move(A, s.pid);
	stage_step(&s, 0);
	before = must_read(fd).value;
	stage_step(&s, 0);
	answer("cgroup: page-faults", "%llu", (unsigned long long)(must_read(fd).value - before));
	cgroup_move(B, s.pid);
	before = must_read(fd).value;
	stage_step(&s, 0);
	answer("cgroup: page-faults in another one", "%llu",
	       (unsigned long long)(must_read(fd).value - before));
	stage_cue(&s, 0);
	stage_close(&s);
}

/* The cgroup goes while its event is open (REG-05, REG-30). */
static void probe_removed(void)
{
	int dir = cgroup_make(NULL, "pmuctl-gone"), fd = open_cgroup(dir, 1, -1);
	struct stage s;

	stage_open(&s, "c1s0ls0ls0");
	cgroup_move("pmuctl-gone", s.pid);
	stage_step(&s, 0);
	cgroup_move("", s.pid);
	cgroup_remove("pmuctl-gone");
	answer_value("cgroup: removed, its event", fd);
	stage_step(&s, 0);
	answer_value("cgroup: removed, its event later", fd);
	answer_errno("cgroup: removed, disable", ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	answer_errno("cgroup: removed, enable", ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	stage_cue(&s, 0);
	stage_close(&s);
}

void theme_cgroup(void)
{
	dir_a = cgroup_make(NULL, A);
	dir_b = cgroup_make(NULL, B);
	dir_child = cgroup_make(A, "child");
	probe_refusals();
	probe_resident();
	probe_moved();
	probe_moved_running();
	probe_two_tasks();
	probe_control();
	probe_group();
	probe_software_counts();
	probe_removed();
	cgroup_remove(A "/child");
	cgroup_remove(A);
	cgroup_remove(B);
}
