// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device made of perf_event_open(2), so that tests can run the whole command on a machine
 * without the module: software events count, hardware ones are refused where there is no PMU.
 * Takes the place of device.c in a test program and is part of nothing else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device_files.h"

int device_connect(struct device *dev)
{
	const char *features = getenv("TEST_FEATURES");

	memset(dev, 0, sizeof(*dev));
	dev->fd = -1;
	dev->info.abi = PMUCTL_ABI_VERSION;
	dev->info.features = features ? strtoull(features, NULL, 0) : 0;
	strcpy(dev->info.version, "test");
	strcpy(dev->info.no_pmu, "this device has none");
	return 0;
}

int device_pmu(const struct device *dev, unsigned int index, struct pmuctl_pmu_info *pmu)
{
	(void)dev;
	(void)index;
	(void)pmu;
	return -ENODEV;
}

int device_open_event(const struct device *dev, const struct perf_event_attr *attr,
		      const struct device_place *place, char msg[PMUCTL_TEXT_MAX])
{
	int fd;

	(void)dev;
	memset(msg, 0, PMUCTL_TEXT_MAX);
	fd = (int)syscall(SYS_perf_event_open, attr, place->pid, place->cpu, place->group_fd,
			  place->flags | PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		strcpy(msg, "the test device has no hardware events");
	return -errno;
}

int device_read(const struct device *dev, struct pmuctl_read_item *items, size_t nr,
		void *values, size_t size)
{
	(void)dev;
	return files_read(items, nr, values, size);
}

int device_snapshot(const struct device *dev, void *buf, size_t size, size_t *needed)
{
	(void)dev;
	(void)buf;
	(void)size;
	*needed = 0;
	return -EACCES;
}

void device_close(struct device *dev)
{
	(void)dev;
}
