// SPDX-License-Identifier: GPL-2.0-only
/* Steps of the simulator: what tasks and CPUs do, and what that means for events. */
#include "sim.h"

static bool runs(const struct task_struct *task)
{
	return shim_current[task->cpu] == task;
}

struct task_struct *sim_pick_task(void)
{
	return &sim_tasks[sim_random(SIM_TASKS)];
}

void sim_step_switch(void)
{
	int cpu = sim_random(SHIM_CPUS);
	struct task_struct *task = sim_random(6) ? sim_pick_task() : NULL;

	if (!shim_online[cpu] || (task && (task->exiting || runs(task))))
		return;
	world_switch(cpu, task);
}

/* An unused place for a task, or NULL. */
static struct task_struct *new_task(void)
{
	struct task_struct *task = sim_pick_task();

	if (!task->exiting || task->refs > 1)
		return NULL;
	task->exiting = false;
	return task;
}

void sim_step_fork(void)
{
	struct task_struct *parent = sim_pick_task(), *child;
	struct sim_inst *insts[SIM_OPEN];
	bool thread = sim_random(2);
	u64 expected = 0;
	int i, n;

	if (!runs(parent))
		return;
	child = new_task();
	if (!child)
		return;
	n = sim_insts_of_task(parent, insts, ARRAY_SIZE(insts));
	for (i = 0; i < n; i++) {
		const struct perf_event_attr *attr = &insts[i]->leader->open->attr;

		if (attr->inherit && !insts[i]->leader->ended && (thread || !attr->inherit_thread))
			expected |= sim_bit(insts[i]->open);
	}
	world_fork(parent, child, thread);
	sim_find_children();
	if (!sim_busy && sim_children[child->pid] != expected)
		fail_msg("task %d inherited %llx, not %llx", child->pid, sim_children[child->pid],
			 expected);
}

/* What an end of the task, as far as events go, means for its events. */
static void end_insts(struct task_struct *task)
{
	struct sim_inst *insts[SIM_OPEN];
	int i, n = sim_insts_of_task(task, insts, ARRAY_SIZE(insts));

	/* Groups of opened events stay groups. */
	for (i = 0; i < n; i++) {
		if (sim_is_child(insts[i]))
			sim_inst_fold(insts[i]);
		else
			insts[i]->ended = true;
	}
	sim_children[task->pid] = 0;
}

void sim_step_exit(void)
{
	struct task_struct *task = sim_pick_task();

	if (!runs(task))
		return;
	end_insts(task);
	world_exit(task);
}

void sim_step_exec(void)
{
	struct task_struct *task = sim_pick_task();
	struct sim_inst *insts[SIM_OPEN];
	bool secure = !sim_random(8);
	int i, n;

	if (!runs(task))
		return;
	if (secure)
		end_insts(task);
	n = secure ? 0 : sim_insts_of_task(task, insts, ARRAY_SIZE(insts));
	for (i = 0; i < n; i++) {
		if (insts[i]->on_exec)
			insts[i]->asked = true;
		insts[i]->on_exec = false;
		if (!insts[i]->open->attr.remove_on_exec || insts[i]->ended)
			continue;
		if (!sim_is_child(insts[i])) {
			sim_inst_end(insts[i]);
			continue;
		}
		sim_children[task->pid] &= ~sim_bit(insts[i]->open);
		sim_inst_fold(insts[i]);
	}
	world_exec(task, secure);
}

void sim_step_move(void)
{
	int i = sim_random(SIM_CGROUPS + 1);

	world_move(sim_pick_task(), i < SIM_CGROUPS ? &sim_cgroups[i] : NULL);
}

/* Off for the kernel too, or for us alone while tasks go on, as before the machine sleeps. */
void sim_step_hotplug(void)
{
	int cpu = sim_random(SHIM_CPUS);

	if (shim_cpus_locked)
		return;
	if (!sim_online[cpu]) {
		world_cpu_up(cpu);
		sim_online[cpu] = true;
		return;
	}
	if (sim_random(2))
		world_switch(cpu, NULL);
	world_cpu_down(cpu);
	shim_online[cpu] = shim_current[cpu] != &shim_idle[cpu];
	sim_online[cpu] = false;
}
