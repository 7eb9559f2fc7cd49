// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots of one CPU: which class is on which counter, and what it has counted.
 *
 * Runs with interrupts off on the CPU whose slots they are; allocates nothing.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/pass.h>

u64 pmuctl_slot_read(struct pmuctl_slot *slot)
{
	return __pmuctl_slot_read(slot, pmuctl_cpu_this()->seq);
}

void pmuctl_slot_unuse(struct pmuctl_slot *slot, enum pmuctl_level level)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();

	WARN_ON_ONCE(!slot->users[level]);
	if (--slot->users[level])
		return;
	cpu->pmus[slot->class->pmu->index]->freed[level]++;
	slot->left = cpu->seq;
}

int pmuctl_slot_level(const struct pmuctl_slot *slot)
{
	int level = 0;

	while (level < PMUCTL_LEVELS && !slot->users[level])
		level++;
	return level;
}

u64 pmuctl_slot_freed(const struct pmuctl_cpu_pmu_ctx *cpc, int level)
{
	u64 sum = 0;

	for (; level >= 0; level--)
		sum += cpc->freed[level];
	return sum;
}

u32 pmuctl_slot_count_used(const struct pmuctl_cpu_pmu_ctx *cpc, int level)
{
	u32 i, n = 0;

	for (i = 0; i < cpc->nr_slots; i++)
		n += cpc->slots[i].class && pmuctl_slot_level(&cpc->slots[i]) <= level;
	return n;
}

/* ---- starting and stopping ---- */

static void start(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot, int counter)
{
	slot->counter = counter;
	slot->mask = pmuctl_pmu_mask(cpc->pmu, counter);
	slot->index = cpc->pmu->ops->index ? cpc->pmu->ops->index(cpc->pmu, counter) : 0;
	slot->raw = cpc->pmu->ops->start(cpc->pmu, counter, &slot->class->key);
	cpc->nr_starts++;
}

static void stop(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot)
{
	cpc->pmu->ops->stop(cpc->pmu, slot->counter);
	cpc->nr_stops++;
}

static void fill(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot,
		 struct pmuctl_class *class, int counter)
{
	*slot = (struct pmuctl_slot){ .class = class, .stamp = pmuctl_cpu_this()->seq };
	class->slots[smp_processor_id()] = slot;
	cpc->nr_used++;
	start(cpc, slot, counter);
	pmuctl_pass_wake(pmuctl_cpu_this(), class);
}

static void drop(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot)
{
	WARN_ON_ONCE(pmuctl_slot_level(slot) < PMUCTL_LEVELS);
	stop(cpc, slot);
	slot->class->slots[smp_processor_id()] = NULL;
	slot->class = NULL;
	cpc->nr_used--;
}

/* ---- planning ---- */

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

/* A plan with the wanted classes and all slots but those in @gone. */
static bool plan_make(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes, int n,
		      u64 gone)
{
	struct pmuctl_plan *plan = &cpc->plan;
	int cpu = smp_processor_id();
	u32 i;

	plan->n = 0;
	plan->gone = gone;
	for (i = 0; i < cpc->nr_slots; i++) {
		struct pmuctl_slot *slot = &cpc->slots[i];

		if (slot->class && !(gone & 1ULL << i) && !plan_add(plan, slot->class, slot))
			return false;
	}
	for (i = 0; i < n; i++) {
		if (!classes[i]->slots[cpu] && !plan_add(plan, classes[i], NULL))
			return false;
	}
	return !cpc->pmu->ops->place(cpc->pmu, plan->wants, plan->n);
}

static bool is_wanted(const struct pmuctl_slot *slot, struct pmuctl_class *const *classes, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (classes[i] == slot->class)
			return true;
	}
	return false;
}

/*
 * Of two slots, the one that is given up first: the worse used; of idle ones the longer left; of
 * others the one which nobody has joined for longer, so that what many share is not the first to go.
 */
static bool goes_first(const struct pmuctl_slot *a, const struct pmuctl_slot *b)
{
	int level_a = pmuctl_slot_level(a), level_b = pmuctl_slot_level(b);

	if (level_a != level_b)
		return level_a > level_b;
	return level_a == PMUCTL_LEVELS ? a->left < b->left : a->joined < b->joined;
}

/* The next slot to give up of those that are not in @gone and may be: its bit, or 0. */
static u64 next_gone(const struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes,
		     int n, int level, u64 gone)
{
	const struct pmuctl_slot *next = NULL;
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		const struct pmuctl_slot *slot = &cpc->slots[i];

		if (!slot->class || gone & 1ULL << i || is_wanted(slot, classes, n) ||
		    pmuctl_slot_level(slot) <= level)
			continue;
		if (!next || goes_first(slot, next))
			next = slot;
	}
	return next ? 1ULL << (next - cpc->slots) : 0;
}

/* Constraints may have made us give up a slot in vain: whose users need not go, stays. */
static void plan_spare(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes, int n)
{
	u64 gone = cpc->plan.gone;
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		u64 bit = 1ULL << i;

		if (gone & bit && pmuctl_slot_level(&cpc->slots[i]) < PMUCTL_LEVELS &&
		    plan_make(cpc, classes, n, gone & ~bit))
			gone &= ~bit;
	}
	plan_make(cpc, classes, n, gone);
}

/* Give up one slot after the other until the classes fit. */
static bool plan_room(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes, int n,
		      int level)
{
	u64 gone = 0;

	while (!plan_make(cpc, classes, n, gone)) {
		u64 next = next_gone(cpc, classes, n, level, gone);

		if (!next)
			return false;
		gone |= next;
	}
	return true;
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

/* Who counts in a slot that is given up is taken off; then the slot is free. */
static void empty(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_slot *slot)
{
	if (pmuctl_slot_level(slot) < PMUCTL_LEVELS)
		pmuctl_pass_evict(pmuctl_cpu_this(), slot);
	drop(cpc, slot);
}

/* Stop all that leaves or moves before anything starts: two classes must never share a counter. */
static void plan_carry_out(struct pmuctl_cpu_pmu_ctx *cpc)
{
	const struct pmuctl_plan *plan = &cpc->plan;
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		if (plan->gone & 1ULL << i)
			empty(cpc, &cpc->slots[i]);
	}
	for (i = 0; i < plan->n; i++) {
		struct pmuctl_slot *slot = plan->slots[i];

		if (!slot || slot->counter == plan->wants[i].counter)
			continue;
		stop(cpc, slot);
		pmuctl_slot_fold(slot);
		slot->counter = -1;
	}
	for (i = 0; i < plan->n; i++) {
		struct pmuctl_slot *slot = plan->slots[i];

		if (!slot)
			fill(cpc, free_slot(cpc), plan->classes[i], plan->wants[i].counter);
		else if (slot->counter < 0)
			start(cpc, slot, plan->wants[i].counter);
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

int pmuctl_slot_place(struct pmuctl_cpu_pmu_ctx *cpc, struct pmuctl_class *const *classes, int n,
		      int level)
{
	if (all_placed(classes, n))
		return 0;
	if (!plan_room(cpc, classes, n, level))
		return -EAGAIN;
	plan_spare(cpc, classes, n);
	plan_carry_out(cpc);
	pmuctl_cpu_update_fold(pmuctl_cpu_this());
	return 0;
}

/* ---- of whole CPUs ---- */

void pmuctl_slot_drop_idle(struct pmuctl_cpu_pmu_ctx *cpc)
{
	u32 i;

	for (i = 0; i < cpc->nr_slots; i++) {
		struct pmuctl_slot *slot = &cpc->slots[i];

		if (slot->class && pmuctl_slot_level(slot) == PMUCTL_LEVELS &&
		    !atomic_read(&slot->class->nr_events))
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
