// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to the PMU's registers. The emulator ignores registers it does not know, as no processor
 * does; so all that is a PMU's on some processor and none on this one must fault here, and
 * everything else must never be touched.
 */
#include "msr.h"

#include "cpu.h"
#include "model.h"

/* SDM vol. 4, table 2-2; PPR for family 19h, "MSRs". */
static const struct {
	u32 first, last;
} ranges[] = {
	{ 0x0c1, 0x0d0 },		/* counters */
	{ 0x186, 0x195 },		/* event selectors */
	{ 0x1a6, 0x1a7 },		/* off-core response */
	{ 0x1c8, 0x1c9 },		/* older LBR: filter, top of stack */
	{ 0x309, 0x318 },		/* fixed counters */
	{ 0x345, 0x345 },		/* capabilities */
	{ 0x38d, 0x392 },		/* fixed and global control and status */
	{ 0x3f1, 0x3f1 },		/* PEBS */
	{ 0x3f6, 0x3f7 },
	{ 0x4c1, 0x4d0 },		/* full-width counters */
	{ 0x680, 0x69f },		/* older LBR: from, to, info */
	{ 0x6c0, 0x6df },
	{ 0xdc0, 0xddf },
	{ 0x1200, 0x123f },		/* architectural LBR: info, control, depth, from, to */
	{ 0x14ce, 0x14cf },
	{ 0x1500, 0x153f },
	{ 0x1600, 0x163f },
	{ 0xc0000300, 0xc0000303 },	/* AMD: global control and status */
	{ 0xc000010e, 0xc000010f },	/* LBR selection; branch sampling */
	{ 0xc0010000, 0xc0010007 },	/* legacy selectors and counters */
	{ 0xc0010200, 0xc001020f },	/* core selectors and counters */
	{ 0xc0010300, 0xc001033f },	/* branch records */
};

/* AMD has it too, but there it is no PMU's. */
#define MSR_DEBUGCTL 0x1d9

bool msr_is_pmu(const struct cpu *cpu, u32 msr)
{
	size_t i;

	if (msr == MSR_DEBUGCTL)
		return cpu->model == &model_intel;
	for (i = 0; i < ARRAY_SIZE(ranges); i++)
		if (msr >= ranges[i].first && msr <= ranges[i].last)
			return true;
	return false;
}

enum msr_result msr_read(struct cpu *cpu, u32 msr, u64 *value)
{
	enum msr_result result = cpu->model->rdmsr(cpu, msr, value);

	return result == MSR_FOREIGN ? MSR_FAULT : result;
}

enum msr_result msr_write(struct cpu *cpu, u32 msr, u64 value)
{
	enum msr_result result = cpu->model->wrmsr(cpu, msr, value);

	if (result == MSR_FOREIGN)
		return MSR_FAULT;
	if (result == MSR_DONE)
		cpu_reconsider(cpu);
	return result;
}

enum msr_result msr_rdpmc(struct cpu *cpu, u32 ecx, u64 *value)
{
	int i = cpu->model->rdpmc(ecx);

	if (i < 0)
		return MSR_FAULT;
	*value = counter_read(&cpu->counters, i);
	return MSR_DONE;
}
