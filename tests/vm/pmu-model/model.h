/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A processor model: what one vendor's PMU does that another's does not.
 */
#ifndef PMU_MODEL_MODEL_H
#define PMU_MODEL_MODEL_H

#include "cpu.h"
#include "msr.h"

struct model {
	const char *name;
	unsigned int nr_counters;
	unsigned int width;
	bool pmi_masks_lvtpc;	/* SDM vol. 3A, 11.5.1: delivering a PMI sets the mask bit */

	void (*init)(struct cpu *cpu);

	/*
	 * Registers. Counters are up to date; after a write cpu_reconsider() is called. FOREIGN:
	 * no register of this model.
	 */
	enum msr_result (*rdmsr)(struct cpu *cpu, u32 msr, u64 *value);
	enum msr_result (*wrmsr)(struct cpu *cpu, u32 msr, u64 value);
	/* The counter that RDPMC means by @ecx, or -1. */
	int (*rdpmc)(u32 ecx);

	/* What registers say of counter @i. */
	struct counter_setup (*counter)(const struct cpu *cpu, unsigned int i);
	/* Counters in @which overflowed. */
	void (*overflow)(struct cpu *cpu, u64 which);
	/* Whether branches are to be recorded, and a taken one. */
	bool (*recording)(const struct cpu *cpu);
	void (*record)(struct cpu *cpu, const struct branch *branch, enum mode mode);

	/* Answer a leaf alone; the changes to other leaves. */
	bool (*cpuid)(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs);
	const struct cpuid_edit *edits;
	size_t nr_edits;
};

extern const struct model model_intel;	/* Sierra Forest */
extern const struct model model_amd;	/* Zen 3 */
extern const struct model model_amd2;	/* Zen 4 */

/* By the name given on the command line; NULL: there is none. */
const struct model *model_find(const char *name);

#endif /* PMU_MODEL_MODEL_H */
