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
#define PMUCTL_FEATURE_READ_VECTOR	(1ULL << 8)	/* PMUCTL_IOC_READ */
#define PMUCTL_FEATURE_SNAPSHOT		(1ULL << 9)	/* PMUCTL_IOC_SNAPSHOT */

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
 * @pid:      0: the calling task; > 0: that task; -1: every task of @cpu; with
 *            PERF_FLAG_PID_CGROUP: the open directory of a cgroup (v2)
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

/**
 * struct pmuctl_read_item - one event file of a vector read
 * @fd:     in: the file
 * @result: out: bytes it gave, 0 for a pinned event in error, or a negative errno
 */
struct pmuctl_read_item {
	__s32 fd;
	__s32 result;
};

/**
 * struct pmuctl_read - read many event files in one call
 * @size:   as in struct pmuctl_info
 * @nr:     items, at most PMUCTL_READ_MAX
 * @items:  pointer to struct pmuctl_read_item[@nr]
 * @values: pointer to the values: what read(2) of each file gives, one after the other without gaps
 * @values_size: bytes at @values
 *
 * The ioctl returns the bytes stored at @values. A file that cannot be read costs only its own
 * item; one whose values do not fit any more gets ENOSPC there.
 */
struct pmuctl_read {
	__u32 size;
	__u32 nr;
	__u64 items;
	__u64 values;
	__u64 values_size;
};

#define PMUCTL_READ_MAX		4096

/**
 * struct pmuctl_snapshot - who counts what on which counter, now
 * @size:     as in struct pmuctl_info
 * @__reserved: 0
 * @buf:      pointer to the records, one after the other; each begins with struct pmuctl_record
 * @buf_size: bytes at @buf
 * @needed:   out: bytes of all records
 *
 * Needs CAP_PERFMON, or module parameter paranoid at most 0. If @buf_size is less than @needed, as
 * many records as fit are stored and the ioctl returns ENOSPC: try again with some to spare. Each
 * context is caught at one moment; the whole is not. Skip records of unknown type, and the unknown
 * tail of longer ones.
 */
struct pmuctl_snapshot {
	__u32 size;
	__u32 __reserved;
	__u64 buf;
	__u64 buf_size;
	__u64 needed;
};

enum pmuctl_record_type {
	PMUCTL_RECORD_CPU_PMU	= 1,
	PMUCTL_RECORD_SLOT	= 2,
	PMUCTL_RECORD_CLASS	= 3,
	PMUCTL_RECORD_CTX	= 4,
	PMUCTL_RECORD_GROUP	= 5,
	PMUCTL_RECORD_EVENT	= 6,
};

/* @size: of the whole record, this header included; a multiple of 8. */
struct pmuctl_record {
	__u32 type;
	__u32 size;
};

/**
 * struct pmuctl_record_cpu_pmu - one PMU on one CPU that is online
 * @pmu:       number of the PMU in this snapshot; those of PMUCTL_IOC_PMU come first, then software
 * @nr_counters, @nr_used: counters; those that hold a class, idle ones included
 * @rotating:  1 while the rotation timer runs
 * @passes:    times somebody looked for groups that may go on
 * @visits:    waiting groups looked at in all passes
 * @rotations: times the timer made groups take turns
 * @starts, @stops: counters programmed and stopped
 *
 * The sums run from the moment the module was loaded.
 */
struct pmuctl_record_cpu_pmu {
	struct pmuctl_record header;
	__s32 cpu;
	__u32 pmu;
	__u32 nr_counters;
	__u32 nr_used;
	__u32 rotating;
	__u32 __reserved;
	__u64 passes;
	__u64 visits;
	__u64 rotations;
	__u64 starts;
	__u64 stops;
	char  name[PMUCTL_NAME_MAX];
};

/* Priorities, best first: whose groups take counters from whose. */
enum pmuctl_level {
	PMUCTL_LEVEL_CPU_PINNED		= 0,
	PMUCTL_LEVEL_TASK_PINNED	= 1,
	PMUCTL_LEVEL_CPU_FLEXIBLE	= 2,
	PMUCTL_LEVEL_TASK_FLEXIBLE	= 3,
	PMUCTL_LEVELS			= 4,
};

/**
 * struct pmuctl_record_slot - one class on one counter of one CPU
 * @counter: general-purpose counter n is n, fixed counter n is 32 + n
 * @class:   id of the class
 * @users:   by enum pmuctl_level: contexts on this CPU that count it now; all 0: idle, still running
 * @total:   counted here since the class came on
 */
struct pmuctl_record_slot {
	struct pmuctl_record header;
	__s32 cpu;
	__u32 pmu;
	__u32 counter;
	__u32 __reserved;
	__u64 class;
	__u32 users[PMUCTL_LEVELS];
	__u64 total;
};

/**
 * struct pmuctl_record_class - one thing that can be counted
 * @id:      of the class while the module is loaded
 * @nr_events: events that count it, inherited ones included; 0: kept for who asks again
 * @config, @config1: the encoding as the hardware takes it
 * @counters: counters that can count it, as bits
 */
struct pmuctl_record_class {
	struct pmuctl_record header;
	__u64 id;
	__u32 pmu;
	__u32 nr_events;
	__u64 config;
	__u64 config1;
	__u64 counters;
};

/**
 * struct pmuctl_record_ctx - all events of one task or one CPU
 * @id:    of the context in this snapshot
 * @tid:   the task as the caller sees it, 0 for a CPU's context or a task it does not see
 * @home:  the CPU of a CPU's context, else -1
 * @in_on: the CPU on which it counts now, or -1
 * @time:  nanoseconds it has been in
 * @comm:  the task's name
 */
struct pmuctl_record_ctx {
	struct pmuctl_record header;
	__u64 id;
	__s32 tid;
	__s32 home;
	__s32 in_on;
	__u32 nr_events;
	__u64 time;
	char  comm[16];
};

/* struct pmuctl_record_group.flags */
#define PMUCTL_GROUP_PINNED	(1U << 0)
#define PMUCTL_GROUP_EXCLUSIVE	(1U << 1)
#define PMUCTL_GROUP_WAITING	(1U << 2)	/* wants to go on and has no counter */

/**
 * struct pmuctl_record_group - a group
 * @leader: id of its first event
 * @ctx:    id of its context
 * @cgroup: id of its cgroup, 0 for none
 * @cpu:    the only CPU on which it counts, or -1
 * @state:  the leader's, as in struct pmuctl_record_event
 */
struct pmuctl_record_group {
	struct pmuctl_record header;
	__u64 leader;
	__u64 ctx;
	__u64 cgroup;
	__s32 cpu;
	__u32 pmu;
	__s32 state;
	__u32 nr_events;
	__u32 flags;
	__u32 __reserved;
};

/**
 * struct pmuctl_record_event - an event
 * @id:     what PERF_EVENT_IOC_ID gives; inherited events have ids of their own
 * @leader: id of its group's leader
 * @parent: id of the event it was inherited from, 0 for none
 * @class:  id of what it counts
 * @state:  -3 task exited, -2 error, -1 off, 0 waits, 1 counts
 * @type:   attr.type
 * @config: attr.config
 * @value, @enabled, @running: its own, as read(2) gives them; without inherited events
 */
struct pmuctl_record_event {
	struct pmuctl_record header;
	__u64 id;
	__u64 leader;
	__u64 parent;
	__u64 class;
	__s32 state;
	__u32 type;
	__u64 config;
	__u64 value;
	__u64 enabled;
	__u64 running;
};

#define PMUCTL_IOC_MAGIC	0xE7

#define PMUCTL_IOC_INFO		_IOWR(PMUCTL_IOC_MAGIC, 0x00, struct pmuctl_info)
#define PMUCTL_IOC_PMU		_IOWR(PMUCTL_IOC_MAGIC, 0x01, struct pmuctl_pmu_info)
#define PMUCTL_IOC_EVENT_OPEN	_IOW(PMUCTL_IOC_MAGIC, 0x02, struct pmuctl_event_open)
#define PMUCTL_IOC_READ		_IOW(PMUCTL_IOC_MAGIC, 0x03, struct pmuctl_read)
#define PMUCTL_IOC_SNAPSHOT	_IOWR(PMUCTL_IOC_MAGIC, 0x04, struct pmuctl_snapshot)

#endif /* _UAPI_LINUX_PMUCTL_H */
