// SPDX-License-Identifier: GPL-2.0-only
/* See device.h. */
#include "device.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static int device(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(PMUCTL_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	must(fd >= 0, PMUCTL_DEVICE_PATH);
	return fd;
}

static __u64 device_features(void)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	must(!ioctl(device(), PMUCTL_IOC_INFO, &info), "PMUCTL_IOC_INFO");
	return info.features;
}

/* In the order of the bits. */
static const char *const feature_names[] = {
	"count_task", "count_cpu", "groups",   "multiplex",   "inherit",
	"cgroup",     "sample",	   "software", "read_vector", "snapshot",
};

const char *device_lacks(__u64 features)
{
	static char text[256];
	unsigned int i;
	size_t length = 0;

	features &= ~device_features();
	if (!features)
		return NULL;
	for (i = 0; i < sizeof(feature_names) / sizeof(feature_names[0]); i++) {
		if (features & 1ULL << i)
			length += snprintf(text + length, sizeof(text) - length, "%s%s",
					   length ? ", " : "", feature_names[i]);
	}
	return text;
}

int device_read(struct pmuctl_read *read)
{
	int bytes = ioctl(device(), PMUCTL_IOC_READ, read);

	return bytes < 0 ? fail(-errno, "PMUCTL_IOC_READ: %s", strerror(errno)) : bytes;
}

static const struct pmuctl_record *find(const char *buf, uint64_t size, int cpu)
{
	const struct pmuctl_record_cpu_pmu *record;
	uint64_t at;

	for (at = 0; at + sizeof(record->header) <= size; at += record->header.size) {
		record = (const void *)(buf + at);
		if (!record->header.size || record->header.size > size - at)
			return NULL;
		if (record->header.type == PMUCTL_RECORD_CPU_PMU && record->cpu == cpu &&
		    record->pmu == 0)
			return &record->header;
	}
	return NULL;
}

/* The records of all events come with it; they need not be kept. */
static int take(struct pmuctl_snapshot *snapshot)
{
	for (;;) {
		snapshot->buf = (uintptr_t)realloc((void *)(uintptr_t)snapshot->buf,
						   snapshot->buf_size);
		must(!!snapshot->buf, "memory");
		if (!ioctl(device(), PMUCTL_IOC_SNAPSHOT, snapshot))
			return 0;
		if (errno != ENOSPC)
			return fail(-errno, "PMUCTL_IOC_SNAPSHOT: %s", strerror(errno));
		snapshot->buf_size = snapshot->needed + 4096;
	}
}

int device_sums(int cpu, struct pmuctl_record_cpu_pmu *sums)
{
	struct pmuctl_snapshot snapshot = { .size = sizeof(snapshot), .buf_size = 65536 };
	const struct pmuctl_record *record;
	int err = take(&snapshot);

	if (!err) {
		uint64_t size = snapshot.needed < snapshot.buf_size ? snapshot.needed :
								      snapshot.buf_size;

		record = find((const char *)(uintptr_t)snapshot.buf, size, cpu);
		if (record && record->size >= sizeof(*sums))
			memcpy(sums, record, sizeof(*sums));
		else
			err = fail(-ENODATA, "snapshot: no record of CPU %d's PMU", cpu);
	}
	free((void *)(uintptr_t)snapshot.buf);
	return err;
}
