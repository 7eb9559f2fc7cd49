/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events the model can count, as functions of what translated code and the branch watch have
 * counted. The codes that a vendor gives them are in intel.c and amd.c.
 */
#ifndef PMU_MODEL_EVENT_H
#define PMU_MODEL_EVENT_H

#include "counts.h"

enum event {
	EVENT_NONE,		/* not modelled: stays at zero */
	EVENT_INSNS,
	EVENT_CYCLES,		/* instructions + branches */
	EVENT_REF_CYCLES,	/* 2 x instructions */
	EVENT_BRANCHES,
	EVENT_BR_COND,
	EVENT_BR_CALL,		/* near, direct and indirect */
	EVENT_BR_CALL_IND,
	EVENT_BR_IND,		/* near indirect jumps and calls */
	EVENT_BR_RET,
	EVENT_BR_FAR,
	/* From here on branches must be watched. */
	EVENT_TAKEN,		/* all taken ones, far too */
	EVENT_TAKEN_NEAR,
	EVENT_TAKEN_COND,
	EVENT_MISSED,		/* mispredicted */
	EVENT_MISSED_TAKEN,
	EVENT_MISSED_COND,
	EVENT_MISSED_COND_TAKEN,
	EVENT_MISSED_IND,
	EVENT_MISSED_CALL_IND,
	EVENT_MISSED_RET,
	/* From here on memory must be watched. */
	EVENT_LOADS,
	EVENT_STORES,
	EVENT_ACCESSES,		/* loads + stores */
	/* From here on its addresses too. */
	EVENT_CACHE_REFS,	/* of the last level: misses of the first */
	EVENT_CACHE_MISSES,	/* of the last level */
	EVENTS,
};

/* What an event needs to be looked at, beyond what translated code counts anyway. */
enum memory_watch { MEMORY_IGNORED, MEMORY_COUNTED, MEMORY_CACHED };

static inline bool event_needs_branches(enum event event)
{
	return event >= EVENT_TAKEN && event < EVENT_LOADS;
}

static inline enum memory_watch event_needs_memory(enum event event)
{
	if (event >= EVENT_CACHE_REFS)
		return MEMORY_CACHED;
	return event >= EVENT_LOADS ? MEMORY_COUNTED : MEMORY_IGNORED;
}

/* No event grows faster than this times struct counts' horizon. */
#define EVENT_MAX_RATE 2

static inline unsigned int event_rate(enum event event)
{
	return event == EVENT_CYCLES || event == EVENT_REF_CYCLES ? EVENT_MAX_RATE : 1;
}

/* How branches ended; only while they are watched. */
struct outcomes {
	u64 taken[MODES][INSN_BRANCHES];
	u64 missed[MODES][INSN_BRANCHES];
	u64 missed_taken[MODES][INSN_BRANCHES];
};

/* What the cache model says; only while addresses are watched. */
struct cache_counts {
	u64 refs[MODES];
	u64 misses[MODES];
};

/* Where events are read from. */
struct event_source {
	const struct counts *counts;
	const struct outcomes *outcomes;
	const struct cache_counts *cache;
};

u64 event_count(const struct event_source *source, enum event event, enum mode mode);

#endif /* PMU_MODEL_EVENT_H */
