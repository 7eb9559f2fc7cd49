// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go, and the machine that sleeps. The dynamic online stage runs after in-tree perf has brought its own
 * registers to a known state, so what we write there stays.
 */
#include <linux/cpuhotplug.h>
#include <linux/syscore_ops.h>
#include <pmuctl/compat.h>
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
 * Registers do not survive a suspend. CPUs but the last are unplugged for it, and so give up their
 * counters by themselves; the last one does here, when nothing else runs any more. The PM notifier
 * would come too early and too late: tasks run before they are frozen and after they are thawed.
 */
static int suspend(PMUCTL_SYSCORE_ARGS)
{
	pmuctl_cpu_offline();
	return 0;
}

static void resume(PMUCTL_SYSCORE_ARGS)
{
	pmuctl_cpu_online();
}

static PMUCTL_SYSCORE(syscore, suspend, resume);

void pmuctl_suspend_init(void)
{
	register_syscore(&syscore);
}

void pmuctl_suspend_exit(void)
{
	unregister_syscore(&syscore);
}
