// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine of the tests. What the plugin makes translated code do inline is repeated here in C,
 * so this must follow glue.c, and must never reach into the model but through its interface.
 */
#include <stdlib.h>

#include "machine.h"

#define APIC_ID		0xfee00020ULL
#define APIC_LVTPC	0xfee00340ULL
#define KERNEL_TEXT	0xffffffff81000000ULL

u32 apic_lvtpc;
unsigned int apic_messages;
u64 apic_message_address;
u32 apic_message;
u64 fault_address;

static u32 read_phys(u64 address)
{
	return address == APIC_ID ? 3u << 24 : address == APIC_LVTPC ? apic_lvtpc : 0;
}

static void write_phys(u64 address, u32 value)
{
	if (address == APIC_LVTPC) {
		apic_lvtpc = value;
		return;
	}
	apic_messages++;
	apic_message_address = address;
	apic_message = value;
}

static u64 read_fault_address(void)
{
	return fault_address;
}

static const struct host host = { read_phys, write_phys, read_fault_address };

void machine_start_width(struct machine *m, const struct model *model, unsigned int width)
{
	struct cpu_options options = { .width = width };

	apic_lvtpc = NMI_ENTRY;
	apic_messages = 0;
	apic_message_address = 0;
	apic_message = 0;
	fault_address = 0;
	cpu_init(&m->cpu, model, &options, &host, &m->counts);
}

void machine_start(struct machine *m, const struct model *model)
{
	machine_start_width(m, model, 0);
}

void machine_stop(struct machine *m)
{
	free(m->cpu.cache);
}

struct block *make_block(u64 pc, u16 nr, enum insn_kind kind)
{
	struct block *block = block_new(pc, pc >> 63 ? KERNEL : USER, nr);
	u16 i;

	for (i = 0; i <= nr; i++)
		block->start[i] = i;
	block->last.kind = kind;
	if (kind == INSN_STRING) {
		block->last.loads = 1;
		block->last.stores = 1;
	}
	return block;
}

bool begin(struct machine *m, const struct block *block)
{
	if (m->counts.block < BLOCK_ENDING)
		cpu_resume(&m->cpu, block->pc);
	if (m->counts.horizon >= ATTENTION && cpu_attend(&m->cpu, block->pc))
		return true;
	m->counts.block = (uintptr_t)block;
	m->counts.horizon += block->nr;
	m->counts.insns[block->mode] += block->nr;
	if (insn_is_branch(block->last.kind))
		m->counts.branches[block->mode][block->last.kind]++;
	if (block->nr == 1)
		reach_end(m, block);
	return false;
}

void reach_end(struct machine *m, const struct block *block)
{
	if (block->last.kind != INSN_STRING)
		m->counts.block = (uintptr_t)block | BLOCK_ENDING;
	m->counts.insn_loads = 0;
	m->counts.insn_stores = 0;
}

void run(struct machine *m, const struct block *block)
{
	assert_false(begin(m, block));
	reach_end(m, block);
}

void load(struct machine *m, enum mode mode)
{
	m->counts.horizon++;
	m->counts.loads[mode]++;
	m->counts.insn_loads++;
}

void store(struct machine *m, enum mode mode)
{
	m->counts.horizon++;
	m->counts.stores[mode]++;
	m->counts.insn_stores++;
}

void fault(struct machine *m, u64 from, u64 to)
{
	cpu_raise(&m->cpu);
	cpu_deliver(&m->cpu, from, to);
}

/* An instruction of the kernel that the model is about to execute. */
static const struct block *reach_access(struct machine *m, u32 msr)
{
	static struct block *block;

	if (!block)
		block = make_block(KERNEL_TEXT, 1, INSN_PLAIN);
	assert_true(msr_is_pmu(&m->cpu, msr));
	/* An interrupt that comes first is taken, and its handler does nothing. */
	if (begin(m, block))
		assert_false(begin(m, block));
	cpu_insn_begin(&m->cpu, block, 0);
	return block;
}

static enum msr_result write(struct machine *m, u32 msr, u64 value)
{
	const struct block *block = reach_access(m, msr);
	enum msr_result result = msr_write(&m->cpu, msr, value);

	cpu_insn_end(&m->cpu, block, result == MSR_DONE);
	return result;
}

static enum msr_result read(struct machine *m, u32 msr, u64 *value)
{
	const struct block *block = reach_access(m, msr);
	enum msr_result result = msr_read(&m->cpu, msr, value);

	cpu_insn_end(&m->cpu, block, result == MSR_DONE);
	return result;
}

void must_write(struct machine *m, u32 msr, u64 value)
{
	assert_int_equal(write(m, msr, value), MSR_DONE);
}

void must_fault(struct machine *m, u32 msr, u64 value)
{
	assert_int_equal(write(m, msr, value), MSR_FAULT);
}

u64 must_read(struct machine *m, u32 msr)
{
	u64 value = 0;

	assert_int_equal(read(m, msr, &value), MSR_DONE);
	return value;
}

void must_not_read(struct machine *m, u32 msr)
{
	u64 value;

	assert_int_equal(read(m, msr, &value), MSR_FAULT);
}
