// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMSR, WRMSR, RDPMC and CPUID, executed by the model where they are about the PMU. Each callback
 * either does the instruction and goes on behind it, or lets it run: to be none of the model's
 * business, or to fault.
 */
#include <stdio.h>

#include "glue.h"
#include "msr.h"

#define CR4_PCE		BIT(8)
/* An x2APIC register: with the x2APIC off, access to it is a general protection fault. */
#define FAULTING_MSR	0x802

bool trace;

static void write_edx_eax(u64 value)
{
	write_reg(RAX, (u32)value);
	write_reg(RDX, value >> 32);
}

static u64 read_edx_eax(void)
{
	return (u32)read_reg(RAX) | read_reg(RDX) << 32;
}

static bool in_user_mode(void)
{
	return read_reg(CS) & 3;
}

static void trace_access(unsigned int index, const char *what, u32 number, u64 value,
			 enum msr_result result)
{
	if (trace)
		fprintf(stderr, "pmu-model: cpu%u %s %x %llx%s\n", index, what, number,
			(unsigned long long)value, result == MSR_FAULT ? " #GP" : "");
}

/* Where in translated code this callback was called: for finish_access(). */
#define CALL_SITE() ((uintptr_t)__builtin_return_address(0))

/*
 * Does not return: control goes on behind the instruction, by way of the emulator's main loop.
 * Translated code keeps the condition codes lazily and is left in its middle here: they must be
 * settled first, or the guest's flags, IF and TF among them, would be anything.
 */
static void go_on_behind(unsigned int index, const struct site *site, uintptr_t call_site)
{
	u64 pc = real_pc(site->pc) + site->len;

	cpu_restore_state(qemu_get_cpu(index), call_site);
	qemu_plugin_set_pc(pc);
}

/* Returns only if the instruction is to fault. */
static void finish_access(unsigned int index, const struct site *site, enum msr_result result,
			  uintptr_t call_site)
{
	struct vcpu *vcpu = vcpu_at(index);

	cpu_insn_end(&vcpu->cpu, site->block, result == MSR_DONE);
	if (result != MSR_DONE)
		return;
	adapt_instrumentation(vcpu);
	go_on_behind(index, site, call_site);
}

static void on_rdmsr(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpu_at(index);
	u32 msr = read_reg(RCX);
	enum msr_result result;
	u64 value = 0;

	if (in_user_mode())
		return;
	vcpu->cpu.totals.rdmsr++;
	if (!msr_is_pmu(&vcpu->cpu, msr))
		return;
	cpu_insn_begin(&vcpu->cpu, site->block, site->i);
	result = msr_read(&vcpu->cpu, msr, &value);
	trace_access(index, "rdmsr", msr, value, result);
	if (result == MSR_DONE)
		write_edx_eax(value);
	else
		plant_fault(vcpu, RCX, FAULTING_MSR);
	finish_access(index, site, result, CALL_SITE());
}

static void on_wrmsr(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpu_at(index);
	u32 msr = read_reg(RCX);
	enum msr_result result;
	u64 value;

	if (in_user_mode())
		return;
	vcpu->cpu.totals.wrmsr++;
	if (!msr_is_pmu(&vcpu->cpu, msr))
		return;
	value = read_edx_eax();
	cpu_insn_begin(&vcpu->cpu, site->block, site->i);
	result = msr_write(&vcpu->cpu, msr, value);
	trace_access(index, "wrmsr", msr, value, result);
	if (result == MSR_FAULT)
		plant_fault(vcpu, RCX, FAULTING_MSR);
	finish_access(index, site, result, CALL_SITE());
}

static void on_rdpmc(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpu_at(index);
	u32 ecx = read_reg(RCX);
	u64 cr4 = read_reg(CR4), value = 0;
	enum msr_result result;

	/* Without the permission it faults by itself. */
	if (in_user_mode() && !(cr4 & CR4_PCE))
		return;
	vcpu->cpu.totals.rdpmc++;
	cpu_insn_begin(&vcpu->cpu, site->block, site->i);
	result = msr_rdpmc(&vcpu->cpu, ecx, &value);
	trace_access(index, "rdpmc", ecx, value, result);
	if (result == MSR_DONE)
		write_edx_eax(value);
	else
		plant_fault(vcpu, CR4, cr4 & ~CR4_PCE);
	finish_access(index, site, result, CALL_SITE());
}

static void read_cpuid_regs(struct cpuid_regs *r)
{
	r->reg[CPUID_EAX] = read_reg(RAX);
	r->reg[CPUID_EBX] = read_reg(RBX);
	r->reg[CPUID_ECX] = read_reg(RCX);
	r->reg[CPUID_EDX] = read_reg(RDX);
}

static void write_cpuid_regs(const struct cpuid_regs *r)
{
	write_reg(RAX, r->reg[CPUID_EAX]);
	write_reg(RBX, r->reg[CPUID_EBX]);
	write_reg(RCX, r->reg[CPUID_ECX]);
	write_reg(RDX, r->reg[CPUID_EDX]);
}

static void on_cpuid(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpu_at(index);
	u32 leaf = read_reg(RAX), subleaf = read_reg(RCX);
	struct cpuid_regs r;

	if (!cpuid_is_own(&vcpu->cpu, leaf)) {
		/* If nothing follows in this block, the next one is made to look. */
		if (cpuid_note(&vcpu->cpu, leaf, subleaf) && site->i == site->block->nr - 1)
			vcpu->cpu.counts->horizon = ATTENTION;
		return;
	}
	cpu_insn_begin(&vcpu->cpu, site->block, site->i);
	cpuid_answer(&vcpu->cpu, leaf, subleaf, &r);
	write_cpuid_regs(&r);
	finish_access(index, site, MSR_DONE, CALL_SITE());
}

void edit_cpuid(struct vcpu *vcpu)
{
	struct cpuid_regs r;

	if (!vcpu->cpu.cpuid.wanted)
		return;
	read_cpuid_regs(&r);
	cpuid_edit(&vcpu->cpu, &r);
	write_cpuid_regs(&r);
}

void after_cpuid(unsigned int index, void *userdata)
{
	(void)userdata;
	edit_cpuid(vcpu_at(index));
}

/* The callback for an instruction that the model executes, or NULL. */
static qemu_plugin_vcpu_udata_cb_t executor(enum insn_kind kind)
{
	switch (kind) {
	case INSN_RDMSR:
		return on_rdmsr;
	case INSN_WRMSR:
		return on_wrmsr;
	case INSN_RDPMC:
		return on_rdpmc;
	case INSN_CPUID:
		return on_cpuid;
	default:
		return NULL;
	}
}

void execute_in_model(struct qemu_plugin_insn *insn, enum insn_kind kind,
		      const struct block *block, u16 i)
{
	qemu_plugin_vcpu_udata_cb_t callback = executor(kind);
	struct site *site;

	if (!callback)
		return;
	site = allocate(sizeof(*site));
	site->block = block;
	site->i = i;
	site->pc = qemu_plugin_insn_vaddr(insn);
	site->len = qemu_plugin_insn_size(insn);
	qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_RW_REGS_PC, site);
}
