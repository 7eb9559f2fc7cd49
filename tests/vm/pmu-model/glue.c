// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plugin: starts with QEMU, makes a processor's PMU for each of its processors, and tells it
 * what runs. It must never decide anything about the PMU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glue.h"
#include "model.h"

#define VCPUS_MAX	256
/* So long memory stays instrumented although nobody asks. */
#define INSNS_WITHOUT_NEED	30000000ULL

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static qemu_plugin_id_t plugin_id;
static const struct model *model;
static struct cpu_options options;
static struct vcpu *vcpus[VCPUS_MAX];

struct vcpu *vcpu_at(unsigned int index)
{
	return vcpus[index];
}

void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		abort();
	return memory;
}

void on_resume(unsigned int index, void *userdata)
{
	const struct block *block = userdata;

	cpu_resume(&vcpu_at(index)->cpu, real_pc(block->pc));
}

void on_attention(unsigned int index, void *userdata)
{
	const struct block *block = userdata;
	struct vcpu *vcpu = vcpu_at(index);
	u64 pc = real_pc(block->pc);

	edit_cpuid(vcpu);
	adapt_instrumentation(vcpu);
	if (cpu_attend(&vcpu->cpu, pc))
		qemu_plugin_set_pc(pc);	/* the interrupt comes first */
}

static void on_discontinuity(unsigned int index, enum qemu_plugin_discon_type type, uint64_t from,
			     uint64_t to, void *userdata)
{
	struct vcpu *vcpu = vcpu_at(index);

	(void)userdata;
	if (type == QEMU_PLUGIN_DISCON_EXCEPTION) {
		remove_plant(vcpu);
		cpu_raise(&vcpu->cpu);
	} else {
		/* Also follows each exception, and then @from is exact. */
		cpu_deliver(&vcpu->cpu, from, to);
	}
}

void on_access(unsigned int index, qemu_plugin_meminfo_t info, uint64_t address, void *userdata)
{
	(void)info;
	cpu_access(&vcpu_at(index)->cpu, (enum mode)(uintptr_t)userdata, address);
}

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

/* Also after qemu_plugin_reset(), with all processors standing still. */
static void instrument(void *userdata)
{
	(void)userdata;
	instrumented = memory_needed();
	qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, on_translation, NULL);
	qemu_plugin_register_vcpu_discon_cb(plugin_id, QEMU_PLUGIN_DISCON_ALL, on_discontinuity,
					    NULL);
}

void adapt_instrumentation(struct vcpu *vcpu)
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
	if (!qemu_get_cpu || !cpu_restore_state) {
		fprintf(stderr, "pmuctl: pmu-model: this QEMU hides cpu_restore_state(). "
			"Use the toolbox's (tests/vm/enter).\n");
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
