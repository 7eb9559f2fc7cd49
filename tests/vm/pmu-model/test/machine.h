/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine that is only a PMU and a local APIC: it does to struct counts what translated code
 * does, and calls the interface of cpu.h in the order in which the plugin does. Instructions are
 * one byte long.
 */
#ifndef PMU_MODEL_TEST_MACHINE_H
#define PMU_MODEL_TEST_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../model.h"

#define NMI_ENTRY	0x400u		/* of the local vector table: as an NMI */
#define MASKED		0x10000u

struct machine {
	struct cpu cpu;
	struct counts counts;
};

/* The local APIC, number 3, and the message it last sent; CR2. New with each machine. */
extern u32 apic_lvtpc;
extern unsigned int apic_messages;
extern u64 apic_message_address;
extern u32 apic_message;
extern u64 fault_address;

void machine_start(struct machine *m, const struct model *model);
void machine_start_width(struct machine *m, const struct model *model, unsigned int width);
void machine_stop(struct machine *m);

/* Ends in an instruction of @kind. Who makes it frees it, after the machine's last use of it. */
struct block *make_block(u64 pc, u16 nr, enum insn_kind kind);

/* Control reaches @block, at the address it was made for. True: an interrupt comes first. */
bool begin(struct machine *m, const struct block *block);
/* All but its last instruction ran, and that one begins. */
void reach_end(struct machine *m, const struct block *block);
/* All of it, and no interrupt comes. */
void run(struct machine *m, const struct block *block);

/* The instruction that is running accesses memory. */
void load(struct machine *m, enum mode mode);
void store(struct machine *m, enum mode mode);

/* An exception is raised at @from and delivered. */
void fault(struct machine *m, u64 from, u64 to);

/* RDMSR and WRMSR by a kernel instruction, and how they must end. */
void must_write(struct machine *m, u32 msr, u64 value);
void must_fault(struct machine *m, u32 msr, u64 value);
u64 must_read(struct machine *m, u32 msr);
void must_not_read(struct machine *m, u32 msr);

#endif /* PMU_MODEL_TEST_MACHINE_H */
