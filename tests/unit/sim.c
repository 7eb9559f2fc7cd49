// SPDX-License-Identifier: GPL-2.0-only
/* What the simulator knows of who is there. */
#include "sim.h"

struct sim_open sim_opened[SIM_OPEN];
struct task_struct sim_tasks[SIM_TASKS];
struct cgroup sim_cgroups[SIM_CGROUPS];
bool sim_online[SHIM_CPUS];
u64 sim_children[SIM_TASKS];
bool sim_busy;
bool sim_ordering;
struct hlist_head sim_insts[SIM_BUCKETS];

static unsigned long long seed;

/* Knuth's MMIX generator; rand_r() is too slow for what is asked here. */
unsigned int sim_random(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

void sim_start(void)
{
	int i;

	seed = world_number("PMUCTL_SEED", 20261201);
	memset(sim_opened, 0, sizeof(sim_opened));
	memset(sim_insts, 0, sizeof(sim_insts));
	memset(sim_children, 0, sizeof(sim_children));
	for (i = 0; i < SIM_TASKS; i++)
		sim_tasks[i] = (struct task_struct){ .refs = 1, .pid = i };
	/* root - 0 - 1 - 2, root - 3 */
	for (i = 0; i < SIM_CGROUPS; i++)
		sim_cgroups[i] = (struct cgroup){ i % 3 ? &sim_cgroups[i - 1] : &shim_root_cgroup,
						  2 + i, 1 };
	for_each_possible_cpu(i)
		sim_online[i] = true;
}

void sim_stop(void)
{
	int i;

	for (i = 0; i < SIM_TASKS; i++)
		assert_int_equal(sim_tasks[i].refs, 1);
	for (i = 0; i < SIM_CGROUPS; i++)
		assert_int_equal(sim_cgroups[i].refs, 1);
}

/* ---- instances ---- */

static struct hlist_head *bucket(u64 id)
{
	return &sim_insts[id % SIM_BUCKETS];
}

/* By its number: memory of one that is gone may be another's by now. */
struct sim_inst *sim_inst_of(const struct pmuctl_event *event)
{
	struct sim_inst *inst;

	hlist_for_each_entry(inst, bucket(event->id), node) {
		if (inst->id == event->id)
			return inst;
	}
	return NULL;
}

struct sim_inst *sim_inst_add(struct pmuctl_event *event, struct sim_open *open)
{
	struct sim_inst *inst = calloc(1, sizeof(*inst));

	inst->event = event;
	inst->id = event->id;
	inst->open = open;
	inst->leader = inst;
	inst->asked = event->asked;
	inst->on_exec = event->on_exec;
	inst->hw = sim_is_hardware(inst);
	hlist_add_head(&inst->node, bucket(inst->id));
	return inst;
}

static void disband(struct sim_inst *leader)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->leader != leader || inst == leader)
			continue;
		inst->leader = inst;
		inst->hw = sim_is_hardware(inst);
	}
}

void sim_inst_del(struct sim_inst *inst)
{
	disband(inst);
	hlist_del(&inst->node);
	free(inst);
}

void sim_inst_end(struct sim_inst *inst)
{
	disband(inst);
	inst->leader = inst;
	inst->ended = true;
}

void sim_inst_fold(struct sim_inst *inst)
{
	inst->open->folded.count += inst->values.count;
	inst->open->folded.enabled += inst->values.enabled;
	inst->open->folded.running += inst->values.running;
	sim_inst_del(inst);
}

/* ---- children ---- */

static struct sim_open *open_of(const struct pmuctl_event *event)
{
	int i;

	for (i = 0; i < SIM_OPEN; i++) {
		if (sim_opened[i].event == event)
			return &sim_opened[i];
	}
	return NULL;
}

static struct pmuctl_ctx *ctx_of(const struct task_struct *task)
{
	struct pmuctl_ctx *ctx;
	unsigned long flags = shim_irqs_off;

	shim_irqs_off = true;
	ctx = pmuctl_ctx_find(task);
	shim_irqs_off = flags;
	return ctx;
}

int sim_insts_of_task(const struct task_struct *task, struct sim_inst **insts, int max)
{
	struct pmuctl_ctx *ctx = ctx_of(task);
	struct pmuctl_event *event;
	int n = 0;

	if (!ctx)
		return 0;
	list_for_each_entry(event, &ctx->events, ctx_node) {
		struct sim_inst *inst = sim_inst_of(event);

		if (inst && n < max)
			insts[n++] = inst;
	}
	return n;
}

static void find_children_of(const struct task_struct *task)
{
	struct pmuctl_ctx *ctx = ctx_of(task);
	struct pmuctl_event *event;

	if (!ctx)
		return;
	list_for_each_entry(event, &ctx->events, ctx_node) {
		struct sim_inst *inst;

		if (!event->parent || sim_inst_of(event) || !open_of(event->parent))
			continue;
		inst = sim_inst_add(event, open_of(event->parent));
		inst->leader = sim_inst_of(pmuctl_group_leader(event->group)) ?: inst;
		inst->leader->hw |= inst->hw;
		sim_children[task->pid] |= sim_bit(inst->open);
	}
}

void sim_find_children(void)
{
	int i;

	for (i = 0; i < SIM_TASKS; i++)
		find_children_of(&sim_tasks[i]);
}
