// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plugin: the only file that knows QEMU. It instruments translated blocks, carries registers
 * and memory between the emulator and the model, and must never decide anything about the PMU.
 *
 * Most callbacks run on the thread of the processor they are about and touch nothing but that
 * processor's state; blocks are immutable once translated. Only what memory accesses are
 * instrumented for is shared, and changes while all processors stand still.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "model.h"
#include "qemu_plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

enum reg { RAX, RBX, RCX, RDX, RIP, CS, CR2, CR4, REGS };

static const char *const reg_names[REGS] = {
	"rax", "rbx", "rcx", "rdx", "rip", "cs", "cr2", "cr4",
};

#define CR4_PCE		BIT(8)
/* An x2APIC register: with the x2APIC off, access to it is a general protection fault. */
#define FAULTING_MSR	0x802

#define PAGE_OFFSET	0xfffULL
#define VCPUS_MAX	256
/* So long memory stays instrumented although nobody asks. */
#define INSNS_WITHOUT_NEED	30000000ULL

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

static qemu_plugin_id_t plugin_id;
static const struct model *model;
static struct cpu_options options;
static bool trace;
static struct qemu_plugin_scoreboard *scoreboard;
static struct vcpu *vcpus[VCPUS_MAX];
static struct qemu_plugin_register *regs[REGS];
static enum memory_watch instrumented;	/* what new translations are instrumented for */

static qemu_plugin_u64 entry_at(size_t offset)
{
	return (qemu_plugin_u64){ scoreboard, offset };
}

#define ENTRY(member) entry_at(offsetof(struct counts, member))

/* ---- registers and memory ---- */

static GByteArray *scratch(void)
{
	static __thread GByteArray *bytes;

	if (!bytes)
		bytes = g_byte_array_new();
	g_byte_array_set_size(bytes, 0);
	return bytes;
}

static u64 read_reg(enum reg reg)
{
	GByteArray *bytes = scratch();
	u64 value = 0;

	qemu_plugin_read_register(regs[reg], bytes);
	memcpy(&value, bytes->data, bytes->len < sizeof(value) ? bytes->len : sizeof(value));
	return value;
}

static void write_reg(enum reg reg, u64 value)
{
	GByteArray *bytes = scratch();

	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
	qemu_plugin_write_register(regs[reg], bytes);
}

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

static u32 read_phys(u64 address)
{
	GByteArray *bytes = scratch();
	u32 value = 0;

	if (!qemu_plugin_read_memory_hwaddr(address, bytes, sizeof(value)))
		memcpy(&value, bytes->data, sizeof(value));
	return value;
}

static void write_phys(u64 address, u32 value)
{
	GByteArray *bytes = scratch();

	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
	qemu_plugin_write_memory_hwaddr(address, bytes);
}

static u64 fault_address(void)
{
	return read_reg(CR2);
}

static const struct host host = { read_phys, write_phys, fault_address };

/*
 * A translation may run at another address than the one it was made for. At the start of a block
 * the instruction pointer is in the right page, and the address in the page never differs.
 */
static u64 real_pc(u64 translated)
{
	u64 rip = read_reg(RIP);

	return rip + ((translated - rip) & PAGE_OFFSET);
}

static void find_registers(void)
{
	GArray *all = qemu_plugin_get_registers();
	guint i;
	int reg;

	for (i = 0; i < all->len; i++) {
		qemu_plugin_reg_descriptor *d = &g_array_index(all, qemu_plugin_reg_descriptor, i);

		for (reg = 0; reg < REGS; reg++)
			if (!strcmp(d->name, reg_names[reg]))
				regs[reg] = d->handle;
	}
	g_array_free(all, TRUE);
}

/* ---- faults ---- */

/* Make the instruction that is about to run fault, and nothing be seen of how. */
static void plant_fault(struct vcpu *vcpu, enum reg reg, u64 value)
{
	vcpu->plant = (struct plant){ true, reg, read_reg(reg) };
	write_reg(reg, value);
}

static void remove_plant(struct vcpu *vcpu)
{
	if (vcpu->plant.planted)
		write_reg(vcpu->plant.reg, vcpu->plant.saved);
	vcpu->plant.planted = false;
}

/* ---- instrumentation ---- */

/* Registers the callbacks for blocks that are translated from now on. */
static void instrument(void *userdata);

/* What the counters of all processors need of memory. */
static enum memory_watch memory_needed(void)
{
	enum memory_watch need = MEMORY_IGNORED;
	unsigned int i;

	for (i = 0; i < VCPUS_MAX && vcpus[i]; i++)
		if (vcpus[i]->cpu.memory > need)
			need = vcpus[i]->cpu.memory;
	return need;
}

/*
 * Translations look at memory only if a counter asks, as it costs much. More is given at once, and
 * everything is translated anew; it is taken back after a while without need.
 */
static void adapt_instrumentation(struct vcpu *vcpu)
{
	u64 now = vcpu->cpu.counts->insns[KERNEL] + vcpu->cpu.counts->insns[USER];

	if (vcpu->cpu.memory > instrumented) {
		qemu_plugin_reset(plugin_id, instrument, NULL);
	} else if (instrumented == MEMORY_IGNORED || memory_needed() == instrumented) {
		vcpu->needed = now;
	} else if (now - vcpu->needed > INSNS_WITHOUT_NEED) {
		vcpu->needed = now;
		qemu_plugin_reset(plugin_id, instrument, NULL);
	}
}

/* ---- instructions that the model executes ---- */

static void trace_access(unsigned int index, const char *what, u32 number, u64 value,
			 enum msr_result result)
{
	if (trace)
		fprintf(stderr, "pmu-model: cpu%u %s %x %llx%s\n", index, what, number,
			(unsigned long long)value, result == MSR_FAULT ? " #GP" : "");
}

/* Does not return: control goes on behind the instruction, by way of the emulator's main loop. */
static void go_on_behind(const struct site *site)
{
	qemu_plugin_set_pc(real_pc(site->pc) + site->len);
}

static void finish_access(struct vcpu *vcpu, const struct site *site, enum msr_result result)
{
	cpu_insn_end(&vcpu->cpu, site->block, result == MSR_DONE);
	if (result == MSR_FAULT)
		return;
	adapt_instrumentation(vcpu);
	go_on_behind(site);
}

static void on_rdmsr(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpus[index];
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
	finish_access(vcpu, site, result);
}

static void on_wrmsr(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpus[index];
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
	finish_access(vcpu, site, result);
}

static void on_rdpmc(unsigned int index, void *userdata)
{
	const struct site *site = userdata;
	struct vcpu *vcpu = vcpus[index];
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
	finish_access(vcpu, site, result);
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
	struct vcpu *vcpu = vcpus[index];
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
	finish_access(vcpu, site, MSR_DONE);
}

static void edit_cpuid(struct vcpu *vcpu)
{
	struct cpuid_regs r;

	if (!vcpu->cpu.cpuid.wanted)
		return;
	read_cpuid_regs(&r);
	cpuid_edit(&vcpu->cpu, &r);
	write_cpuid_regs(&r);
}

static void after_cpuid(unsigned int index, void *userdata)
{
	(void)userdata;
	edit_cpuid(vcpus[index]);
}

/* ---- blocks ---- */

static void on_resume(unsigned int index, void *userdata)
{
	const struct block *block = userdata;

	cpu_resume(&vcpus[index]->cpu, real_pc(block->pc));
}

static void on_attention(unsigned int index, void *userdata)
{
	const struct block *block = userdata;
	struct vcpu *vcpu = vcpus[index];
	u64 pc = real_pc(block->pc);

	edit_cpuid(vcpu);
	adapt_instrumentation(vcpu);
	if (cpu_attend(&vcpu->cpu, pc))
		qemu_plugin_set_pc(pc);	/* the interrupt comes first */
}

static void on_discontinuity(unsigned int index, enum qemu_plugin_discon_type type, uint64_t from,
			     uint64_t to, void *userdata)
{
	struct vcpu *vcpu = vcpus[index];

	(void)userdata;
	if (type == QEMU_PLUGIN_DISCON_EXCEPTION) {
		remove_plant(vcpu);
		cpu_raise(&vcpu->cpu);
	} else {
		/* Also follows each exception, and then @from is exact. */
		cpu_deliver(&vcpu->cpu, from, to);
	}
}

static void on_access(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address,
		      void *userdata)
{
	(void)info;
	cpu_access(&vcpus[index]->cpu, (enum mode)(uintptr_t)userdata, address);
}

/* ---- translation ---- */

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		abort();
	return memory;
}

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

static void execute_in_model(struct qemu_plugin_insn *insn, enum insn_kind kind,
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

static void on_translation(struct qemu_plugin_tb *tb, void *userdata)
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

/* ---- start ---- */

static void on_vcpu(unsigned int index, void *userdata)
{
	struct vcpu *vcpu;
	unsigned int i;

	(void)userdata;
	if (index >= VCPUS_MAX) {
		fprintf(stderr, "pmuctl: pmu-model: more than %d processors. Use --cpus.\n",
			VCPUS_MAX);
		exit(1);
	}
	find_registers();
	vcpu = allocate(sizeof(*vcpu));
	cpu_init(&vcpu->cpu, model, &options, &host,
		 qemu_plugin_scoreboard_find(scoreboard, index));
	vcpus[index] = vcpu;
	/* Growing the scoreboard may have moved it. */
	for (i = 0; i < VCPUS_MAX; i++)
		if (vcpus[i])
			cpu_set_counts(&vcpus[i]->cpu, qemu_plugin_scoreboard_find(scoreboard, i));
}

/* Also after qemu_plugin_reset(), with all processors standing still. */
static void instrument(void *userdata)
{
	(void)userdata;
	instrumented = memory_needed();
	qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, on_translation, NULL);
	qemu_plugin_register_vcpu_discon_cb(plugin_id, QEMU_PLUGIN_DISCON_ALL, on_discontinuity,
					    NULL);
}

static bool parse_argument(const char *argument)
{
	if (!strncmp(argument, "model=", 6)) {
		model = model_find(argument + 6);
		return model;
	}
	if (!strncmp(argument, "width=", 6)) {
		options.width = atoi(argument + 6);
		return options.width >= 32 && options.width <= 48;
	}
	if (!strcmp(argument, "trace=on") || !strcmp(argument, "trace=off")) {
		trace = !strcmp(argument, "trace=on");
		return true;
	}
	return false;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	int i;

	if (strcmp(info->target_name, "x86_64")) {
		fprintf(stderr, "pmuctl: pmu-model: models x86_64, not %s. Leave it out.\n",
			info->target_name);
		return -1;
	}
	model = &model_intel;
	for (i = 0; i < argc; i++) {
		if (parse_argument(argv[i]))
			continue;
		fprintf(stderr, "pmuctl: pmu-model: unknown argument '%s'. "
			"Use model=intel|amd|amd2, width=32..48, trace=on|off.\n", argv[i]);
		return -1;
	}
	plugin_id = id;
	scoreboard = qemu_plugin_scoreboard_new(sizeof(struct counts));
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu, NULL);
	instrument(NULL);
	return 0;
}
