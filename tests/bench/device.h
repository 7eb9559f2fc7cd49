/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/pmuctl beyond opening events: what it can do, the vector read, the scheduler's sums.
 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <linux/pmuctl.h>

/* Which of these PMUCTL_FEATURE_* bits the module does not have, in words; NULL if it has all. */
const char *device_lacks(__u64 features);

/* PMUCTL_IOC_READ: bytes stored, or -errno with a reason. */
int device_read(struct pmuctl_read *read);

/* The record of the first PMU on @cpu, out of a snapshot: 0, or -errno with a reason. */
int device_sums(int cpu, struct pmuctl_record_cpu_pmu *sums);

#endif /* BENCH_DEVICE_H */
