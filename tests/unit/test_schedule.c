// SPDX-License-Identifier: GPL-2.0-only
/*
 * Seeded random schedules against a naive reference (sim.h): tasks that wander, fork, execute and
 * exit, cgroups, CPUs that come and go, events of all sorts that are opened, controlled, read and
 * closed, and timers. After each step what must hold is checked, and what was counted is compared.
 * The seed is printed; PMUCTL_SEED and PMUCTL_STEPS choose others.
 */
#include "sim.h"

static void pass_time(void)
{
	u64 ns = sim_random(50), n = sim_random(1000);

	world_elapse(ns, n);
	sim_account(ns, n);
	sim_turns_begin();
	world_timers();
	sim_turns_end();
}

/* ---- steps ---- */

static void step(void)
{
	unsigned int choice = sim_random(100);

	if (choice < 45)
		sim_step_switch();
	else if (choice < 90)
		sim_step_event();
	else if (choice < 93)
		sim_step_fork();
	else if (choice < 94)
		sim_step_exit();
	else if (choice < 96)
		sim_step_exec();
	else if (choice < 98)
		sim_step_move();
	else if (choice < 99)
		sim_step_hotplug();
	else
		sim_step_snapshot();
}

static void check_values(bool all)
{
	int i, only = sim_random(SIM_OPEN);

	for (i = 0; i < SIM_OPEN; i++) {
		if (sim_opened[i].event && (all || i == only))
			sim_check_values(&sim_opened[i]);
	}
}

static void end(void)
{
	int i;

	check_values(true);
	for (i = 0; i < SIM_OPEN; i++) {
		if (sim_opened[i].event)
			sim_close(&sim_opened[i]);
	}
	for_each_possible_cpu(i) {
		if (!sim_online[i])
			world_cpu_up(i);
		world_switch(i, NULL);
	}
	sim_stop();
	world_elapse(shim_rotate_ns, 1);
	world_timers();
}

static void run(int steps)
{
	int i;

	for (i = 0; i < steps; i++) {
		if (!sim_random(3000))
			sim_change_mood();
		shim_cpu = sim_random(SHIM_CPUS);	/* the caller is anywhere */
		sim_busy = shim_interlude;
		step();
		check_values(!sim_random(50));
		sim_busy = false;
		sim_find_children();
		sim_check_all();
		pass_time();
		sim_check_all();
		if (!sim_random(100))
			shim_grace_period();
	}
	shim_interlude = NULL;
	end();
}

static void start(void)
{
	sim_start();
	sim_reads = sim_echilds = 0;
	shim_rotate_ns = 100;
}

static void random_schedules_agree_with_the_reference(void **state)
{
	int steps = world_number("PMUCTL_STEPS", 1000000) * 2 / 3;

	(void)state;
	start();
	print_message("  seed %d, %d steps\n", world_number("PMUCTL_SEED", 20261201), steps);
	run(steps);
	/* Most groups could be read. */
	assert_true(sim_echilds * 4 < sim_reads);
}

/*
 * Whenever the core lets interrupts in, in the middle of an open, a close, a read, other CPUs go on
 * and the task that called is preempted. No time passes then, so the account stays exact.
 */
static void go_on(void)
{
	if (sim_random(4) || !sim_busy)
		return;
	switch (sim_random(sim_ordering ? 4 : 6)) {
	case 0:
	case 1:
		sim_step_switch();
		break;
	case 2:
		sim_step_fork();
		break;
	case 3:
		sim_step_move();
		break;
	case 4:
		sim_step_exit();
		break;
	case 5:
		sim_step_exec();
		break;
	}
}

static void calls_that_are_interrupted_agree_with_the_reference(void **state)
{
	int steps = world_number("PMUCTL_STEPS", 1000000) / 3;

	(void)state;
	start();
	shim_interlude = go_on;
	print_message("  seed %d, %d steps\n", world_number("PMUCTL_SEED", 20261201), steps);
	run(steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(random_schedules_agree_with_the_reference),
		TEST_RAW(calls_that_are_interrupted_agree_with_the_reference),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
