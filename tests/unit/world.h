/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small world for the core: a PMU with constraints and narrow counters, tasks, CPUs, and time
 * that passes only when a test says so. Everything is counted twice, by the core and by the world.
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
#include <pmuctl/sched.h>

/* Kinds of things that happen. What a raw config asks for is its low byte. */
#define WORLD_KINDS 6
/* Counters of the PMU: general 0 to 3, fixed 0 (which counts kind 0 only). */
#define WORLD_GP 4
#define WORLD_WIDTH 20

/* A mask in attr.config1 limits an event to these counters. */
#define WORLD_ANY_COUNTER 0

extern struct pmuctl_pmu world_pmu;

/**
 * struct world_tally - what the hardware was made to do
 * @starts, @stops, @raws: operations since the test last cleared them
 * @acquired: the PMU is held
 */
struct world_tally {
	int starts, stops, raws;
	bool acquired;
};

extern struct world_tally world_tally;

/* Make acquire fail with EBUSY. */
extern bool world_busy;

/* cmocka fixtures: a fresh world; afterwards nothing may be left of events, memory and hooks. */
int world_setup(void **state);
int world_teardown(void **state);

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

/* Number of counters that run on @cpu. */
int world_counters_on(int cpu);

/* Put @task on @cpu, or NULL to let it idle; the switch hook runs. A task runs on one CPU. */
void world_switch(int cpu, struct task_struct *task);

/* The task that runs on @cpu calls exit, or executes a program. */
void world_exit(struct task_struct *task);
void world_exec(struct task_struct *task, bool secure);

/*
 * @ns nanoseconds pass, in which on every CPU @n events of kind 0, 2 * @n of kind 1 and so on
 * happen, plus the CPU's number for each.
 */
void world_pass(u64 ns, u64 n);

/* What world_pass(ns, @n) makes happen of @kind on @cpu. */
u64 world_amount(int cpu, int kind, u64 n);

/* Open an event that starts disabled, or fail the test. */
struct pmuctl_event *world_open(struct task_struct *task, int cpu, u64 config,
				struct pmuctl_event *leader);
struct pmuctl_event *world_open_attr(struct task_struct *task, int cpu,
				     struct perf_event_attr *attr, struct pmuctl_event *leader);

/* Open one that must be refused; gives the errno (positive), and the text in world_msg. */
int world_refused(struct task_struct *task, int cpu, struct perf_event_attr *attr,
		  struct pmuctl_event *leader);
extern struct pmuctl_msg world_msg;

struct perf_event_attr world_attr(u64 config);

void world_enable(struct pmuctl_event *event);
void world_disable(struct pmuctl_event *event);

/* Count and times of one event, read as its file would be. */
struct world_reading {
	u64 count, enabled, running;
};
struct world_reading world_read(struct pmuctl_event *event);

#endif /* WORLD_H */
