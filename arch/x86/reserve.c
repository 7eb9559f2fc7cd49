// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sharing the PMU with in-tree perf: whoever reserves the event selectors has it, all of it. The
 * other side then gets EBUSY. In-tree perf's first hardware event takes them all, the NMI watchdog
 * is such an event.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include "x86.h"

int pmuctl_x86_reserve(u32 nr, struct pmuctl_msg *msg)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!reserve_perfctr_nmi(MSR_PERFCTR0 + i))
			goto err_perfctr;
		if (!reserve_evntsel_nmi(MSR_EVENTSEL0 + i))
			goto err_evntsel;
	}
	return 0;

err_evntsel:
	release_perfctr_nmi(MSR_PERFCTR0 + i);
err_perfctr:
	pmuctl_x86_unreserve(i);
	return pmuctl_refuse(msg, -EBUSY, "in-tree perf holds the counters: a perf event is open, or "
			     "the NMI watchdog is on. End the perf session, or run 'sysctl "
			     "kernel.nmi_watchdog=0'");
}

void pmuctl_x86_unreserve(u32 nr)
{
	while (nr--) {
		release_evntsel_nmi(MSR_EVENTSEL0 + nr);
		release_perfctr_nmi(MSR_PERFCTR0 + nr);
	}
}

/* apic_write() is not for modules since 6.12; the driver's own operation is. */
u32 pmuctl_x86_lvtpc_take(void)
{
	u32 before = apic->read(APIC_LVTPC);

	apic->write(APIC_LVTPC, APIC_DM_NMI);
	return before;
}

void pmuctl_x86_lvtpc_restore(u32 entry)
{
	apic->write(APIC_LVTPC, entry);
}
