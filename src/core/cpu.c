// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs: coming up, going down, and the slow fold that keeps counters from wrapping unseen.
 */
#include <pmuctl/event.h>
#include <pmuctl/pass.h>

DEFINE_PER_CPU(struct pmuctl_cpu, pmuctl_cpus);

void pmuctl_cpu_init_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pmuctl_ctx_init(&per_cpu_ptr(&pmuctl_cpus, cpu)->ctx, NULL, cpu);
}

void pmuctl_cpu_free_all(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		struct pmuctl_cpu *this = per_cpu_ptr(&pmuctl_cpus, cpu);

		for (i = 0; i < PMUCTL_PMUS_MAX; i++)
			kfree(this->pmus[i]);
		pmuctl_scope_free(&this->ctx.main);
	}
}

int pmuctl_cpu_add_pmu(struct pmuctl_pmu *pmu)
{
	u32 nr = hweight64(pmu->counters);
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pmuctl_cpu_pmu_ctx *cpc;

		cpc = kzalloc_node(struct_size(cpc, slots, nr), GFP_KERNEL, cpu_to_node(cpu));
		if (!cpc)
			return -ENOMEM;
		cpc->pmu = pmu;
		cpc->nr_slots = nr;
		per_cpu_ptr(&pmuctl_cpus, cpu)->pmus[pmu->index] = cpc;
	}
	return 0;
}

void pmuctl_cpu_update_fold(struct pmuctl_cpu *cpu)
{
	u64 period = 0;
	int i;

	for (i = 0; i < pmuctl_nr_hardware; i++) {
		u64 wanted = pmuctl_pmu_fold_period(pmuctl_pmus[i]);

		if (cpu->pmus[i]->nr_used && (!period || wanted < period))
			period = wanted;
	}
	if (cpu->folding == !!period)
		return;
	cpu->folding = period;
	plat_fold_timer(period);
}

void pmuctl_cpu_fold(void)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();
	int i;

	for (i = 0; i < pmuctl_nr_pmus; i++)
		pmuctl_slot_fold_all(cpu->pmus[i]);
}

/*
 * No event is opened or closed meanwhile (plat_cpus_lock()), so who has events is settled; but
 * the lock of the context still orders us against its readers.
 */
void pmuctl_cpu_online(void)
{
	struct pmuctl_ctx *running;
	unsigned long flags;
	struct pmuctl_cpu *cpu;
	int i;

	local_irq_save(flags);
	cpu = pmuctl_cpu_enter();
	if (!cpu->online) {
		cpu->online = true;
		for (i = 0; i < pmuctl_nr_pmus; i++) {
			if (pmuctl_pmus[i]->nr_events)
				pmuctl_pmus[i]->ops->cpu_up(pmuctl_pmus[i]);
		}
		raw_spin_lock(&cpu->ctx.lock);
		__pmuctl_ctx_in(&cpu->ctx);
		raw_spin_unlock(&cpu->ctx.lock);
		pmuctl_pass(cpu);
		running = pmuctl_ctx_find(plat_current());
		if (running)
			pmuctl_ctx_enter_here(running);
	}
	local_irq_restore(flags);
}

static void pmu_down(struct pmuctl_cpu_pmu_ctx *cpc)
{
	pmuctl_slot_drop_all(cpc);
	if (cpc->rotating)
		plat_rotate_timer(cpc->pmu->index, false);
	cpc->rotating = false;
	if (cpc->pmu->nr_events)
		cpc->pmu->ops->cpu_down(cpc->pmu);
}

/* Tasks that still run here while the CPU goes down count no more until they run elsewhere. */
void pmuctl_cpu_offline(void)
{
	unsigned long flags;
	struct pmuctl_cpu *cpu;
	int i;

	local_irq_save(flags);
	cpu = pmuctl_cpu_enter();
	if (cpu->online) {
		cpu->online = false;
		if (cpu->task_ctx)
			__pmuctl_ctx_out(cpu->task_ctx);
		cpu->task_ctx = NULL;
		__pmuctl_ctx_out(&cpu->ctx);
		for (i = 0; i < pmuctl_nr_pmus; i++)
			pmu_down(cpu->pmus[i]);
		pmuctl_cpu_update_fold(cpu);
	}
	local_irq_restore(flags);
}
