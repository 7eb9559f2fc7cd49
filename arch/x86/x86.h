/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the x86 backends share: registers, the reservation shared with in-tree perf, the NMI.
 * Register numbers: Intel SDM vol. 4, table 2-2; selectors: vol. 3B, 20.2.
 */
#ifndef PMUCTL_X86_H
#define PMUCTL_X86_H

#include <pmuctl/compat.h>
#include <pmuctl/pmu.h>

#define MSR_PERFCTR0		0x0c1	/* IA32_PMCi */
#define MSR_EVENTSEL0		0x186	/* IA32_PERFEVTSELi */
#define MSR_FIXED_CTR0		0x309
#define MSR_CAPABILITIES	0x345	/* IA32_PERF_CAPABILITIES */
#define MSR_FIXED_CTRL		0x38d
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_RESET	0x390	/* IA32_PERF_GLOBAL_STATUS_RESET, before v4 _OVF_CTRL */
#define MSR_FULL_PERFCTR0	0x4c1	/* IA32_A_PMCi */

#define EVENTSEL_EVENT		0x000000ffULL
#define EVENTSEL_UMASK		0x0000ff00ULL
#define EVENTSEL_USR		(1ULL << 16)
#define EVENTSEL_OS		(1ULL << 17)
#define EVENTSEL_EDGE		(1ULL << 18)
#define EVENTSEL_ANY		(1ULL << 21)
#define EVENTSEL_EN		(1ULL << 22)
#define EVENTSEL_INV		(1ULL << 23)
#define EVENTSEL_CMASK		0xff000000ULL

/* One field of IA32_FIXED_CTR_CTRL, four bits a counter. */
#define FIXED_OS		1ULL
#define FIXED_USR		2ULL
#define FIXED_BITS		4

/* Find out whether this machine's PMU is one we drive. 0, or -ENODEV with the reason. */
int pmuctl_intel_probe(struct pmuctl_msg *why);

/* Reserve all @nr event selectors and counters, or none: -EBUSY with the holder. */
int pmuctl_x86_reserve(u32 nr, struct pmuctl_msg *msg);
void pmuctl_x86_unreserve(u32 nr);

/*
 * Call @check on each CPU that takes an NMI while we hold the PMU, after in-tree perf has had it.
 * @check touches MSRs and nothing else.
 */
int pmuctl_x86_nmi_register(void (*check)(void));
void pmuctl_x86_nmi_unregister(void);

/* Local APIC: deliver performance interrupts as NMI; returns what the entry was before. */
u32 pmuctl_x86_lvtpc_take(void);
void pmuctl_x86_lvtpc_restore(u32 entry);

/* intel_events.c: from attr to event selector, privilege bits not included. */
int pmuctl_intel_encode(const struct perf_event_attr *attr, u64 *config, struct pmuctl_msg *msg);

/* The counters that can count @config on a part with these counters. */
u64 pmuctl_intel_counters(const struct pmuctl_pmu *pmu, u64 config);

/* Architectural events (CPUID.0AH:EBX) that this part lacks; bits as in the leaf. */
extern u32 pmuctl_intel_missing;

#endif /* PMUCTL_X86_H */
