/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The branch predictor: as simple as can be, and a function of the branches alone.
 */
#ifndef PMU_MODEL_PREDICT_H
#define PMU_MODEL_PREDICT_H

#include "insn.h"

#define PREDICT_RETURNS 16
#define PREDICT_TARGETS 64

/* One branch that ran. */
struct branch {
	u64 from;
	u64 to;
	u64 next;	/* the address behind the branch */
	enum insn_kind kind;
	bool backward;
	bool taken;
	bool missed;
};

struct predictor {
	u64 returns[PREDICT_RETURNS];	/* a ring: the oldest give way */
	unsigned int top;
	struct {
		u64 from, to;
	} target[PREDICT_TARGETS];	/* where indirect branches went last */
};

/* Whether the predictor is wrong about @branch, from which it then learns. */
bool predictor_misses(struct predictor *p, const struct branch *branch);

#endif /* PMU_MODEL_PREDICT_H */
