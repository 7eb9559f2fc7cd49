// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may measure what: perf's policy, with a knob of our own because the kernel's is not
 * exported.
 */
#include <linux/capability.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/static_call.h>
#include <pmuctl/perm.h>

int pmuctl_paranoid = 2;
module_param_named(paranoid, pmuctl_paranoid, int, 0644);
MODULE_PARM_DESC(paranoid, "what needs CAP_PERFMON: 3 everything, 2 kernel and whole CPUs (default), 1 whole CPUs, 0 nothing");

/*
 * ptrace_may_access() asks the LSMs and knows about dumpable tasks, but is not exported. A kprobe
 * tells where it is; a static call reaches it by a direct call, which indirect-branch tracking
 * does not object to. Without it, only CAP_PERFMON measures the tasks of others.
 */
static bool ptrace_unknown(struct task_struct *task, unsigned int mode)
{
	return false;
}

DEFINE_STATIC_CALL(pmuctl_ptrace, ptrace_unknown);

void pmuctl_perm_init(void)
{
	struct kprobe probe = { .symbol_name = "ptrace_may_access" };

	if (register_kprobe(&probe)) {
		pr_notice("pmuctl: ptrace_may_access not found: measuring other tasks needs CAP_PERFMON\n");
		return;
	}
	unregister_kprobe(&probe);
	static_call_update(pmuctl_ptrace, (void *)probe.addr);
}

/* OPEN-03, OPEN-06 */
static bool sees_kernel(const struct perf_event_attr *attr)
{
	return !attr->exclude_kernel || attr->text_poke ||
	       (attr->sample_type & PERF_SAMPLE_PHYS_ADDR) ||
	       ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) && !attr->exclude_callchain_kernel);
}

int pmuctl_perm_open(const struct perf_event_attr *attr, bool whole_cpu, struct pmuctl_msg *msg)
{
	int paranoid = READ_ONCE(pmuctl_paranoid);

	if (perfmon_capable())
		return 0;
	if (paranoid > 2)
		return pmuctl_refuse(msg, -EACCES, "module parameter paranoid is %d: measuring "
				     "needs CAP_PERFMON. Run as root, or lower the parameter",
				     paranoid);
	if (paranoid > 1 && sees_kernel(attr))
		return pmuctl_refuse(msg, -EACCES, "module parameter paranoid is %d: looking into "
				     "the kernel needs CAP_PERFMON. Set exclude_kernel (modifier "
				     ":u) and, for call chains, exclude_callchain_kernel; run as "
				     "root, or set the parameter to 1", paranoid);
	if (attr->namespaces)
		return pmuctl_refuse(msg, -EACCES, "namespaces records need CAP_PERFMON. Run as "
				     "root, or clear the bit");
	if (paranoid > 0 && whole_cpu)
		return pmuctl_refuse(msg, -EACCES, "module parameter paranoid is %d: counting "
				     "whole CPUs needs CAP_PERFMON. Run as root, or set the "
				     "parameter to 0", paranoid);
	return 0;
}

int pmuctl_perm_snapshot(void)
{
	return perfmon_capable() || READ_ONCE(pmuctl_paranoid) <= 0 ? 0 : -EACCES;
}

int pmuctl_perm_task(struct task_struct *task, struct pmuctl_msg *msg)
{
	if (task == current || perfmon_capable())
		return 0;
	if (static_call(pmuctl_ptrace)(task, PTRACE_MODE_READ_REALCREDS))
		return 0;
	return pmuctl_refuse(msg, -EACCES, "task %d is not yours to trace. Measure as its owner or "
			     "as root", task_pid_vnr(task));
}
