// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt goes through the local APIC's performance entry of the vector table, as on a real
 * machine: what the guest masked there is lost, and it must never get anything but what that
 * entry says. SDM vol. 3A, 11.5.1; the message's address and data: 11.11.
 */
#include "pmi.h"

#include "cpu.h"
#include "model.h"

#define APIC_BASE		0xfee00000ULL
#define APIC_ID			(APIC_BASE + 0x20)
#define APIC_ID_SHIFT		24
#define APIC_LVTPC		(APIC_BASE + 0x340)
#define APIC_LVT_MASKED		BIT(16)
#define APIC_LVT_MESSAGE	0x7ffULL	/* vector and delivery mode */
#define MSI_DESTINATION_SHIFT	12

void pmi_raise(struct cpu *cpu)
{
	const struct host *host = cpu->host;
	u32 entry = host->read_phys(APIC_LVTPC);
	u64 id;

	if (entry & APIC_LVT_MASKED)
		return;
	if (cpu->model->pmi_masks_lvtpc)
		host->write_phys(APIC_LVTPC, entry | APIC_LVT_MASKED);
	id = host->read_phys(APIC_ID) >> APIC_ID_SHIFT;
	host->write_phys(APIC_BASE | id << MSI_DESTINATION_SHIFT, entry & APIC_LVT_MESSAGE);
	cpu->totals.pmi++;
	cpu->interrupted = true;
}
