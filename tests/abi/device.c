// SPDX-License-Identifier: GPL-2.0-only
/* pmuctl's own ioctls: see device.h. */
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "core.h"

long device_read(struct pmuctl_read_item *items, unsigned int nr, uint64_t *values, size_t size)
{
	struct pmuctl_read args = {
		.size = sizeof(args),
		.nr = nr,
		.items = (uintptr_t)items,
		.values = (uintptr_t)values,
		.values_size = size,
	};
	long ret = ioctl(core_device(), PMUCTL_IOC_READ, &args);

	return ret < 0 ? -errno : ret;
}

int device_snapshot(struct snapshot *snapshot)
{
	struct pmuctl_snapshot args = { .size = sizeof(args) };
	size_t room = 4096;
	int tries;

	snapshot->records = NULL;
	for (tries = 0; tries < 20; tries++) {
		free(snapshot->records);
		snapshot->records = malloc(room);
		args.buf = (uintptr_t)snapshot->records;
		args.buf_size = room;
		if (!ioctl(core_device(), PMUCTL_IOC_SNAPSHOT, &args)) {
			snapshot->size = args.needed;
			return args.needed <= room ? 0 : -EOVERFLOW;
		}
		if (errno != ENOSPC)
			break;
		/* Something may be opened until the next try. */
		room = args.needed + 4096;
	}
	free(snapshot->records);
	snapshot->records = NULL;
	return -errno;
}

const struct pmuctl_record *device_next(const struct snapshot *snapshot,
					const struct pmuctl_record *record, int *error)
{
	const char *begin = snapshot->records, *end = begin + snapshot->size;
	const char *at = record ? (const char *)record + record->size : begin;
	const struct pmuctl_record *next = (const void *)at;

	if (at == end)
		return NULL;
	if (end - at < (long)sizeof(*next) || next->size < sizeof(*next) || next->size % 8 ||
	    next->size > end - at) {
		*error = 1;
		return NULL;
	}
	return next;
}
