/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/pmuctl: the only place where the command talks to the module. */
#ifndef PMUCTL_DEVICE_H
#define PMUCTL_DEVICE_H

#include <linux/perf_event.h>
#include <linux/pmuctl.h>
#include <sys/types.h>

/* An open connection; @info is as of device_connect(). */
struct device {
	int fd;
	struct pmuctl_info info;
};

/*
 * Open the device and ask for its facts. Returns 0, or -errno of the step that failed:
 * ENOENT no such file, EACCES no permission, ENODEV/ENXIO no module behind it, ENOTTY another
 * driver's device, EPROTO a module with another ABI (its number is in @dev->info.abi).
 */
int device_connect(struct device *dev);

/* Facts about one PMU. Returns 0 or -errno. */
int device_pmu(const struct device *dev, unsigned int index, struct pmuctl_pmu_info *pmu);

/* Where an event counts: as the arguments of perf_event_open(2). */
struct device_place {
	pid_t pid;		/* with PERF_FLAG_PID_CGROUP: an open directory */
	int cpu;
	int group_fd;
	__u64 flags;
};

/*
 * Open one event. Returns the file, or -errno with the module's reason in @msg ("" if it gave
 * none).
 */
int device_open_event(const struct device *dev, const struct perf_event_attr *attr,
		      const struct device_place *place, char msg[PMUCTL_TEXT_MAX]);

/*
 * Read many event files at once; needs PMUCTL_FEATURE_READ_VECTOR. Fills in @items' results and
 * stores the values one after the other. Returns 0 or -errno.
 */
int device_read(const struct device *dev, struct pmuctl_read_item *items, size_t nr,
		void *values, size_t size);

/*
 * Records of who counts what; needs PMUCTL_FEATURE_SNAPSHOT. *@needed: bytes of all records,
 * which are stored if they fit. Returns 0, or -errno: ENOSPC if @size was too small.
 */
int device_snapshot(const struct device *dev, void *buf, size_t size, size_t *needed);

void device_close(struct device *dev);

#endif
