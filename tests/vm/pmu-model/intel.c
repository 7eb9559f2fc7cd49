// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel Sierra Forest (family 6, model 0xaf): architectural perfmon version 5, eight general and
 * three fixed counters, architectural LBR with event logging.
 *
 * Registers: SDM vol. 4, table 2-2; their use: vol. 3B, 20.2. Event codes: 20.2.1.2 and the
 * public event list for Sierra Forest.
 */
#include "model.h"
#include "pmi.h"

#define WIDTH	48

#define MSR_PMC0		0x0c1
#define MSR_EVTSEL0		0x186
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED0		0x309
#define MSR_CAPABILITIES	0x345
#define MSR_FIXED_CTRL		0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_RESET	0x390
#define MSR_GLOBAL_SET		0x391
#define MSR_GLOBAL_INUSE	0x392
#define MSR_FULL_PMC0		0x4c1
#define MSR_LBR_INFO0		0x1200
#define MSR_LBR_CTL		0x14ce
#define MSR_LBR_DEPTH		0x14cf
#define MSR_LBR_FROM0		0x1500
#define MSR_LBR_TO0		0x1600

#define EVTSEL_CODE		0xffffULL	/* event and unit mask */
#define EVTSEL_USR		BIT(16)
#define EVTSEL_OS		BIT(17)
#define EVTSEL_EDGE		BIT(18)
#define EVTSEL_PC		BIT(19)
#define EVTSEL_INT		BIT(20)
#define EVTSEL_EN		BIT(22)
#define EVTSEL_INV		BIT(23)
#define EVTSEL_CMASK		(0xffULL << 24)
#define EVTSEL_LOG		BIT(35)		/* on the first LBR_LOGGED counters only */
#define EVTSEL_VALID		(EVTSEL_CODE | EVTSEL_USR | EVTSEL_OS | EVTSEL_EDGE | EVTSEL_PC | \
				 EVTSEL_INT | EVTSEL_EN | EVTSEL_INV | EVTSEL_CMASK)
#define EVTSEL_UNMODELLED	(EVTSEL_EDGE | EVTSEL_INV | EVTSEL_CMASK)

/* Four bits a counter in IA32_FIXED_CTR_CTRL; bit 2, any thread, is gone in version 5. */
#define FIXED_BITS		4
#define FIXED_OS		BIT(0)
#define FIXED_USR		BIT(1)
#define FIXED_INT		BIT(3)
#define FIXED_CTRL_VALID	0xbbbULL

/* Fixed counters have these places in the global registers. */
#define GLOBAL_FIXED_SHIFT	32
#define GLOBAL_COUNTERS		(low_bits(INTEL_GP) | low_bits(INTEL_FIXED) << GLOBAL_FIXED_SHIFT)
#define STATUS_LBR_FROZEN	BIT(58)
#define STATUS_CTR_FROZEN	BIT(59)
#define STATUS_BUFFER		BIT(62)
#define STATUS_CHANGED		BIT(63)
#define STATUS_VALID		(GLOBAL_COUNTERS | STATUS_LBR_FROZEN | STATUS_CTR_FROZEN | \
				 STATUS_BUFFER | STATUS_CHANGED)
#define INUSE_PMI		BIT(63)

/* Branch trace and bus lock bits are accepted and mean nothing here. */
#define DEBUGCTL_FREEZE_LBR	BIT(11)
#define DEBUGCTL_FREEZE_CTR	BIT(12)
#define DEBUGCTL_VALID		(0x5fc7ULL)

#define CAPABILITIES_ARCH_LBR	0x3fULL
#define CAPABILITIES_FULL_WRITE	BIT(13)

static const struct {
	u16 code;	/* unit mask, event */
	u8 event;
} codes[] = {
	{ 0x003c, EVENT_CYCLES },
	{ 0x013c, EVENT_REF_CYCLES },
	{ 0x00c0, EVENT_INSNS },
	{ 0x4f2e, EVENT_CACHE_REFS },
	{ 0x412e, EVENT_CACHE_MISSES },
	{ 0x00c4, EVENT_BRANCHES },
	{ 0x7ec4, EVENT_BR_COND },
	{ 0xfec4, EVENT_TAKEN_COND },
	{ 0xbfc4, EVENT_BR_FAR },
	{ 0xebc4, EVENT_BR_IND },
	{ 0xfbc4, EVENT_BR_CALL_IND },
	{ 0xf9c4, EVENT_BR_CALL },
	{ 0xf7c4, EVENT_BR_RET },
	{ 0xc0c4, EVENT_TAKEN_NEAR },
	{ 0x80c4, EVENT_TAKEN_NEAR },
	{ 0x00c5, EVENT_MISSED },
	{ 0x7ec5, EVENT_MISSED_COND },
	{ 0xfec5, EVENT_MISSED_COND_TAKEN },
	{ 0xebc5, EVENT_MISSED_IND },
	{ 0xfbc5, EVENT_MISSED_CALL_IND },
	{ 0x80c5, EVENT_MISSED_TAKEN },
	{ 0xf7c5, EVENT_MISSED_RET },
	{ 0x81d0, EVENT_LOADS },
	{ 0x82d0, EVENT_STORES },
	{ 0x83d0, EVENT_ACCESSES },
};

static const enum event fixed_events[INTEL_FIXED] = {
	EVENT_INSNS, EVENT_CYCLES, EVENT_REF_CYCLES,
};

static void intel_init(struct cpu *cpu)
{
	lbr_init(&cpu->intel.lbr);
	cpu->intel.global_ctrl = low_bits(INTEL_GP);
}

static enum event evtsel_event(u64 evtsel)
{
	size_t i;

	if (evtsel & EVTSEL_UNMODELLED)
		return EVENT_NONE;
	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i].code == (evtsel & EVTSEL_CODE))
			return codes[i].event;
	return EVENT_NONE;
}

/* The place of counter @i, general first, in the global registers. */
static u64 global_bit(unsigned int i)
{
	return i < INTEL_GP ? BIT(i) : BIT(GLOBAL_FIXED_SHIFT + i - INTEL_GP);
}

static u64 fixed_field(const struct intel *intel, unsigned int i)
{
	return intel->fixed_ctrl >> (FIXED_BITS * (i - INTEL_GP));
}

static bool globally_enabled(const struct intel *intel, unsigned int i)
{
	return (intel->global_ctrl & global_bit(i)) && !(intel->global_status & STATUS_CTR_FROZEN);
}

static struct counter_setup intel_counter(const struct cpu *cpu, unsigned int i)
{
	const struct intel *intel = &cpu->intel;
	u64 field;

	if (i < INTEL_GP) {
		return (struct counter_setup){
			.event = evtsel_event(intel->evtsel[i]),
			.user = intel->evtsel[i] & EVTSEL_USR,
			.kernel = intel->evtsel[i] & EVTSEL_OS,
			.running = (intel->evtsel[i] & EVTSEL_EN) && globally_enabled(intel, i),
		};
	}
	field = fixed_field(intel, i);
	return (struct counter_setup){
		.event = fixed_events[i - INTEL_GP],
		.user = field & FIXED_USR,
		.kernel = field & FIXED_OS,
		.running = (field & (FIXED_USR | FIXED_OS)) && globally_enabled(intel, i),
	};
}

static bool wants_interrupt(const struct intel *intel, unsigned int i)
{
	if (i < INTEL_GP)
		return intel->evtsel[i] & EVTSEL_INT;
	return fixed_field(intel, i) & FIXED_INT;
}

/* SDM vol. 3B, 20.4.7: what is to stand still while the interrupt is handled. */
static void freeze(struct intel *intel)
{
	if (intel->debugctl & DEBUGCTL_FREEZE_LBR)
		intel->global_status |= STATUS_LBR_FROZEN;
	if (intel->debugctl & DEBUGCTL_FREEZE_CTR)
		intel->global_status |= STATUS_CTR_FROZEN;
}

static void intel_overflow(struct cpu *cpu, u64 which)
{
	struct intel *intel = &cpu->intel;
	bool interrupt = false;
	unsigned int i;

	for (i = 0; i < INTEL_GP + INTEL_FIXED; i++) {
		if (!(which & BIT(i)))
			continue;
		intel->global_status |= global_bit(i);
		interrupt |= wants_interrupt(intel, i);
	}
	if (!interrupt)
		return;
	freeze(intel);
	pmi_raise(cpu);
}

static bool intel_recording(const struct cpu *cpu)
{
	return (cpu->intel.lbr.ctl & LBR_CTL_ENABLE) &&
	       !(cpu->intel.global_status & STATUS_LBR_FROZEN);
}

static u64 cycles_so_far(const struct cpu *cpu)
{
	return event_count(&cpu->counters.source, EVENT_CYCLES, KERNEL) +
	       event_count(&cpu->counters.source, EVENT_CYCLES, USER);
}

static struct lbr_clock lbr_now(const struct cpu *cpu)
{
	struct lbr_clock clock = { .cycles = cycles_so_far(cpu) };
	unsigned int i;

	for (i = 0; i < LBR_LOGGED; i++) {
		clock.total[i] = cpu->counters.counter[i].total;
		clock.logged[i] = cpu->intel.evtsel[i] & EVTSEL_LOG;
	}
	return clock;
}

static void intel_record(struct cpu *cpu, const struct branch *branch, enum mode mode)
{
	struct lbr_clock clock = lbr_now(cpu);

	lbr_record(&cpu->intel.lbr, branch, mode, &clock);
}

/* A depth write clears the entries and what the next one would log. */
static bool write_depth(struct cpu *cpu, u64 value)
{
	struct lbr_clock clock = lbr_now(cpu);

	if (!lbr_write_depth(&cpu->intel.lbr, value))
		return false;
	lbr_restart(&cpu->intel.lbr, &clock);
	return true;
}

/* A bit for each counter set up to count something, and one for interrupts. */
static u64 counters_in_use(const struct intel *intel)
{
	u64 inuse = 0;
	unsigned int i;

	for (i = 0; i < INTEL_GP + INTEL_FIXED; i++) {
		bool used = i < INTEL_GP ? intel->evtsel[i] & 0xff :
					   fixed_field(intel, i) & (FIXED_OS | FIXED_USR);

		if (used)
			inuse |= global_bit(i);
		if (wants_interrupt(intel, i))
			inuse |= INUSE_PMI;
	}
	return inuse;
}

/* A family of registers that differ by an index. */
static bool is_one_of(u32 msr, u32 first, u32 nr, u32 *index)
{
	*index = msr - first;
	return *index < nr;
}

static enum msr_result read_single(const struct intel *intel, u32 msr, u64 *value)
{
	switch (msr) {
	case MSR_DEBUGCTL:
		*value = intel->debugctl;
		return MSR_DONE;
	case MSR_CAPABILITIES:
		*value = CAPABILITIES_ARCH_LBR | CAPABILITIES_FULL_WRITE;
		return MSR_DONE;
	case MSR_FIXED_CTRL:
		*value = intel->fixed_ctrl;
		return MSR_DONE;
	case MSR_GLOBAL_STATUS:
		*value = intel->global_status;
		return MSR_DONE;
	case MSR_GLOBAL_CTRL:
		*value = intel->global_ctrl;
		return MSR_DONE;
	case MSR_GLOBAL_RESET:
	case MSR_GLOBAL_SET:
		*value = 0;
		return MSR_DONE;
	case MSR_GLOBAL_INUSE:
		*value = counters_in_use(intel);
		return MSR_DONE;
	case MSR_LBR_CTL:
		*value = intel->lbr.ctl;
		return MSR_DONE;
	case MSR_LBR_DEPTH:
		*value = intel->lbr.depth;
		return MSR_DONE;
	}
	return MSR_FOREIGN;
}

static enum msr_result intel_rdmsr(struct cpu *cpu, u32 msr, u64 *value)
{
	struct intel *intel = &cpu->intel;
	u32 i;

	if (is_one_of(msr, MSR_PMC0, INTEL_GP, &i) || is_one_of(msr, MSR_FULL_PMC0, INTEL_GP, &i))
		*value = counter_read(&cpu->counters, i);
	else if (is_one_of(msr, MSR_FIXED0, INTEL_FIXED, &i))
		*value = counter_read(&cpu->counters, INTEL_GP + i);
	else if (is_one_of(msr, MSR_EVTSEL0, INTEL_GP, &i))
		*value = intel->evtsel[i];
	else if (is_one_of(msr, MSR_LBR_FROM0, LBR_DEPTH_MAX, &i))
		*value = lbr_read(&intel->lbr, LBR_FROM, i);
	else if (is_one_of(msr, MSR_LBR_TO0, LBR_DEPTH_MAX, &i))
		*value = lbr_read(&intel->lbr, LBR_TO, i);
	else if (is_one_of(msr, MSR_LBR_INFO0, LBR_DEPTH_MAX, &i))
		*value = lbr_read(&intel->lbr, LBR_INFO, i);
	else
		return read_single(intel, msr, value);
	return MSR_DONE;
}

static enum msr_result done_if(bool valid)
{
	return valid ? MSR_DONE : MSR_FAULT;
}

/* Stores @value in *@reg unless bits outside @valid are set. */
static enum msr_result write_checked(u64 *reg, u64 value, u64 valid)
{
	if (value & ~valid)
		return MSR_FAULT;
	*reg = value;
	return MSR_DONE;
}

static enum msr_result write_counter(struct cpu *cpu, unsigned int i, u64 value)
{
	if (value & ~cpu->counters.mask)
		return MSR_FAULT;
	counter_write(&cpu->counters, i, value);
	return MSR_DONE;
}

static enum msr_result write_evtsel(struct intel *intel, unsigned int i, u64 value)
{
	return write_checked(&intel->evtsel[i], value,
			     i < LBR_LOGGED ? EVTSEL_VALID | EVTSEL_LOG : EVTSEL_VALID);
}

static enum msr_result change_status(struct intel *intel, u64 clear, u64 set)
{
	if ((clear | set) & ~STATUS_VALID)
		return MSR_FAULT;
	intel->global_status &= ~clear;
	intel->global_status |= set;
	return MSR_DONE;
}

static enum msr_result write_single(struct cpu *cpu, u32 msr, u64 value)
{
	struct intel *intel = &cpu->intel;

	switch (msr) {
	case MSR_DEBUGCTL:
		return write_checked(&intel->debugctl, value, DEBUGCTL_VALID);
	case MSR_FIXED_CTRL:
		return write_checked(&intel->fixed_ctrl, value, FIXED_CTRL_VALID);
	case MSR_GLOBAL_CTRL:
		return write_checked(&intel->global_ctrl, value, GLOBAL_COUNTERS);
	case MSR_GLOBAL_RESET:
		return change_status(intel, value, 0);
	case MSR_GLOBAL_SET:
		return change_status(intel, 0, value);
	case MSR_LBR_CTL:
		return done_if(lbr_write_ctl(&intel->lbr, value));
	case MSR_LBR_DEPTH:
		return done_if(write_depth(cpu, value));
	}
	return MSR_FOREIGN;	/* the read-only ones too */
}

static enum msr_result intel_wrmsr(struct cpu *cpu, u32 msr, u64 value)
{
	struct intel *intel = &cpu->intel;
	u32 i;

	if (is_one_of(msr, MSR_PMC0, INTEL_GP, &i)) {
		/* The old way to write: 32 bits, with their sign. */
		counter_write(&cpu->counters, i, (u64)(s64)(int32_t)value);
		return MSR_DONE;
	}
	if (is_one_of(msr, MSR_FULL_PMC0, INTEL_GP, &i))
		return write_counter(cpu, i, value);
	if (is_one_of(msr, MSR_FIXED0, INTEL_FIXED, &i))
		return write_counter(cpu, INTEL_GP + i, value);
	if (is_one_of(msr, MSR_EVTSEL0, INTEL_GP, &i))
		return write_evtsel(intel, i, value);
	if (is_one_of(msr, MSR_LBR_FROM0, LBR_DEPTH_MAX, &i))
		return done_if(lbr_write(&intel->lbr, LBR_FROM, i, value));
	if (is_one_of(msr, MSR_LBR_TO0, LBR_DEPTH_MAX, &i))
		return done_if(lbr_write(&intel->lbr, LBR_TO, i, value));
	if (is_one_of(msr, MSR_LBR_INFO0, LBR_DEPTH_MAX, &i))
		return done_if(lbr_write(&intel->lbr, LBR_INFO, i, value));
	return write_single(cpu, msr, value);
}

static int intel_rdpmc(u32 ecx)
{
	const u32 fixed = 1u << 30;

	if (ecx < INTEL_GP)
		return ecx;
	if (ecx >= fixed && ecx < fixed + INTEL_FIXED)
		return INTEL_GP + ecx - fixed;
	return -1;
}

/* Leaf 0xa: SDM vol. 2A, CPUID. All architectural events but the last, slots, are there. */
static void answer_perfmon(const struct cpu *cpu, struct cpuid_regs *regs)
{
	const u32 version = 5, events = 8, no_slots = 1u << 7, no_any_thread = 1u << 15;
	u32 width = __builtin_popcountll(cpu->counters.mask);

	regs->reg[CPUID_EAX] = version | INTEL_GP << 8 | width << 16 | events << 24;
	regs->reg[CPUID_EBX] = no_slots;
	regs->reg[CPUID_ECX] = low_bits(INTEL_FIXED);
	regs->reg[CPUID_EDX] = INTEL_FIXED | width << 5 | no_any_thread;
}

/* Leaf 0x1c: depths 8 to 32, all filters, all fields, event logging. */
static void answer_lbr(u32 subleaf, struct cpuid_regs *regs)
{
	*regs = (struct cpuid_regs){};
	if (subleaf)
		return;
	regs->reg[CPUID_EAX] = low_bits(LBR_DEPTH_MAX / 8);
	regs->reg[CPUID_EBX] = 0x7;
	regs->reg[CPUID_ECX] = 0x7 | low_bits(LBR_LOGGED) << 16;
}

static bool intel_cpuid(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs)
{
	switch (leaf) {
	case 0xa:
		answer_perfmon(cpu, regs);
		return true;
	case 0x1c:
		answer_lbr(subleaf, regs);
		return true;
	}
	return false;
}

static const struct cpuid_edit intel_edits[] = {
	/* The kernel expects no PMU where there is a hypervisor; capabilities MSR. */
	{ 0x1, true, 0, CPUID_ECX, .clear = 1u << 31, .set = 1u << 15 },
	/* Architectural LBR. */
	{ 0x7, false, 0, CPUID_EDX, .set = 1u << 19 },
};

const struct model model_intel = {
	.name = "intel",
	.nr_counters = INTEL_GP + INTEL_FIXED,
	.width = WIDTH,
	.pmi_masks_lvtpc = true,
	.init = intel_init,
	.rdmsr = intel_rdmsr,
	.wrmsr = intel_wrmsr,
	.rdpmc = intel_rdpmc,
	.counter = intel_counter,
	.overflow = intel_overflow,
	.recording = intel_recording,
	.record = intel_record,
	.cpuid = intel_cpuid,
	.edits = intel_edits,
	.nr_edits = ARRAY_SIZE(intel_edits),
};
