// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc from user space: refused without permission (CR4.PCE), which a mapped event gives; then
 * right for its counter, and refused for a counter that is not there; and all flags behind it as
 * before. Prints a line a case, and exits with the number of wrong ones.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ABSENT 0x3f

static sigjmp_buf back;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

/* 1: it faulted. */
static int rdpmc_faults(uint32_t index)
{
	uint32_t low, high;

	if (sigsetjmp(back, 1))
		return 1;
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return 0;
}

/*
 * The flags that an addition and @after leave. The popf settles the flags of an emulator that
 * computes them late; the addition, with operands unlike flags, unsettles them.
 */
#define FLAGS_OF(after, index) ({						\
	uint64_t flags, sum = 0x8000000000000007;				\
										\
	__asm__ volatile("pushfq; popfq; addq %2, %1;" after "; pushfq; popq %0"	\
			 : "=&r"(flags), "+&r"(sum)				\
			 : "r"(0x7fffffffffff5aa9), "c"(index)			\
			 : "rax", "rdx", "cc");					\
	flags;									\
})

static int rdpmc_keeps_flags(uint32_t index)
{
	return FLAGS_OF("rdpmc", index) == FLAGS_OF("", index);
}

static int check(const char *what, int right)
{
	printf("%s %s\n", right ? "ok" : "FAIL", what);
	return !right;
}

static struct perf_event_mmap_page *map_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	return mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
}

int main(void)
{
	struct perf_event_mmap_page *page;
	int wrong = 0;

	signal(SIGSEGV, on_fault);
	wrong += check("rdpmc faults without permission", rdpmc_faults(0));
	page = map_event();
	if (page == MAP_FAILED)
		return check("an event can be mapped", 0) + wrong;
	wrong += check("a mapped event has a counter", page->index != 0);
	wrong += check("rdpmc of it does not fault", !rdpmc_faults(page->index - 1));
	wrong += check("rdpmc keeps the flags", rdpmc_keeps_flags(page->index - 1));
	wrong += check("rdpmc of an absent counter faults", rdpmc_faults(ABSENT));
	wrong += check("and leaves the permission as it was", !rdpmc_faults(page->index - 1));
	return wrong;
}
