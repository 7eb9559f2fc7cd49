// SPDX-License-Identifier: GPL-2.0-only
/* What must hold whenever the core was left, whatever happened before. */
#include "sim.h"

#define CHECK(held, ...) do { if (!(held)) fail_msg(__VA_ARGS__); } while (0)

/* Turns somebody may have to wait for while there is a chance. */
#define MOST_WAITS 100

static int state_of(const struct sim_inst *inst)
{
	return inst->event->state;
}

/* ---- states ---- */

/* All or nothing: whom the user asked for is on when the leader is, waits when it waits. */
static void check_state(const struct sim_inst *inst)
{
	const struct sim_inst *leader = inst->leader;
	int state = state_of(inst);

	CHECK(inst->event->asked == inst->asked, "event %llu: asked %d", inst->id, inst->asked);
	CHECK(pmuctl_group_leader(inst->event->group) == leader->event,
	      "event %llu: its leader is not %llu", inst->id, leader->id);
	if (inst->ended) {
		CHECK(state == PMUCTL_STATE_EXIT, "event %llu ended: %d", inst->id, state);
	} else if (inst != leader) {
		CHECK(state == (inst->asked && state_of(leader) >= PMUCTL_STATE_INACTIVE ?
				state_of(leader) : PMUCTL_STATE_OFF),
		      "event %llu is %d, its leader %d", inst->id, state, state_of(leader));
	} else if (state == PMUCTL_STATE_ERROR) {
		CHECK(inst->open->attr.pinned, "event %llu is in error", inst->id);
	} else {
		CHECK(inst->asked == (state >= PMUCTL_STATE_INACTIVE), "event %llu is %d", inst->id,
		      state);
	}
}

/* ---- a task has the events it should have ---- */

static void check_context(const struct task_struct *task)
{
	struct sim_inst *insts[SIM_OPEN], *inst;
	int i, n = 0, known = 0, cpu = task->cpu;
	u64 children = 0;

	known = sim_insts_of_task(task, insts, ARRAY_SIZE(insts));
	sim_for_each_inst(inst, i)
		n += !inst->ended && inst->open->whose == SIM_TASK &&
		     inst->event->ctx->task == task && !inst->event->ctx->dead;
	for (i = 0; i < known; i++) {
		n += insts[i]->ended;
		children |= sim_is_child(insts[i]) ? sim_bit(insts[i]->open) : 0;
	}
	CHECK(children == sim_children[task->pid], "task %d has children %llx, not %llx", task->pid,
	      children, sim_children[task->pid]);
	CHECK(n == known, "task %d has %d events, not %d", task->pid, known, n);
	for (i = 0; i < known; i++)
		CHECK(insts[i]->event->ctx->cpu ==
		      (shim_current[cpu] == task && sim_online[cpu] ? cpu : -1),
		      "task %d is in on %d", task->pid, insts[i]->event->ctx->cpu);
}

/* ---- counters ---- */

/* SHR-15: as many counters in use as there are classes that somebody has on, of the right level. */
static void check_slots(int cpu)
{
	const struct pmuctl_cpu_pmu_ctx *cpc = world_cpc(cpu);
	struct sim_set set = {};
	int at_level[PMUCTL_LEVELS + 1] = {};
	u32 i;

	sim_set_on(&set, cpu);
	for (i = 0; i < cpc->nr_slots; i++) {
		if (cpc->slots[i].class)
			at_level[pmuctl_slot_level(&cpc->slots[i])]++;
	}
	for (i = 0; i < set.n; i++)
		at_level[set.levels[i]]--;
	for (i = 0; i < PMUCTL_LEVELS; i++)
		CHECK(!at_level[i], "CPU %d: %d slots too many of level %d", cpu, at_level[i], i);
	CHECK(world_counters_on(cpu) == cpc->nr_used, "CPU %d: %d counters on, not %u", cpu,
	      world_counters_on(cpu), cpc->nr_used);
}

/* ---- who waits ---- */

static bool waits_on(const struct sim_inst *inst, int cpu)
{
	return inst->leader == inst && state_of(inst) == PMUCTL_STATE_INACTIVE &&
	       sim_scope_cpu(inst) == cpu;
}

/* A class of the group that is on no counter here: else it could join, or have joined. */
static bool misses_a_class(const struct sim_inst *leader, int cpu)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->leader == leader && inst->asked && sim_is_hardware(inst) &&
		    !inst->event->class->slots[cpu])
			return true;
	}
	return false;
}

/*
 * SCH-01: the first in line of each level has no room beside what is as good or better: nobody
 * worse has a counter that it could use. Pinned groups do not wait at all. And who could go on at
 * no cost has done so.
 */
static void check_line(int cpu)
{
	struct sim_inst *inst, *first[PMUCTL_LEVELS] = {};
	u32 waiting = 0;
	int i;

	sim_for_each_inst(inst, i) {
		struct sim_inst **at = &first[sim_level(inst)];

		if (!waits_on(inst, cpu))
			continue;
		waiting++;
		CHECK(inst->hw, "event %llu is software and waits", inst->id);
		if (!*at || inst->event->own.ticket < (*at)->event->own.ticket)
			*at = inst;
		CHECK(inst->open->attr.exclusive || world_cpc(cpu)->exclusive ||
		      misses_a_class(inst, cpu), "event %llu could join", inst->id);
	}
	CHECK(waiting == world_cpc(cpu)->nr_waiting, "CPU %d: %u wait, not %u", cpu, waiting,
	      world_cpc(cpu)->nr_waiting);
	CHECK(waiting == pmuctl_cpus[cpu].nr_waiting, "CPU %d: a pass looks for %u", cpu,
	      pmuctl_cpus[cpu].nr_waiting);
	CHECK(!waiting || shim_rotate_due[cpu][0], "CPU %d: %u wait, no timer", cpu, waiting);
	CHECK(!first[PMUCTL_LEVEL_CPU_PINNED] && !first[PMUCTL_LEVEL_TASK_PINNED],
	      "CPU %d: a pinned group waits", cpu);
	for (i = 0; i < PMUCTL_LEVELS; i++) {
		if (first[i])
			CHECK(!sim_group_fits(first[i], cpu, i), "CPU %d: event %llu of level %d "
			      "waits and would fit", cpu, first[i]->id, i);
	}
}

void sim_check_all(void)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i)
		check_state(inst);
	for (i = 0; i < SIM_TASKS; i++)
		check_context(&sim_tasks[i]);
	for_each_possible_cpu(i) {
		check_slots(i);
		check_line(i);
	}
}

/* ---- nobody starves ---- */

static u64 rotations[SHIM_CPUS];

void sim_turns_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		rotations[cpu] = world_cpc(cpu)->rotations;
}

void sim_turns_end(void)
{
	struct sim_inst *inst;
	int i, cpu;

	sim_for_each_inst(inst, i) {
		if (state_of(inst) != PMUCTL_STATE_INACTIVE)
			inst->waits = 0;
		cpu = sim_scope_cpu(inst);
		if (cpu < 0 || !waits_on(inst, cpu) ||
		    rotations[cpu] == world_cpc(cpu)->rotations ||
		    !sim_group_fits(inst, cpu, sim_level(inst) - 1))
			continue;
		inst->waits++;
		CHECK(inst->waits < MOST_WAITS, "event %llu starves", inst->id);
	}
}
