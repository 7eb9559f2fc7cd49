// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which part of a block ran. It must never be asked about the same run twice: what is taken back
 * is gone.
 */
#include <stdlib.h>

#include "block.h"

/* Translations are shared between mappings, so two addresses are the same modulo the page size. */
#define PAGE_OFFSET 0xfff

struct block *block_new(u64 pc, enum mode mode, u16 nr)
{
	struct block *block = calloc(1, sizeof(*block) + (nr + 1) * sizeof(block->start[0]));

	if (!block)
		abort();
	block->pc = pc;
	block->mode = mode;
	block->nr = nr;
	block->last.kind = INSN_PLAIN;
	return block;
}

u16 block_find(const struct block *block, u64 pc)
{
	u16 offset = (pc - block->pc) & PAGE_OFFSET;
	u16 i;

	for (i = 0; i <= block->nr; i++)
		if ((block->start[i] & PAGE_OFFSET) == offset)
			return i;
	return i;
}

void block_unrun(const struct block *block, struct counts *counts, u16 executed)
{
	if (executed >= block->nr)
		return;
	counts->insns[block->mode] -= block->nr - executed;
	if (insn_is_branch(block->last.kind))
		counts->branches[block->mode][block->last.kind]--;
}
