// SPDX-License-Identifier: GPL-2.0-only
/* Who fits beside whom, by trying all ways. */
#include "sim.h"

bool sim_is_hardware(const struct sim_inst *inst)
{
	return inst->open->attr.type == PERF_TYPE_RAW;
}

u64 sim_counters(const struct sim_inst *inst)
{
	u64 mask = inst->open->attr.config1 & 0xff;
	u64 general = (1ULL << WORLD_GP) - 1;

	if (mask)
		return mask & general;
	return inst->open->attr.config ? general : general | 1ULL << PMUCTL_FIXED;
}

u64 sim_class(const struct sim_inst *inst)
{
	return inst->open->attr.config | inst->open->attr.config1 << 8;
}

int sim_level(const struct sim_inst *leader)
{
	bool task = leader->open->whose == SIM_TASK;

	if (leader->open->attr.pinned)
		return task ? PMUCTL_LEVEL_TASK_PINNED : PMUCTL_LEVEL_CPU_PINNED;
	return task ? PMUCTL_LEVEL_TASK_FLEXIBLE : PMUCTL_LEVEL_CPU_FLEXIBLE;
}

void sim_set_add(struct sim_set *set, const struct sim_inst *inst, int level)
{
	u64 class = sim_class(inst);
	int i;

	for (i = 0; i < set->n && set->classes[i] != class; i++)
		;
	if (i == set->n) {
		assert_true(i < ARRAY_SIZE(set->classes));
		set->classes[i] = class;
		set->counters[i] = sim_counters(inst);
		set->levels[i] = PMUCTL_LEVELS;
		set->n++;
	}
	set->levels[i] = min(set->levels[i], level);
}

void sim_set_on(struct sim_set *set, int cpu)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->event->state == PMUCTL_STATE_ACTIVE && sim_is_hardware(inst) &&
		    sim_scope_cpu(inst) == cpu)
			sim_set_add(set, inst, sim_level(inst->leader));
	}
}

static bool fits_from(const struct sim_set *set, int level, int from, u64 idle)
{
	u64 left;

	while (from < set->n && set->levels[from] > level)
		from++;
	if (from == set->n)
		return true;
	for (left = set->counters[from] & idle; left; left &= left - 1) {
		if (fits_from(set, level, from + 1, idle & ~(left & -left)))
			return true;
	}
	return false;
}

bool sim_set_fits(const struct sim_set *set, int level)
{
	int i, n = 0;

	for (i = 0; i < set->n; i++)
		n += set->levels[i] <= level;
	return n <= WORLD_GP + 1 && fits_from(set, level, 0, ~0ULL);
}

/* Somebody who is alone on the PMU, and his level. */
static const struct sim_inst *alone_on(int cpu)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->leader == inst && inst->hw && inst->open->attr.exclusive &&
		    inst->event->state == PMUCTL_STATE_ACTIVE && sim_scope_cpu(inst) == cpu)
			return inst;
	}
	return NULL;
}

/* Does the context of @leader have anything hardware on there that is not to give way? */
static bool has_company(const struct sim_inst *leader, int cpu, int level)
{
	bool of_task = leader->open->whose == SIM_TASK;
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->event->state == PMUCTL_STATE_ACTIVE && sim_is_hardware(inst) &&
		    sim_scope_cpu(inst) == cpu && (inst->open->whose == SIM_TASK) == of_task &&
		    sim_level(inst->leader) <= level)
			return true;
	}
	return false;
}

bool sim_group_fits(const struct sim_inst *leader, int cpu, int level)
{
	const struct sim_inst *alone = alone_on(cpu);
	struct sim_set set = {};
	struct sim_inst *inst;
	int i;

	if (alone && sim_level(alone) <= level)
		return false;
	if (leader->open->attr.exclusive && has_company(leader, cpu, level))
		return false;
	sim_set_on(&set, cpu);
	sim_for_each_inst(inst, i) {
		if (inst->leader == leader && inst->asked && sim_is_hardware(inst))
			sim_set_add(&set, inst, -1);
	}
	return sim_set_fits(&set, level);
}
