// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go, and the machine that sleeps. The dynamic online stage runs after in-tree perf has brought its own
 * registers to a known state, so what we write there stays.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/suspend.h>
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

/*
 * Registers do not survive a suspend. Every CPU gives up its counters before, and takes its
 * contexts in again after; those that are unplugged in between do so by themselves.
 */
static void cpu_down_here(void *unused)
{
	pmuctl_cpu_offline();
}

static void cpu_up_here(void *unused)
{
	pmuctl_cpu_online();
}

static int suspend_notify(struct notifier_block *block, unsigned long what, void *data)
{
	switch (what) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		on_each_cpu(cpu_down_here, NULL, true);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		on_each_cpu(cpu_up_here, NULL, true);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block suspend_block = { .notifier_call = suspend_notify };

int pmuctl_suspend_init(void)
{
	return register_pm_notifier(&suspend_block);
}

void pmuctl_suspend_exit(void)
{
	unregister_pm_notifier(&suspend_block);
}
