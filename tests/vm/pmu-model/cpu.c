// SPDX-License-Identifier: GPL-2.0-only
/*
 * One processor's PMU: keeps count of what ran when control moves in ways that translated code
 * does not see, looks at branches, and watches for overflows. Every entry leaves counts->block
 * resolved: no block must ever be settled twice.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "model.h"

const struct model *model_find(const char *name)
{
	static const struct model *const models[] = { &model_intel, &model_amd, &model_amd2 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i]->name, name))
			return models[i];
	return NULL;
}

void cpu_init(struct cpu *cpu, const struct model *model, const struct cpu_options *options,
	      const struct host *host, struct counts *counts)
{
	memset(cpu, 0, sizeof(*cpu));
	memset(counts, 0, sizeof(*counts));
	cpu->model = model;
	cpu->host = host;
	cpu->counts = counts;
	counts->block = BLOCK_ENDING;
	counters_init(&cpu->counters, model->nr_counters,
		      options->width ? options->width : model->width);
	cpu->counters.source = (struct event_source){
		.counts = counts,
		.outcomes = &cpu->outcomes,
		.cache = &cpu->cache_counts,
	};
	model->init(cpu);
	cpu_reconsider(cpu);
}

void cpu_set_counts(struct cpu *cpu, struct counts *counts)
{
	cpu->counts = counts;
	cpu->counters.source.counts = counts;
}

/* The block that ran last, or NULL when that is settled. */
static const struct block *last_block(const struct cpu *cpu)
{
	return (const struct block *)(uintptr_t)(cpu->counts->block & ~BLOCK_ENDING);
}

static bool last_block_is_ending(const struct cpu *cpu)
{
	return cpu->counts->block & BLOCK_ENDING;
}

static void forget_block(struct cpu *cpu)
{
	cpu->counts->block = BLOCK_ENDING;
}

/* The branch at the end of @block went to @to. */
static struct branch branch_made(const struct cpu *cpu, const struct block *block, u64 to)
{
	struct branch branch = {
		.from = cpu->block_pc + block->start[block->nr - 1],
		.next = cpu->block_pc + block->start[block->nr],
		.to = to,
		.kind = block->last.kind,
		.backward = block->last.backward,
	};

	branch.taken = branch.kind != INSN_COND || branch.to != branch.next;
	return branch;
}

static void count_outcome(struct cpu *cpu, const struct branch *branch, enum mode mode)
{
	struct outcomes *o = &cpu->outcomes;

	o->taken[mode][branch->kind] += branch->taken;
	o->missed[mode][branch->kind] += branch->missed;
	o->missed_taken[mode][branch->kind] += branch->missed && branch->taken;
}

/* All of @block ran, and control went to @to. */
static void look_at_branch(struct cpu *cpu, const struct block *block, u64 to)
{
	struct branch branch;

	if (!cpu->watching || !insn_is_branch(block->last.kind))
		return;
	branch = branch_made(cpu, block, to);
	branch.missed = predictor_misses(&cpu->predictor[block->mode], &branch);
	count_outcome(cpu, &branch, block->mode);
	/* The recorder logs what counters counted up to and with this branch. */
	counters_update(&cpu->counters);
	if (branch.taken && cpu->model->recording(cpu))
		cpu->model->record(cpu, &branch, block->mode);
}

/* When control may reach the next thing that has to be looked at. */
static void set_horizon(struct cpu *cpu)
{
	if (cpu->watching)
		cpu->counts->horizon = ATTENTION;
	else
		cpu->counts->horizon = ATTENTION - counters_distance(&cpu->counters);
}

/* The predictor forgets what it knows of a mode in which anything ran while it was off. */
static void start_predictor(struct cpu *cpu)
{
	int mode;

	for (mode = 0; mode < MODES; mode++)
		if (cpu->counts->insns[mode] != cpu->predictor_stopped[mode])
			memset(&cpu->predictor[mode], 0, sizeof(cpu->predictor[mode]));
}

/* So does the cache. */
static void start_cache(struct cpu *cpu)
{
	int mode;

	if (!cpu->cache)
		cpu->cache = calloc(MODES, sizeof(*cpu->cache));
	if (!cpu->cache)
		abort();
	for (mode = 0; mode < MODES; mode++)
		if (cpu->counts->insns[mode] != cpu->cache_stopped[mode])
			cache_empty(&cpu->cache[mode]);
}

static void watch_branches(struct cpu *cpu, bool watch)
{
	if (watch && !cpu->watching)
		start_predictor(cpu);
	else if (!watch && cpu->watching)
		memcpy(cpu->predictor_stopped, cpu->counts->insns, sizeof(cpu->counts->insns));
	cpu->watching = watch;
}

static void watch_memory(struct cpu *cpu, enum memory_watch watch)
{
	if (watch == MEMORY_CACHED && cpu->memory != MEMORY_CACHED)
		start_cache(cpu);
	else if (watch != MEMORY_CACHED && cpu->memory == MEMORY_CACHED)
		memcpy(cpu->cache_stopped, cpu->counts->insns, sizeof(cpu->counts->insns));
	cpu->memory = watch;
}

/* Look at branches and memory as the counters and the recorder need it. */
static void choose_watches(struct cpu *cpu)
{
	watch_branches(cpu, counters_need_branches(&cpu->counters) || cpu->model->recording(cpu));
	watch_memory(cpu, counters_need_memory(&cpu->counters));
	set_horizon(cpu);
}

void cpu_reconsider(struct cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->counters.nr; i++) {
		struct counter_setup setup = cpu->model->counter(cpu, i);

		counter_set_up(&cpu->counters, i, &setup);
	}
	choose_watches(cpu);
}

/* Bring counters up to date and act upon overflows. */
static void cpu_update(struct cpu *cpu)
{
	u64 overflows;

	counters_update(&cpu->counters);
	overflows = cpu->counters.overflows;
	cpu->counters.overflows = 0;
	if (overflows) {
		cpu->model->overflow(cpu, overflows);
		cpu_reconsider(cpu);
	}
	set_horizon(cpu);
}

void cpu_resume(struct cpu *cpu, u64 pc)
{
	const struct block *block = last_block(cpu);

	if (block)
		block_unrun(block, cpu->counts, block_find(block, pc));
	forget_block(cpu);
}

bool cpu_attend(struct cpu *cpu, u64 pc)
{
	const struct block *block = last_block(cpu);
	bool interrupted;

	if (block)
		look_at_branch(cpu, block, pc);
	forget_block(cpu);
	cpu->block_pc = pc;
	cpu_update(cpu);
	interrupted = cpu->interrupted;
	cpu->interrupted = false;
	return interrupted;
}

void cpu_raise(struct cpu *cpu)
{
	cpu->exceptions++;
}

/* A fault while fetching the instruction at @pc, which therefore did not even begin. */
static bool is_fetch_fault(const struct cpu *cpu, u64 pc)
{
	u64 distance = cpu->host->fault_address() - pc;

	return distance < INSN_MAX_BYTES;
}

/* A software interrupt that got through, and no fault on the way. */
static bool is_soft_int(const struct block *block, unsigned int exceptions)
{
	return block->last.kind == INSN_SOFT_INT && exceptions == 1;
}

/* A string instruction keeps what its finished rounds accessed. */
static void keep_finished_rounds(const struct insn *string, u64 *loads, u64 *stores)
{
	u64 rounds = string->stores ? *stores / string->stores : *loads / string->loads;

	*loads -= rounds * string->loads;
	*stores -= rounds * string->stores;
}

/* Instruction @i of @block faulted: what it accessed will be accessed again. */
static void take_back_accesses(struct cpu *cpu, const struct block *block, u16 i)
{
	struct counts *counts = cpu->counts;
	u64 loads = counts->insn_loads, stores = counts->insn_stores;

	if (i == block->nr - 1 && block->last.kind == INSN_STRING)
		keep_finished_rounds(&block->last, &loads, &stores);
	counts->loads[block->mode] -= loads;
	counts->stores[block->mode] -= stores;
	counts->insn_loads = 0;
	counts->insn_stores = 0;
}

/* The block was left before or at instruction @i, and an exception or interrupt was taken. */
static void settle_at(struct cpu *cpu, const struct block *block, u16 i, bool fault)
{
	if (fault && i < block->nr)
		take_back_accesses(cpu, block, i);
	block_unrun(block, cpu->counts, i);
}

/* The last instruction of @block began, and maybe ended. */
static void settle_ending(struct cpu *cpu, const struct block *block, unsigned int exceptions,
			  u64 from, u64 to)
{
	if (!exceptions || !block_last_is_at(block, from) || is_fetch_fault(cpu, from))
		look_at_branch(cpu, block, from);
	else if (is_soft_int(block, exceptions))
		look_at_branch(cpu, block, to);
	else
		settle_at(cpu, block, block->nr - 1, true);
}

void cpu_deliver(struct cpu *cpu, u64 from, u64 to)
{
	const struct block *block = last_block(cpu);
	unsigned int exceptions = cpu->exceptions;

	cpu->exceptions = 0;
	if (block && last_block_is_ending(cpu))
		settle_ending(cpu, block, exceptions, from, to);
	else if (block)
		settle_at(cpu, block, block_find(block, from), exceptions > 0);
	forget_block(cpu);
}

void cpu_access(struct cpu *cpu, enum mode mode, u64 address)
{
	enum cache_result result;

	if (cpu->memory != MEMORY_CACHED)
		return;
	result = cache_access(&cpu->cache[mode], address);
	if (result == CACHE_L1_HIT)
		return;
	cpu->cache_counts.refs[mode]++;
	if (result == CACHE_MISS)
		cpu->cache_counts.misses[mode]++;
}

void cpu_insn_begin(struct cpu *cpu, const struct block *block, u16 i)
{
	block_unrun(block, cpu->counts, i);
	forget_block(cpu);
	cpu_update(cpu);
}

void cpu_insn_end(struct cpu *cpu, const struct block *block, bool retired)
{
	if (retired)
		cpu->counts->insns[block->mode]++;
	counters_start_fresh(&cpu->counters);
	set_horizon(cpu);
	/* Control goes through the emulator's main loop now, which looks at interrupts. */
	cpu->interrupted = false;
}
