// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that inherit. */
#include "family.h"

struct task_struct parent, child, grandchild;

int family_setup(void **state)
{
	parent = (struct task_struct){ .refs = 1, .pid = 10 };
	child = (struct task_struct){ .refs = 1, .pid = 11 };
	grandchild = (struct task_struct){ .refs = 1, .pid = 12 };
	return world_setup(state);
}

int family_teardown(void **state)
{
	int err = world_teardown(state);

	assert_int_equal(parent.refs + child.refs + grandchild.refs, 3);
	return err;
}

struct perf_event_attr inherited(int kind)
{
	struct perf_event_attr attr = world_attr(kind);

	attr.inherit = 1;
	return attr;
}

struct pmuctl_event *open_with(struct perf_event_attr attr, struct pmuctl_event *leader)
{
	struct pmuctl_event *event = world_open_attr(&parent, -1, &attr, leader);

	world_enable(event);
	return event;
}

struct pmuctl_event *open_inherited(int kind, struct pmuctl_event *leader)
{
	return open_with(inherited(kind), leader);
}

struct pmuctl_event *open_group_inherited(int kind, struct pmuctl_event *leader)
{
	struct perf_event_attr attr = inherited(kind);

	attr.read_format |= PERF_FORMAT_GROUP;
	return open_with(attr, leader);
}

void read_group(struct pmuctl_event *leader, u64 *values, u32 nr)
{
	assert_int_equal(pmuctl_event_read(leader, values, 64 * 8), (3 + nr) * 8);
	assert_int_equal(values[0], nr);
}

void fork_to(int cpu, struct task_struct *from, struct task_struct *to)
{
	world_fork(from, to, false);
	world_switch(cpu, to);
}
