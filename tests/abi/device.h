/* SPDX-License-Identifier: GPL-2.0-only */
/* What pmuctl's device can do and perf_event_open(2) cannot: read many files at once, snapshots. */
#ifndef ABI_DEVICE_H
#define ABI_DEVICE_H

#include <linux/pmuctl.h>
#include <stddef.h>
#include <stdint.h>

/* Read the files of @items; bytes stored at @values, or -errno. */
long device_read(struct pmuctl_read_item *items, unsigned int nr, uint64_t *values, size_t size);

/* Who counts what now. The caller frees @records. */
struct snapshot {
	void *records;
	size_t size;
};

/* 0 or -errno. */
int device_snapshot(struct snapshot *snapshot);

/* The record behind @record, or the first one if that is NULL; NULL at the end, or where the records
 * make no sense (then *@error is set).
 */
const struct pmuctl_record *device_next(const struct snapshot *snapshot,
					const struct pmuctl_record *record, int *error);

#endif /* ABI_DEVICE_H */
