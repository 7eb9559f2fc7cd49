/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core keeps for each CPU: its own context, the context of the task that runs, and the
 * PMUs' slots.
 */
#ifndef PMUCTL_CPU_H
#define PMUCTL_CPU_H

#include <pmuctl/ctx.h>
#include <pmuctl/slot.h>

/**
 * struct pmuctl_cpu - one CPU
 * @ctx:      the CPU's own context
 * @task_ctx: the context of the running task if it has one, else NULL
 * @seq:      raised at each entry into the core on this CPU; see struct pmuctl_slot.stamp
 * @pmus:     indexed by pmuctl_pmu.index; allocated when the PMU registers
 * @folding:  the fold timer runs
 * @online:   between pmuctl_cpu_online() and _offline(): contexts may come in
 *
 * Touched by its own CPU only, interrupts off, but for @ctx, which has a lock.
 */
struct pmuctl_cpu {
	struct pmuctl_ctx ctx;
	struct pmuctl_ctx *task_ctx;
	u64 seq;
	bool folding;
	bool online;
	struct pmuctl_cpu_pmu_ctx *pmus[PMUCTL_PMUS_MAX];
};

DECLARE_PER_CPU(struct pmuctl_cpu, pmuctl_cpus);

/* This CPU, at the start of an entry into the core: what was read before counts as old. */
static inline struct pmuctl_cpu *pmuctl_cpu_enter(void)
{
	struct pmuctl_cpu *cpu = this_cpu_ptr(&pmuctl_cpus);

	lockdep_assert_irqs_disabled();
	cpu->seq++;
	return cpu;
}

static inline struct pmuctl_cpu *pmuctl_cpu_this(void)
{
	return this_cpu_ptr(&pmuctl_cpus);
}

/* Before anything else: prepare every CPU that can exist. After everything: free what it held. */
void pmuctl_cpu_init_all(void);
void pmuctl_cpu_free_all(void);

/* Give every CPU its slots of @pmu. ENOMEM. While the module loads. */
int pmuctl_cpu_add_pmu(struct pmuctl_pmu *pmu);

/* This CPU came up or goes down; interrupts on, on that CPU. */
void pmuctl_cpu_online(void);
void pmuctl_cpu_offline(void);

/* The fold timer of this CPU fired; interrupts off. */
void pmuctl_cpu_fold(void);

/* Slots were filled or emptied: run the fold timer if and only if there is something to fold. */
void pmuctl_cpu_update_fold(struct pmuctl_cpu *cpu);

#endif /* PMUCTL_CPU_H */
