// SPDX-License-Identifier: GPL-2.0-only
/*
 * Seeded random schedules against a naive reference: tasks that wander over CPUs, events that come
 * and go, groups, filters; after every step each event has counted exactly what happened while it
 * should have counted. The seed is printed; PMUCTL_SEED and PMUCTL_STEPS choose others.
 */
#include "world.h"

#define TASKS 6
#define EVENTS 24

/* What the reference knows of an event: what was asked, and what it must have counted. */
struct expected {
	struct pmuctl_event *event;
	int task;	/* -1: a CPU's */
	int cpu;
	int kind;
	int leader;	/* its own number, or its leader's */
	bool asked;
	u64 count, enabled, running;
};

static struct task_struct tasks[TASKS];
static int on_cpu[SHIM_CPUS];	/* which task runs, or -1 */
static struct expected events[EVENTS];
static unsigned int seed;

static int pick(int n)
{
	return rand_r(&seed) % n;
}

static int cpu_of_task(int task)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (on_cpu[cpu] == task)
			return cpu;
	}
	return -1;
}

static void reference_pass(u64 ns, u64 n)
{
	int i;

	for (i = 0; i < EVENTS; i++) {
		struct expected *e = &events[i];
		int cpu;

		if (!e->event || !e->asked || !events[e->leader].asked)
			continue;
		cpu = e->task < 0 ? e->cpu : cpu_of_task(e->task);
		if (cpu < 0)
			continue;
		e->enabled += ns;
		if (e->cpu >= 0 && e->cpu != cpu)
			continue;
		e->running += ns;
		e->count += world_amount(cpu, e->kind, n);
	}
}

static void step_open(int i)
{
	struct expected *e = &events[i];
	int leader = pick(EVENTS);

	*e = (struct expected){ .task = pick(TASKS + 1) - 1, .kind = 1 + pick(4), .leader = i };
	e->cpu = e->task < 0 || !pick(3) ? pick(SHIM_CPUS) : -1;
	if (leader != i && events[leader].event && events[leader].leader == leader) {
		e->leader = leader;
		e->task = events[leader].task;
		e->cpu = events[leader].cpu;
	}
	e->event = world_open(e->task < 0 ? NULL : &tasks[e->task], e->cpu, e->kind,
			      e->leader == i ? NULL : events[leader].event);
}

/* Siblings of a leader that closes go on alone. */
static void step_close(int i)
{
	int k;

	pmuctl_event_close(events[i].event);
	events[i].event = NULL;
	for (k = 0; k < EVENTS; k++) {
		if (events[k].event && events[k].leader == i)
			events[k].leader = k;
	}
}

static void step_control(int i)
{
	struct expected *e = &events[i];

	switch (pick(5)) {
	case 0:
		pmuctl_event_control(e->event, PMUCTL_EVENT_RESET, false);
		e->count = 0;
		break;
	case 1:
		world_disable(e->event);
		e->asked = false;
		break;
	default:
		world_enable(e->event);
		e->asked = true;
	}
}

static void step_event(void)
{
	int i = pick(EVENTS);

	if (!events[i].event)
		step_open(i);
	else if (!pick(6))
		step_close(i);
	else
		step_control(i);
}

static void step_switch(void)
{
	int cpu = pick(SHIM_CPUS), task = pick(TASKS + 1) - 1;

	if (task >= 0 && cpu_of_task(task) >= 0)
		return;
	world_switch(cpu, task < 0 ? NULL : &tasks[task]);
	on_cpu[cpu] = task;
}

static void check(int step)
{
	int i;

	for (i = 0; i < EVENTS; i++) {
		struct world_reading reading;

		if (!events[i].event)
			continue;
		reading = world_read(events[i].event);
		if (reading.count != events[i].count || reading.enabled != events[i].enabled ||
		    reading.running != events[i].running)
			fail_msg("step %d, event %d: count %llu enabled %llu running %llu, expected "
				 "%llu %llu %llu", step, i, (unsigned long long)reading.count,
				 (unsigned long long)reading.enabled,
				 (unsigned long long)reading.running,
				 (unsigned long long)events[i].count,
				 (unsigned long long)events[i].enabled,
				 (unsigned long long)events[i].running);
	}
}

static int number_from(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

static void random_schedules_agree_with_the_reference(void **state)
{
	int steps = number_from("PMUCTL_STEPS", 200000), step, cpu, i;

	(void)state;
	seed = number_from("PMUCTL_SEED", 20261201);
	print_message("  seed %u, %d steps\n", seed, steps);
	for_each_possible_cpu(cpu)
		on_cpu[cpu] = -1;
	for (i = 0; i < TASKS; i++)
		tasks[i].refs = 1;
	for (step = 0; step < steps; step++) {
		u64 ns = pick(50), n = pick(1000);

		shim_cpu = pick(SHIM_CPUS);	/* the caller is anywhere */
		if (pick(3))
			step_switch();
		else
			step_event();
		world_pass(ns, n);
		reference_pass(ns, n);
		if (!pick(8))
			check(step);
		if (!pick(100))
			shim_grace_period();
	}
	check(step);
	for (i = 0; i < EVENTS; i++) {
		if (events[i].event)
			step_close(i);
	}
	for (i = 0; i < TASKS; i++)
		assert_int_equal(tasks[i].refs, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(random_schedules_agree_with_the_reference) };

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
