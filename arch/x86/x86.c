// SPDX-License-Identifier: GPL-2.0-only
/* Which backend is for this x86 processor. */
#include <asm/perf_regs.h>
#include <asm/processor.h>
#include <pmuctl/arch.h>
#include "x86.h"

/* All of 64-bit mode but the data segments. */
const u64 pmuctl_arch_sample_regs =
	GENMASK_ULL(PERF_REG_X86_64_MAX - 1, 0) & ~GENMASK_ULL(PERF_REG_X86_GS, PERF_REG_X86_DS);

int pmuctl_arch_init(struct pmuctl_msg *why)
{
	int err = -ENODEV;

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		err = pmuctl_intel_probe(why);
	else
		pmuctl_refuse(why, err, "only Intel PMUs are driven on x86 so far, and this processor "
			      "is from %s", boot_cpu_data.x86_vendor_id);
	return err == -ENODEV ? 0 : err;
}
