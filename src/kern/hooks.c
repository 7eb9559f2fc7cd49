// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints through which the scheduler calls the core. The kernel does not export them, but
 * lets a module walk all of them. They are attached while some event needs them, and cost nobody
 * anything at other times.
 */
#include <linux/binfmts.h>
#include <linux/cgroup.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <pmuctl/cgroup.h>
#include <pmuctl/compat.h>
#include <pmuctl/family.h>
#include <pmuctl/module.h>
#include <pmuctl/msg.h>
#include <pmuctl/sched.h>
#include <pmuctl/software.h>

static void switch_probe(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	pmuctl_sched_switch(prev, next);
}

static void exec_probe(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	/* In-tree perf asks whether the task may be dumped; these are the reasons why not. */
	pmuctl_sched_exec(task, bprm->secureexec ||
				bprm->interp_flags & BINPRM_FLAGS_ENFORCE_NONDUMP);
}

static void exit_probe(PMUCTL_EXIT_PROBE_ARGS)
{
	pmuctl_sched_exit(task);
}

/* Every kind of new task, those of io_uring and vhost too, which fork's tracepoint does not show. */
static void newtask_probe(PMUCTL_NEWTASK_PROBE_ARGS)
{
	pmuctl_inherit(task, clone_flags & CLONE_THREAD);
}

static void migrate_probe(void *data, struct task_struct *task, int dest_cpu)
{
	pmuctl_software_migrate(task);
}

static void moved_here(void *unused)
{
	pmuctl_cgroup_moved();
}

static DEFINE_PER_CPU(call_single_data_t, moved_calls);

/*
 * Called with interrupts off and locks held, so nobody is waited for. All threads of a process may
 * have moved, wherever they run. A call that is on its way already will see this move too.
 */
static void attach_probe(void *data, struct cgroup *to, const char *path, struct task_struct *task,
			 bool threadgroup)
{
	int cpu;

	for_each_online_cpu(cpu)
		smp_call_function_single_async(cpu, per_cpu_ptr(&moved_calls, cpu));
}

static struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
} hooks[] = {
	{ "sched_switch", switch_probe },
	{ "sched_process_exec", exec_probe },
	{ "sched_process_exit", exit_probe },
	{ "task_newtask", newtask_probe },
	{ "sched_migrate_task", migrate_probe },
	{ "cgroup_attach_task", attach_probe },
};

static DEFINE_MUTEX(hooks_mutex);
static u32 nr_users;	/* under hooks_mutex */

static void match_tracepoint(struct tracepoint *tracepoint, void *arg)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(tracepoint->name, hooks[i].name))
			hooks[i].tracepoint = tracepoint;
	}
}

int pmuctl_hooks_init(void)
{
	int i, cpu;

	for_each_possible_cpu(cpu)
		INIT_CSD(per_cpu_ptr(&moved_calls, cpu), moved_here, NULL);
	for_each_kernel_tracepoint(match_tracepoint, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!hooks[i].tracepoint) {
			pr_err("pmuctl: this kernel has no tracepoint %s. pmuctl cannot work on it\n",
			       hooks[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

static void detach(int nr)
{
	while (nr--)
		tracepoint_probe_unregister(hooks[nr].tracepoint, hooks[nr].probe, NULL);
	/* After this no CPU is inside a probe. */
	tracepoint_synchronize_unregister();
}

static int attach(struct pmuctl_msg *msg)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = tracepoint_probe_register(hooks[i].tracepoint, hooks[i].probe, NULL);
		if (err) {
			detach(i);
			return pmuctl_refuse(msg, err, "cannot attach to tracepoint %s",
					     hooks[i].name);
		}
	}
	return 0;
}

/*
 * Attaching and detaching patch code and wait for every CPU. Tools come and go, so hooks that nobody
 * needs any more stay for a moment, as in-tree perf's do.
 */
#define LINGER (1 * HZ)

static bool attached;	/* under hooks_mutex */

static void detach_if_unused(struct work_struct *work)
{
	mutex_lock(&hooks_mutex);
	if (attached && !nr_users) {
		detach(ARRAY_SIZE(hooks));
		attached = false;
	}
	mutex_unlock(&hooks_mutex);
}

static DECLARE_DELAYED_WORK(detach_work, detach_if_unused);

int plat_task_hooks_get(struct pmuctl_msg *msg)
{
	int err = 0;

	mutex_lock(&hooks_mutex);
	if (!attached)
		err = attach(msg);
	if (!err) {
		attached = true;
		nr_users++;
	}
	mutex_unlock(&hooks_mutex);
	return err;
}

void plat_task_hooks_put(void)
{
	mutex_lock(&hooks_mutex);
	if (!--nr_users)
		schedule_delayed_work(&detach_work, LINGER);
	mutex_unlock(&hooks_mutex);
}

void pmuctl_hooks_exit(void)
{
	cancel_delayed_work_sync(&detach_work);
	detach_if_unused(NULL);
}
