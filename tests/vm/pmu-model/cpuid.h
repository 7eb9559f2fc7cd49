/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What CPUID says of the PMU. Leaves that are about nothing else are answered here; of others the
 * emulator's answer is changed after the fact.
 */
#ifndef PMU_MODEL_CPUID_H
#define PMU_MODEL_CPUID_H

#include "types.h"

struct cpu;

enum cpuid_register { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX, CPUID_REGISTERS };

struct cpuid_regs {
	u32 reg[CPUID_REGISTERS];
};

/* One change of one register of one leaf. */
struct cpuid_edit {
	u32 leaf;
	bool any_subleaf;
	u32 subleaf;
	enum cpuid_register reg;
	u32 clear, set;
};

/* The leaf that was asked for and whose answer is to be changed. */
struct cpuid_pending {
	bool wanted;
	u32 leaf, subleaf;
};

#define CPUID_MAGIC_LEAF	0x504d5500	/* "PMU" */
#define CPUID_MAGIC_SIGNATURE	0x504d5543	/* "PMUC": in EBX, so that programs find the model */

/* Whether the model answers @leaf alone, and the answer. */
bool cpuid_is_own(const struct cpu *cpu, u32 leaf);
void cpuid_answer(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs);

/* @leaf is about to be executed by the emulator. True: cpuid_edit() must follow. */
bool cpuid_note(struct cpu *cpu, u32 leaf, u32 subleaf);

/* Change the emulator's answer. */
void cpuid_edit(struct cpu *cpu, struct cpuid_regs *regs);

#endif /* PMU_MODEL_CPUID_H */
