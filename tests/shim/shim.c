// SPDX-License-Identifier: GPL-2.0-only
/* The simulated kernel's state, its memory, and its answers to plat.h. */
#include <pmuctl/cpu.h>
#include <pmuctl/plat.h>

int shim_cpu;
bool shim_irqs_off;
bool shim_online[SHIM_CPUS];
int shim_fail_after = -1;
int shim_allocated;
int shim_warnings;
int shim_hook_users;
bool shim_cpus_locked;
u64 shim_fold_period[SHIM_CPUS];
u64 shim_rotate_due[SHIM_CPUS][SHIM_PMUS];
u64 shim_rotate_ns;
u64 shim_clock;
void (*shim_interlude)(void);
struct cgroup shim_root_cgroup = { .id = 1, .refs = 1 };
struct task_struct shim_idle[SHIM_CPUS];
struct task_struct *shim_current[SHIM_CPUS];
struct task_struct *shim_next[SHIM_CPUS];

void shim_broken(const char *rule, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken rule: %s\n", file, line, rule);
	abort();
}

void shim_reset(void)
{
	int cpu;

	shim_cpu = 0;
	shim_clock = 1000;
	shim_rotate_ns = 4 * 1000 * 1000;
	shim_fail_after = -1;
	shim_warnings = 0;
	shim_interlude = NULL;
	memset(shim_fold_period, 0, sizeof(shim_fold_period));
	memset(shim_rotate_due, 0, sizeof(shim_rotate_due));
	memset(shim_idle, 0, sizeof(shim_idle));
	memset(shim_next, 0, sizeof(shim_next));
	for_each_possible_cpu(cpu) {
		shim_online[cpu] = true;
		shim_idle[cpu].cpu = cpu;
		shim_idle[cpu].comm = "swapper";
		shim_current[cpu] = &shim_idle[cpu];
	}
}

ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t n = strnlen(from, size);

	SHIM_RULE(size, "a string has room for its end");
	if (n == size)
		n = size - 1;
	memcpy(to, from, n);
	to[n] = 0;
	return from[n] ? -E2BIG : (ssize_t)n;
}

/* ---- interrupts ---- */

static void interlude(void)
{
	static bool within;
	int cpu = shim_cpu;

	if (!shim_interlude || within || shim_irqs_off)
		return;
	within = true;
	shim_interlude();
	within = false;
	shim_cpu = cpu;
}

void shim_irq_restore(bool off)
{
	SHIM_RULE(off || !shim_spinlocks_held, "interrupts stay off while a lock is held");
	shim_irqs_off = off;
	interlude();
}

/* ---- memory ---- */

static struct rcu_head *later;

void *shim_alloc(size_t size, gfp_t gfp)
{
	SHIM_RULE(!!(gfp & GFP_KERNEL) != !!(gfp & GFP_ATOMIC),
		  "an allocation says if it may sleep");
	if (gfp & GFP_KERNEL)
		shim_may_sleep();
	if (!(gfp & __GFP_NOFAIL) && shim_fail_after >= 0 && !shim_fail_after--)
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

/* ---- plat.h: CPUs and tasks ---- */

u64 plat_clock(void)
{
	return shim_clock;
}

int plat_call_cpu(int cpu, void (*fn)(void *arg), void *arg)
{
	int from = shim_cpu;

	shim_may_sleep();
	if (!shim_online[cpu])
		return -ENXIO;
	shim_cpu = cpu;
	shim_irqs_off = true;
	fn(arg);
	SHIM_RULE(shim_irqs_off, "a call leaves interrupts off");
	shim_irqs_off = false;
	shim_cpu = from;
	interlude();
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
	lockdep_assert_irqs_disabled();
	return shim_current[shim_cpu] == task;
}

bool plat_task_exiting(struct task_struct *task)
{
	return task->exiting;
}

struct task_struct *plat_current(void)
{
	lockdep_assert_irqs_disabled();
	return shim_current[shim_cpu];
}

s32 plat_task_name(struct task_struct *task, char *name, size_t size)
{
	strscpy(name, task->comm ?: "", size);
	return task->pid;
}

u64 plat_task_faults(const struct task_struct *task, bool major)
{
	SHIM_RULE(task == shim_current[shim_cpu] || task == shim_next[shim_cpu],
		  "faults are asked of who runs here or is about to");
	return major ? task->major : task->minor;
}

/* ---- cgroups ---- */

struct cgroup *plat_task_cgroup(const struct task_struct *task)
{
	lockdep_assert_irqs_disabled();
	return task->cgroup ?: &shim_root_cgroup;
}

struct cgroup *plat_cgroup_parent(struct cgroup *cgroup)
{
	return cgroup->parent;
}

u64 plat_cgroup_id(const struct cgroup *cgroup)
{
	return cgroup->id;
}

bool plat_cgroup_contains(struct cgroup *ancestor, const struct cgroup *cgroup)
{
	while (cgroup && cgroup != ancestor)
		cgroup = cgroup->parent;
	return cgroup;
}

void plat_cgroup_get(struct cgroup *cgroup)
{
	SHIM_RULE(cgroup->refs > 0, "a cgroup's reference is taken from a live one");
	cgroup->refs++;
}

void plat_cgroup_put(struct cgroup *cgroup)
{
	SHIM_RULE(cgroup->refs > 0, "a cgroup's reference is dropped once");
	cgroup->refs--;
}

/* ---- timers and hooks ---- */

void plat_rotate_timer(int pmu, bool run)
{
	lockdep_assert_irqs_disabled();
	SHIM_RULE(run != !!shim_rotate_due[shim_cpu][pmu], "a timer is started and stopped once");
	SHIM_RULE(!run || pmuctl_cpus[shim_cpu].online, "no timer runs on a CPU that is down");
	shim_rotate_due[shim_cpu][pmu] = run ? shim_clock + shim_rotate_ns : 0;
}

void plat_fold_timer(u64 period_ns)
{
	lockdep_assert_irqs_disabled();
	shim_fold_period[shim_cpu] = period_ns;
}

int plat_task_hooks_get(struct pmuctl_msg *msg)
{
	shim_may_sleep();
	SHIM_RULE(!shim_cpus_locked, "hooks are attached before the CPU lock is taken");
	shim_hook_users++;
	return 0;
}

void plat_task_hooks_put(void)
{
	shim_may_sleep();
	SHIM_RULE(!shim_cpus_locked, "hooks are detached after the CPU lock is released");
	SHIM_RULE(shim_hook_users > 0, "hooks are detached once");
	shim_hook_users--;
}
