// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of PMUs, and the taking and giving back of their hardware as events come and go.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/pmu.h>

struct pmuctl_pmu *pmuctl_pmus[PMUCTL_PMUS_MAX];
int pmuctl_nr_pmus;
int pmuctl_nr_hardware;

DEFINE_MUTEX(pmuctl_open_mutex);

int pmuctl_pmu_register(struct pmuctl_pmu *pmu)
{
	int err;

	if (pmuctl_nr_pmus == PMUCTL_PMUS_MAX)
		return -ENOSPC;
	pmu->index = pmuctl_nr_pmus;
	err = pmuctl_cpu_add_pmu(pmu);
	if (err)
		return err;
	pmuctl_pmus[pmuctl_nr_pmus++] = pmu;
	pmuctl_nr_hardware += pmu != &pmuctl_software;
	return 0;
}

struct pmuctl_pmu *pmuctl_pmu_find(struct perf_event_attr *attr)
{
	u32 type = attr->type;
	int i;

	/* Generic events are the core PMU's, the first; or that of the type they name. */
	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE) {
		type = attr->config >> PERF_PMU_TYPE_SHIFT;
		attr->config &= PERF_HW_EVENT_MASK;
		if (!type)
			return pmuctl_nr_hardware ? pmuctl_pmus[0] : NULL;
	}

	for (i = 0; i < pmuctl_nr_pmus; i++) {
		if (pmuctl_pmus[i]->type == type)
			return pmuctl_pmus[i];
	}
	return NULL;
}

/*
 * No event happens more than 64 times a nanosecond (a dozen instructions a cycle at 5 GHz). A
 * minute is slow enough to cost nothing, a tenth of a millisecond is the least a timer is asked for.
 */
#define EVENTS_PER_NS_LOG2	6
#define FOLD_PERIOD_MAX_NS	(60ULL * 1000 * 1000 * 1000)
#define FOLD_PERIOD_MIN_NS	(100ULL * 1000)

u64 pmuctl_pmu_fold_period(const struct pmuctl_pmu *pmu)
{
	u32 width = pmu->width_gp;

	if (pmu->nr_fixed)
		width = min(width, pmu->width_fixed);
	if (width <= EVENTS_PER_NS_LOG2 + 1)
		return FOLD_PERIOD_MIN_NS;
	return clamp_t(u64, 1ULL << (width - 1 - EVENTS_PER_NS_LOG2), FOLD_PERIOD_MIN_NS,
		       FOLD_PERIOD_MAX_NS);
}

int pmuctl_pmu_get(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	int err;

	lockdep_assert_held(&pmuctl_open_mutex);
	if (!pmu->nr_events) {
		err = pmu->ops->acquire(pmu, msg);
		if (err)
			return err;
	}
	pmu->nr_events++;
	return 0;
}

/* No event is left that could use a slot; a class may still be waiting for its last reference. */
static void drop_slots(void *arg)
{
	struct pmuctl_pmu *pmu = arg;
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();

	pmuctl_slot_drop_all(cpu->pmus[pmu->index]);
	pmuctl_cpu_update_fold(cpu);
}

void pmuctl_pmu_put(struct pmuctl_pmu *pmu)
{
	lockdep_assert_held(&pmuctl_open_mutex);
	if (--pmu->nr_events)
		return;
	plat_call_all(drop_slots, pmu);
	pmuctl_class_reap(pmu);
	pmu->ops->release(pmu);
}

void pmuctl_pmu_free_classes(void)
{
	int i;

	mutex_lock(&pmuctl_open_mutex);
	for (i = 0; i < pmuctl_nr_pmus; i++)
		pmuctl_class_reap(pmuctl_pmus[i]);
	mutex_unlock(&pmuctl_open_mutex);
}
