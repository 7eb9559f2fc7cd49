// SPDX-License-Identifier: GPL-2.0-only
/* A vector read made of many read(2). Takes whatever files it is given. */
#include <errno.h>
#include <unistd.h>

#include "device_files.h"

int files_read(struct pmuctl_read_item *items, size_t nr, void *values, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < nr; i++) {
		ssize_t got = read(items[i].fd, (char *)values + used, size - used);

		items[i].result = got < 0 ? -errno : (int)got;
		used += got > 0 ? got : 0;
	}
	return 0;
}
