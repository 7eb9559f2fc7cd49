/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes: who of those that wait may go on, now that something changed. And rotation: who has been
 * on longest makes room for who has waited longest.
 */
#ifndef PMUCTL_PASS_H
#define PMUCTL_PASS_H

#include <pmuctl/cpu.h>

/*
 * End an entry into the core: on each PMU where somebody waits, put on what may go on. Visits only
 * groups with a chance: those whose watched class has come on, and the first in line.
 */
void __pmuctl_pass(struct pmuctl_cpu *cpu);

static inline void pmuctl_pass(struct pmuctl_cpu *cpu)
{
	if (unlikely(cpu->nr_waiting))
		__pmuctl_pass(cpu);
}

/* @class came on on this CPU: whoever watches it is to be looked at. */
void pmuctl_pass_wake(struct pmuctl_cpu *cpu, const struct pmuctl_class *class);

/* @pmu_ctx came in: whoever watches one of the classes that are on here is to be looked at. */
void pmuctl_pass_wake_all(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_cpu_pmu_ctx *cpc);

/* Take every group off that counts in @slot: a better one needs the counter. */
void pmuctl_pass_evict(struct pmuctl_cpu *cpu, struct pmuctl_slot *slot);

/*
 * The rotation timer of this CPU and PMU @index fired; interrupts off. False if nobody waits any
 * more: the timer may rest.
 */
bool pmuctl_rotate(int index);

#endif /* PMUCTL_PASS_H */
