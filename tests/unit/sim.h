/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulator behind test_schedule.c: what is known of tasks, cgroups, CPUs and events without
 * asking the core, and a naive account of what each event must have counted.
 *
 * The core is asked for two things only: the state of each event, which the account takes for
 * granted and the checks judge; and which copies of events a task has, as tasks may exchange them.
 */
#ifndef SIM_H
#define SIM_H

#include "world.h"

#define SIM_TASKS 5
#define SIM_CGROUPS 4	/* besides the root */
#define SIM_OPEN 44	/* at most 64 */
#define SIM_KINDS 8

enum sim_whose { SIM_TASK, SIM_CPU, SIM_CGROUP };

struct sim_values {
	u64 count, enabled, running;
};

/**
 * struct sim_open - an opened event
 * @event:  it, or NULL for a free place
 * @attr:   as it was opened
 * @own:    its instance
 * @folded: what ended children left
 */
struct sim_open {
	struct pmuctl_event *event;
	struct perf_event_attr attr;
	enum sim_whose whose;
	int task, cpu;
	struct cgroup *cgroup;
	struct sim_inst *own;
	struct sim_values folded;
};

/**
 * struct sim_inst - an event the core has: an opened one or a child
 * @asked, @on_exec, @ended: as the reference has it
 * @leader: of its group
 * @hw:     of a leader: the group belongs to hardware
 * @values: what it must have counted
 * @waits:  turns taken while it waited and had a chance
 */
struct sim_inst {
	struct hlist_node node;
	struct pmuctl_event *event;
	u64 id;
	struct sim_open *open;
	struct sim_inst *leader;
	bool asked, on_exec, ended, hw;
	struct sim_values values;
	int waits;
};

extern struct sim_open sim_opened[SIM_OPEN];
extern struct task_struct sim_tasks[SIM_TASKS];
extern struct cgroup sim_cgroups[SIM_CGROUPS];
/* Contexts come in on that CPU. */
extern bool sim_online[SHIM_CPUS];
/* Of which opened events each task has a child, as bits. */
extern u64 sim_children[SIM_TASKS];
static inline u64 sim_bit(const struct sim_open *open)
{
	return 1ULL << (open - sim_opened);
}
/* In the middle of a call into the core: what is known may be behind. */
extern bool sim_busy;
/* That call gives orders to a family: who ends meanwhile may or may not hear of it. */
extern bool sim_ordering;

#define SIM_BUCKETS 64
extern struct hlist_head sim_insts[SIM_BUCKETS];

#define sim_for_each_inst(inst, i)			\
	for (i = 0; i < SIM_BUCKETS; i++)		\
		hlist_for_each_entry(inst, &sim_insts[i], node)

unsigned int sim_random(unsigned int n);

/* ---- sim.c: who is there ---- */

void sim_start(void);
void sim_stop(void);

struct sim_inst *sim_inst_of(const struct pmuctl_event *event);
struct sim_inst *sim_inst_add(struct pmuctl_event *event, struct sim_open *open);
/* It is gone for good; those it led lead themselves. */
void sim_inst_del(struct sim_inst *inst);
/* It counts no more, alone, and can still be read. */
void sim_inst_end(struct sim_inst *inst);
/* A child ended: what it counted is its parent's. */
void sim_inst_fold(struct sim_inst *inst);
static inline bool sim_is_child(const struct sim_inst *inst)
{
	return inst->event != inst->open->event;
}

/* Children the core has made since: know them too. */
void sim_find_children(void);

/* The instances of @task's events, most recent last. */
int sim_insts_of_task(const struct task_struct *task, struct sim_inst **insts, int max);

/* ---- sim_tasks.c, sim_events.c: steps, each for somebody at random ---- */

struct task_struct *sim_pick_task(void);
void sim_step_switch(void);
void sim_step_fork(void);
void sim_step_exit(void);
void sim_step_exec(void);
void sim_step_move(void);
void sim_step_hotplug(void);
void sim_step_event(void);
void sim_step_snapshot(void);
void sim_close(struct sim_open *open);

/* From now on, other events are opened. */
void sim_change_mood(void);

/* ---- sim_ref.c: what must be counted ---- */

/* Does the instance's scope, or its clock, run now? Then on which CPU, else -1. */
int sim_scope_cpu(const struct sim_inst *inst);
int sim_clock_cpu(const struct sim_inst *inst);

/* @ns pass in which @n happens. Before states change again. */
void sim_account(u64 ns, u64 n);

/* Compare what reading gives; groups read, and those of them that gave ECHILD. */
void sim_check_values(const struct sim_open *open);
extern int sim_reads, sim_echilds;

/* ---- sim_check.c: what must hold after each step ---- */

void sim_check_all(void);

/* Before and after timers fired: nobody starves. */
void sim_turns_begin(void);
void sim_turns_end(void);

/* ---- sim_match.c ---- */

/* What an instance needs: counters that would do, a number for its class; hardware only. */
u64 sim_counters(const struct sim_inst *inst);
u64 sim_class(const struct sim_inst *inst);
bool sim_is_hardware(const struct sim_inst *inst);
int sim_level(const struct sim_inst *leader);

/* Different classes, with the best level of their users. */
struct sim_set {
	int n;
	u64 classes[64], counters[64];
	int levels[64];
};

void sim_set_add(struct sim_set *set, const struct sim_inst *inst, int level);

/* Those that are on for somebody on @cpu. */
void sim_set_on(struct sim_set *set, int cpu);

/* Is there a counter for each, by trying all? Only those with @level or better. */
bool sim_set_fits(const struct sim_set *set, int level);

/* Could the group go on beside those on @cpu that are of @level or better? */
bool sim_group_fits(const struct sim_inst *leader, int cpu, int level);

#endif /* SIM_H */
