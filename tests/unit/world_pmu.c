// SPDX-License-Identifier: GPL-2.0-only
/* The simulated PMUs. They check what a backend may rely on, and judge nothing else. */
#include "world.h"

#include <pmuctl/arch.h>
#include <pmuctl/match.h>

/* As if the architecture had eight registers. */
const u64 pmuctl_arch_sample_regs = 0xff;

struct hw_counter {
	bool on;
	u64 kind;
	u64 value;
};

static struct hw_counter hw[2][SHIM_CPUS][64];

struct world_hw world_hw;

static int sim_acquire(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	if (world_hw.busy)
		return pmuctl_refuse(msg, -EBUSY, "somebody else has it. Wait");
	world_hw.acquired = true;
	return 0;
}

static void sim_release(struct pmuctl_pmu *pmu)
{
	int cpu;

	for_each_possible_cpu(cpu)
		SHIM_RULE(pmu != &world_pmu || !world_counters_on(cpu),
			  "nothing counts when the PMU is given back");
	if (pmu == &world_pmu)
		world_hw.acquired = false;
}

static bool sim_held_elsewhere(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	return world_hw.busy;
}

static int sim_classify(struct pmuctl_pmu *pmu, const struct perf_event_attr *attr,
			struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	u64 kind = attr->config & 0xff, mask = attr->config1 & 0xff;

	if (kind >= WORLD_KINDS)
		return pmuctl_refuse(msg, -ENOENT, "there is no such kind");
	key->config = kind | (attr->exclude_user ? 0 : 1ULL << 16) |
		      (attr->exclude_kernel ? 0 : 1ULL << 17);
	key->config1 = attr->config1;
	key->counters = (mask ?: ~0ULL) & pmu->counters;
	if (kind)
		key->counters &= ~(1ULL << PMUCTL_FIXED);
	if (!key->counters)
		return pmuctl_refuse(msg, -EINVAL, "no counter can count that");
	return 0;
}

static int sim_place(struct pmuctl_pmu *pmu, struct pmuctl_want *wants, int n)
{
	return pmuctl_match(wants, n);
}

static struct hw_counter *here(struct pmuctl_pmu *pmu, int counter)
{
	lockdep_assert_irqs_disabled();
	SHIM_RULE(pmu->nr_events, "hardware is touched only while it is ours");
	SHIM_RULE(pmu->counters & 1ULL << counter, "a counter that exists");
	return &hw[pmu->index][shim_cpu][counter];
}

static u64 sim_start(struct pmuctl_pmu *pmu, int counter, const struct pmuctl_class_key *key)
{
	struct hw_counter *c = here(pmu, counter);

	SHIM_RULE(!c->on, "a counter is stopped before it counts something else");
	SHIM_RULE(key->counters & 1ULL << counter, "a class is on a counter that can count it");
	*c = (struct hw_counter){ true, key->config & 0xff, pmuctl_pmu_start_value(pmu, counter) };
	world_hw.starts++;
	return c->value;
}

static void sim_stop(struct pmuctl_pmu *pmu, int counter)
{
	struct hw_counter *c = &hw[pmu->index][shim_cpu][counter];

	lockdep_assert_irqs_disabled();
	SHIM_RULE(c->on, "a counter is stopped once");
	c->on = false;
	world_hw.stops++;
}

static u64 sim_raw(struct pmuctl_pmu *pmu, int counter)
{
	world_hw.raws++;
	return here(pmu, counter)->value & pmuctl_pmu_mask(pmu, counter);
}

/* The other way to read: by an instruction that knows no PMU, only a number. */
static u32 sim_index(struct pmuctl_pmu *pmu, int counter)
{
	return pmu->index << 8 | counter;
}

u64 plat_read_counter(u32 index)
{
	struct pmuctl_pmu *pmu = pmuctl_pmus[index >> 8];

	return sim_raw(pmu, index & 0xff);
}

static void sim_cpu(struct pmuctl_pmu *pmu)
{
	SHIM_RULE(pmu != &world_pmu || !world_counters_on(shim_cpu),
		  "nothing counts on a CPU that comes or goes");
}

static const struct pmuctl_pmu_ops sim_ops = {
	.acquire = sim_acquire,
	.release = sim_release,
	.held_elsewhere = sim_held_elsewhere,
	.classify = sim_classify,
	.place = sim_place,
	.start = sim_start,
	.stop = sim_stop,
	.raw = sim_raw,
	.cpu_up = sim_cpu,
	.cpu_down = sim_cpu,
};

/* world_setup() completes it from the other. */
static struct pmuctl_pmu_ops index_ops;

void world_pmu_use_index(bool yes)
{
	index_ops = sim_ops;
	index_ops.index = sim_index;
	world_pmu.ops = yes ? &index_ops : &sim_ops;
}

struct pmuctl_pmu world_pmu = {
	.name = "sim",
	.type = PERF_TYPE_RAW,
	.ops = &sim_ops,
	.nr_gp = WORLD_GP,
	.nr_fixed = 1,
	.width_gp = WORLD_WIDTH,
	.width_fixed = WORLD_WIDTH,
	.counters = ((1ULL << WORLD_GP) - 1) | 1ULL << PMUCTL_FIXED,
};

struct pmuctl_pmu world_second = {
	.name = "second",
	.type = WORLD_SECOND_TYPE,
	.ops = &sim_ops,
	.nr_gp = 2,
	.width_gp = WORLD_WIDTH,
	.counters = 3,
};

int world_counters_on(int cpu)
{
	int i, n = 0;

	for (i = 0; i < 64; i++)
		n += hw[0][cpu][i].on;
	return n;
}

void world_pmu_reset(void)
{
	memset(hw, 0, sizeof(hw));
	memset(&world_hw, 0, sizeof(world_hw));
}

u64 world_amount(int cpu, int kind, u64 n)
{
	return (kind + 1) * n + cpu;
}

u64 world_pmu_count(int cpu, u64 n)
{
	u64 most = 0;
	int pmu, i;

	for (pmu = 0; pmu < ARRAY_SIZE(hw); pmu++) {
		for (i = 0; i < 64; i++) {
			struct hw_counter *c = &hw[pmu][cpu][i];
			u64 amount = world_amount(cpu, c->kind, n);

			if (!c->on)
				continue;
			c->value += amount;
			most = max(most, amount);
		}
	}
	return most;
}
