// SPDX-License-Identifier: GPL-2.0-only
/* Steps of the simulator: what users do with events. */
#include "sim.h"

#include <pmuctl/snapshot.h>

/* What is opened for some while: other things are likely each time. */
static struct {
	int kinds;
	bool cgroups, masks;
} mood = { SIM_KINDS, true, true };

/* Without cgroups tasks hand over to each other; of few kinds they share. */
void sim_change_mood(void)
{
	int i;

	mood.kinds = 2 + sim_random(SIM_KINDS - 1);
	mood.cgroups = sim_random(2);
	mood.masks = sim_random(2);
	for (i = 0; i < SIM_OPEN && !mood.cgroups; i++) {
		if (sim_opened[i].event && sim_opened[i].whose == SIM_CGROUP)
			sim_close(&sim_opened[i]);
	}
}

static struct perf_event_attr random_attr(void)
{
	static const u64 masks[] = { 0, 0, 0, 0, 1, 2, 3, 0xc };
	struct perf_event_attr attr = world_attr(sim_random(mood.kinds));

	if (!sim_random(8)) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = sim_random(2) ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_DUMMY;
	} else if (mood.masks) {
		attr.config1 = masks[sim_random(ARRAY_SIZE(masks))];
	}
	attr.disabled = !sim_random(3);
	attr.pinned = !sim_random(8);
	attr.exclusive = !sim_random(12);
	attr.inherit = !sim_random(3);
	attr.inherit_thread = attr.inherit && !sim_random(4);
	attr.remove_on_exec = !sim_random(8);
	if (sim_random(2))
		attr.read_format |= PERF_FORMAT_GROUP;
	attr.enable_on_exec = !attr.remove_on_exec && !sim_random(8);
	return attr;
}

static void pick_whose(struct sim_open *open)
{
	struct task_struct *task = sim_pick_task();

	open->whose = SIM_TASK;
	if (!sim_random(4))
		open->whose = mood.cgroups && sim_random(2) ? SIM_CGROUP : SIM_CPU;
	open->task = task->pid;
	open->cpu = open->whose != SIM_TASK || !sim_random(5) ? (int)sim_random(SHIM_CPUS) : -1;
	open->cgroup = open->whose == SIM_CGROUP ? &sim_cgroups[sim_random(SIM_CGROUPS)] : NULL;
}

/* Some leader that is there, or NULL; then the new one is whose the leader is. */
static struct sim_inst *pick_leader(struct sim_open *open)
{
	struct sim_open *other = &sim_opened[sim_random(SIM_OPEN)];

	if (!sim_random(3) || other == open || !other->event || other->own->leader != other->own ||
	    other->own->ended)
		return NULL;
	open->whose = other->whose;
	open->task = other->task;
	open->cpu = other->cpu;
	open->cgroup = other->cgroup;
	open->attr.inherit = other->attr.inherit;
	open->attr.inherit_thread &= other->attr.inherit;
	open->attr.pinned = open->attr.exclusive = 0;
	return other->own;
}

static bool group_could_hold(const struct sim_inst *leader, struct sim_open *open)
{
	struct sim_inst fresh = { .open = open }, *inst;
	struct sim_set set = {};
	int i;

	if (!leader || !sim_is_hardware(&fresh))
		return true;
	sim_for_each_inst(inst, i) {
		/* perf's rule: who is disabled does not count, but for the leader. */
		if (inst->leader != leader || !sim_is_hardware(inst) ||
		    (!inst->asked && inst != leader))
			continue;
		if (sim_class(inst) == sim_class(&fresh))
			return true;
		sim_set_add(&set, inst, 0);
	}
	sim_set_add(&set, &fresh, 0);
	return sim_set_fits(&set, 0);
}

static int expected_error(const struct sim_open *open, const struct sim_inst *leader)
{
	if (!group_could_hold(leader, (struct sim_open *)open))
		return EINVAL;
	if (open->whose == SIM_TASK)
		return sim_tasks[open->task].exiting ? ESRCH : 0;
	return sim_online[open->cpu] ? 0 : ENODEV;
}

static void step_open(struct sim_open *open)
{
	struct pmuctl_msg msg = {};
	struct sim_inst *leader;
	struct pmuctl_event *event;

	*open = (struct sim_open){ .attr = random_attr() };
	pick_whose(open);
	leader = pick_leader(open);
	event = pmuctl_event_open(&(struct pmuctl_event_spec){
		.attr = &open->attr, .cpu = open->cpu, .cgroup = open->cgroup,
		.task = open->whose == SIM_TASK ? &sim_tasks[open->task] : NULL,
		.leader = leader ? leader->event : NULL,
	}, &msg);
	if (IS_ERR(event)) {
		int expected = expected_error(open, leader);

		/* The task, or the leader, may have ended while we were at it. */
		if (-PTR_ERR(event) != expected &&
		    !(shim_interlude && (PTR_ERR(event) == -ESRCH || PTR_ERR(event) == -ENODEV)))
			fail_msg("open: %ld (%s), expected %d", PTR_ERR(event), msg.text, expected);
		return;
	}
	open->event = event;
	open->own = sim_inst_add(event, open);
	open->own->ended = event->state == PMUCTL_STATE_EXIT;
	if (!leader)
		return;
	open->own->leader = event->group == &event->own ? open->own : leader;
	open->own->leader->hw |= open->own->hw;
}

void sim_close(struct sim_open *open)
{
	struct sim_inst *inst, *own[SIM_OPEN * (SIM_TASKS + 1)];
	int i, n = 0;

	pmuctl_event_close(open->event);
	open->event = NULL;
	sim_for_each_inst(inst, i) {
		if (inst->open == open)
			own[n++] = inst;
	}
	while (n--)
		sim_inst_del(own[n]);
	for (i = 0; i < SIM_TASKS; i++)
		sim_children[i] &= ~sim_bit(open);
}

/* The user asks for @open: all of the family follows. */
static void ask(struct sim_open *open, bool on)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->open == open)
			inst->asked = on;
	}
}

static void reset(struct sim_open *open)
{
	struct sim_inst *inst;
	int i;

	sim_for_each_inst(inst, i) {
		if (inst->open == open)
			inst->values.count = 0;
	}
}

static void step_control(struct sim_open *open)
{
	enum pmuctl_event_cmd cmd = sim_random(8) ? sim_random(4) ? PMUCTL_EVENT_ENABLE
								  : PMUCTL_EVENT_DISABLE
						  : PMUCTL_EVENT_RESET;
	struct sim_inst *leader = open->own->leader, *inst;
	bool group = !sim_random(4);
	struct sim_open *opens[SIM_OPEN];
	int i, n = 0;

	sim_for_each_inst(inst, i) {
		if (!sim_is_child(inst) && (inst == open->own || (group && inst->leader == leader)))
			opens[n++] = inst->open;
	}
	sim_ordering = true;
	pmuctl_event_control(open->event, cmd, group);
	sim_ordering = false;
	sim_find_children();
	while (n--) {
		if (cmd == PMUCTL_EVENT_RESET)
			reset(opens[n]);
		else
			ask(opens[n], cmd == PMUCTL_EVENT_ENABLE);
	}
}

void sim_step_event(void)
{
	struct sim_open *open = &sim_opened[sim_random(SIM_OPEN)];

	if (!open->event)
		step_open(open);
	else if (open->own->ended || !sim_random(40))
		sim_close(open);
	else
		step_control(open);
}

void sim_step_snapshot(void)
{
	static char buf[1 << 16];

	assert_in_range(pmuctl_snapshot(buf, sizeof(buf)), 1, sizeof(buf));
}
