// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots of one CPU: which class is on which counter, and what it has counted.
 *
 * Runs with interrupts off on the CPU whose slots they are; allocates nothing.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/slot.h>

/* Read the counter and add what came since the last time; differences survive a wrap. */
static void fold(struct pmuctl_pmu *pmu, struct pmuctl_slot *slot)
{
	u64 raw = pmu->ops->raw(pmu, slot->counter);

	slot->total += (raw - slot->raw) & pmuctl_pmu_mask(pmu, slot->counter);
	slot->raw = raw;
}

u64 pmuctl_slot_read(struct pmuctl_slot *slot)
{
	u64 seq = pmuctl_cpu_this()->seq;

	if (slot->stamp != seq) {
		fold(slot->class->pmu, slot);
		slot->stamp = seq;
	}
	return slot->total;
}

void pmuctl_slot_unuse(struct pmuctl_slot *slot)
{
	WARN_ON_ONCE(!slot->users);
	if (!--slot->users)
		slot->left = pmuctl_cpu_this()->seq;
}

static void start(struct pmuctl_pmu *pmu, struct pmuctl_slot *slot, int counter)
{
	slot->counter = counter;
	slot->raw = pmuctl_pmu_start_value(pmu, counter);
	pmu->ops->start(pmu, counter, &slot->class->key);
}

static void fill(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot,
		 struct pmuctl_class *class, int counter)
{
	*slot = (struct pmuctl_slot){ .class = class, .stamp = pmuctl_cpu_this()->seq };
	class->slots[smp_processor_id()] = slot;
	cpc->nr_used++;
	start(cpc->pmu, slot, counter);
}

static void drop(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot)
{
	WARN_ON_ONCE(slot->users);
	cpc->pmu->ops->stop(cpc->pmu, slot->counter);
	slot->class->slots[smp_processor_id()] = NULL;
	slot->class = NULL;
	cpc->nr_used--;
}

static bool plan_add(struct pmuctl_plan *plan, struct pmuctl_class *class, struct pmuctl_slot *slot)
{
	if (plan->n == PMUCTL_COUNTERS_MAX)
		return false;
	plan->wants[plan->n] = (struct pmuctl_want){
		.counters = class->key.counters,
		.current_counter = slot ? slot->counter : -1,
	};
	plan->slots[plan->n] = slot;
	plan->classes[plan->n] = class;
	plan->n++;
	return true;
}

/* Must the slot stay, because a context uses it or its class is among those to be placed? */
static bool must_stay(const struct pmuctl_slot *slot, struct pmuctl_class *const *classes, int n)
{
	int i;

	if (slot->users)
		return true;
	for (i = 0; i < n; i++) {
		if (classes[i] == slot->class)
			return true;
	}
	return false;
}

/*
 * A plan with the wanted classes, all slots that must stay, and the idle slots left after @since.
 */
static bool plan_make(struct pmuctl_plan *plan, struct pmuctl_cpu_pmu_ctx *cpc,
		      struct pmuctl_class *const *classes, int n, u64 since)
{
	int cpu = smp_processor_id();
	u32 i;

	plan->n = 0;
	for (i = 0; i < cpc->nr_slots; i++) {
		struct pmuctl_slot *slot = &cpc->slots[i];

		if (!slot->class)
			continue;
		if (!must_stay(slot, classes, n) && slot->left <= since)
			continue;
		if (!plan_add(plan, slot->class, slot))
			return false;
	}
	for (i = 0; i < n; i++) {
		if (!classes[i]->slots[cpu] && !plan_add(plan, classes[i], NULL))
			return false;
	}
	return !cpc->pmu->ops->place(cpc->pmu, plan->wants, plan->n);
}

/* The earliest time at which an idle slot that is still in the running was left; 0 if none is. */
static u64 oldest_idle(const struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes,
		       int n, u64 since)
{
	u64 oldest = 0;
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		const struct pmuctl_slot *slot = &cpc->slots[i];

		if (!slot->class || must_stay(slot, classes, n) || slot->left <= since)
			continue;
		if (!oldest || slot->left < oldest)
			oldest = slot->left;
	}
	return oldest;
}

static bool plan_keeps(const struct pmuctl_plan *plan, const struct pmuctl_slot *slot)
{
	int i;

	for (i = 0; i < plan->n; i++) {
		if (plan->slots[i] == slot)
			return true;
	}
	return false;
}

static struct pmuctl_slot *free_slot(struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		if (!cpc->slots[i].class)
			return &cpc->slots[i];
	}
	return NULL;
}

/* Stop all that leaves or moves before anything starts: two classes must never share a counter. */
static void plan_carry_out(const struct pmuctl_plan *plan, struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		struct pmuctl_slot *slot = &cpc->slots[i];

		if (slot->class && !plan_keeps(plan, slot))
			drop(cpc, slot);
	}
	for (i = 0; i < plan->n; i++) {
		struct pmuctl_slot *slot = plan->slots[i];

		if (!slot || slot->counter == plan->wants[i].counter)
			continue;
		cpc->pmu->ops->stop(cpc->pmu, slot->counter);
		fold(cpc->pmu, slot);
		slot->counter = -1;
	}
	for (i = 0; i < plan->n; i++) {
		struct pmuctl_slot *slot = plan->slots[i];

		if (!slot)
			fill(cpc, free_slot(cpc), plan->classes[i], plan->wants[i].counter);
		else if (slot->counter < 0)
			start(cpc->pmu, slot, plan->wants[i].counter);
	}
}

static bool all_placed(struct pmuctl_class *const *classes, int n)
{
	int i, cpu = smp_processor_id();

	for (i = 0; i < n; i++) {
		if (!classes[i]->slots[cpu])
			return false;
	}
	return true;
}

int pmuctl_slot_place(struct pmuctl_pmu *pmu, struct pmuctl_class *const *classes, int n)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();
	struct pmuctl_cpu_pmu_ctx *cpc = cpu->pmus[pmu->index];
	struct pmuctl_plan *plan = &cpc->plan;
	u64 since = 0;

	if (all_placed(classes, n))
		return 0;
	while (!plan_make(plan, cpc, classes, n, since)) {
		since = oldest_idle(cpc, classes, n, since);
		if (!since)
			return -EAGAIN;
	}
	plan_carry_out(plan, cpc);
	pmuctl_cpu_update_fold(cpu);
	return 0;
}

void pmuctl_slot_drop_idle(struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		struct pmuctl_slot *slot = &cpc->slots[i];

		if (slot->class && !slot->users && !slot->class->nr_events)
			drop(cpc, slot);
	}
}

void pmuctl_slot_drop_all(struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		if (cpc->slots[i].class)
			drop(cpc, &cpc->slots[i]);
	}
}

void pmuctl_slot_fold_all(struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		if (cpc->slots[i].class)
			pmuctl_slot_read(&cpc->slots[i]);
	}
}
