// SPDX-License-Identifier: GPL-2.0-only
/* The simulated kernel's state, its rule checks, and its answers to plat.h. */
#include <pmuctl/cpu.h>
#include <pmuctl/plat.h>

int shim_cpu;
bool shim_irqs_off;
bool shim_online[SHIM_CPUS] = { true, true, true, true };
int shim_spinlocks_held;
int shim_fail_after = -1;
int shim_allocated;
int shim_hook_users;
u64 shim_fold_period[SHIM_CPUS];
u64 shim_clock;

void shim_broken(const char *rule, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken rule: %s\n", file, line, rule);
	abort();
}

/* ---- locks ---- */

static bool cpus_locked;

static void may_sleep(void)
{
	SHIM_RULE(!shim_irqs_off && !shim_spinlocks_held, "no sleeping call in atomic context");
}

/*
 * The order of locks: one context's lock, then at most the hash's. Two deep is the most there is,
 * and a context's lock is never taken below another lock.
 */
void raw_spin_lock(raw_spinlock_t *lock)
{
	SHIM_RULE(shim_irqs_off, "a raw spinlock is taken with interrupts off");
	SHIM_RULE(!lock->held, "a lock is not taken twice");
	SHIM_RULE(shim_spinlocks_held < 1, "no raw spinlock is taken below another");
	lock->held = true;
	shim_spinlocks_held++;
}

void raw_spin_unlock(raw_spinlock_t *lock)
{
	SHIM_RULE(lock->held, "a lock is released once");
	lock->held = false;
	shim_spinlocks_held--;
}

void mutex_lock(struct mutex *mutex)
{
	may_sleep();
	SHIM_RULE(!mutex->held, "a mutex is not taken twice");
	mutex->held = true;
}

void mutex_unlock(struct mutex *mutex)
{
	SHIM_RULE(mutex->held, "a mutex is released once");
	mutex->held = false;
}

void plat_cpus_lock(void)
{
	may_sleep();
	SHIM_RULE(!pmuctl_open_mutex.held, "the CPU lock comes before pmuctl_open_mutex");
	SHIM_RULE(!cpus_locked, "the CPU lock is not taken twice");
	cpus_locked = true;
}

void plat_cpus_unlock(void)
{
	cpus_locked = false;
}

/* ---- memory ---- */

static struct rcu_head *later;

void *shim_alloc(size_t size)
{
	may_sleep();
	if (shim_fail_after >= 0 && !shim_fail_after--)
		return NULL;
	shim_allocated++;
	return calloc(1, size);
}

void shim_free(void *p)
{
	if (p)
		shim_allocated--;
	free(p);
}

void shim_free_later(struct rcu_head *head, void *memory)
{
	head->memory = memory;
	head->next = later;
	later = head;
}

void shim_grace_period(void)
{
	while (later) {
		void *memory = later->memory;

		later = later->next;
		shim_free(memory);
	}
}

/* ---- plat.h ---- */

u64 plat_clock(void)
{
	return shim_clock;
}

int plat_call_cpu(int cpu, void (*fn)(void *arg), void *arg)
{
	int from = shim_cpu;

	may_sleep();
	if (!shim_online[cpu])
		return -ENXIO;
	shim_cpu = cpu;
	shim_irqs_off = true;
	fn(arg);
	shim_irqs_off = false;
	shim_cpu = from;
	return 0;
}

void plat_call_all(void (*fn)(void *arg), void *arg)
{
	int cpu;

	for_each_possible_cpu(cpu)
		plat_call_cpu(cpu, fn, arg);
}

int plat_task_cpu(struct task_struct *task)
{
	return task->cpu;
}

bool plat_task_is_current(struct task_struct *task)
{
	return task->running && task->cpu == shim_cpu;
}

bool plat_task_exiting(struct task_struct *task)
{
	return task->exiting;
}

void plat_fold_timer(u64 period_ns)
{
	lockdep_assert_irqs_disabled();
	shim_fold_period[shim_cpu] = period_ns;
}

int plat_task_hooks_get(struct pmuctl_msg *msg)
{
	may_sleep();
	SHIM_RULE(!cpus_locked, "hooks are attached before the CPU lock is taken");
	shim_hook_users++;
	return 0;
}

void plat_task_hooks_put(void)
{
	may_sleep();
	SHIM_RULE(!cpus_locked, "hooks are detached after the CPU lock is released");
	SHIM_RULE(shim_hook_users > 0, "hooks are detached once");
	shim_hook_users--;
}
