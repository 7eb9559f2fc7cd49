/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows kernel versions: it makes older kernels look like the newest one.
 * Each entry says what changed and when, as far as the three tested kernels (6.1, 6.12, 7.3) prove.
 */
#ifndef PMUCTL_COMPAT_H
#define PMUCTL_COMPAT_H

#include <linux/file.h>
#include <linux/hrtimer.h>
#include <linux/version.h>

/* fd_file() came with 6.11. */
#ifndef fd_file
#define fd_file(fd) ((fd).file)
#endif

/* hrtimer_setup() replaced hrtimer_init() and the assignment of .function (between 6.12 and 7.3). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
static inline void pmuctl_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#define hrtimer_setup pmuctl_hrtimer_setup
#endif

/* sched_process_exit tells since some version after 6.12 whether the whole process goes. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define PMUCTL_EXIT_PROBE_ARGS void *data, struct task_struct *task
#else
#define PMUCTL_EXIT_PROBE_ARGS void *data, struct task_struct *task, bool group_dead
#endif

/* task_newtask's flags became 64 bits wide, some version after 6.12 as well. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define PMUCTL_NEWTASK_PROBE_ARGS void *data, struct task_struct *task, unsigned long clone_flags
#else
#define PMUCTL_NEWTASK_PROBE_ARGS void *data, struct task_struct *task, u64 clone_flags
#endif

/*
 * register_syscore() and its struct replaced register_syscore_ops() in 6.18 and, in the middle of it,
 * in the 6.12 series: Kbuild looks which one the headers have.
 */
#ifdef PMUCTL_HAVE_SYSCORE
#define PMUCTL_SYSCORE_ARGS void *data
#define PMUCTL_SYSCORE(name, down, up)						\
	const struct syscore_ops name##_ops = { .suspend = down, .resume = up };	\
	static struct syscore name = { .ops = &name##_ops }
#else
#define PMUCTL_SYSCORE_ARGS void
#define PMUCTL_SYSCORE(name, down, up)						\
	struct syscore_ops name = { .suspend = down, .resume = up }
#define register_syscore register_syscore_ops
#define unregister_syscore unregister_syscore_ops
#endif

#ifdef CONFIG_X86
#include <asm/msr.h>

/* rdmsrq(), wrmsrq() were rdmsrl(), wrmsrl(), and cpuid() was in asm/processor.h, up to 6.15. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#include <asm/processor.h>
#define rdmsrq rdmsrl
#define wrmsrq wrmsrl
#else
#include <asm/cpuid/api.h>
#endif
#endif /* CONFIG_X86 */

#endif /* PMUCTL_COMPAT_H */
