/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: what an event file stands for, its state, its count and its times.
 */
#ifndef PMUCTL_EVENT_H
#define PMUCTL_EVENT_H

#include <pmuctl/family.h>
#include <pmuctl/group.h>

/*
 * States in the order of perf's; comparisons like "state >= INACTIVE" are meant.
 *
 *	DEAD	 closed
 *	EXIT	 its task exited; the count stays readable
 *	ERROR	 pinned and lost its place
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
 * @cpu:      the only CPU on which it may count, or -1
 * @cgroup:   whose tasks it counts; its scope has the reference. NULL: all
 * @read_size: bytes of a read of it alone
 * @simple:   a read gives that and nothing else: it has no PERF_FORMAT_GROUP and no children
 * @parent:   the opened event it was inherited from, with a reference, or NULL
 * @refs:     its file, or its context for an inherited one; children; who looks at it
 * @ctx_node: in the context
 * @tally, @tally_node: where it counts; among the active events there. NULL while not installed
 * @group, @group_node: the group it is in now
 * @own:      the group it leads
 * @asked:    the user enabled it; whether it counts is @state
 * @on_exec:  enable it when the task executes a program
 * @state:    changed by __pmuctl_event_set_state() alone
 * @since_enabled, @since_running: time of the scope's clock, of the scope, at the last change
 * @settled:  what had come together by then
 * @base:     __pmuctl_tally_count() when it became ACTIVE
 * @family:   see family.h
 *
 * Owned as its context is, from @ctx_node on; what stands before never changes once installed.
 */
struct pmuctl_event {
	u64 id;
	struct perf_event_attr attr;
	struct pmuctl_class *class;
	struct pmuctl_ctx *ctx;
	int cpu;
	struct cgroup *cgroup;
	u32 read_size;
	bool simple;
	struct pmuctl_event *parent;
	refcount_t refs;

	struct list_head ctx_node;
	struct pmuctl_tally *tally;
	struct list_head tally_node;
	struct pmuctl_group *group;
	struct list_head group_node;
	struct pmuctl_group own;

	bool asked;
	bool on_exec;
	enum pmuctl_state state;
	u64 since_enabled;
	u64 since_running;
	struct pmuctl_values settled;
	u64 base;

	struct pmuctl_family family;
};

/* A member of a group that was read, with a reference, and what it counted. */
struct pmuctl_member {
	struct pmuctl_event *event;
	struct pmuctl_values values;
};

/**
 * struct pmuctl_event_spec - what is asked of an open, already found and permitted
 * @attr:   a checked attr (pmuctl_attr_check())
 * @task:   whose events, or NULL for a CPU's
 * @cpu:    the only CPU, or -1
 * @cgroup: whose tasks on @cpu, or NULL. A reference is taken
 * @leader: the group's leader, or NULL. The caller holds it open
 */
struct pmuctl_event_spec {
	struct perf_event_attr *attr;
	struct task_struct *task;
	int cpu;
	struct cgroup *cgroup;
	struct pmuctl_event *leader;
};

/*
 * Open, close an event; a refusal leaves nothing behind and gives perf's errno and a text. Process
 * context.
 */
struct pmuctl_event *pmuctl_event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg);
void pmuctl_event_close(struct pmuctl_event *event);

/* A fresh event, off, not installed. Takes references to what it is made of. NULL: no memory. */
struct pmuctl_event *pmuctl_event_alloc(const struct perf_event_attr *attr,
					struct pmuctl_class *class, struct pmuctl_ctx *ctx,
					gfp_t gfp);

static inline struct pmuctl_event *pmuctl_event_get(struct pmuctl_event *event)
{
	refcount_inc(&event->refs);
	return event;
}

/* The last one frees it; it is uninstalled by then. Any context. */
void pmuctl_event_put(struct pmuctl_event *event);

/* What PERF_EVENT_IOC_ENABLE, DISABLE and RESET do; @group: to every member of its group. */
enum pmuctl_event_cmd { PMUCTL_EVENT_ENABLE, PMUCTL_EVENT_DISABLE, PMUCTL_EVENT_RESET };
void pmuctl_event_control(struct pmuctl_event *event, enum pmuctl_event_cmd cmd, bool group);

/* True once the event's task is gone and nothing more will be counted. */
bool pmuctl_event_finished(const struct pmuctl_event *event);

/* True for a pinned event that lost its place, and for one that could not be inherited. */
bool pmuctl_event_failed(const struct pmuctl_event *event);

/* Everything counted, and the times, now. */
struct pmuctl_values __pmuctl_event_values(const struct pmuctl_event *event);

/* The only writer of @state; settles count and times. */
void __pmuctl_event_set_state(struct pmuctl_event *event, enum pmuctl_state state);

/* It leaves its context for good with @state; the caller has the reference and frees @parts. */
struct pmuctl_parts;
void __pmuctl_event_remove(struct pmuctl_event *event, enum pmuctl_state state,
			   struct pmuctl_parts *parts);

/*
 * Its task executed a program with which it should not go on: it ends, alone, outside its group,
 * and stays readable.
 */
void __pmuctl_event_end(struct pmuctl_event *event);

#endif /* PMUCTL_EVENT_H */
