/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of src/kern, as main.c puts them together and takes them apart.
 */
#ifndef PMUCTL_MODULE_H
#define PMUCTL_MODULE_H

/* Find the tracepoints; ENOENT if this kernel lacks one. They are not attached yet. */
int pmuctl_hooks_init(void);
void pmuctl_hooks_exit(void);

/* Follow CPUs that come and go; calls pmuctl_cpu_online() on each that is there. */
int pmuctl_hotplug_init(void);
void pmuctl_hotplug_exit(void);

/* Follow the machine to sleep and back. */
void pmuctl_suspend_init(void);
void pmuctl_suspend_exit(void);

/* Prepare the timers of all CPUs; make sure that none runs any more. */
void pmuctl_plat_init(void);
void pmuctl_plat_exit(void);

/* The device through which user space comes. EEXIST or EBUSY if its name is taken. */
int pmuctl_device_init(void);
void pmuctl_device_exit(void);

/* Why no hardware PMU is driven; empty if one is. Set while the module loads. */
extern struct pmuctl_msg pmuctl_no_pmu;

#endif /* PMUCTL_MODULE_H */
