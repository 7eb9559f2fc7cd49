// SPDX-License-Identifier: GPL-2.0-only
/* Loading and unloading: puts the parts together, and takes them apart in reverse. */
#include <linux/module.h>
#include <pmuctl/arch.h>
#include <pmuctl/cpu.h>
#include <pmuctl/module.h>
#include <pmuctl/perm.h>

static int __init pmuctl_init(void)
{
	int err;

	err = pmuctl_hooks_init();
	if (err)
		return err;
	pmuctl_perm_init();
	pmuctl_plat_init();
	pmuctl_cpu_init_all();
	err = pmuctl_arch_init(&pmuctl_no_pmu);
	if (!err)
		err = pmuctl_pmu_register(&pmuctl_software);
	if (err)
		goto err_cpus;
	err = pmuctl_hotplug_init();
	if (err)
		goto err_cpus;
	pmuctl_suspend_init();
	err = pmuctl_device_init();
	if (err)
		goto err_suspend;

	if (pmuctl_nr_hardware)
		pr_info("pmuctl: %s PMU, %u general and %u fixed counters\n", pmuctl_pmus[0]->name,
			pmuctl_pmus[0]->nr_gp, pmuctl_pmus[0]->nr_fixed);
	else
		pr_info("pmuctl: no hardware PMU: %s\n", pmuctl_no_pmu.text);
	return 0;

err_suspend:
	pmuctl_suspend_exit();
	pmuctl_hotplug_exit();
err_cpus:
	pmuctl_cpu_free_all();
	return err;
}

/* No event file is open: each holds the module. So nobody needs a hook and no PMU is ours. */
static void __exit pmuctl_exit(void)
{
	pmuctl_device_exit();
	pmuctl_hooks_exit();
	pmuctl_suspend_exit();
	pmuctl_hotplug_exit();
	pmuctl_plat_exit();
	pmuctl_pmu_free_classes();
	pmuctl_cpu_free_all();
	/* Contexts may still wait for their grace period; their memory is not ours to leave behind. */
	rcu_barrier();
}

module_init(pmuctl_init);
module_exit(pmuctl_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The pmuctl authors");
MODULE_DESCRIPTION("Performance events with shared counters");
MODULE_VERSION("0.1.0");
