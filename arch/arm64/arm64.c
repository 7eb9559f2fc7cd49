// SPDX-License-Identifier: GPL-2.0-only
/* arm64: the module loads, its device answers, and PMUv3 is not driven yet. */
#include <asm/perf_regs.h>
#include <pmuctl/arch.h>

const u64 pmuctl_arch_sample_regs = GENMASK_ULL(PERF_REG_ARM64_MAX - 1, 0);

int pmuctl_arch_init(struct pmuctl_msg *why)
{
	pmuctl_refuse(why, 0, "the PMUs of arm64 are not driven yet");
	return 0;
}
