/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroups on a CPU: the scopes of its context follow the cgroup of the task that runs.
 */
#ifndef PMUCTL_CGROUP_H
#define PMUCTL_CGROUP_H

#include <pmuctl/plat.h>

struct pmuctl_cpu;

/* Tasks of @next run here from now on. Interrupts off. */
void pmuctl_cgroup_switch(struct pmuctl_cpu *cpu, struct cgroup *next);

/* The scopes of @cgroup, and of those above it, come in. */
void __pmuctl_cgroup_in(struct pmuctl_cpu *cpu, struct cgroup *cgroup);

/* Tasks were moved between cgroups, perhaps the one that runs here. */
void pmuctl_cgroup_moved(void);

#endif /* PMUCTL_CGROUP_H */
