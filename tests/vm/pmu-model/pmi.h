/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Delivery of the performance monitoring interrupt.
 */
#ifndef PMU_MODEL_PMI_H
#define PMU_MODEL_PMI_H

struct cpu;

/* Raise it on @cpu, if its local APIC lets it through. */
void pmi_raise(struct cpu *cpu);

#endif /* PMU_MODEL_PMI_H */
