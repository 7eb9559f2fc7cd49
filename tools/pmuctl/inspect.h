/* SPDX-License-Identifier: GPL-2.0-only */
/* What inspect shows of one snapshot. */
#ifndef PMUCTL_INSPECT_H
#define PMUCTL_INSPECT_H

#include "cpulist.h"
#include "output.h"
#include "picture.h"

/* Sums over all CPUs and PMUs since the module was loaded. */
struct inspect_sums {
	__u64 passes, visits, rotations, starts, stops;
};

/* What to show; only borrowed. */
struct inspect {
	struct picture picture;
	const struct cpulist *cpus;		/* empty: all */
	bool events;				/* list events too */
	const struct inspect_sums *before;	/* of the snapshot before, or NULL */
};

struct inspect_sums inspect_sum(const struct snapshot *snapshot);

bool inspect_wants_cpu(const struct inspect *inspect, int cpu);

/* The part of inspect_write() that shows counters. */
void inspect_write_cpus(struct out *out, const struct inspect *inspect);

/* The table or the members of a JSON object: @out says which. */
void inspect_write(struct out *out, const struct inspect *inspect);

#endif
