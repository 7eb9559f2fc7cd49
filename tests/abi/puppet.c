// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that does what a script says (puppet.h) and nothing else: it has no C library below it,
 * and each deed takes the same user-space instructions wherever it is loaded and however often it is
 * run. So counts of it can be compared to the last digit. x86-64 only, as the modelled PMU is.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "loop.h"
#include "puppet.h"

#define STACKS		80
#define STACK_SIZE	4096
#define NOTHING		((void *)0)

static char stacks[STACKS][STACK_SIZE] __attribute__((aligned(16)));
static int stacks_used;

static long call(long nr, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/*
 * clone(2) with a stack of its own: the new task calls what is on top of it, with the argument
 * above. A child of vfork returns to nobody's frame this way.
 */
long start(unsigned long flags, void **stack);
__asm__(
	"start:\n"
	"	xor	%edx, %edx\n"
	"	xor	%r10d, %r10d\n"
	"	xor	%r8d, %r8d\n"
	"	mov	$56, %eax\n"
	"	syscall\n"
	"	test	%rax, %rax\n"
	"	jnz	1f\n"
	"	pop	%rax\n"
	"	pop	%rdi\n"
	"	call	*%rax\n"
	"	hlt\n"
	"1:	ret\n");

static void play(const char *script);

static void leave(int status)
{
	call(SYS_exit, status, 0, 0, 0, 0);
}

/* A script in braces is a task's whole life. */
static void live(const char *script)
{
	play(script);
	leave(0);
}

static void start_on_stack(unsigned long flags, const char *script)
{
	void **top = (void **)stacks[++stacks_used];

	if (stacks_used >= STACKS)
		leave(3);
	top -= 2;
	top[0] = live;
	top[1] = (void *)script;
	if (start(flags, top) < 0)
		leave(4);
}

static void start_fork(const char *script)
{
	if (!call(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0))
		live(script);
}

/* The brace that closes the one at @script. */
static const char *skip(const char *script)
{
	int depth = 0;

	for (;; script++) {
		depth += (*script == '{') - (*script == '}');
		if (!depth)
			return script;
	}
}

static void sync_on(int channel)
{
	int tid = call(SYS_gettid, 0, 0, 0, 0, 0);
	char cue;

	call(SYS_write, PUPPET_FD_TELL + channel, (long)&tid, sizeof(tid), 0, 0);
	if (call(SYS_read, PUPPET_FD_CUE + channel, (long)&cue, 1, 0, 0) != 1)
		leave(5);
}

static void wait_for_children(void)
{
	while (call(SYS_wait4, -1, 0, 0x60000000 /* __WALL, __WNOTHREAD */, 0, 0) > 0)
		;
}

static void go_to_cpu(int cpu)
{
	unsigned long set = 1UL << cpu;

	call(SYS_sched_setaffinity, 0, sizeof(set), (long)&set, 0, 0);
}

static void touch_pages(void)
{
	long size = PUPPET_PAGES * 4096L, offset;
	char *area = (char *)call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1);

	for (offset = 0; offset < size; offset += 4096)
		*(volatile char *)(area + offset) = 1;
}

static void sleep_a_little(void)
{
	long time[2] = { 0, 2000000 };

	call(SYS_nanosleep, (long)time, 0, 0, 0, 0);
}

static void execute(int fd, const char *script)
{
	const char *argv[] = { "puppet", script, NOTHING };

	call(SYS_execveat, fd, (long)"", (long)argv, 0, AT_EMPTY_PATH);
}

static void become_user(void)
{
	call(SYS_setresgid, PUPPET_USER, PUPPET_USER, PUPPET_USER, 0, 0);
	call(SYS_setresuid, PUPPET_USER, PUPPET_USER, PUPPET_USER, 0, 0);
}

static void act(const char *deed)
{
	int i;

	switch (*deed) {
	case 'l':
		loop(PUPPET_ROUNDS);
		break;
	case 'L':
		for (i = 0; i < 50; i++)
			loop(PUPPET_ROUNDS);
		break;
	case 'b':
		for (;;)
			loop(PUPPET_ROUNDS);
	case 's':
		sync_on(deed[1] - '0');
		break;
	case 'f':
		start_fork(deed + 2);
		break;
	case 'v':
		start_on_stack(CLONE_VM | CLONE_VFORK | 17, deed + 2);
		break;
	case 't':
		start_on_stack(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			       CLONE_SYSVSEM, deed + 2);
		break;
	case 'w':
		wait_for_children();
		break;
	case 'c':
		go_to_cpu(deed[1] - '0');
		break;
	case 'p':
		touch_pages();
		break;
	case 'n':
		sleep_a_little();
		break;
	case 'x':
		execute(PUPPET_FD_SELF, deed + 1);
		leave(6);
		break;
	case 'S':
		execute(PUPPET_FD_SETUID, deed + 1);
		leave(6);
		break;
	case 'U':
		execute(PUPPET_FD_UNREADABLE, deed + 1);
		leave(6);
		break;
	case 'e':
		execute(PUPPET_FD_NOTHING, deed);
		break;
	case 'u':
		become_user();
		break;
	case 'q':
		call(SYS_exit_group, 0, 0, 0, 0, 0);
		break;
	default:
		leave(2);
	}
}

static void play(const char *script)
{
	for (; *script && *script != '}'; script++) {
		act(script);
		if (script[1] == '{')
			script = skip(script + 1);
		else if (*script == 's' || *script == 'c')
			script++;
	}
}

/* The stack holds argc, then argv. */
void begin(long *stack)
{
	play(stack[0] > 1 ? (const char *)stack[2] : "");
	call(SYS_exit_group, 0, 0, 0, 0, 0);
}

__asm__(
	".globl _start\n"
	"_start:\n"
	"	mov	%rsp, %rdi\n"
	"	and	$-16, %rsp\n"
	"	call	begin\n");
