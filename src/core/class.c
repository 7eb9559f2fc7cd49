// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classes: found by hash when an event opens, so that nothing is ever compared while scheduling.
 *
 * A class whose last event closed stays for a while, its counters running: tools open the same
 * events again and again, and then find everything in place. Who needs the room reaps the idle.
 */
#include <pmuctl/class.h>
#include <pmuctl/cpu.h>

/* Idle classes kept; each costs memory in proportion to the number of CPUs. */
#define IDLE_MAX 64

static u64 last_id;	/* under pmuctl_open_mutex */

static struct hlist_head *bucket(struct pmuctl_pmu *pmu, const struct pmuctl_class_key *key)
{
	u64 mixed = key->config ^ (key->config1 * 0x9e3779b97f4a7c15ULL);

	return &pmu->classes[hash_64(mixed, PMUCTL_CLASS_HASH_BITS)];
}

static struct pmuctl_class *find(struct pmuctl_pmu *pmu, const struct pmuctl_class_key *key)
{
	struct pmuctl_class *class;

	hlist_for_each_entry(class, bucket(pmu, key), node) {
		if (class->key.config == key->config && class->key.config1 == key->config1)
			return class;
	}
	return NULL;
}

static struct pmuctl_class *create(struct pmuctl_pmu *pmu, const struct pmuctl_class_key *key)
{
	struct pmuctl_class *class;

	if (atomic_read(&pmu->nr_idle) >= IDLE_MAX)
		pmuctl_class_reap(pmu);
	class = kzalloc(struct_size(class, slots, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!class)
		return NULL;
	class->pmu = pmu;
	class->key = *key;
	class->id = ++last_id;
	hlist_add_head(&class->node, bucket(pmu, key));
	atomic_inc(&pmu->nr_idle);
	return class;
}

struct pmuctl_class *pmuctl_class_get(struct pmuctl_pmu *pmu, const struct pmuctl_class_key *key)
{
	struct pmuctl_class *class = find(pmu, key);

	lockdep_assert_held(&pmuctl_open_mutex);
	if (!class)
		class = create(pmu, key);
	if (class)
		pmuctl_class_hold(class);
	return class;
}

void pmuctl_class_hold(struct pmuctl_class *class)
{
	if (atomic_inc_return(&class->nr_events) == 1)
		atomic_dec(&class->pmu->nr_idle);
}

void pmuctl_class_put(struct pmuctl_class *class)
{
	struct pmuctl_pmu *pmu = class->pmu;

	if (atomic_dec_and_test(&class->nr_events))
		atomic_inc(&pmu->nr_idle);
}

u32 pmuctl_class_count(const struct pmuctl_pmu *pmu)
{
	const struct pmuctl_class *class;
	u32 i, n = 0;

	lockdep_assert_held(&pmuctl_open_mutex);
	for (i = 0; i < ARRAY_SIZE(pmu->classes); i++) {
		hlist_for_each_entry(class, &pmu->classes[i], node)
			n += atomic_read(&class->nr_events) > 0;
	}
	return n;
}

static void drop_idle_slots(void *arg)
{
	struct pmuctl_pmu *pmu = arg;
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();

	pmuctl_slot_drop_idle(cpu->pmus[pmu->index]);
	pmuctl_cpu_update_fold(cpu);
}

/*
 * Only who holds pmuctl_open_mutex makes events of a class that has none, so what is idle stays so.
 * What becomes idle meanwhile may still have slots: it is left for the next time.
 */
void pmuctl_class_reap(struct pmuctl_pmu *pmu)
{
	struct pmuctl_class *class;
	struct hlist_node *next;
	HLIST_HEAD(idle);
	int i;

	lockdep_assert_held(&pmuctl_open_mutex);
	if (!atomic_read(&pmu->nr_idle))
		return;
	for (i = 0; i < ARRAY_SIZE(pmu->classes); i++) {
		hlist_for_each_entry_safe(class, next, &pmu->classes[i], node) {
			if (atomic_read(&class->nr_events))
				continue;
			hlist_del(&class->node);
			hlist_add_head(&class->node, &idle);
		}
	}
	/* A CPU that is offline has no slots: pmuctl_cpu_offline() dropped them. */
	plat_call_all(drop_idle_slots, pmu);
	hlist_for_each_entry_safe(class, next, &idle, node) {
		kfree(class);
		atomic_dec(&pmu->nr_idle);
	}
}
