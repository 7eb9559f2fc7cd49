// SPDX-License-Identifier: GPL-2.0-only
/* The order of locks. What docs/design.md says about it, this aborts on. */
#include <pmuctl/plat.h>

int shim_spinlocks_held;

/* Raw spinlocks: what may be held when one of a class is taken. */
enum lock_class { CTX, HASH, FAMILY, NR_CLASSES };

static const struct {
	const char *name;
	enum lock_class class;
} spinlocks[] = {
	{ "&ctx->lock", CTX },
	{ "task_hash_lock", HASH },
	{ "&ctx->family_lock", FAMILY },
};

static int held[NR_CLASSES];

static enum lock_class class_of(const raw_spinlock_t *lock)
{
	int i;

	for (i = 0; lock->name && i < ARRAY_SIZE(spinlocks); i++) {
		if (!strcmp(lock->name, spinlocks[i].name))
			return spinlocks[i].class;
	}
	shim_broken("a lock is initialised, and tests/shim/lock.c knows it", __FILE__, __LINE__);
}

/*
 * A context's lock is the outermost, and a second one goes inside only where that is said; the
 * hash's and the families' are innermost, below contexts' or alone.
 */
static void check_order(enum lock_class class, int depth)
{
	SHIM_RULE(!held[HASH] && !held[FAMILY], "nothing is taken below an innermost lock");
	if (class == CTX)
		SHIM_RULE(held[CTX] == depth && depth <= SINGLE_DEPTH_NESTING,
			  "contexts' locks nest only where that is said, two deep");
	else
		SHIM_RULE(!depth, "only a context's lock is taken nested");
}

void raw_spin_lock_nested(raw_spinlock_t *lock, int depth)
{
	enum lock_class class = class_of(lock);

	SHIM_RULE(shim_irqs_off, "a raw spinlock is taken with interrupts off");
	SHIM_RULE(!lock->held, "a lock is not taken twice");
	check_order(class, depth);
	lock->held = true;
	held[class]++;
	shim_spinlocks_held++;
}

void raw_spin_unlock(raw_spinlock_t *lock)
{
	SHIM_RULE(lock->held, "a lock is released once");
	SHIM_RULE(shim_irqs_off, "interrupts stay off while a raw spinlock is held");
	lock->held = false;
	held[class_of(lock)]--;
	shim_spinlocks_held--;
}

/* ---- what sleeps ---- */

/* Mutexes in their order; the CPU lock comes before all. */
static const char *const mutexes[] = { "pmuctl_open_mutex", "&ctx->family_mutex" };
static bool mutex_held[ARRAY_SIZE(mutexes)];

static int rank_of(const struct mutex *mutex)
{
	int i;

	for (i = 0; mutex->name && i < ARRAY_SIZE(mutexes); i++) {
		if (!strcmp(mutex->name, mutexes[i]))
			return i;
	}
	shim_broken("a mutex is initialised, and tests/shim/lock.c knows it", __FILE__, __LINE__);
}

void shim_may_sleep(void)
{
	SHIM_RULE(!shim_irqs_off && !shim_spinlocks_held, "no sleeping call in atomic context");
}

void mutex_lock(struct mutex *mutex)
{
	int i, rank = rank_of(mutex);

	shim_may_sleep();
	for (i = rank; i < ARRAY_SIZE(mutexes); i++)
		SHIM_RULE(!mutex_held[i], "mutexes are taken in their order, and once");
	mutex->held = mutex_held[rank] = true;
}

void mutex_unlock(struct mutex *mutex)
{
	SHIM_RULE(mutex->held, "a mutex is released once");
	mutex->held = mutex_held[rank_of(mutex)] = false;
}

void plat_cpus_lock(void)
{
	int i;

	shim_may_sleep();
	for (i = 0; i < ARRAY_SIZE(mutexes); i++)
		SHIM_RULE(!mutex_held[i], "the CPU lock comes before every mutex");
	SHIM_RULE(!shim_cpus_locked, "the CPU lock is not taken twice");
	shim_cpus_locked = true;
}

void plat_cpus_unlock(void)
{
	SHIM_RULE(shim_cpus_locked, "the CPU lock is released once");
	shim_cpus_locked = false;
}
