// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD Zen 3 (family 0x19, model 1): six core counters and branch sampling. Zen 4 (model 0x11):
 * six core counters with global control and status (PerfMonV2), no branch records.
 *
 * Registers: PPR for family 19h model 01h and 11h, "MSRs"; APM vol. 2, 13.2. Events: PPR, "Core
 * performance monitor counters".
 */
#include "model.h"
#include "pmi.h"

#define WIDTH	48

#define MSR_GLOBAL_STATUS	0xc0000300
#define MSR_GLOBAL_CTL		0xc0000301
#define MSR_GLOBAL_CLEAR	0xc0000302
#define MSR_GLOBAL_SET		0xc0000303
#define MSR_BRS_CONFIG		0xc000010f
#define MSR_LEGACY_CTL0		0xc0010000	/* the first four of the core selectors */
#define MSR_LEGACY_CTR0		0xc0010004	/* and counters */
#define LEGACY			4
#define MSR_CTL0		0xc0010200	/* selectors and counters take turns */
#define MSR_BRS_FROM0		0xc0010300	/* so do from and to */

#define CTL_EVENT_HIGH		(0xfULL << 32)
#define CTL_CODE		(0xffffULL | CTL_EVENT_HIGH)
#define CTL_USR			BIT(16)
#define CTL_OS			BIT(17)
#define CTL_EDGE		BIT(18)
#define CTL_INT			BIT(20)
#define CTL_EN			BIT(22)
#define CTL_INV			BIT(23)
#define CTL_CMASK		(0xffULL << 24)
#define CTL_GUEST		BIT(40)
#define CTL_HOST		BIT(41)
#define CTL_VALID		(CTL_CODE | CTL_USR | CTL_OS | CTL_EDGE | CTL_INT | CTL_EN | \
				 CTL_INV | CTL_CMASK | CTL_GUEST | CTL_HOST)
/* With virtualization off, as it is here, nothing is host or guest. */
#define CTL_UNMODELLED		(CTL_EDGE | CTL_INV | CTL_CMASK | CTL_GUEST | CTL_HOST)

/* Event select (12 bits), unit mask. */
static const struct {
	u16 select;
	u8 mask;
	u8 event;
} codes[] = {
	{ 0x076, 0x00, EVENT_CYCLES },
	{ 0x120, 0x01, EVENT_REF_CYCLES },
	{ 0x0c0, 0x00, EVENT_INSNS },
	{ 0x0c2, 0x00, EVENT_BRANCHES },
	{ 0x0c3, 0x00, EVENT_MISSED },
	{ 0x0c4, 0x00, EVENT_TAKEN },
	{ 0x0c5, 0x00, EVENT_MISSED_TAKEN },
	{ 0x0c6, 0x00, EVENT_BR_FAR },
	{ 0x0c8, 0x00, EVENT_BR_RET },
	{ 0x0c9, 0x00, EVENT_MISSED_RET },
	{ 0x0ca, 0x00, EVENT_MISSED_IND },
	{ 0x0cc, 0x00, EVENT_BR_IND },
	{ 0x0d1, 0x00, EVENT_BR_COND },
	{ 0x029, 0x01, EVENT_LOADS },
	{ 0x029, 0x02, EVENT_STORES },
	{ 0x040, 0x00, EVENT_ACCESSES },
	{ 0x060, 0xff, EVENT_CACHE_REFS },
	{ 0x060, 0xc8, EVENT_CACHE_REFS },
	{ 0x064, 0x09, EVENT_CACHE_MISSES },
};

/* Counters have their places in the global registers; freezing branch records means nothing here. */
#define GLOBAL_COUNTERS		low_bits(AMD_CORE)
#define STATUS_LBR_FROZEN	BIT(58)

/* CPUID leaf, Zen 4. */
#define PERFMON_LEAF 0x80000022

static bool has_brs(const struct cpu *cpu)
{
	return cpu->model == &model_amd;
}

static bool has_global(const struct cpu *cpu)
{
	return cpu->model == &model_amd2;
}

static void amd_init(struct cpu *cpu)
{
	brs_init(&cpu->amd.brs);
	/* So that software that knows nothing of it finds counters as they were. */
	cpu->amd.global_ctl = GLOBAL_COUNTERS;
}

static enum event ctl_event(u64 ctl)
{
	u16 select = (ctl & 0xff) | (ctl & CTL_EVENT_HIGH) >> 24;
	u8 mask = ctl >> 8;
	size_t i;

	if (ctl & CTL_UNMODELLED)
		return EVENT_NONE;
	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i].select == select && codes[i].mask == mask)
			return codes[i].event;
	return EVENT_NONE;
}

static struct counter_setup amd_counter(const struct cpu *cpu, unsigned int i)
{
	u64 ctl = cpu->amd.ctl[i];
	bool enabled = !has_global(cpu) || (cpu->amd.global_ctl & BIT(i));

	return (struct counter_setup){
		.event = ctl_event(ctl),
		.user = ctl & CTL_USR,
		.kernel = ctl & CTL_OS,
		.running = (ctl & CTL_EN) && enabled,
	};
}

static void amd_overflow(struct cpu *cpu, u64 which)
{
	struct amd *amd = &cpu->amd;
	bool interrupt = false;
	unsigned int i;

	if (has_global(cpu))
		amd->global_status |= which;
	for (i = 0; i < AMD_CORE; i++) {
		if (!(which & BIT(i)) || !(amd->ctl[i] & CTL_INT))
			continue;
		if (!has_brs(cpu) || !brs_hold(&amd->brs, i))
			interrupt = true;
	}
	if (interrupt)
		pmi_raise(cpu);
}

static bool amd_recording(const struct cpu *cpu)
{
	return cpu->amd.brs.capturing;
}

static void amd_record(struct cpu *cpu, const struct branch *branch, enum mode mode)
{
	(void)mode;
	if (!brs_record(&cpu->amd.brs, branch))
		return;
	pmi_raise(cpu);
	cpu_reconsider(cpu);
}

/* A selector or counter, core or legacy. */
struct core_msr {
	unsigned int i;
	bool is_counter;
};

static bool find_core_msr(u32 msr, struct core_msr *found)
{
	if (msr - MSR_CTL0 < 2 * AMD_CORE) {
		found->i = (msr - MSR_CTL0) / 2;
		found->is_counter = (msr - MSR_CTL0) % 2;
		return true;
	}
	if (msr - MSR_LEGACY_CTL0 < 2 * LEGACY) {
		found->i = (msr - MSR_LEGACY_CTL0) % LEGACY;
		found->is_counter = msr >= MSR_LEGACY_CTR0;
		return true;
	}
	return false;
}

static enum msr_result read_brs(const struct cpu *cpu, u32 msr, u64 *value)
{
	u32 i = msr - MSR_BRS_FROM0;

	if (!has_brs(cpu))
		return MSR_FOREIGN;
	if (msr == MSR_BRS_CONFIG)
		*value = cpu->amd.brs.config;
	else if (i < BRS_DEPTH * BRS_FIELDS)
		*value = cpu->amd.brs.slot[i / BRS_FIELDS][i % BRS_FIELDS];
	else
		return MSR_FOREIGN;
	return MSR_DONE;
}

static enum msr_result read_global(const struct cpu *cpu, u32 msr, u64 *value)
{
	if (!has_global(cpu))
		return MSR_FOREIGN;
	switch (msr) {
	case MSR_GLOBAL_STATUS:
		*value = cpu->amd.global_status;
		return MSR_DONE;
	case MSR_GLOBAL_CTL:
		*value = cpu->amd.global_ctl;
		return MSR_DONE;
	case MSR_GLOBAL_CLEAR:
	case MSR_GLOBAL_SET:
		*value = 0;
		return MSR_DONE;
	}
	return MSR_FOREIGN;
}

static enum msr_result amd_rdmsr(struct cpu *cpu, u32 msr, u64 *value)
{
	struct core_msr core;
	enum msr_result result;

	if (find_core_msr(msr, &core)) {
		*value = core.is_counter ? counter_read(&cpu->counters, core.i) :
					   cpu->amd.ctl[core.i];
		return MSR_DONE;
	}
	result = read_global(cpu, msr, value);
	return result == MSR_FOREIGN ? read_brs(cpu, msr, value) : result;
}

static enum msr_result write_core(struct cpu *cpu, const struct core_msr *core, u64 value)
{
	if (core->is_counter) {
		counter_write(&cpu->counters, core->i, value);
		return MSR_DONE;
	}
	if (value & ~CTL_VALID)
		return MSR_FAULT;
	cpu->amd.ctl[core->i] = value;
	return MSR_DONE;
}

static enum msr_result write_brs_config(struct cpu *cpu, u64 value)
{
	bool due;

	if (!brs_write_config(&cpu->amd.brs, value, &due))
		return MSR_FAULT;
	if (due)
		pmi_raise(cpu);
	return MSR_DONE;
}

static enum msr_result write_brs(struct cpu *cpu, u32 msr, u64 value)
{
	u32 i = msr - MSR_BRS_FROM0;

	if (!has_brs(cpu))
		return MSR_FOREIGN;
	if (msr == MSR_BRS_CONFIG)
		return write_brs_config(cpu, value);
	if (i >= BRS_DEPTH * BRS_FIELDS)
		return MSR_FOREIGN;
	cpu->amd.brs.slot[i / BRS_FIELDS][i % BRS_FIELDS] = value;
	return MSR_DONE;
}

static enum msr_result write_global(struct cpu *cpu, u32 msr, u64 value)
{
	struct amd *amd = &cpu->amd;
	u64 valid = GLOBAL_COUNTERS;

	if (!has_global(cpu) || msr < MSR_GLOBAL_STATUS || msr > MSR_GLOBAL_SET)
		return MSR_FOREIGN;
	if (msr != MSR_GLOBAL_CTL)
		valid |= STATUS_LBR_FROZEN;
	/* The driver of 7.3 clears with all bits set: what there is not to clear does no harm. */
	if (msr == MSR_GLOBAL_CLEAR)
		valid = ~0ULL;
	if (msr == MSR_GLOBAL_STATUS || (value & ~valid))
		return MSR_FAULT;
	switch (msr) {
	case MSR_GLOBAL_CTL:
		amd->global_ctl = value;
		break;
	case MSR_GLOBAL_CLEAR:
		amd->global_status &= ~value;
		break;
	case MSR_GLOBAL_SET:
		amd->global_status |= value;
		break;
	}
	return MSR_DONE;
}

static enum msr_result amd_wrmsr(struct cpu *cpu, u32 msr, u64 value)
{
	struct core_msr core;
	enum msr_result result;

	if (find_core_msr(msr, &core))
		return write_core(cpu, &core, value);
	result = write_global(cpu, msr, value);
	return result == MSR_FOREIGN ? write_brs(cpu, msr, value) : result;
}

static int amd_rdpmc(u32 ecx)
{
	return ecx < AMD_CORE ? (int)ecx : -1;
}

/* PPR "CPUID_Fn80000022": version 2, six core counters. */
static bool amd2_cpuid(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs)
{
	(void)cpu;
	(void)subleaf;
	if (leaf != PERFMON_LEAF)
		return false;
	*regs = (struct cpuid_regs){};
	regs->reg[CPUID_EAX] = 1;
	regs->reg[CPUID_EBX] = AMD_CORE;
	return true;
}

static bool amd_cpuid(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs)
{
	(void)cpu;
	(void)leaf;
	(void)subleaf;
	(void)regs;
	return false;
}

/* No hypervisor; core counter extension; branch sampling on Zen 3 only. */
static const struct cpuid_edit amd_edits[] = {
	{ 0x1, true, 0, CPUID_ECX, .clear = 1u << 31 },
	{ 0x80000001, true, 0, CPUID_ECX, .set = 1u << 23 },
	{ 0x80000008, true, 0, CPUID_EBX, .set = 1u << 31 },
};

static const struct cpuid_edit amd2_edits[] = {
	{ 0x1, true, 0, CPUID_ECX, .clear = 1u << 31 },
	/* The emulator's extended leaves end one before. */
	{ 0x80000000, true, 0, CPUID_EAX, .clear = ~0u, .set = PERFMON_LEAF },
	{ 0x80000001, true, 0, CPUID_ECX, .set = 1u << 23 },
};

/* What the two have in common. */
#define AMD_MODEL			\
	.nr_counters = AMD_CORE,	\
	.width = WIDTH,			\
	.init = amd_init,		\
	.rdmsr = amd_rdmsr,		\
	.wrmsr = amd_wrmsr,		\
	.rdpmc = amd_rdpmc,		\
	.counter = amd_counter,		\
	.overflow = amd_overflow,	\
	.recording = amd_recording,	\
	.record = amd_record

const struct model model_amd = {
	AMD_MODEL,
	.name = "amd",
	.cpuid = amd_cpuid,
	.edits = amd_edits,
	.nr_edits = ARRAY_SIZE(amd_edits),
};

const struct model model_amd2 = {
	AMD_MODEL,
	.name = "amd2",
	.cpuid = amd2_cpuid,
	.edits = amd2_edits,
	.nr_edits = ARRAY_SIZE(amd2_edits),
};
