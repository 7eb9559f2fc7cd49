/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands in for the kernel when src/core is compiled for user space: the kernel's names with
 * their meanings, on simulated CPUs that take turns in one thread.
 *
 * Rules of the kernel that a test could break unnoticed are checked here and abort: locks taken in
 * the wrong order or with interrupts on, sleeping calls with interrupts off, memory freed before
 * its grace period, timers started twice.
 */
#ifndef SHIM_H
#define SHIM_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "list.h"
#include "rbtree.h"

/* ---- types and arithmetic ---- */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t s8;
typedef int32_t s32;
typedef long long s64;

#define ARRAY_SIZE(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile typeof(x) *)&(x) = (value))
#define likely(x) (x)
#define unlikely(x) (x)
#define min(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define clamp_t(type, x, low, high) min(max((type)(x), (type)(low)), (type)(high))
#define __printf(text, first) __attribute__((__format__(__printf__, text, first)))
#define __ffs64(x) __builtin_ctzll(x)
#define hweight64(x) __builtin_popcountll(x)
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof((p)->member[0]))

#define BITS_PER_LONG 64
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline void set_bit(unsigned long bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] |= 1UL << bit % BITS_PER_LONG;
}

static inline bool test_and_clear_bit(unsigned long bit, unsigned long *map)
{
	unsigned long mask = 1UL << bit % BITS_PER_LONG;
	bool was_set = map[bit / BITS_PER_LONG] & mask;

	map[bit / BITS_PER_LONG] &= ~mask;
	return was_set;
}

#define MAX_ERRNO 4095
#define ERR_PTR(err) ((void *)(intptr_t)(err))
#define ERR_CAST(p) ((void *)(p))
#define PTR_ERR(p) ((long)(intptr_t)(p))
#define PTR_ERR_OR_ZERO(p) (IS_ERR(p) ? PTR_ERR(p) : 0)
#define swap(a, b) do { typeof(a) a_ = (a); (a) = (b); (b) = a_; } while (0)
#define IS_ERR(p) ((uintptr_t)(p) >= (uintptr_t)-MAX_ERRNO)

static inline u32 hash_64(u64 value, int bits)
{
	return value * 0x9e3779b97f4a7c15ULL >> (64 - bits);
}

#define hash_ptr(p, bits) hash_64((uintptr_t)(p), bits)

ssize_t strscpy(char *to, const char *from, size_t size);

/* A broken rule: says which and where, and aborts. */
#define SHIM_RULE(held, rule) \
	((held) ? (void)0 : shim_broken(rule, __FILE__, __LINE__))
void shim_broken(const char *rule, const char *file, int line) __attribute__((noreturn));

#define WARN_ON_ONCE(x) ({ bool bad_ = (x); SHIM_RULE(!bad_, "WARN_ON(" #x ")"); bad_; })

/* Warnings the core gave; the text goes nowhere. */
extern int shim_warnings;
#define pr_warn_once(...) ((void)shim_warnings++)

/* ---- CPUs ---- */

#define SHIM_CPUS 4

extern int shim_cpu;			/* the CPU on which the thread is just now */
extern bool shim_irqs_off;
extern bool shim_online[SHIM_CPUS];

#define nr_cpu_ids SHIM_CPUS
#define smp_processor_id() shim_cpu
#define for_each_possible_cpu(cpu) for (cpu = 0; cpu < SHIM_CPUS; cpu++)
#define cpu_to_node(cpu) 0

#define DECLARE_PER_CPU(type, name) extern type name[SHIM_CPUS]
#define DEFINE_PER_CPU(type, name) type name[SHIM_CPUS]
#define per_cpu_ptr(p, cpu) (&(*(p))[cpu])
#define this_cpu_ptr(p) per_cpu_ptr(p, shim_cpu)

#define local_irq_save(flags) ((flags) = shim_irqs_off, shim_irqs_off = true)
#define local_irq_restore(flags) shim_irq_restore(flags)
#define lockdep_assert_irqs_disabled() SHIM_RULE(shim_irqs_off, "interrupts are off here")
void shim_irq_restore(bool off);

/*
 * What other CPUs, or an interrupt, might do whenever interrupts come back on in the core: called
 * if a test sets it. It may call hooks and timers, nothing that takes a mutex. Not called from
 * within itself.
 */
extern void (*shim_interlude)(void);

#define smp_mb() __sync_synchronize()
#define smp_store_release(p, value) (*(p) = (value))
#define smp_load_acquire(p) (*(p))

/* ---- locks and memory ---- */

#include "lock.h"
#include "memory.h"

/* ---- counters ---- */

/* What the instruction that reads a counter gives; the simulated PMU answers. */
u64 plat_read_counter(u32 index);

/* ---- tasks, cgroups, timers ---- */

#define SHIM_COMM 16

struct cgroup {
	struct cgroup *parent;
	u64 id;
	int refs;
};

struct task_struct {
	int refs;
	int cpu;	/* on which it runs or last ran */
	bool exiting;
	struct cgroup *cgroup;	/* NULL: the root */
	u64 minor, major;	/* page faults */
	s32 pid;
	const char *comm;
};

struct cgroup *plat_task_cgroup(const struct task_struct *task);
struct cgroup *plat_cgroup_parent(struct cgroup *cgroup);
u64 plat_cgroup_id(const struct cgroup *cgroup);
bool plat_cgroup_contains(struct cgroup *ancestor, const struct cgroup *cgroup);
void plat_cgroup_get(struct cgroup *cgroup);
void plat_cgroup_put(struct cgroup *cgroup);

static inline struct task_struct *get_task_struct(struct task_struct *task)
{
	task->refs++;
	return task;
}

static inline void put_task_struct(struct task_struct *task)
{
	SHIM_RULE(task->refs > 0, "a task's reference is dropped once");
	task->refs--;
}

extern struct cgroup shim_root_cgroup;
extern struct task_struct shim_idle[SHIM_CPUS];
/* What runs on each CPU, and what is about to: not NULL while the switch hook runs. */
extern struct task_struct *shim_current[SHIM_CPUS];
extern struct task_struct *shim_next[SHIM_CPUS];

/* Attached hooks; users counted as the kernel side does. */
extern int shim_hook_users;
/* True while somebody keeps CPUs from coming and going. */
extern bool shim_cpus_locked;
/* The fold timer's period on each CPU, 0 while it does not run. */
extern u64 shim_fold_period[SHIM_CPUS];
/* The rotation timers: when each fires, 0 while it does not run; and the interval. */
#define SHIM_PMUS 4
extern u64 shim_rotate_due[SHIM_CPUS][SHIM_PMUS];
extern u64 shim_rotate_ns;
/* The clock, in nanoseconds. */
extern u64 shim_clock;

/* Everything as when the machine starts. */
void shim_reset(void);

#endif /* SHIM_H */
