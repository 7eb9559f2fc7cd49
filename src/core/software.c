// SPDX-License-Identifier: GPL-2.0-only
/*
 * Software events. Page faults are not counted by us at all: the kernel keeps them for each task,
 * and differences of that follow the task through the CPUs. Migrations are noted in a bit by task
 * until it runs again; two tasks may share a bit, which can give one's migration to the other.
 */
#include <pmuctl/cpu.h>

#define ID(name) PERF_COUNT_SW_##name

#define MIGRATED_BITS 16
static unsigned long migrated[BITS_TO_LONGS(1 << MIGRATED_BITS)];

static u64 page_faults(const struct pmuctl_software_counts *counts, bool minor, bool major)
{
	u64 sum = 0;

	if (minor)
		sum += counts->minor + plat_task_faults(counts->task, false) - counts->minor_base;
	if (major)
		sum += counts->major + plat_task_faults(counts->task, true) - counts->major_base;
	return sum;
}

static u64 raw(struct pmuctl_pmu *pmu, int id)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();
	const struct pmuctl_software_counts *counts = &cpu->software;

	switch (id) {
	case ID(CPU_CLOCK):
	case ID(TASK_CLOCK):
		return pmuctl_cpu_now(cpu);
	case ID(CONTEXT_SWITCHES):
		return counts->switches;
	case ID(CPU_MIGRATIONS):
		return counts->migrations;
	case ID(CGROUP_SWITCHES):
		return counts->cgroup_switches;
	case ID(PAGE_FAULTS):
		return page_faults(counts, true, true);
	case ID(PAGE_FAULTS_MIN):
		return page_faults(counts, true, false);
	case ID(PAGE_FAULTS_MAJ):
		return page_faults(counts, false, true);
	default:
		return 0;
	}
}

static void rebase(struct pmuctl_software_counts *counts, const struct task_struct *task)
{
	counts->task = task;
	counts->minor_base = plat_task_faults(task, false);
	counts->major_base = plat_task_faults(task, true);
}

static void collect_faults(struct pmuctl_software_counts *counts)
{
	counts->minor = page_faults(counts, true, false);
	counts->major = page_faults(counts, false, true);
}

/* The first counter makes this CPU follow its tasks; until then nobody did. */
static u64 start(struct pmuctl_pmu *pmu, int id, const struct pmuctl_class_key *key)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();

	if (!cpu->software.nr_used++)
		rebase(&cpu->software, cpu->next ?: plat_current());
	return raw(pmu, id);
}

static void stop(struct pmuctl_pmu *pmu, int id)
{
	pmuctl_cpu_this()->software.nr_used--;
}

static int acquire(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	return 0;
}

static void release(struct pmuctl_pmu *pmu)
{
}

static bool held_elsewhere(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	return false;
}

/* Every event has a counter of its own. */
static int place(struct pmuctl_pmu *pmu, struct pmuctl_want *wants, int n)
{
	int i;

	for (i = 0; i < n; i++)
		wants[i].counter = __ffs64(wants[i].counters);
	return 0;
}

static void cpu_updown(struct pmuctl_pmu *pmu)
{
}

static bool happens_in_kernel(u64 id)
{
	return id == ID(CONTEXT_SWITCHES) || id == ID(CPU_MIGRATIONS) || id == ID(CGROUP_SWITCHES);
}

static bool is_fault(u64 id)
{
	return id == ID(PAGE_FAULTS) || id == ID(PAGE_FAULTS_MIN) || id == ID(PAGE_FAULTS_MAJ);
}

static int classify(struct pmuctl_pmu *pmu, const struct perf_event_attr *attr,
		    struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	u64 id = attr->config;

	if (id >= 64 || !(pmu->counters & 1ULL << id))
		return pmuctl_refuse(msg, -ENOENT, "there is no software event %llu, or it is not "
				     "for counting", id);
	if (is_fault(id) && attr->exclude_user && !attr->exclude_kernel)
		return pmuctl_refuse(msg, -EOPNOTSUPP, "page faults are counted by task, in user "
				     "space and in the kernel together. Clear exclude_user "
				     "(modifier :k)");
	/* What happens in the kernel alone does not happen to who excludes it. */
	if (attr->exclude_kernel && happens_in_kernel(id))
		id = ID(DUMMY);
	key->config = id;
	key->counters = 1ULL << id;
	return 0;
}

static const struct pmuctl_pmu_ops ops = {
	.acquire = acquire,
	.release = release,
	.held_elsewhere = held_elsewhere,
	.classify = classify,
	.place = place,
	.start = start,
	.stop = stop,
	.raw = raw,
	.cpu_up = cpu_updown,
	.cpu_down = cpu_updown,
};

struct pmuctl_pmu pmuctl_software = {
	.name = "software",
	.type = PERF_TYPE_SOFTWARE,
	.ops = &ops,
	.width_gp = 64,
	.counters = 1ULL << ID(CPU_CLOCK) | 1ULL << ID(TASK_CLOCK) | 1ULL << ID(PAGE_FAULTS) |
		    1ULL << ID(CONTEXT_SWITCHES) | 1ULL << ID(CPU_MIGRATIONS) |
		    1ULL << ID(PAGE_FAULTS_MIN) | 1ULL << ID(PAGE_FAULTS_MAJ) |
		    1ULL << ID(ALIGNMENT_FAULTS) | 1ULL << ID(EMULATION_FAULTS) |
		    1ULL << ID(DUMMY) | 1ULL << ID(BPF_OUTPUT) | 1ULL << ID(CGROUP_SWITCHES),
};

/* ---- what happens ---- */

void pmuctl_software_switch(struct pmuctl_cpu *cpu, const struct task_struct *prev,
			    const struct task_struct *next)
{
	struct pmuctl_software_counts *counts = &cpu->software;

	counts->switches++;
	if (plat_task_cgroup(prev) != plat_task_cgroup(next))
		counts->cgroup_switches++;
	collect_faults(counts);
	rebase(counts, next);
}

static u32 bit_of(const struct task_struct *task)
{
	return hash_ptr((void *)task, MIGRATED_BITS);
}

/* It counts where the task arrives, once however often it moved before it ran. */
void pmuctl_software_arrive(struct pmuctl_cpu *cpu, const struct task_struct *next)
{
	if (test_and_clear_bit(bit_of(next), migrated))
		cpu->software.migrations++;
}

void pmuctl_software_migrate(const struct task_struct *task)
{
	if (pmuctl_software.nr_events)
		set_bit(bit_of(task), migrated);
}
