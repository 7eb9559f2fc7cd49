/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RDMSR, WRMSR and RDPMC of the PMU's registers.
 */
#ifndef PMU_MODEL_MSR_H
#define PMU_MODEL_MSR_H

#include "types.h"

struct cpu;

enum msr_result {
	MSR_FOREIGN,	/* no register of a PMU: the emulator's business */
	MSR_DONE,
	MSR_FAULT,	/* #GP(0) */
};

/* Whether @msr is, on any processor, a register of the PMU. */
bool msr_is_pmu(const struct cpu *cpu, u32 msr);

enum msr_result msr_read(struct cpu *cpu, u32 msr, u64 *value);
enum msr_result msr_write(struct cpu *cpu, u32 msr, u64 value);
enum msr_result msr_rdpmc(struct cpu *cpu, u32 ecx, u64 *value);

#endif /* PMU_MODEL_MSR_H */
