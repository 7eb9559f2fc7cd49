// SPDX-License-Identifier: GPL-2.0-only
/*
 * The branch recorder of the Intel model. When to record is the model's business (enable bit,
 * freezing); which branches and what of them is decided here.
 */
#include <string.h>

#include "lbr.h"

/* Bits of IA32_LBR_CTL that choose each kind (SDM table 19-2), and types (table 19-4). */
static const struct {
	u64 filter;
	u8 type;
} kinds[INSN_BRANCHES] = {
	[INSN_COND]	= { BIT(16), 0 },
	[INSN_JMP]	= { BIT(17), 2 },
	[INSN_JMP_IND]	= { BIT(18), 1 },
	[INSN_CALL]	= { BIT(19), 4 },
	[INSN_CALL_IND]	= { BIT(20), 3 },
	[INSN_RET]	= { BIT(21), 5 },
	[INSN_FAR]	= { BIT(22), 8 },
	[INSN_SOFT_INT]	= { BIT(22), 8 },
};

void lbr_init(struct lbr *lbr)
{
	memset(lbr, 0, sizeof(*lbr));
	lbr->depth = LBR_DEPTH_MAX;
}

static u64 *entry_at(struct lbr *lbr, unsigned int i)
{
	return lbr->entry[(lbr->newest + i) % lbr->depth];
}

static bool is_chosen(const struct lbr *lbr, const struct branch *branch, enum mode mode)
{
	if (!(lbr->ctl & (mode == USER ? LBR_CTL_USR : LBR_CTL_OS)))
		return false;
	return lbr->ctl & kinds[branch->kind].filter;
}

static bool is_call(enum insn_kind kind)
{
	return kind == INSN_CALL || kind == INSN_CALL_IND;
}

/* A return takes the call it belongs to off the stack. */
static void pop_entry(struct lbr *lbr)
{
	memset(entry_at(lbr, 0), 0, sizeof(lbr->entry[0]));
	lbr->newest = (lbr->newest + 1) % lbr->depth;
}

static u64 at_most(u64 value, u64 max)
{
	return value < max ? value : max;
}

/* What each logged counter counted since the newest record, saturating at 3. */
static u64 log_counters(struct lbr *lbr, const struct lbr_clock *clock)
{
	u64 log = 0;
	unsigned int i;

	for (i = 0; i < LBR_LOGGED; i++) {
		if (clock->logged[i])
			log |= at_most(clock->total[i] - lbr->logged[i], 3) << (2 * i);
		lbr->logged[i] = clock->total[i];
	}
	return log << LBR_INFO_LOG_SHIFT;
}

static u64 make_info(struct lbr *lbr, const struct branch *branch, const struct lbr_clock *clock)
{
	u64 info = LBR_INFO_CYCLES_VALID;

	info |= (u64)kinds[branch->kind].type << LBR_INFO_TYPE_SHIFT;
	info |= at_most(clock->cycles - lbr->cycles, LBR_INFO_CYCLES);
	info |= log_counters(lbr, clock);
	if (branch->missed)
		info |= LBR_INFO_MISSED;
	lbr->cycles = clock->cycles;
	return info;
}

static void push_entry(struct lbr *lbr, const struct branch *branch,
		       const struct lbr_clock *clock)
{
	u64 *entry;

	lbr->newest = (lbr->newest + lbr->depth - 1) % lbr->depth;
	entry = entry_at(lbr, 0);
	entry[LBR_FROM] = branch->from;
	entry[LBR_TO] = branch->to;
	entry[LBR_INFO] = make_info(lbr, branch, clock);
}

void lbr_record(struct lbr *lbr, const struct branch *branch, enum mode mode,
		const struct lbr_clock *clock)
{
	if (!is_chosen(lbr, branch, mode))
		return;
	if (!(lbr->ctl & LBR_CTL_STACK)) {
		push_entry(lbr, branch, clock);
	} else if (branch->kind == INSN_RET) {
		pop_entry(lbr);
	} else if (is_call(branch->kind) && branch->to != branch->next) {
		/* A call to the next instruction only reads the instruction pointer. */
		push_entry(lbr, branch, clock);
	}
}

void lbr_restart(struct lbr *lbr, const struct lbr_clock *clock)
{
	lbr->cycles = clock->cycles;
	memcpy(lbr->logged, clock->total, sizeof(lbr->logged));
}

bool lbr_write_ctl(struct lbr *lbr, u64 value)
{
	if (value & ~LBR_CTL_VALID)
		return false;
	lbr->ctl = value;
	return true;
}

bool lbr_write_depth(struct lbr *lbr, u64 value)
{
	if (value == 0 || value > LBR_DEPTH_MAX || value % 8)
		return false;
	lbr->depth = value;
	lbr->newest = 0;
	memset(lbr->entry, 0, sizeof(lbr->entry));
	return true;
}

u64 lbr_read(const struct lbr *lbr, enum lbr_field field, unsigned int i)
{
	if (i >= lbr->depth)
		return 0;
	return lbr->entry[(lbr->newest + i) % lbr->depth][field];
}

bool lbr_write(struct lbr *lbr, enum lbr_field field, unsigned int i, u64 value)
{
	if (field == LBR_INFO && (value & ~LBR_INFO_VALID))
		return false;
	if (i < lbr->depth)
		entry_at(lbr, i)[field] = value;
	return true;
}
