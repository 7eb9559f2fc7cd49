// SPDX-License-Identifier: GPL-2.0-only
/* Opens events on in-tree perf or on pmuctl. */
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pmuctl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int device = -1;
static _Thread_local char reason[PMUCTL_TEXT_MAX];

bool core_choose(const char *name)
{
	if (!strcmp(name, "perf"))
		return true;
	if (strcmp(name, "pmuctl"))
		return false;
	device = open(PMUCTL_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	return device >= 0;
}

bool core_gives_reasons(void)
{
	return device >= 0;
}

const char *core_reason(void)
{
	return reason;
}

int core_device(void)
{
	return device;
}

const char *core_paranoid_path(void)
{
	return device < 0 ? "/proc/sys/kernel/perf_event_paranoid"
			  : "/sys/module/pmuctl/parameters/paranoid";
}

int core_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	struct pmuctl_event_open args = {
		.size = sizeof(args),
		.pid = pid,
		.attr = (uintptr_t)attr,
		.cpu = cpu,
		.group_fd = group_fd,
		.flags = flags,
		.msg_size = sizeof(reason),
		.msg = (uintptr_t)reason,
	};
	long fd;

	reason[0] = '\0';
	if (device < 0)
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
	else
		fd = ioctl(device, PMUCTL_IOC_EVENT_OPEN, &args);
	return fd < 0 ? -errno : fd;
}
