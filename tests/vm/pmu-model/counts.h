/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What translated code counts by itself, without a call: one struct for each CPU, in QEMU's
 * scoreboard. Everything else in the model is made of these numbers.
 */
#ifndef PMU_MODEL_COUNTS_H
#define PMU_MODEL_COUNTS_H

#include "insn.h"

enum mode { KERNEL, USER, MODES };

struct counts {
	/*
	 * The block that was entered last, as struct block's address. BLOCK_ENDING is set from
	 * the start of its last instruction on, unless that is a string instruction. Zero with
	 * BLOCK_ENDING: whatever ran before is accounted for.
	 */
	u64 block;
	/*
	 * Grows by one with each instruction and each memory access, and never slower than any
	 * event by more than EVENT_MAX_RATE. At ATTENTION the next block calls cpu_attend().
	 */
	u64 horizon;
	u64 insns[MODES];
	u64 branches[MODES][INSN_BRANCHES];
	/* Only while memory is watched. */
	u64 loads[MODES];
	u64 stores[MODES];
	/* Of these, what the instruction that is running has made so far. */
	u64 insn_loads;
	u64 insn_stores;
};

#define BLOCK_ENDING	BIT(63)
#define ATTENTION	BIT(62)

#endif /* PMU_MODEL_COUNTS_H */
