/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module asks of an architecture: find the PMUs of this machine and register them.
 */
#ifndef PMUCTL_ARCH_H
#define PMUCTL_ARCH_H

#include <pmuctl/msg.h>

/*
 * Register each PMU that can be driven. 0 also if there is none: then @why says why, in a text for
 * people. Negative only if something that should work did not.
 */
int pmuctl_arch_init(struct pmuctl_msg *why);

/* Registers that a sample may hold, as bits of attr.sample_regs_user (asm/perf_regs.h). */
extern const u64 pmuctl_arch_sample_regs;

#endif /* PMUCTL_ARCH_H */
