/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AMD's branch sampling of Zen 3: PPR for family 19h model 01h, "Branch Sampling".
 */
#ifndef PMU_MODEL_BRS_H
#define PMU_MODEL_BRS_H

#include "predict.h"

#define BRS_DEPTH	16

/* DBG_EXTN_CFG, MSR 0xc000010f */
#define BRS_ENABLE		BIT(2)
#define BRS_ALWAYS_SET		(BIT(3) | BIT(4))
#define BRS_VALID		BIT(5)
#define BRS_OFFSET_SHIFT	16	/* four bits: the slot to be written next */
#define BRS_COUNTER_SHIFT	24	/* three bits: the counter whose overflow starts it */

enum brs_field { BRS_FROM, BRS_TO, BRS_FIELDS };

struct brs {
	u64 config;
	u64 slot[BRS_DEPTH][BRS_FIELDS];	/* slot 0 is the oldest */
	bool capturing;				/* since an overflow whose interrupt is held */
};

void brs_init(struct brs *brs);

/*
 * Counter @i overflowed with its interrupt enabled. True: the interrupt is held, branches are
 * captured from now on.
 */
bool brs_hold(struct brs *brs, unsigned int i);

/* A taken branch while capturing. True: that was the last one, the interrupt is due. */
bool brs_record(struct brs *brs, const struct branch *branch);

/* False: this write must fault. *@due: an interrupt that was held is due. */
bool brs_write_config(struct brs *brs, u64 value, bool *due);

#endif /* PMU_MODEL_BRS_H */
