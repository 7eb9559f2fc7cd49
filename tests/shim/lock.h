/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locks that know their order. A lock's class follows from the name by which it is initialised, as
 * lockdep's does from the place; a lock of a name that is not in lock.c aborts.
 */
#ifndef SHIM_LOCK_H
#define SHIM_LOCK_H

typedef struct {
	const char *name;
	bool held;
} raw_spinlock_t;

struct mutex {
	const char *name;
	bool held;
};

#define DEFINE_RAW_SPINLOCK(lock) raw_spinlock_t lock = { .name = #lock }
#define DEFINE_MUTEX(lock) struct mutex lock = { .name = #lock }
#define raw_spin_lock_init(lock) (*(lock) = (raw_spinlock_t){ .name = #lock })
#define mutex_init(lock) (*(lock) = (struct mutex){ .name = #lock })

#define SINGLE_DEPTH_NESTING 1

void raw_spin_lock_nested(raw_spinlock_t *lock, int depth);
void raw_spin_unlock(raw_spinlock_t *lock);
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

#define raw_spin_lock(lock) raw_spin_lock_nested(lock, 0)
#define raw_spin_lock_irqsave(lock, flags) \
	do { local_irq_save(flags); raw_spin_lock(lock); } while (0)
#define raw_spin_unlock_irqrestore(lock, flags) \
	do { raw_spin_unlock(lock); local_irq_restore(flags); } while (0)

#define lockdep_assert(held) SHIM_RULE(held, "lockdep_assert(" #held ")")
#define lockdep_is_held(lock) ((lock)->held)
#define lockdep_assert_held(lock) SHIM_RULE((lock)->held, "the lock is held here")

/* Aborts unless the caller may sleep. */
void shim_may_sleep(void);

/* Raw spinlocks held now; a test may ask that nothing is left locked. */
extern int shim_spinlocks_held;

#endif /* SHIM_LOCK_H */
