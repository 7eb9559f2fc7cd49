/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core keeps for each CPU: its own context, the context of the task that runs, and the
 * PMUs' slots.
 */
#ifndef PMUCTL_CPU_H
#define PMUCTL_CPU_H

#include <pmuctl/cgroup.h>
#include <pmuctl/ctx.h>
#include <pmuctl/slot.h>
#include <pmuctl/software.h>

/**
 * struct pmuctl_cpu - one CPU
 * @ctx:      the CPU's own context
 * @task_ctx: the context of the running task if it has one, else NULL
 * @next:     while tasks are being switched: who comes
 * @cgroup:   the cgroup whose scopes are in; compared, never followed
 * @seq:      raised at each entry into the core on this CPU; see struct pmuctl_slot.stamp
 * @now, @now_seq: the clock, and the entry in which it was read: it stands still within one
 * @software: what happened here
 * @nr_waiting: waiting groups of all PMUs' contexts that are in here
 * @pmus:     indexed by pmuctl_pmu.index; allocated when the PMU registers
 * @folding:  the fold timer runs
 * @online:   between pmuctl_cpu_online() and _offline(): contexts may come in
 *
 * Touched by its own CPU only, interrupts off, but for @ctx, which has a lock.
 */
struct pmuctl_cpu {
	struct pmuctl_ctx ctx;
	struct pmuctl_ctx *task_ctx;
	const struct task_struct *next;
	struct cgroup *cgroup;
	u64 seq;
	u64 now;
	u64 now_seq;
	struct pmuctl_software_counts software;
	u32 nr_waiting;
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

/* Nanoseconds of this CPU's clock, the same throughout an entry. */
static inline u64 pmuctl_cpu_now(struct pmuctl_cpu *cpu)
{
	if (cpu->now_seq != cpu->seq) {
		cpu->now = plat_clock();
		cpu->now_seq = cpu->seq;
	}
	return cpu->now;
}

/*
 * pmuctl_ctx_call() for who only looks: true if the context was here or nowhere, and @fn was called.
 * Short, and without a pass at its end.
 */
static inline bool pmuctl_ctx_look(struct pmuctl_ctx *ctx,
				   void (*fn)(struct pmuctl_ctx *ctx, void *arg), void *arg)
{
	unsigned long flags;
	bool ours;

	local_irq_save(flags);
	pmuctl_cpu_enter();
	raw_spin_lock(&ctx->lock);
	ours = pmuctl_ctx_is_ours(ctx);
	if (likely(ours)) {
		__pmuctl_ctx_update_time(ctx);
		fn(ctx, arg);
	}
	raw_spin_unlock(&ctx->lock);
	local_irq_restore(flags);
	return ours;
}

/* Does this CPU count software events? */
static inline bool pmuctl_cpu_counts_software(const struct pmuctl_cpu *cpu)
{
	return cpu->software.nr_used;
}

/* Before anything else: prepare every CPU that can exist. After everything: free what it held. */
void pmuctl_cpu_init_all(void);
void pmuctl_cpu_free_all(void);

/* Give every CPU its slots of @pmu. ENOMEM. While the module loads. */
int pmuctl_cpu_add_pmu(struct pmuctl_pmu *pmu);

/*
 * This CPU came up or goes down, or the machine went to sleep or woke; on that CPU, interrupts on
 * or off. Twice is as good as once.
 */
void pmuctl_cpu_online(void);
void pmuctl_cpu_offline(void);

/* The fold timer of this CPU fired; interrupts off. */
void pmuctl_cpu_fold(void);

/* Slots were filled or emptied: run the fold timer if and only if there is something to fold. */
void pmuctl_cpu_update_fold(struct pmuctl_cpu *cpu);

#endif /* PMUCTL_CPU_H */
