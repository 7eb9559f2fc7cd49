/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the model needs to know of an x86-64 instruction: the kind of branch it is, whether it
 * talks to the PMU, whether it is a repeated string instruction.
 */
#ifndef PMU_MODEL_INSN_H
#define PMU_MODEL_INSN_H

#include "types.h"

enum insn_kind {
	/* Branches come first: the value is an index into struct counts' branches. */
	INSN_COND,	/* jcc, loop, jcxz */
	INSN_JMP,
	INSN_JMP_IND,
	INSN_CALL,
	INSN_CALL_IND,
	INSN_RET,
	INSN_FAR,	/* far jump, call, return; iret, syscall, sysret, sysenter, sysexit */
	INSN_SOFT_INT,	/* int n, int3, int1, into: far too, and arrives as an exception */
	INSN_BRANCHES,	/* how many kinds of branch there are */

	INSN_PLAIN = INSN_BRANCHES,
	INSN_STRING,	/* a string instruction with a repeat prefix */
	INSN_RDMSR,
	INSN_WRMSR,
	INSN_RDPMC,
	INSN_CPUID,
};

/* The longest instruction of the architecture (SDM vol. 2A, 2.3.11). */
#define INSN_MAX_BYTES 15

struct insn {
	enum insn_kind kind;
	bool backward;		/* a direct branch with a negative displacement */
	u8 loads, stores;	/* of one round of a string instruction */
};

/* @bytes are the whole instruction, @len of them, and nothing after it. */
struct insn insn_decode(const u8 *bytes, size_t len);

static inline bool insn_is_branch(enum insn_kind kind)
{
	return kind < INSN_BRANCHES;
}

/* Calls and returns, jumps, conditional or not, within a code segment. */
static inline bool insn_is_near(enum insn_kind kind)
{
	return kind < INSN_FAR;
}

#endif /* PMU_MODEL_INSN_H */
