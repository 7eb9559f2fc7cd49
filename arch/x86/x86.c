// SPDX-License-Identifier: GPL-2.0-only
/* Which backend is for this x86 processor. */
#include <asm/processor.h>
#include <pmuctl/arch.h>
#include "x86.h"

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
