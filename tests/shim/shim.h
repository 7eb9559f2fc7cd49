/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands in for the kernel when src/core is compiled for user space: the kernel's names with
 * their meanings, on simulated CPUs that take turns in one thread.
 *
 * Rules of the kernel that a test could break unnoticed are checked here and abort: locks taken in
 * the wrong order or with interrupts on, sleeping calls with interrupts off, memory freed before
 * its grace period, per-CPU data touched from another CPU's interrupt.
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

#include "list.h"

/* ---- types and arithmetic ---- */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int64_t s64;

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

#define MAX_ERRNO 4095
#define ERR_PTR(err) ((void *)(intptr_t)(err))
#define PTR_ERR(p) ((long)(intptr_t)(p))
#define IS_ERR(p) ((uintptr_t)(p) >= (uintptr_t)-MAX_ERRNO)

static inline u32 hash_64(u64 value, int bits)
{
	return value * 0x9e3779b97f4a7c15ULL >> (64 - bits);
}

#define hash_ptr(p, bits) hash_64((uintptr_t)(p), bits)

/* A broken rule: says which and where, and aborts. */
#define SHIM_RULE(held, rule) \
	((held) ? (void)0 : shim_broken(rule, __FILE__, __LINE__))
void shim_broken(const char *rule, const char *file, int line) __attribute__((noreturn));

#define WARN_ON_ONCE(x) ({ bool bad_ = (x); SHIM_RULE(!bad_, "WARN_ON(" #x ")"); bad_; })

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
#define local_irq_restore(flags) (shim_irqs_off = (flags))
#define lockdep_assert_irqs_disabled() SHIM_RULE(shim_irqs_off, "interrupts are off here")

#define smp_mb() __sync_synchronize()
#define smp_store_release(p, value) (*(p) = (value))
#define smp_load_acquire(p) (*(p))

/* ---- locks ---- */

typedef struct {
	bool held;
} raw_spinlock_t;

struct mutex {
	bool held;
};

#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define DEFINE_MUTEX(name) struct mutex name
#define raw_spin_lock_init(lock) ((lock)->held = false)

void raw_spin_lock(raw_spinlock_t *lock);
void raw_spin_unlock(raw_spinlock_t *lock);
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

#define raw_spin_lock_irqsave(lock, flags) \
	do { local_irq_save(flags); raw_spin_lock(lock); } while (0)
#define raw_spin_unlock_irqrestore(lock, flags) \
	do { raw_spin_unlock(lock); local_irq_restore(flags); } while (0)
#define lockdep_assert_held(lock) SHIM_RULE((lock)->held, "the lock is held here")

/* Raw spinlocks held now; a test may ask that nothing is left locked. */
extern int shim_spinlocks_held;

/* ---- references, RCU, memory ---- */

typedef struct {
	int n;
} refcount_t;

#define refcount_set(r, value) ((r)->n = (value))

static inline void refcount_inc(refcount_t *r)
{
	SHIM_RULE(r->n > 0, "a reference is taken from a live object");
	r->n++;
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	if (r->n)
		r->n++;
	return r->n;
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	SHIM_RULE(r->n > 0, "a reference is dropped once");
	return !--r->n;
}

struct rcu_head {
	struct rcu_head *next;
	void *memory;
};

#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define kfree_rcu(p, member) shim_free_later(&(p)->member, p)
void shim_free_later(struct rcu_head *head, void *memory);

/* A grace period passes: what was to be freed later is freed now. */
void shim_grace_period(void);

#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 0
#define kzalloc(size, gfp) shim_alloc(size)
#define kzalloc_node(size, gfp, node) shim_alloc(size)
#define kfree(p) shim_free(p)
void *shim_alloc(size_t size);
void shim_free(void *p);

/* The allocation after @shim_fail_after more fails, once; -1 for none. */
extern int shim_fail_after;
/* Allocations not freed yet. */
extern int shim_allocated;

/* ---- tasks ---- */

struct task_struct {
	int refs;
	int cpu;	/* on which it runs or last ran */
	bool running;
	bool exiting;
};

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

/* Attached hooks; users counted as the kernel side does. */
extern int shim_hook_users;
/* The fold timer's period on each CPU, 0 while it does not run. */
extern u64 shim_fold_period[SHIM_CPUS];
/* The clock, in nanoseconds. */
extern u64 shim_clock;

#endif /* SHIM_H */
