// SPDX-License-Identifier: GPL-2.0-only
/*
 * The NMI. Counting raises none of its own, but somebody else's may reach in-tree perf's handler,
 * which stops all counters and, having no event, leaves them stopped (a user of PT or BTS makes
 * that happen). We come after it and put things right.
 */
#include <asm/nmi.h>
#include "x86.h"

static void (*nmi_check)(void);

static int handle(unsigned int type, struct pt_regs *regs)
{
	nmi_check();
	return NMI_DONE;	/* never ours: no counter of ours interrupts */
}

int pmuctl_x86_nmi_register(void (*check)(void))
{
	nmi_check = check;
	return register_nmi_handler(NMI_LOCAL, handle, 0, "pmuctl");
}

void pmuctl_x86_nmi_unregister(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pmuctl");
}
