// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go. The dynamic online stage runs after in-tree perf has brought its own
 * registers to a known state, so what we write there stays.
 */
#include <linux/cpuhotplug.h>
#include <pmuctl/cpu.h>
#include <pmuctl/module.h>

static enum cpuhp_state hotplug_state;

static int cpu_online_cb(unsigned int cpu)
{
	pmuctl_cpu_online();
	return 0;
}

static int cpu_offline_cb(unsigned int cpu)
{
	pmuctl_cpu_offline();
	return 0;
}

int pmuctl_hotplug_init(void)
{
	int state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "pmuctl:online", cpu_online_cb,
				      cpu_offline_cb);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

void pmuctl_hotplug_exit(void)
{
	cpuhp_remove_state(hotplug_state);
}
