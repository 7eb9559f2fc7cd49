// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pmuctl: the only place where the command talks to the module. Translates nothing and
 * words nothing; tests replace this file when they link.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"

int device_connect(struct device *dev)
{
	memset(dev, 0, sizeof(*dev));
	dev->fd = open(PMUCTL_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (dev->fd < 0)
		return -errno;
	dev->info.size = sizeof(dev->info);
	if (ioctl(dev->fd, PMUCTL_IOC_INFO, &dev->info) < 0) {
		int err = errno;

		device_close(dev);
		return -err;
	}
	/* A longer module's texts are terminated; a foreign one's might not be. */
	dev->info.version[sizeof(dev->info.version) - 1] = '\0';
	dev->info.no_pmu[sizeof(dev->info.no_pmu) - 1] = '\0';
	if (dev->info.abi != PMUCTL_ABI_VERSION) {
		device_close(dev);
		return -EPROTO;
	}
	return 0;
}

int device_pmu(const struct device *dev, unsigned int index, struct pmuctl_pmu_info *pmu)
{
	memset(pmu, 0, sizeof(*pmu));
	pmu->size = sizeof(*pmu);
	pmu->index = index;
	if (ioctl(dev->fd, PMUCTL_IOC_PMU, pmu) < 0)
		return -errno;
	pmu->name[sizeof(pmu->name) - 1] = '\0';
	pmu->holder_text[sizeof(pmu->holder_text) - 1] = '\0';
	return 0;
}

int device_open_event(const struct device *dev, const struct perf_event_attr *attr,
		      const struct device_place *place, char msg[PMUCTL_TEXT_MAX])
{
	struct pmuctl_event_open open = {
		.size = sizeof(open),
		.pid = place->pid,
		.attr = (uintptr_t)attr,
		.cpu = place->cpu,
		.group_fd = place->group_fd,
		.flags = place->flags | PERF_FLAG_FD_CLOEXEC,
		.msg_size = PMUCTL_TEXT_MAX,
		.msg = (uintptr_t)msg,
	};
	int fd;

	memset(msg, 0, PMUCTL_TEXT_MAX);
	fd = ioctl(dev->fd, PMUCTL_IOC_EVENT_OPEN, &open);
	if (fd >= 0)
		return fd;
	msg[PMUCTL_TEXT_MAX - 1] = '\0';
	return -errno;
}

int device_read(const struct device *dev, struct pmuctl_read_item *items, size_t nr,
		void *values, size_t size)
{
	struct pmuctl_read read = {
		.size = sizeof(read),
		.nr = (__u32)nr,
		.items = (uintptr_t)items,
		.values = (uintptr_t)values,
		.values_size = size,
	};

	return ioctl(dev->fd, PMUCTL_IOC_READ, &read) < 0 ? -errno : 0;
}

int device_snapshot(const struct device *dev, void *buf, size_t size, size_t *needed)
{
	struct pmuctl_snapshot snapshot = {
		.size = sizeof(snapshot),
		.buf = (uintptr_t)buf,
		.buf_size = size,
	};
	int err = ioctl(dev->fd, PMUCTL_IOC_SNAPSHOT, &snapshot) < 0 ? -errno : 0;

	*needed = snapshot.needed;
	return err;
}

void device_close(struct device *dev)
{
	if (dev->fd >= 0)
		close(dev->fd);
	dev->fd = -1;
}
