// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch sampling: nothing is recorded until the chosen counter overflows; then the interrupt is
 * held back until sixteen taken branches, of any kind and privilege, fill the slots once. It must
 * never lose a held interrupt: whatever ends the capture makes it due.
 */
#include <string.h>

#include "brs.h"

#define CONFIG_OFFSET	(0xfULL << BRS_OFFSET_SHIFT)
#define CONFIG_COUNTER	(0x7ULL << BRS_COUNTER_SHIFT)
#define CONFIG_KNOWN	(BRS_ENABLE | BRS_ALWAYS_SET | BRS_VALID | CONFIG_OFFSET | CONFIG_COUNTER)

void brs_init(struct brs *brs)
{
	memset(brs, 0, sizeof(*brs));
	brs->config = BRS_ALWAYS_SET;
}

static unsigned int next_slot(const struct brs *brs)
{
	return brs->config >> BRS_OFFSET_SHIFT & (BRS_DEPTH - 1);
}

static void set_next_slot(struct brs *brs, unsigned int slot)
{
	brs->config &= ~CONFIG_OFFSET;
	brs->config |= (u64)(slot % BRS_DEPTH) << BRS_OFFSET_SHIFT;
}

bool brs_hold(struct brs *brs, unsigned int i)
{
	unsigned int chosen = (brs->config & CONFIG_COUNTER) >> BRS_COUNTER_SHIFT;

	if (!(brs->config & BRS_ENABLE) || i != chosen)
		return false;
	if (!brs->capturing) {
		set_next_slot(brs, 0);
		brs->config &= ~BRS_VALID;
		brs->capturing = true;
	}
	return true;
}

bool brs_record(struct brs *brs, const struct branch *branch)
{
	unsigned int slot = next_slot(brs);

	brs->slot[slot][BRS_FROM] = branch->from;
	brs->slot[slot][BRS_TO] = branch->to;
	brs->config |= BRS_VALID;
	set_next_slot(brs, slot + 1);
	if (slot + 1 < BRS_DEPTH)
		return false;
	brs->config &= ~BRS_ENABLE;
	brs->capturing = false;
	return true;
}

bool brs_write_config(struct brs *brs, u64 value, bool *due)
{
	*due = false;
	if ((value & ~CONFIG_KNOWN) || (value & BRS_ALWAYS_SET) != BRS_ALWAYS_SET)
		return false;
	brs->config = value;
	if (!(value & BRS_ENABLE)) {
		*due = brs->capturing;
		brs->capturing = false;
	}
	return true;
}
