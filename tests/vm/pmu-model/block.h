/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block of translated instructions. The emulator counts a whole block when it is entered; what
 * is kept here is enough to take back what did not run.
 */
#ifndef PMU_MODEL_BLOCK_H
#define PMU_MODEL_BLOCK_H

#include "counts.h"

/* Made when the block is translated, never changed and never freed: any CPU may run it. */
struct block {
	u64 pc;			/* as known at translation: only the low 12 bits are sure */
	enum mode mode;
	struct insn last;	/* the last instruction: the only one that can be a branch */
	u16 nr;
	u16 start[];		/* offsets of the instructions, and at [nr] of the end */
};

struct block *block_new(u64 pc, enum mode mode, u16 nr);

/* The instruction at @pc (of which the low 12 bits count): 0 to nr, or nr + 1 if none is there. */
u16 block_find(const struct block *block, u64 pc);

/* Take back from @counts all but the first @executed instructions. */
void block_unrun(const struct block *block, struct counts *counts, u16 executed);

/* Whether @pc is where the last instruction begins. */
static inline bool block_last_is_at(const struct block *block, u64 pc)
{
	return block_find(block, pc) == block->nr - 1;
}

#endif /* PMU_MODEL_BLOCK_H */
