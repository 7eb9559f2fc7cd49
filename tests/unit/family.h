/* SPDX-License-Identifier: GPL-2.0-only */
/* Three generations of tasks, and events they inherit: for the tests of inheriting. */
#ifndef FAMILY_H
#define FAMILY_H

#include "world.h"

extern struct task_struct parent, child, grandchild;

/* cmocka fixtures: a world with the three in it; afterwards nobody holds one. */
int family_setup(void **state);
int family_teardown(void **state);

#define FAMILY_TEST(name) cmocka_unit_test_setup_teardown(name, family_setup, family_teardown)

/* An attr that is inherited; an event of the parent's, enabled. */
struct perf_event_attr inherited(int kind);
struct pmuctl_event *open_with(struct perf_event_attr attr, struct pmuctl_event *leader);
struct pmuctl_event *open_inherited(int kind, struct pmuctl_event *leader);

/* One whose reads give its group. */
struct pmuctl_event *open_group_inherited(int kind, struct pmuctl_event *leader);
void read_group(struct pmuctl_event *leader, u64 *values, u32 nr);

/* @from forks @to, which runs on @cpu from then on. */
void fork_to(int cpu, struct task_struct *from, struct task_struct *to);

#endif /* FAMILY_H */
