// SPDX-License-Identifier: GPL-2.0-only
/* A vector read made of many read(2). Takes whatever files it is given. */
#include <errno.h>
#include <unistd.h>

#include "device_files.h"

/* Value and both times: a pipe would give as much as it holds. */
#define ONE	(3 * sizeof(__u64))

int files_read(struct pmuctl_read_item *items, size_t nr, void *values, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t room = size - used < ONE ? size - used : ONE;
		ssize_t got = read(items[i].fd, (char *)values + used, room);

		items[i].result = got < 0 ? -errno : (int)got;
		used += got > 0 ? got : 0;
	}
	return 0;
}
