/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One processor's PMU: what the emulator must tell it, and what it may ask of the emulator. This
 * is the whole interface between the model and QEMU.
 *
 * A CPU is used by its own thread only. Translated code changes *counts between two calls.
 */
#ifndef PMU_MODEL_CPU_H
#define PMU_MODEL_CPU_H

#include "block.h"
#include "brs.h"
#include "cache.h"
#include "counter.h"
#include "cpuid.h"
#include "lbr.h"

#define INTEL_GP	8
#define INTEL_FIXED	3
#define AMD_CORE	6

/* The model's way to the emulated machine. */
struct host {
	/* Memory by physical address, as this CPU sees it: the local APIC. */
	u32 (*read_phys)(u64 address);
	void (*write_phys)(u64 address, u32 value);
	/* The address that the last page fault was about (CR2). */
	u64 (*fault_address)(void);
};

/* Registers of the Intel model. */
struct intel {
	u64 evtsel[INTEL_GP];
	u64 fixed_ctrl;
	u64 global_ctrl;
	u64 global_status;
	u64 debugctl;
	struct lbr lbr;
};

/* Registers of the AMD models. */
struct amd {
	u64 ctl[AMD_CORE];
	u64 global_ctl;
	u64 global_status;
	struct brs brs;
};

/* What the magic CPUID leaf tells, beside instructions. */
struct totals {
	u64 wrmsr, rdmsr, rdpmc, pmi;
};

struct cpu {
	const struct model *model;
	const struct host *host;
	struct counts *counts;
	struct counters counters;
	struct outcomes outcomes;
	struct cache_counts cache_counts;
	struct totals totals;
	union {
		struct intel intel;
		struct amd amd;
	};
	struct predictor predictor[MODES];
	struct cache *cache;		/* one a mode; NULL until it is needed */
	/* How many instructions there were when they stopped being looked at. */
	u64 predictor_stopped[MODES];
	u64 cache_stopped[MODES];

	u64 block_pc;			/* where counts->block really is, while watching */
	bool watching;			/* every block's end is looked at */
	enum memory_watch memory;	/* what the counters need */
	unsigned int exceptions;	/* raised and not yet delivered */
	bool interrupted;		/* a PMI was raised and the emulator does not know yet */
	struct cpuid_pending cpuid;
};

/* Attributes that one chooses on the command line. */
struct cpu_options {
	unsigned int width;		/* of counters, 0: as usual */
};

void cpu_init(struct cpu *cpu, const struct model *model, const struct cpu_options *options,
	      const struct host *host, struct counts *counts);

/* The emulator moved the counts to another place in memory. */
void cpu_set_counts(struct cpu *cpu, struct counts *counts);

/*
 * A block begins at @pc and the one before was left in the middle, by something that is no
 * exception: a device access that is made again, a string instruction that goes on.
 */
void cpu_resume(struct cpu *cpu, u64 pc);

/*
 * A block begins at @pc, and the horizon is reached. True: an interrupt was raised, and must be
 * looked at before the block runs.
 */
bool cpu_attend(struct cpu *cpu, u64 pc);

/* An exception was raised; cpu_deliver() follows, unless another one comes first. */
void cpu_raise(struct cpu *cpu);

/* Control was moved from @from to @to by an exception, if one was raised, or an interrupt. */
void cpu_deliver(struct cpu *cpu, u64 from, u64 to);

/* Data at @address is accessed, while memory is cached. */
void cpu_access(struct cpu *cpu, enum mode mode, u64 address);

/*
 * Around instruction @i of @block, when the model executes it in the emulator's place and control
 * then goes on behind it, or it faults.
 */
void cpu_insn_begin(struct cpu *cpu, const struct block *block, u16 i);
void cpu_insn_end(struct cpu *cpu, const struct block *block, bool retired);

/* For the models: registers changed, values are up to date; look at everything again. */
void cpu_reconsider(struct cpu *cpu);

#endif /* PMU_MODEL_CPU_H */
