// SPDX-License-Identifier: GPL-2.0-only
/* The naive account: who is in, and what happened to him. */
#include "sim.h"

/* Where the task of an instance runs with its context in, or -1. Children may change hands. */
static int task_cpu(const struct sim_inst *inst)
{
	const struct task_struct *task = sim_is_child(inst) ? inst->event->ctx->task
							    : &sim_tasks[inst->open->task];

	return shim_current[task->cpu] == task && sim_online[task->cpu] ? task->cpu : -1;
}

static bool cgroup_runs(struct cgroup *cgroup, int cpu)
{
	return plat_cgroup_contains(cgroup, shim_current[cpu]->cgroup ?: &shim_root_cgroup);
}

int sim_clock_cpu(const struct sim_inst *inst)
{
	const struct sim_open *open = inst->open;

	if (inst->ended)
		return -1;
	if (open->whose == SIM_TASK)
		return task_cpu(inst);
	if (!sim_online[open->cpu])
		return -1;
	return open->whose == SIM_CPU || cgroup_runs(open->cgroup, open->cpu) ? open->cpu : -1;
}

int sim_scope_cpu(const struct sim_inst *inst)
{
	int cpu = sim_clock_cpu(inst);

	return inst->open->cpu < 0 || inst->open->cpu == cpu ? cpu : -1;
}

static u64 happened(const struct sim_inst *inst, int cpu, u64 ns, u64 n)
{
	if (sim_is_hardware(inst))
		return world_amount(cpu, inst->open->attr.config, n);
	return inst->open->attr.config == PERF_COUNT_SW_TASK_CLOCK ? ns : 0;
}

void sim_account(u64 ns, u64 n)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		enum pmuctl_state state = inst->event->state;
		int cpu;

		if (state < PMUCTL_STATE_INACTIVE || sim_clock_cpu(inst) < 0)
			continue;
		inst->values.enabled += ns;
		cpu = sim_scope_cpu(inst);
		if (state < PMUCTL_STATE_ACTIVE || cpu < 0)
			continue;
		inst->values.running += ns;
		inst->values.count += happened(inst, cpu, ns, n);
	}
}

/* What the event and its family must have counted. */
static struct sim_values sum_of(const struct sim_open *open)
{
	struct sim_values sum = open->folded;
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->open != open)
			continue;
		sum.count += inst->values.count;
		sum.enabled += inst->values.enabled;
		sum.running += inst->values.running;
		assert_true(inst->values.running <= inst->values.enabled);
	}
	return sum;
}

static const char *const whose[] = {
	[SIM_TASK] = "task", [SIM_CPU] = "CPU", [SIM_CGROUP] = "cgroup",
};

static void compare(const struct sim_open *open, const char *what, u64 got, u64 expected)
{
	if (got != expected)
		fail_msg("event %llu of a %s%s: %s %llu, expected %llu", open->event->id,
			 whose[open->whose], open->attr.inherit ? ", inherited" : "", what, got,
			 expected);
}

static void check_single(const struct sim_open *open)
{
	struct sim_values sum = sum_of(open);
	struct world_reading reading = world_read(open->event);

	compare(open, "count", reading.count, sum.count);
	compare(open, "enabled", reading.enabled, sum.enabled);
	compare(open, "running", reading.running, sum.running);
}

int sim_reads, sim_echilds;

/* Children's groups may differ from the parent's; but if they are added up, all is right. */
static void check_group(const struct sim_open *open)
{
	struct pmuctl_group *group = open->event->group;
	struct pmuctl_event *event;
	u64 values[3 + SIM_OPEN], *next = values;
	ssize_t n = pmuctl_event_read(open->event, values, sizeof(values));
	struct sim_values first = sum_of(sim_inst_of(pmuctl_group_leader(group))->open);

	sim_reads++;
	if (n == -ECHILD && open->attr.inherit && open->whose == SIM_TASK) {
		sim_echilds++;
		return;
	}
	assert_int_equal(n, (3 + group->nr) * 8);
	compare(open, "members", *next++, group->nr);
	compare(open, "enabled", *next++, first.enabled);
	compare(open, "running", *next++, first.running);
	list_for_each_entry(event, &group->members, group_node)
		compare(open, "count", *next++, sum_of(sim_inst_of(event)->open).count);
}

void sim_check_values(const struct sim_open *open)
{
	if (pmuctl_event_failed(open->event))
		return;
	if (open->attr.read_format & PERF_FORMAT_GROUP)
		check_group(open);
	else
		check_single(open);
}
