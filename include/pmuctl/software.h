/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Software events: things the kernel counts anyway, as counters of one more PMU. Each CPU has a
 * free-running count of each, so contexts, classes and slots treat them like any other.
 */
#ifndef PMUCTL_SOFTWARE_H
#define PMUCTL_SOFTWARE_H

#include <pmuctl/pmu.h>

struct pmuctl_cpu;

extern struct pmuctl_pmu pmuctl_software;

/**
 * struct pmuctl_software_counts - what happened on a CPU while somebody wanted to know
 * @nr_used: counters that somebody wants, or wanted not long ago
 * @switches, @cgroup_switches, @migrations: as perf counts them
 * @minor, @major: page faults of tasks that ran here before @task
 * @task: who runs here, whose faults since @minor_base and @major_base come on top
 */
struct pmuctl_software_counts {
	u32 nr_used;
	u64 switches;
	u64 cgroup_switches;
	u64 migrations;
	u64 minor, major;
	const struct task_struct *task;
	u64 minor_base, major_base;
};

/* This CPU goes over from @prev to @next: before contexts go out, after they came in. */
void pmuctl_software_switch(struct pmuctl_cpu *cpu, const struct task_struct *prev,
			    const struct task_struct *next);
void pmuctl_software_arrive(struct pmuctl_cpu *cpu, const struct task_struct *next);

/* @task will run on another CPU than before. Any context. */
void pmuctl_software_migrate(const struct task_struct *task);

#endif /* PMUCTL_SOFTWARE_H */
