// SPDX-License-Identifier: GPL-2.0-only
/*
 * Predicts: a conditional branch is taken if it goes backwards; a return goes to where the last
 * unmatched call came from, sixteen deep; an indirect branch goes where it went last; everything
 * else is always right. No state may depend on anything but the branches shown.
 */
#include "predict.h"

static void push_return(struct predictor *p, u64 address)
{
	p->top = (p->top + 1) % PREDICT_RETURNS;
	p->returns[p->top] = address;
}

static u64 pop_return(struct predictor *p)
{
	u64 address = p->returns[p->top];

	p->returns[p->top] = 0;
	p->top = (p->top + PREDICT_RETURNS - 1) % PREDICT_RETURNS;
	return address;
}

static bool indirect_misses(struct predictor *p, const struct branch *branch)
{
	unsigned int slot = (branch->from ^ branch->from >> 6) % PREDICT_TARGETS;
	bool hit = p->target[slot].from == branch->from && p->target[slot].to == branch->to;

	p->target[slot].from = branch->from;
	p->target[slot].to = branch->to;
	return !hit;
}

bool predictor_misses(struct predictor *p, const struct branch *branch)
{
	bool missed;

	switch (branch->kind) {
	case INSN_COND:
		return branch->taken != branch->backward;
	case INSN_CALL:
		push_return(p, branch->next);
		return false;
	case INSN_RET:
		return pop_return(p) != branch->to;
	case INSN_JMP_IND:
		return indirect_misses(p, branch);
	case INSN_CALL_IND:
		missed = indirect_misses(p, branch);
		push_return(p, branch->next);
		return missed;
	default:
		return false;
	}
}
