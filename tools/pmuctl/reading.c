// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading event files. With a module that has PMUCTL_IOC_READ a thousand files cost one system
 * call, which also brings their moments closer together; else each costs one. Never fails: what
 * cannot be read counted nothing, and is shown as that.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reading.h"
#include "text.h"

/* An end of file is a pinned event that could not be placed. */
static void read_one(const struct reading *reading)
{
	struct count *count = reading->count;

	if (read(reading->fd, count, sizeof(*count)) != sizeof(*count))
		*count = (struct count){ 0 };
}

/* Hand out the values, which follow each other without gaps. */
static void hand_out(const struct reading *reading, size_t nr,
		     const struct pmuctl_read_item *items, const char *values)
{
	for (size_t i = 0; i < nr; i++) {
		if (items[i].result == sizeof(struct count))
			memcpy(reading[i].count, values, sizeof(struct count));
		if (items[i].result > 0)
			values += items[i].result;
	}
}

/* At most PMUCTL_READ_MAX of them in one call. Returns 0 or -errno. */
static int read_vector(const struct device *dev, const struct reading *reading, size_t nr)
{
	struct pmuctl_read_item *items = xcalloc(nr, sizeof(*items));
	struct count *values = xcalloc(nr, sizeof(*values));
	int err;

	for (size_t i = 0; i < nr; i++) {
		items[i].fd = reading[i].fd;
		*reading[i].count = (struct count){ 0 };
	}
	err = device_read(dev, items, nr, values, nr * sizeof(*values));
	if (!err)
		hand_out(reading, nr, items, (const char *)values);
	free(items);
	free(values);
	return err;
}

static size_t keep_open_ones(const struct reading *all, size_t nr, struct reading *open)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (all[i].fd >= 0)
			open[kept++] = all[i];
		else
			*all[i].count = (struct count){ 0 };
	}
	return kept;
}

void readings_take(const struct device *dev, const struct reading *all, size_t nr)
{
	struct reading *reading = xcalloc(nr, sizeof(*reading));
	bool vector = dev->info.features & PMUCTL_FEATURE_READ_VECTOR;
	size_t done = 0;

	nr = keep_open_ones(all, nr, reading);
	while (vector && done < nr) {
		size_t some = nr - done > PMUCTL_READ_MAX ? PMUCTL_READ_MAX : nr - done;

		if (read_vector(dev, reading + done, some))
			break;
		done += some;
	}
	for (; done < nr; done++)
		read_one(&reading[done]);
	free(reading);
}
