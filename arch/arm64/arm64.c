// SPDX-License-Identifier: GPL-2.0-only
/* arm64: the module loads, its device answers, and PMUv3 is not driven yet. */
#include <pmuctl/arch.h>

int pmuctl_arch_init(struct pmuctl_msg *why)
{
	pmuctl_refuse(why, 0, "the PMUs of arm64 are not driven yet");
	return 0;
}
