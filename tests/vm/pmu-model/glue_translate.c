// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruments blocks as they are translated: what is counted inline, and which callbacks a block
 * and its instructions get. The order in which things are registered is the order in which they
 * happen.
 */
#include "glue.h"

struct qemu_plugin_scoreboard *scoreboard;
enum memory_watch instrumented;

static qemu_plugin_u64 entry_at(size_t offset)
{
	return (qemu_plugin_u64){ scoreboard, offset };
}

#define ENTRY(member) entry_at(offsetof(struct counts, member))

static struct insn decode(const struct qemu_plugin_insn *insn)
{
	u8 bytes[INSN_MAX_BYTES];

	return insn_decode(bytes, qemu_plugin_insn_data(insn, bytes, sizeof(bytes)));
}

static struct block *describe_block(const struct qemu_plugin_tb *tb)
{
	u64 pc = qemu_plugin_tb_vaddr(tb);
	size_t i, nr = qemu_plugin_tb_n_insns(tb);
	struct block *block = block_new(pc, pc >> 63 ? KERNEL : USER, nr);
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, nr - 1);

	for (i = 0; i < nr; i++)
		block->start[i] = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, i)) - pc;
	block->start[nr] = block->start[nr - 1] + qemu_plugin_insn_size(last);
	block->last = decode(last);
	return block;
}

static void store_inline(struct qemu_plugin_insn *insn, qemu_plugin_u64 entry, u64 value)
{
	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_STORE_U64,
							    entry, value);
}

static void add_inline(struct qemu_plugin_tb *tb, qemu_plugin_u64 entry, u64 value)
{
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64, entry,
							  value);
}

/* The whole block is counted when it is entered; block.c takes back what did not run. */
static void count_block(struct qemu_plugin_tb *tb, struct block *block)
{
	u64 address = (uintptr_t)block;
	bool ending = block->nr == 1 && block->last.kind != INSN_STRING;

	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_resume, QEMU_PLUGIN_CB_R_REGS,
						  QEMU_PLUGIN_COND_LT, ENTRY(block), BLOCK_ENDING,
						  block);
	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_attention, QEMU_PLUGIN_CB_RW_REGS_PC,
						  QEMU_PLUGIN_COND_GE, ENTRY(horizon), ATTENTION,
						  block);
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_STORE_U64,
							  ENTRY(block),
							  ending ? address | BLOCK_ENDING : address);
	add_inline(tb, ENTRY(horizon), block->nr);
	add_inline(tb, ENTRY(insns[block->mode]), block->nr);
	if (insn_is_branch(block->last.kind))
		add_inline(tb, ENTRY(branches[block->mode][block->last.kind]), 1);
}

static void mark_ending(struct qemu_plugin_insn *last, const struct block *block)
{
	if (block->nr > 1 && block->last.kind != INSN_STRING)
		store_inline(last, ENTRY(block), (uintptr_t)block | BLOCK_ENDING);
}

static void count_access(struct qemu_plugin_insn *insn, enum qemu_plugin_mem_rw rw,
			 qemu_plugin_u64 entry)
{
	qemu_plugin_register_vcpu_mem_inline_per_vcpu(insn, rw, QEMU_PLUGIN_INLINE_ADD_U64, entry,
						      1);
}

static void watch_memory(struct qemu_plugin_insn *insn, enum mode mode)
{
	store_inline(insn, ENTRY(insn_loads), 0);
	store_inline(insn, ENTRY(insn_stores), 0);
	count_access(insn, QEMU_PLUGIN_MEM_R, ENTRY(loads[mode]));
	count_access(insn, QEMU_PLUGIN_MEM_R, ENTRY(insn_loads));
	count_access(insn, QEMU_PLUGIN_MEM_W, ENTRY(stores[mode]));
	count_access(insn, QEMU_PLUGIN_MEM_W, ENTRY(insn_stores));
	count_access(insn, QEMU_PLUGIN_MEM_RW, ENTRY(horizon));
	if (instrumented == MEMORY_CACHED)
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, (void *)(uintptr_t)mode);
}

void on_translation(struct qemu_plugin_tb *tb, void *userdata)
{
	struct block *block = describe_block(tb);
	bool behind_cpuid = false;
	u16 i;

	(void)userdata;
	count_block(tb, block);
	for (i = 0; i < block->nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		enum insn_kind kind = decode(insn).kind;

		if (behind_cpuid)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, after_cpuid,
							       QEMU_PLUGIN_CB_RW_REGS, NULL);
		if (i == block->nr - 1)
			mark_ending(insn, block);
		if (instrumented != MEMORY_IGNORED)
			watch_memory(insn, block->mode);
		execute_in_model(insn, kind, block, i);
		behind_cpuid = kind == INSN_CPUID;
	}
}
