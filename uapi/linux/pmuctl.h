/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What /dev/pmuctl and its users share: the device's ioctls.
 *
 * The event files which PMUCTL_IOC_EVENT_OPEN hands out speak the ABI of <linux/perf_event.h>
 * (read formats, PERF_EVENT_IOC_*); nothing of it is restated here.
 *
 * Every structure begins with its size, set by the caller. A kernel that knows a longer one fills
 * in what fits; a kernel that knows a shorter one writes its own size back and leaves the tail
 * zero. So old programs run on new modules and new programs on old ones.
 */
#ifndef _UAPI_LINUX_PMUCTL_H
#define _UAPI_LINUX_PMUCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PMUCTL_DEVICE_NAME	"pmuctl"
#define PMUCTL_DEVICE_PATH	"/dev/pmuctl"

/* Raised when an existing structure or ioctl changes its meaning; additions do not raise it. */
#define PMUCTL_ABI_VERSION	1

/* Longest text the module gives in one field, with its terminating zero. */
#define PMUCTL_TEXT_MAX		256
#define PMUCTL_NAME_MAX		32

/* struct pmuctl_info.features: what this build of the module can do. */
#define PMUCTL_FEATURE_COUNT_TASK	(1ULL << 0)	/* counting events of a task */
#define PMUCTL_FEATURE_COUNT_CPU	(1ULL << 1)	/* counting events of a whole CPU */
#define PMUCTL_FEATURE_GROUPS		(1ULL << 2)	/* group_fd, PERF_FORMAT_GROUP */
#define PMUCTL_FEATURE_MULTIPLEX	(1ULL << 3)	/* more events than counters take turns */
#define PMUCTL_FEATURE_INHERIT		(1ULL << 4)	/* attr.inherit */
#define PMUCTL_FEATURE_CGROUP		(1ULL << 5)	/* PERF_FLAG_PID_CGROUP */
#define PMUCTL_FEATURE_SAMPLE		(1ULL << 6)	/* sample_period, ring buffers */
#define PMUCTL_FEATURE_SOFTWARE		(1ULL << 7)	/* PERF_TYPE_SOFTWARE */

/**
 * struct pmuctl_info - the module as a whole
 * @size:     in: sizeof(struct pmuctl_info) of the caller; out: of the module
 * @abi:      PMUCTL_ABI_VERSION of the module
 * @features: PMUCTL_FEATURE_* bits
 * @nr_pmus:  PMUs that PMUCTL_IOC_PMU describes, indices 0 to nr_pmus - 1
 * @paranoid: the module parameter of that name
 * @nr_events: event files open now
 * @version:  the module's version, for people
 * @no_pmu:   empty, or why no hardware PMU is driven on this machine
 */
struct pmuctl_info {
	__u32 size;
	__u32 abi;
	__u64 features;
	__u32 nr_pmus;
	__s32 paranoid;
	__u32 nr_events;
	__u32 __reserved;
	char  version[PMUCTL_NAME_MAX];
	char  no_pmu[PMUCTL_TEXT_MAX];
};

/* struct pmuctl_pmu_info.holder: whose the hardware is at this moment. */
enum pmuctl_holder {
	PMUCTL_HOLDER_NOBODY	= 0,	/* free: the next hardware event takes it */
	PMUCTL_HOLDER_PMUCTL	= 1,	/* an event of this module is open */
	PMUCTL_HOLDER_OTHER	= 2,	/* in-tree perf, its NMI watchdog or another driver */
};

/* struct pmuctl_pmu_info.features */
#define PMUCTL_PMU_FULL_WIDTH		(1ULL << 0)	/* counters can be written in full width */
#define PMUCTL_PMU_GLOBAL_CTRL		(1ULL << 1)	/* one register starts and stops all counters */
#define PMUCTL_PMU_ARCH_LBR		(1ULL << 2)	/* Intel architectural last branch records */
#define PMUCTL_PMU_BRANCH_COUNTERS	(1ULL << 3)	/* branch records carry event counts */
#define PMUCTL_PMU_BRS			(1ULL << 4)	/* AMD branch sampling */
#define PMUCTL_PMU_USER_READ		(1ULL << 5)	/* counters readable from user space */

/**
 * struct pmuctl_pmu_info - one PMU
 * @size:     as in struct pmuctl_info
 * @index:    in: which, 0 to nr_pmus - 1; ENODEV beyond
 * @type:     attr.type of its raw events
 * @version:  the architecture's version of it (Intel: perfmon version)
 * @nr_gp:    general-purpose counters
 * @nr_fixed: fixed-function counters
 * @width_gp: bits of a general-purpose counter
 * @width_fixed: bits of a fixed counter
 * @features: PMUCTL_PMU_* bits
 * @branch_depth: entries of the branch recorder, 0 if there is none
 * @branch_counters: counters whose events it can log
 * @branch_counter_width: bits of each such count
 * @holder:   enum pmuctl_holder
 * @nr_classes: different things counted now (see docs/design.md)
 * @nr_events: event files open on it now
 * @name:     as in /sys/bus/event_source/devices
 * @holder_text: empty, or who holds the hardware as far as it can be known
 */
struct pmuctl_pmu_info {
	__u32 size;
	__u32 index;
	__u32 type;
	__u32 version;
	__u32 nr_gp;
	__u32 nr_fixed;
	__u32 width_gp;
	__u32 width_fixed;
	__u64 features;
	__u32 branch_depth;
	__u32 branch_counters;
	__u32 branch_counter_width;
	__u32 holder;
	__u32 nr_classes;
	__u32 nr_events;
	char  name[PMUCTL_NAME_MAX];
	char  holder_text[PMUCTL_TEXT_MAX];
};

/**
 * struct pmuctl_event_open - open an event, as perf_event_open(2) does
 * @size:     as in struct pmuctl_info
 * @pid:      0: the calling task; > 0: that task; -1: every task of @cpu
 * @attr:     pointer to struct perf_event_attr
 * @cpu:      -1: any CPU (of a task); >= 0: that CPU only
 * @group_fd: -1, or the event file of the group's leader
 * @flags:    PERF_FLAG_* of perf_event_open(2)
 * @msg_size: bytes at @msg, 0 for none
 * @__reserved: 0
 * @msg:      pointer to a buffer for the reason of a refusal, a terminated text without newline
 *
 * The ioctl returns the new file's number, or -1 with the errno perf_event_open(2) would give.
 */
struct pmuctl_event_open {
	__u32 size;
	__s32 pid;
	__u64 attr;
	__s32 cpu;
	__s32 group_fd;
	__u64 flags;
	__u32 msg_size;
	__u32 __reserved;
	__u64 msg;
};

#define PMUCTL_IOC_MAGIC	0xE7

#define PMUCTL_IOC_INFO		_IOWR(PMUCTL_IOC_MAGIC, 0x00, struct pmuctl_info)
#define PMUCTL_IOC_PMU		_IOWR(PMUCTL_IOC_MAGIC, 0x01, struct pmuctl_pmu_info)
#define PMUCTL_IOC_EVENT_OPEN	_IOW(PMUCTL_IOC_MAGIC, 0x02, struct pmuctl_event_open)

#endif /* _UAPI_LINUX_PMUCTL_H */
