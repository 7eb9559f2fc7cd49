/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's records of who counts what on which counter, sorted by type. */
#ifndef PMUCTL_SNAPSHOT_H
#define PMUCTL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "device.h"

/* Records of one type, as long as this command knows them; what an older module left out is 0. */
struct record_list {
	size_t nr;
	void *record;
};

/* @skipped: records of types this command does not know. @cut: the end was no whole record. */
struct snapshot {
	struct record_list cpu_pmus, slots, classes, ctxs, groups, events;
	size_t skipped;
	bool cut;
};

/* Ask the module. Returns 0, or -errno with nothing in @snapshot. */
int snapshot_take(struct snapshot *snapshot, const struct device *dev);

/* Sort out @size bytes of records. */
void snapshot_decode(struct snapshot *snapshot, const void *buf, size_t size);

const struct pmuctl_record_cpu_pmu *snapshot_cpu_pmu(const struct snapshot *snapshot, size_t i);
const struct pmuctl_record_slot *snapshot_slot(const struct snapshot *snapshot, size_t i);
const struct pmuctl_record_class *snapshot_class(const struct snapshot *snapshot, size_t i);
const struct pmuctl_record_ctx *snapshot_ctx(const struct snapshot *snapshot, size_t i);
const struct pmuctl_record_group *snapshot_group(const struct snapshot *snapshot, size_t i);
const struct pmuctl_record_event *snapshot_event(const struct snapshot *snapshot, size_t i);

void snapshot_free(struct snapshot *snapshot);

#endif
