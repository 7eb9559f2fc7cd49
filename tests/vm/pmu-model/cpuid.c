// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID: the model's own leaves, changes to others, and one leaf that no processor has and that
 * tells any program the totals of its CPU. Leaf 0 must stay the emulator's: the kernel's topology
 * code believes it.
 */
#include "cpuid.h"

#include "cpu.h"
#include "model.h"

static u64 magic_total(const struct cpu *cpu, u32 subleaf)
{
	switch (subleaf) {
	case 0:
		return cpu->counts->insns[KERNEL];
	case 1:
		return cpu->counts->insns[USER];
	case 2:
		return cpu->totals.wrmsr;
	case 3:
		return cpu->totals.rdmsr;
	case 4:
		return cpu->totals.rdpmc;
	case 5:
		return cpu->totals.pmi;
	}
	return 0;
}

static void answer_magic(const struct cpu *cpu, u32 subleaf, struct cpuid_regs *regs)
{
	u64 total = magic_total(cpu, subleaf);

	*regs = (struct cpuid_regs){ .reg = {
		[CPUID_EAX] = (u32)total,
		[CPUID_EBX] = CPUID_MAGIC_SIGNATURE,
		[CPUID_ECX] = 0,
		[CPUID_EDX] = total >> 32,
	} };
}

static bool edit_applies(const struct cpuid_edit *edit, u32 leaf, u32 subleaf)
{
	return edit->leaf == leaf && (edit->any_subleaf || edit->subleaf == subleaf);
}

static bool has_edits(const struct model *model, u32 leaf, u32 subleaf)
{
	size_t i;

	for (i = 0; i < model->nr_edits; i++)
		if (edit_applies(&model->edits[i], leaf, subleaf))
			return true;
	return false;
}

bool cpuid_is_own(const struct cpu *cpu, u32 leaf)
{
	struct cpuid_regs regs;

	return leaf == CPUID_MAGIC_LEAF || cpu->model->cpuid(cpu, leaf, 0, &regs);
}

void cpuid_answer(const struct cpu *cpu, u32 leaf, u32 subleaf, struct cpuid_regs *regs)
{
	if (leaf == CPUID_MAGIC_LEAF)
		answer_magic(cpu, subleaf, regs);
	else
		cpu->model->cpuid(cpu, leaf, subleaf, regs);
}

bool cpuid_note(struct cpu *cpu, u32 leaf, u32 subleaf)
{
	cpu->cpuid.leaf = leaf;
	cpu->cpuid.subleaf = subleaf;
	cpu->cpuid.wanted = has_edits(cpu->model, leaf, subleaf);
	return cpu->cpuid.wanted;
}

void cpuid_edit(struct cpu *cpu, struct cpuid_regs *regs)
{
	const struct model *model = cpu->model;
	size_t i;

	for (i = 0; i < model->nr_edits; i++) {
		const struct cpuid_edit *edit = &model->edits[i];

		if (!edit_applies(edit, cpu->cpuid.leaf, cpu->cpuid.subleaf))
			continue;
		regs->reg[edit->reg] &= ~edit->clear;
		regs->reg[edit->reg] |= edit->set;
	}
	cpu->cpuid.wanted = false;
}
