// SPDX-License-Identifier: GPL-2.0-only
/*
 * The value of an event, from the beginning of time. It must never go backwards while a counter
 * that counts it runs.
 */
#include "event.h"

static u64 sum_branches(const u64 kinds[INSN_BRANCHES])
{
	u64 sum = 0;
	int kind;

	for (kind = 0; kind < INSN_BRANCHES; kind++)
		sum += kinds[kind];
	return sum;
}

static u64 sum_far(const u64 kinds[INSN_BRANCHES])
{
	return kinds[INSN_FAR] + kinds[INSN_SOFT_INT];
}

static u64 branch_count(const u64 kinds[INSN_BRANCHES], enum event event)
{
	switch (event) {
	case EVENT_BRANCHES:
		return sum_branches(kinds);
	case EVENT_BR_COND:
		return kinds[INSN_COND];
	case EVENT_BR_CALL:
		return kinds[INSN_CALL] + kinds[INSN_CALL_IND];
	case EVENT_BR_CALL_IND:
		return kinds[INSN_CALL_IND];
	case EVENT_BR_IND:
		return kinds[INSN_JMP_IND] + kinds[INSN_CALL_IND];
	case EVENT_BR_RET:
		return kinds[INSN_RET];
	default:
		return sum_far(kinds);
	}
}

static u64 outcome_count(const struct outcomes *o, enum event event, enum mode mode)
{
	switch (event) {
	case EVENT_TAKEN:
		return sum_branches(o->taken[mode]);
	case EVENT_TAKEN_NEAR:
		return sum_branches(o->taken[mode]) - sum_far(o->taken[mode]);
	case EVENT_TAKEN_COND:
		return o->taken[mode][INSN_COND];
	case EVENT_MISSED:
		return sum_branches(o->missed[mode]);
	case EVENT_MISSED_TAKEN:
		return sum_branches(o->missed_taken[mode]);
	case EVENT_MISSED_COND:
		return o->missed[mode][INSN_COND];
	case EVENT_MISSED_COND_TAKEN:
		return o->missed_taken[mode][INSN_COND];
	case EVENT_MISSED_IND:
		return o->missed[mode][INSN_JMP_IND] + o->missed[mode][INSN_CALL_IND];
	case EVENT_MISSED_CALL_IND:
		return o->missed[mode][INSN_CALL_IND];
	default:
		return o->missed[mode][INSN_RET];
	}
}

static u64 memory_count(const struct event_source *source, enum event event, enum mode mode)
{
	const struct counts *counts = source->counts;

	switch (event) {
	case EVENT_LOADS:
		return counts->loads[mode];
	case EVENT_STORES:
		return counts->stores[mode];
	case EVENT_ACCESSES:
		return counts->loads[mode] + counts->stores[mode];
	case EVENT_CACHE_REFS:
		return source->cache->refs[mode];
	default:
		return source->cache->misses[mode];
	}
}

u64 event_count(const struct event_source *source, enum event event, enum mode mode)
{
	const struct counts *counts = source->counts;

	if (event_needs_memory(event) != MEMORY_IGNORED)
		return memory_count(source, event, mode);
	if (event_needs_branches(event))
		return outcome_count(source->outcomes, event, mode);
	switch (event) {
	case EVENT_NONE:
		return 0;
	case EVENT_INSNS:
		return counts->insns[mode];
	case EVENT_CYCLES:
		return counts->insns[mode] + sum_branches(counts->branches[mode]);
	case EVENT_REF_CYCLES:
		return 2 * counts->insns[mode];
	default:
		return branch_count(counts->branches[mode], event);
	}
}
