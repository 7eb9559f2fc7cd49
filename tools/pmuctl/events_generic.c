// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's own event names: generic hardware and software events, cache events, rNNN. The tables
 * are those of perf-list(1); libpfm4 has them too, but only with a kernel that has perf, and
 * pmuctl must not depend on that.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event_sources.h"

struct generic {
	const char *name;
	const char *alias;
	__u64 config;
	const char *about;
};

static const struct generic hardware[] = {
	{ "cycles", "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES, "cycles while not halted" },
	{ "instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS, "retired instructions" },
	{ "branches", "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	  "retired branch instructions" },
	{ "branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES, "mispredicted branches" },
	{ "cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES,
	  "accesses to the last-level cache, usually" },
	{ "cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES, "misses of the last-level cache, usually" },
	{ "ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES,
	  "cycles at a constant rate, whatever the frequency" },
	{ "bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES, "cycles of the bus" },
	{ "stalled-cycles-frontend", "idle-cycles-frontend",
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles without an instruction to issue" },
	{ "stalled-cycles-backend", "idle-cycles-backend",
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "cycles in which issued work had to wait" },
};

static const struct generic software[] = {
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK, "time on a CPU, in milliseconds" },
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK, "the same from the CPU's clock" },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, NULL },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS, NULL },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS, NULL },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN, NULL },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ, NULL },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS, NULL },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS, NULL },
	{ "cgroup-switches", NULL, PERF_COUNT_SW_CGROUP_SWITCHES,
	  "context switches to a task of another cgroup" },
	{ "dummy", NULL, PERF_COUNT_SW_DUMMY, "counts nothing" },
};

/* Cache events are LEVEL-OPs or LEVEL-OP-misses; the first spelling is the one listed. */
struct cache_word {
	const char *word[4];
	unsigned int op_mask;	/* operations that make sense for a level */
};

#define R	(1 << PERF_COUNT_HW_CACHE_OP_READ)
#define W	(1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define P	(1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

static const struct cache_word cache_level[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { "L1-dcache", "l1-d", "l1d", "L1-data" }, R | W | P },
	[PERF_COUNT_HW_CACHE_L1I] = { { "L1-icache", "l1-i", "l1i", "L1-instruction" }, R | P },
	[PERF_COUNT_HW_CACHE_LL] = { { "LLC", "L2" }, R | W | P },
	[PERF_COUNT_HW_CACHE_DTLB] = { { "dTLB", "d-tlb", "Data-TLB" }, R | W | P },
	[PERF_COUNT_HW_CACHE_ITLB] = { { "iTLB", "i-tlb", "Instruction-TLB" }, R },
	[PERF_COUNT_HW_CACHE_BPU] = { { "branch", "bpu", "btb", "bpc" }, R },
	[PERF_COUNT_HW_CACHE_NODE] = { { "node" }, R | W | P },
};

#undef R
#undef W
#undef P

static const struct cache_word cache_op[PERF_COUNT_HW_CACHE_OP_MAX] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" }, 0 },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read" }, 0 },
};

static const struct cache_word cache_result[PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "ops", "access", "Reference" }, 0 },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" }, 0 },
};

static bool named(const struct generic *generic, const char *name)
{
	return !strcasecmp(generic->name, name) ||
	       (generic->alias && !strcasecmp(generic->alias, name));
}

static bool in_table(const struct generic *table, size_t nr, const char *name, __u64 *config)
{
	for (size_t i = 0; i < nr; i++) {
		if (named(&table[i], name)) {
			*config = table[i].config;
			return true;
		}
	}
	return false;
}

/* If *@text begins with one of the words (and a word ends there), step over it. */
static int take_word(const char **text, const struct cache_word *table, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(table[i].word) && table[i].word[j]; j++) {
			size_t length = strlen(table[i].word[j]);
			char next;

			if (strncasecmp(*text, table[i].word[j], length))
				continue;
			next = (*text)[length];
			if (next != '-' && next != '\0')
				continue;
			*text += length + (next == '-');
			return (int)i;
		}
	}
	return -1;
}

static bool cache_event(const char *text, __u64 *config)
{
	int level = take_word(&text, cache_level, ARRAY_SIZE(cache_level));
	int op, result;

	if (level < 0 || !*text)
		return false;
	op = take_word(&text, cache_op, ARRAY_SIZE(cache_op));
	result = *text ? take_word(&text, cache_result, ARRAY_SIZE(cache_result)) : -1;
	if (*text || (op < 0 && result < 0))
		return false;
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (!(cache_level[level].op_mask & (1 << op)))
		return false;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	*config = level | op << 8 | result << 16;
	return true;
}

enum source_answer generic_event(const char *name, struct perf_event_attr *attr)
{
	__u64 config;
	uint64_t raw;

	if (in_table(hardware, ARRAY_SIZE(hardware), name, &config)) {
		attr->type = PERF_TYPE_HARDWARE;
	} else if (in_table(software, ARRAY_SIZE(software), name, &config)) {
		attr->type = PERF_TYPE_SOFTWARE;
	} else if (cache_event(name, &config)) {
		attr->type = PERF_TYPE_HW_CACHE;
	} else if (name[0] == 'r' && text_number(name + 1, 16, &raw)) {
		attr->type = PERF_TYPE_RAW;
		config = raw;
	} else {
		return SOURCE_UNKNOWN;
	}
	attr->config = config;
	return SOURCE_FOUND;
}

static const char *find_config(const struct generic *table, size_t nr, __u64 config)
{
	for (size_t i = 0; i < nr; i++)
		if (table[i].config == config)
			return table[i].name;
	return NULL;
}

/* The listed spelling; "" for a combination that has none. */
static void cache_name(__u64 config, char *buf, size_t size)
{
	unsigned int level = config & 0xff, op = config >> 8 & 0xff, result = config >> 16;
	bool miss = result == PERF_COUNT_HW_CACHE_RESULT_MISS;

	buf[0] = '\0';
	if (level < ARRAY_SIZE(cache_level) && op < ARRAY_SIZE(cache_op) &&
	    result < ARRAY_SIZE(cache_result))
		snprintf(buf, size, "%s-%s%s", cache_level[level].word[0],
			 cache_op[op].word[!miss], miss ? "-misses" : "");
}

void generic_name(__u32 type, __u64 config, char *buf, size_t size)
{
	const char *name = NULL;

	buf[0] = '\0';
	if (type == PERF_TYPE_HARDWARE)
		name = find_config(hardware, ARRAY_SIZE(hardware), config);
	else if (type == PERF_TYPE_SOFTWARE)
		name = find_config(software, ARRAY_SIZE(software), config);
	else if (type == PERF_TYPE_HW_CACHE)
		cache_name(config, buf, size);
	else if (type == PERF_TYPE_RAW)
		snprintf(buf, size, "r%04llx", (unsigned long long)config);
	if (name)
		snprintf(buf, size, "%s", name);
	if (!buf[0])
		snprintf(buf, size, "type %u config %#llx", type, (unsigned long long)config);
}

static void each_in(const struct generic *table, size_t nr, source_each each, void *arg)
{
	for (size_t i = 0; i < nr; i++) {
		struct source_name name = { table[i].name, table[i].alias, table[i].about };

		each(&name, arg);
	}
}

void generic_each_hardware(source_each each, void *arg)
{
	each_in(hardware, ARRAY_SIZE(hardware), each, arg);
}

void generic_each_software(source_each each, void *arg)
{
	each_in(software, ARRAY_SIZE(software), each, arg);
}

void generic_each_cache(source_each each, void *arg)
{
	for (__u64 level = 0; level < ARRAY_SIZE(cache_level); level++) {
		for (__u64 op = 0; op < ARRAY_SIZE(cache_op); op++) {
			if (!(cache_level[level].op_mask & (1 << op)))
				continue;
			for (__u64 result = 0; result < ARRAY_SIZE(cache_result); result++) {
				char text[64];
				struct source_name name = { text, NULL, NULL };

				cache_name(level | op << 8 | result << 16, text, sizeof(text));
				each(&name, arg);
			}
		}
	}
}
