/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel's architectural last branch records: SDM vol. 3B, chapter 19; event logging: 19.1.4.
 */
#ifndef PMU_MODEL_LBR_H
#define PMU_MODEL_LBR_H

#include "counts.h"
#include "predict.h"

#define LBR_DEPTH_MAX	32
#define LBR_LOGGED	4	/* counters whose events can be logged */

/* IA32_LBR_CTL; bits 16 to 22 choose branches. */
#define LBR_CTL_ENABLE	BIT(0)
#define LBR_CTL_OS	BIT(1)
#define LBR_CTL_USR	BIT(2)
#define LBR_CTL_STACK	BIT(3)
#define LBR_CTL_VALID	0x7f000fULL

/* IA32_LBR_x_INFO */
#define LBR_INFO_MISSED		BIT(63)
#define LBR_INFO_CYCLES_VALID	BIT(60)
#define LBR_INFO_TYPE_SHIFT	56
#define LBR_INFO_LOG_SHIFT	32	/* two bits a counter */
#define LBR_INFO_CYCLES		0xffffULL
#define LBR_INFO_VALID		0xff0000ff0000ffffULL

enum lbr_field { LBR_FROM, LBR_TO, LBR_INFO, LBR_FIELDS };

struct lbr {
	u64 ctl;
	u64 depth;
	u64 entry[LBR_DEPTH_MAX][LBR_FIELDS];
	unsigned int newest;
	/* As of the newest record. */
	u64 cycles;
	u64 logged[LBR_LOGGED];
};

/* What the time and the logged counters are when a branch is recorded. */
struct lbr_clock {
	u64 cycles;
	u64 total[LBR_LOGGED];
	bool logged[LBR_LOGGED];
};

void lbr_init(struct lbr *lbr);

/* A taken branch in @mode while recording is on. */
void lbr_record(struct lbr *lbr, const struct branch *branch, enum mode mode,
		const struct lbr_clock *clock);

/* From now on: a record tells nothing of what happened before. */
void lbr_restart(struct lbr *lbr, const struct lbr_clock *clock);

/* Registers. False: this write must fault. */
bool lbr_write_ctl(struct lbr *lbr, u64 value);
bool lbr_write_depth(struct lbr *lbr, u64 value);

/* Entry @i, counted from the newest, below LBR_DEPTH_MAX. Beyond the depth there are zeroes. */
u64 lbr_read(const struct lbr *lbr, enum lbr_field field, unsigned int i);
bool lbr_write(struct lbr *lbr, enum lbr_field field, unsigned int i, u64 value);

#endif /* PMU_MODEL_LBR_H */
