/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: what an event file stands for, its state, its count and its times.
 */
#ifndef PMUCTL_EVENT_H
#define PMUCTL_EVENT_H

#include <pmuctl/group.h>

/*
 * States in the order of perf's; comparisons like "state >= INACTIVE" are meant.
 *
 *	DEAD	 closed
 *	EXIT	 its task exited; the count stays readable
 *	ERROR	 pinned and lost its place; not before events take turns
 *	OFF	 not enabled, or its leader is not
 *	INACTIVE enabled, does not count now
 *	ACTIVE	 counts whenever its context is in
 */
enum pmuctl_state {
	PMUCTL_STATE_DEAD	= -4,
	PMUCTL_STATE_EXIT	= -3,
	PMUCTL_STATE_ERROR	= -2,
	PMUCTL_STATE_OFF	= -1,
	PMUCTL_STATE_INACTIVE	= 0,
	PMUCTL_STATE_ACTIVE	= 1,
};

/**
 * struct pmuctl_event - one event
 * @id:       number that PERF_FORMAT_ID and PERF_EVENT_IOC_ID give; unique while the module is loaded
 * @attr:     as it was opened
 * @class:    what it counts
 * @ctx:      whose; with a reference
 * @ctx_node: in the context
 * @group, @group_node: the group it is in now
 * @own:      the group it leads
 * @cpu:      the only CPU on which it may count, or -1
 * @asked:    the user enabled it; whether it counts is @state
 * @on_exec:  enable it when the task executes a program
 * @state:    changed by event_set_state() alone
 * @since:    the context's time when the state last changed
 * @enabled, @running: nanoseconds of context time with state >= INACTIVE, ACTIVE, up to @since
 * @count:    counted up to the last time it became ACTIVE
 * @base:     __pmuctl_on_count() at that moment
 *
 * Under the context's lock from @group on; what stands before never changes once installed.
 */
struct pmuctl_event {
	u64 id;
	struct perf_event_attr attr;
	struct pmuctl_class *class;
	struct pmuctl_ctx *ctx;
	int cpu;

	struct list_head ctx_node;
	struct pmuctl_group *group;
	struct list_head group_node;
	struct pmuctl_group own;

	bool asked;
	bool on_exec;
	enum pmuctl_state state;
	u64 since;
	u64 enabled;
	u64 running;
	u64 count;
	u64 base;
};

/**
 * struct pmuctl_event_spec - what is asked of an open, already found and permitted
 * @attr:   a checked attr (pmuctl_attr_check())
 * @task:   whose events, or NULL for a CPU's
 * @cpu:    the only CPU, or -1
 * @leader: the group's leader, or NULL. The caller holds it open
 */
struct pmuctl_event_spec {
	const struct perf_event_attr *attr;
	struct task_struct *task;
	int cpu;
	struct pmuctl_event *leader;
};

/*
 * Open, close an event; a refusal leaves nothing behind and gives perf's errno and a text. Process
 * context.
 */
struct pmuctl_event *pmuctl_event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg);
void pmuctl_event_close(struct pmuctl_event *event);

/* What PERF_EVENT_IOC_ENABLE, DISABLE and RESET do; @group: to every member of its group. */
enum pmuctl_event_cmd { PMUCTL_EVENT_ENABLE, PMUCTL_EVENT_DISABLE, PMUCTL_EVENT_RESET };
void pmuctl_event_control(struct pmuctl_event *event, enum pmuctl_event_cmd cmd, bool group);

/*
 * Fill @values with what read(2) of the event's file gives (perf_event_open(2), "Reading results")
 * and return its length in bytes. ENOSPC if @size bytes are too few, ENOMEM.
 */
ssize_t pmuctl_event_read(struct pmuctl_event *event, u64 *values, size_t size);

/* Bytes that read(2) of an event with @read_format in a group of @nr gives. */
size_t pmuctl_read_size(u64 read_format, u32 nr);

/* The largest read perf allows; a group that would exceed it is refused with E2BIG. */
#define PMUCTL_READ_SIZE_MAX (16 * 1024)

/* True once the event's task is gone and nothing more will be counted. */
bool pmuctl_event_finished(const struct pmuctl_event *event);

/* Everything counted, and the times, now; lock held, on the context's CPU if it is in. */
u64 __pmuctl_event_count(const struct pmuctl_event *event);
void __pmuctl_event_times(const struct pmuctl_event *event, u64 *enabled, u64 *running);

/* The transitions of struct pmuctl_event.state; lock held. Only group.c and event.c call them. */
void __pmuctl_event_activate(struct pmuctl_event *event);
void __pmuctl_event_deactivate(struct pmuctl_event *event, enum pmuctl_state state);

#endif /* PMUCTL_EVENT_H */
