/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plugin's own side of QEMU: glue.c starts it and hears of what runs, glue_translate.c
 * instruments blocks, glue_exec.c executes the PMU's instructions, glue_regs.c reaches registers
 * and memory. Nothing else in the model knows QEMU.
 *
 * Most callbacks run on the thread of the processor they are about and touch nothing but that
 * processor's state; blocks are immutable once translated. Only what memory accesses are
 * instrumented for is shared, and changes while all processors stand still.
 */
#ifndef PMU_MODEL_GLUE_H
#define PMU_MODEL_GLUE_H

#include "cpu.h"
#include "qemu_plugin.h"

enum reg { RAX, RBX, RCX, RDX, RIP, CS, CR2, CR4, REGS };

/* A register that holds something wrong until the instruction has faulted over it. */
struct plant {
	bool planted;
	enum reg reg;
	u64 saved;
};

struct vcpu {
	struct cpu cpu;
	struct plant plant;
	u64 needed;	/* as of how many instructions memory was last worth looking at */
};

/* An instruction that the model executes itself: what its callback is given. */
struct site {
	const struct block *block;
	u16 i;
	u64 pc;
	u8 len;
};

/* ---- glue.c ---- */

struct vcpu *vcpu_at(unsigned int index);

/*
 * Translations look at memory only if a counter asks, as it costs much. More is given at once, and
 * everything is translated anew; it is taken back after a while without need.
 */
void adapt_instrumentation(struct vcpu *vcpu);

/* Callbacks: a block begins, the one before was left early; the horizon is reached; an access. */
void on_resume(unsigned int index, void *block);
void on_attention(unsigned int index, void *block);
void on_access(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address, void *mode);

/* Aborts rather than return NULL. */
void *allocate(size_t size);

/* ---- glue_translate.c ---- */

/* The scoreboard that translated code counts in; before anything is translated. */
extern struct qemu_plugin_scoreboard *scoreboard;
/* What new translations are instrumented for. */
extern enum memory_watch instrumented;

void on_translation(struct qemu_plugin_tb *tb, void *userdata);

/* ---- glue_exec.c ---- */

/* Show accesses to registers on stderr. */
extern bool trace;

/* Have the model execute @insn, if it is one of the PMU's. */
void execute_in_model(struct qemu_plugin_insn *insn, enum insn_kind kind,
		      const struct block *block, u16 i);

/* The instruction behind a CPUID, and the same by hand: change what CPUID said, if need be. */
void after_cpuid(unsigned int index, void *userdata);
void edit_cpuid(struct vcpu *vcpu);

/* ---- glue_regs.c ---- */

extern const struct host host;

/* On the processor's own thread, before the others. */
void find_registers(void);
u64 read_reg(enum reg reg);
void write_reg(enum reg reg, u64 value);

/* Where the block or instruction in it that was translated at @translated is now. */
u64 real_pc(u64 translated);

/* Make the instruction that is about to run fault, and nothing be seen of how. */
void plant_fault(struct vcpu *vcpu, enum reg reg, u64 value);
void remove_plant(struct vcpu *vcpu);

#endif /* PMU_MODEL_GLUE_H */
