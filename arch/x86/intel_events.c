// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel events as data: which selector a generic name means, and which counters can count it.
 * Architectural events: SDM vol. 3B, table 20-1; fixed counters: 20.2.2, table 20-2.
 */
#include "x86.h"

/* What the fixed counter 2 counts has no selector of its own; perf's ABI gives it this one. */
#define PSEUDO_REF_CYCLES	0x0300

/**
 * struct generic - a generic hardware event
 * @config:  event and umask
 * @missing: bit of CPUID.0AH:EBX that says it is not there
 */
struct generic {
	u16 config;
	u8 missing;
};

#define NO_BIT 31

static const struct generic generic_events[PERF_COUNT_HW_MAX] = {
	[PERF_COUNT_HW_CPU_CYCLES]		= { 0x003c, 0 },
	[PERF_COUNT_HW_INSTRUCTIONS]		= { 0x00c0, 1 },
	[PERF_COUNT_HW_CACHE_REFERENCES]	= { 0x4f2e, 3 },
	[PERF_COUNT_HW_CACHE_MISSES]		= { 0x412e, 4 },
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= { 0x00c4, 5 },
	[PERF_COUNT_HW_BRANCH_MISSES]		= { 0x00c5, 6 },
	[PERF_COUNT_HW_BUS_CYCLES]		= { 0x013c, 2 },
	[PERF_COUNT_HW_REF_CPU_CYCLES]		= { PSEUDO_REF_CYCLES, NO_BIT },
};

/* Events that a fixed counter counts, by its number. Only without edge, inversion and threshold. */
static const u16 fixed_events[] = { 0x00c0, 0x003c, PSEUDO_REF_CYCLES };

/* What of a raw config reaches the selector; the rest of it is ours to set. */
#define RAW_MASK (EVENTSEL_EVENT | EVENTSEL_UMASK | EVENTSEL_EDGE | EVENTSEL_INV | EVENTSEL_CMASK)

static int encode_generic(u64 which, u64 *config, struct pmuctl_msg *msg)
{
	const struct generic *generic;

	if (which >= PERF_COUNT_HW_MAX)
		return pmuctl_refuse(msg, -EINVAL, "there is no generic hardware event %llu", which);
	generic = &generic_events[which];
	if (!generic->config ||
	    (generic->missing != NO_BIT && pmuctl_intel_missing & BIT(generic->missing)))
		return pmuctl_refuse(msg, -ENOENT, "this processor has no such generic event. Use one "
				     "of its own: 'pmuctl list' shows them");
	*config = generic->config;
	return 0;
}

static int encode_raw(u64 raw, u64 *config, struct pmuctl_msg *msg)
{
	if (raw & EVENTSEL_ANY)
		return pmuctl_refuse(msg, -EINVAL, "the any-thread bit is deprecated since perfmon "
				     "version 5. Clear bit 21");
	*config = raw & RAW_MASK;
	switch (*config & (EVENTSEL_EVENT | EVENTSEL_UMASK)) {
	case 0x01b7:
	case 0x02b7:
		return pmuctl_refuse(msg, -EOPNOTSUPP, "offcore response events need a register of "
				     "their own, which is not driven yet");
	}
	return 0;
}

int pmuctl_intel_encode(const struct perf_event_attr *attr, u64 *config, struct pmuctl_msg *msg)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		return encode_generic(attr->config, config, msg);
	case PERF_TYPE_RAW:
		return encode_raw(attr->config, config, msg);
	default:
		if ((u8)attr->config >= PERF_COUNT_HW_CACHE_MAX ||
		    (u8)(attr->config >> 8) >= PERF_COUNT_HW_CACHE_OP_MAX ||
		    (u8)(attr->config >> 16) >= PERF_COUNT_HW_CACHE_RESULT_MAX)
			return pmuctl_refuse(msg, -EINVAL, "there is no such generic cache event");
		return pmuctl_refuse(msg, -ENOENT, "generic cache events are not mapped for this "
				     "processor yet. Use its own: 'pmuctl list' shows them");
	}
}

u64 pmuctl_intel_counters(const struct pmuctl_pmu *pmu, u64 config)
{
	u64 general = GENMASK_ULL(pmu->nr_gp - 1, 0);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fixed_events) && i < pmu->nr_fixed; i++) {
		u64 fixed = 1ULL << (PMUCTL_FIXED + i);

		if (config != fixed_events[i])
			continue;
		return config == PSEUDO_REF_CYCLES ? fixed : fixed | general;
	}
	return config == PSEUDO_REF_CYCLES ? 0 : general;
}
