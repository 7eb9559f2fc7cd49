/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small world for the core: a PMU with constraints and narrow counters, tasks, cgroups, CPUs, and
 * time that passes only when a test says so. Everything is counted twice, by the core and by the
 * world.
 */
#ifndef WORLD_H
#define WORLD_H

/* cmocka asks for these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pmuctl/cpu.h>
#include <pmuctl/event.h>
#include <pmuctl/pass.h>
#include <pmuctl/read.h>
#include <pmuctl/sched.h>

/* Kinds of things that happen. What a raw config asks for is its low byte. */
#define WORLD_KINDS 32
/* Counters of the PMU: general 0 to 3, fixed 0 (which counts kind 0 only). */
#define WORLD_GP 4
#define WORLD_WIDTH 20

/*
 * The low byte of attr.config1, if it is not 0, limits an event to these counters; the bits above
 * make another class of it.
 */
#define WORLD_CLASS(tag) ((u64)(tag) << 16)

extern struct pmuctl_pmu world_pmu;
/* A second PMU with two counters, there only if a test uses world_setup_two(). */
extern struct pmuctl_pmu world_second;
#define WORLD_SECOND_TYPE 77

/**
 * struct world_hw - what the hardware was made to do
 * @starts, @stops, @raws: operations since the test last cleared them
 * @acquired: the PMU is held
 * @busy: acquiring it fails with EBUSY
 */
struct world_hw {
	int starts, stops, raws;
	bool acquired;
	bool busy;
};

extern struct world_hw world_hw;

/* cmocka fixtures: a fresh world; afterwards nothing may be left of events, memory and hooks. */
int world_setup(void **state);
int world_setup_two(void **state);
/* Without the short way to read a counter. */
int world_setup_raw(void **state);
int world_teardown(void **state);

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
#define TEST_RAW(name) cmocka_unit_test_setup_teardown(name, world_setup_raw, world_teardown)
#define TEST_TWO(name) cmocka_unit_test_setup_teardown(name, world_setup_two, world_teardown)

/* Number of counters that run on @cpu; the hardware forgets everything. */
int world_counters_on(int cpu);
void world_pmu_reset(void);
void world_pmu_use_index(bool yes);

/* Let @n events of kind 0, and so on, happen on @cpu; the most that one counter advanced. */
u64 world_pmu_count(int cpu, u64 n);

/* ---- tasks, cgroups, CPUs: the hooks run as the kernel would run them ---- */

/* Put @task on @cpu, or NULL to let it idle. A task runs on one CPU. */
void world_switch(int cpu, struct task_struct *task);

/* The task that runs on @cpu calls exit, or executes a program. */
void world_exit(struct task_struct *task);
void world_exec(struct task_struct *task, bool secure);

/* @parent, which runs, makes @child; @thread: in the same process. */
void world_fork(struct task_struct *parent, struct task_struct *child, bool thread);

void world_move(struct task_struct *task, struct cgroup *cgroup);
void world_cpu_down(int cpu);
void world_cpu_up(int cpu);

/* @fn on @cpu with interrupts off. */
void world_on_cpu(int cpu, void (*fn)(void));

/*
 * @ns nanoseconds pass, in which on every CPU @n events of kind 0, 2 * @n of kind 1 and so on
 * happen, plus the CPU's number for each; then timers that are due fire.
 */
void world_pass(u64 ns, u64 n);

/* The same without timers, and the timers without that. */
void world_elapse(u64 ns, u64 n);
void world_timers(void);

/* What world_pass(ns, @n) makes happen of @kind on @cpu. */
u64 world_amount(int cpu, int kind, u64 n);

/* ---- events ---- */

struct perf_event_attr world_attr(u64 config);
struct perf_event_attr world_software_attr(u64 config);

/* Open an event that starts disabled, or fail the test. */
struct pmuctl_event *world_open(struct task_struct *task, int cpu, u64 config,
				struct pmuctl_event *leader);
struct pmuctl_event *world_open_attr(struct task_struct *task, int cpu,
				     struct perf_event_attr *attr, struct pmuctl_event *leader);
struct pmuctl_event *world_open_cgroup(struct cgroup *cgroup, int cpu,
				       struct perf_event_attr *attr, struct pmuctl_event *leader);

/* Open one that may be refused; gives the errno (positive), and the text in world_msg. */
int world_refused(struct task_struct *task, int cpu, struct perf_event_attr *attr,
		  struct pmuctl_event *leader);
int world_refused_cgroup(struct cgroup *cgroup, int cpu, struct perf_event_attr *attr,
			 struct pmuctl_event *leader);
extern struct pmuctl_msg world_msg;

void world_enable(struct pmuctl_event *event);
void world_disable(struct pmuctl_event *event);
void world_reset(struct pmuctl_event *event);

/* Count and times of one event, read as its file would be. */
struct world_reading {
	u64 count, enabled, running;
};
struct world_reading world_read(struct pmuctl_event *event);

/* What read(2) says of it: a length or a negative errno. */
ssize_t world_read_result(struct pmuctl_event *event);

/* This PMU's part of a CPU. */
struct pmuctl_cpu_pmu_ctx *world_cpc(int cpu);

/* Different things counted: classes of the PMU that have events. */
u32 world_classes(void);

/* Does @fn abort? It runs in a process of its own. */
bool world_aborts(void (*fn)(void));

/* A number from the environment, or @otherwise. */
int world_number(const char *name, int otherwise);

#endif /* WORLD_H */
