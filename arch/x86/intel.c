// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel architectural performance monitoring, versions 2 to 5 (SDM vol. 3B, chapter 20): probing,
 * taking the PMU, and starting and stopping one counter.
 *
 * While the PMU is ours IA32_PERF_GLOBAL_CTRL has every counter enabled and stays as it is: a
 * counter is started and stopped by its own selector, so that one register is written, not two.
 */
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include <pmuctl/match.h>
#include <linux/pmuctl.h>
#include "x86.h"

u32 pmuctl_intel_missing;

/**
 * struct intel_cpu - what we keep of one CPU while the PMU is ours; its own CPU only
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL as we wrote it
 * @saved_global_ctrl, @saved_fixed_ctrl, @saved_lvtpc: what was there before
 */
struct intel_cpu {
	u64 fixed_ctrl;
	u64 saved_global_ctrl;
	u64 saved_fixed_ctrl;
	u32 saved_lvtpc;
};

static DEFINE_PER_CPU(struct intel_cpu, intel_cpus);

static struct pmuctl_pmu intel_pmu;

/* ---- counters ---- */

static bool is_fixed(int counter)
{
	return counter >= PMUCTL_FIXED;
}

static u32 value_msr(const struct pmuctl_pmu *pmu, int counter)
{
	if (is_fixed(counter))
		return MSR_FIXED_CTR0 + counter - PMUCTL_FIXED;
	if (pmu->features & PMUCTL_PMU_FULL_WIDTH)
		return MSR_FULL_PERFCTR0 + counter;
	return MSR_PERFCTR0 + counter;
}

static void write_fixed_ctrl(int counter, u64 field)
{
	struct intel_cpu *cpu = this_cpu_ptr(&intel_cpus);
	u32 shift = (counter - PMUCTL_FIXED) * FIXED_BITS;

	cpu->fixed_ctrl &= ~(0xfULL << shift);
	cpu->fixed_ctrl |= field << shift;
	wrmsrq(MSR_FIXED_CTRL, cpu->fixed_ctrl);
}

static u64 fixed_field(u64 config)
{
	return (config & EVENTSEL_OS ? FIXED_OS : 0) | (config & EVENTSEL_USR ? FIXED_USR : 0);
}

/*
 * Without full-width writes bits 31 and up come from bit 31 of what is written (SDM 20.2.8). The
 * start value has them all set, so it means the same either way.
 */
static u64 intel_start(struct pmuctl_pmu *pmu, int counter, const struct pmuctl_class_key *key)
{
	u64 value = pmuctl_pmu_start_value(pmu, counter);

	wrmsrq(value_msr(pmu, counter), value);
	if (is_fixed(counter))
		write_fixed_ctrl(counter, fixed_field(key->config));
	else
		wrmsrq(MSR_EVENTSEL0 + counter, key->config | EVENTSEL_EN);
	return value;
}

static void intel_stop(struct pmuctl_pmu *pmu, int counter)
{
	if (is_fixed(counter))
		write_fixed_ctrl(counter, 0);
	else
		wrmsrq(MSR_EVENTSEL0 + counter, 0);
}

/* SDM vol. 2B, RDPMC. */
static u32 intel_index(struct pmuctl_pmu *pmu, int counter)
{
	return is_fixed(counter) ? 1U << 30 | (counter - PMUCTL_FIXED) : counter;
}

static u64 intel_raw(struct pmuctl_pmu *pmu, int counter)
{
	return plat_read_counter(intel_index(pmu, counter));
}

/* ---- a CPU's PMU ---- */

static void clear_counters(const struct pmuctl_pmu *pmu)
{
	u32 i;

	this_cpu_ptr(&intel_cpus)->fixed_ctrl = 0;
	if (pmu->nr_fixed)
		wrmsrq(MSR_FIXED_CTRL, 0);
	for (i = 0; i < pmu->nr_gp; i++)
		wrmsrq(MSR_EVENTSEL0 + i, 0);
	/* Our counters wrap; in-tree perf must not take that for overflows of its own. */
	wrmsrq(MSR_GLOBAL_RESET, pmu->counters);
}

static void intel_cpu_up(struct pmuctl_pmu *pmu)
{
	struct intel_cpu *cpu = this_cpu_ptr(&intel_cpus);

	rdmsrq(MSR_GLOBAL_CTRL, cpu->saved_global_ctrl);
	if (pmu->nr_fixed)
		rdmsrq(MSR_FIXED_CTRL, cpu->saved_fixed_ctrl);
	cpu->saved_lvtpc = pmuctl_x86_lvtpc_take();
	clear_counters(pmu);
	wrmsrq(MSR_GLOBAL_CTRL, pmu->counters);
}

static void intel_cpu_down(struct pmuctl_pmu *pmu)
{
	struct intel_cpu *cpu = this_cpu_ptr(&intel_cpus);

	clear_counters(pmu);
	if (pmu->nr_fixed)
		wrmsrq(MSR_FIXED_CTRL, cpu->saved_fixed_ctrl);
	wrmsrq(MSR_GLOBAL_CTRL, cpu->saved_global_ctrl);
	pmuctl_x86_lvtpc_restore(cpu->saved_lvtpc);
}

static void cpu_up_call(void *pmu)
{
	intel_cpu_up(pmu);
}

static void cpu_down_call(void *pmu)
{
	intel_cpu_down(pmu);
}

/* ---- taking the PMU and giving it back ---- */

/* A selector that counts although nobody has reserved it is the firmware's or a hypervisor's. */
static void find_foreign(void *arg)
{
	bool *foreign = arg;
	u32 i;

	for (i = 0; i < intel_pmu.nr_gp; i++) {
		u64 config;

		rdmsrq(MSR_EVENTSEL0 + i, config);
		if (config & EVENTSEL_EN)
			WRITE_ONCE(*foreign, true);
	}
}

/* Somebody's NMI may have left everything stopped; see nmi.c. */
static void recheck_global_ctrl(void)
{
	u64 ctrl;

	rdmsrq(MSR_GLOBAL_CTRL, ctrl);
	if (ctrl != intel_pmu.counters)
		wrmsrq(MSR_GLOBAL_CTRL, intel_pmu.counters);
}

static int intel_acquire(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	bool foreign = false;
	int err;

	err = pmuctl_x86_reserve(pmu->nr_gp, msg);
	if (err)
		return err;
	on_each_cpu(find_foreign, &foreign, true);
	if (foreign) {
		err = pmuctl_refuse(msg, -EBUSY, "a counter runs that no driver has reserved: the "
				    "firmware or a hypervisor uses it. Look for such a setting in "
				    "the firmware");
		goto err_reserved;
	}
	on_each_cpu(cpu_up_call, pmu, true);
	err = pmuctl_x86_nmi_register(recheck_global_ctrl);
	if (err)
		goto err_up;
	return 0;

err_up:
	on_each_cpu(cpu_down_call, pmu, true);
err_reserved:
	pmuctl_x86_unreserve(pmu->nr_gp);
	return err;
}

static void intel_release(struct pmuctl_pmu *pmu)
{
	pmuctl_x86_nmi_unregister();
	on_each_cpu(cpu_down_call, pmu, true);
	pmuctl_x86_unreserve(pmu->nr_gp);
}

static bool intel_held_elsewhere(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	if (pmuctl_x86_reserve(pmu->nr_gp, msg))
		return true;
	pmuctl_x86_unreserve(pmu->nr_gp);
	return false;
}

/* ---- what can be counted where ---- */

static int intel_classify(struct pmuctl_pmu *pmu, const struct perf_event_attr *attr,
			  struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	u64 config;
	int err = pmuctl_intel_encode(attr, &config, msg);

	if (err)
		return err;
	key->counters = pmuctl_intel_counters(pmu, config);
	if (!key->counters)
		return pmuctl_refuse(msg, -ENOENT, "no counter of this processor counts this event");
	if (!attr->exclude_user)
		config |= EVENTSEL_USR;
	if (!attr->exclude_kernel)
		config |= EVENTSEL_OS;
	key->config = config;
	return 0;
}

static int intel_place(struct pmuctl_pmu *pmu, struct pmuctl_want *wants, int n)
{
	return pmuctl_match(wants, n);
}

static const struct pmuctl_pmu_ops intel_ops = {
	.acquire	= intel_acquire,
	.release	= intel_release,
	.held_elsewhere	= intel_held_elsewhere,
	.classify	= intel_classify,
	.place		= intel_place,
	.start		= intel_start,
	.stop		= intel_stop,
	.raw		= intel_raw,
	.index		= intel_index,
	.cpu_up		= intel_cpu_up,
	.cpu_down	= intel_cpu_down,
};

/* ---- probe ---- */

static struct pmuctl_pmu intel_pmu = {
	.name	= "cpu",
	.type	= PERF_TYPE_RAW,
	.ops	= &intel_ops,
};

static u32 field(u32 word, int high, int low)
{
	return (word >> low) & GENMASK(high - low, 0);
}

/* CPUID leaf 0AH (SDM vol. 2A, CPUID). */
static int read_leaf_0a(struct pmuctl_pmu *pmu, struct pmuctl_msg *why)
{
	u32 eax, ebx, ecx, edx, length;

	if (boot_cpu_data.cpuid_level < 0xa)
		return pmuctl_refuse(why, -ENODEV, "the processor has no CPUID leaf 0AH, so no "
				     "architectural performance monitoring");
	cpuid(0xa, &eax, &ebx, &ecx, &edx);
	pmu->version = field(eax, 7, 0);
	pmu->nr_gp = field(eax, 15, 8);
	pmu->width_gp = field(eax, 23, 16);
	pmu->nr_fixed = field(edx, 4, 0);
	pmu->width_fixed = field(edx, 12, 5);
	/* EBX has a bit for each event that is missing; what is beyond its length is missing too. */
	length = field(eax, 31, 24);
	pmuctl_intel_missing = ebx | (length < 32 ? ~0U << length : 0);
	return 0;
}

static int check_supported(const struct pmuctl_pmu *pmu, struct pmuctl_msg *why)
{
	if (!pmu->version || !pmu->nr_gp)
		return pmuctl_refuse(why, -ENODEV, "the processor reports no counters (CPUID leaf 0AH "
				     "is 0). In a virtual machine, give it a virtual PMU");
	if (pmu->version < 2)
		return pmuctl_refuse(why, -ENODEV, "the PMU is of version 1 and lacks the global "
				     "control register that pmuctl needs");
	if (pmu->version > 5)
		return pmuctl_refuse(why, -ENODEV, "the PMU is of version %u, in which in-tree perf "
				     "does not see our reservation. Not driven yet", pmu->version);
	if (boot_cpu_has(X86_FEATURE_XENPV))
		return pmuctl_refuse(why, -ENODEV, "a Xen PV domain has no registers of its own");
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return pmuctl_refuse(why, -ENODEV, "hybrid processors are not driven yet");
	if (pmu->nr_gp + pmu->nr_fixed > PMUCTL_COUNTERS_MAX)
		return pmuctl_refuse(why, -ENODEV, "the PMU has %u counters, more than the %u that "
				     "are foreseen", pmu->nr_gp + pmu->nr_fixed,
				     PMUCTL_COUNTERS_MAX);
	return 0;
}

static void read_features(struct pmuctl_pmu *pmu)
{
	u32 eax, ebx, ecx, edx;
	u64 capabilities = 0;

	pmu->features = PMUCTL_PMU_GLOBAL_CTRL;
	if (boot_cpu_has(X86_FEATURE_PDCM))
		rdmsrq(MSR_CAPABILITIES, capabilities);
	if (capabilities & BIT_ULL(13))
		pmu->features |= PMUCTL_PMU_FULL_WIDTH;
	if (!boot_cpu_has(X86_FEATURE_ARCH_LBR) || boot_cpu_data.cpuid_level < 0x1c)
		return;
	/* CPUID leaf 1CH: depths in EAX[7:0], counters that can be logged in ECX[19:16]. */
	cpuid_count(0x1c, 0, &eax, &ebx, &ecx, &edx);
	if (!field(eax, 7, 0))
		return;
	pmu->features |= PMUCTL_PMU_ARCH_LBR;
	pmu->branch_depth = fls(field(eax, 7, 0)) * 8;
	pmu->branch_counters = hweight32(field(ecx, 19, 16));
	if (pmu->branch_counters) {
		pmu->features |= PMUCTL_PMU_BRANCH_COUNTERS;
		pmu->branch_counter_width = 2;
	}
}

int pmuctl_intel_probe(struct pmuctl_msg *why)
{
	struct pmuctl_pmu *pmu = &intel_pmu;
	int err = read_leaf_0a(pmu, why);

	if (!err)
		err = check_supported(pmu, why);
	if (err)
		return err;
	pmu->counters = GENMASK_ULL(pmu->nr_gp - 1, 0);
	if (pmu->nr_fixed)
		pmu->counters |= GENMASK_ULL(pmu->nr_fixed - 1, 0) << PMUCTL_FIXED;
	read_features(pmu);
	return pmuctl_pmu_register(pmu);
}
