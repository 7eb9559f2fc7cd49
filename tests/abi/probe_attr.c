// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which fields of the attr a core takes, field by field and bit by bit, on an event that counts.
 * What is accepted and means nothing to a counting event is as much part of the ABI as what is
 * refused: clients drop features one by one until an open succeeds.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

#define FLAGS_OFFSET (offsetof(struct perf_event_attr, read_format) + sizeof(u64))

/* The names of attr's flag bits, in order; precise_ip has two. */
static const char *const flags[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip 1", "precise_ip 2", "mmap_data", "sample_id_all",
	"exclude_host", "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user",
	"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces",
	"ksymbol", "bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};

static const char *const sample_types[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD", "STREAM_ID", "RAW",
	"BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER",
	"TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE", "WEIGHT_STRUCT",
};

/* What a plain counting event with these bits set as well gives. */
static int open_with(const void *change, size_t offset, size_t size)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	const unsigned char *from = change;
	unsigned char *to = (unsigned char *)&attr + offset;

	while (size--)
		*to++ |= *from++;
	return core_open(&attr, 0, -1, -1, 0);
}

static int open_with_bit(size_t offset, int bit)
{
	u64 mask = 1ULL << bit;

	return open_with(&mask, offset, sizeof(mask));
}

/* Bits @from to 63 of the word at @offset: which are accepted, if any, and the others' errors. */
static void answer_unknown_bits(const char *name, size_t offset, int from)
{
	char text[512] = "accepted:";
	int error = 0, bit;
	bool same = true, any = false;

	strcpy(text, "accepted");
	for (bit = from; bit < 64; bit++) {
		int fd = open_with_bit(offset, bit);

		if (fd >= 0) {
			snprintf(text + strlen(text), sizeof(text) - strlen(text), " %d", bit);
			any = true;
			close(fd);
			continue;
		}
		same = same && (!error || error == fd);
		error = fd;
	}
	answer(name, "%s, the others %s", any ? text : "none accepted",
	       same ? error_name(error) : "differ among each other");
}

static void probe_bits(const char *word, size_t offset, const char *const *names, size_t nr)
{
	char name[80];
	size_t i;

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "attr: %s %s", word, names[i]);
		answer_open(name, open_with_bit(offset, i));
	}
	snprintf(name, sizeof(name), "attr: %s unknown", word);
	answer_unknown_bits(name, offset, nr);
}

#define BRANCHES (PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER)

static const struct {
	const char *what;
	struct perf_event_attr change;	/* or-ed to a plain counting event */
} changes[] = {
	{ "attr: reserved_2", { .__reserved_2 = 1 } },
	{ "attr: reserved_3", { .__reserved_3 = 1 } },
	{ "attr: inherit and inherit_thread", { .inherit = 1, .inherit_thread = 1 } },
	{ "attr: inherit and inherit_stat", { .inherit = 1, .inherit_stat = 1 } },
	{ "attr: inherit and FORMAT_GROUP", { .inherit = 1, .read_format = PERF_FORMAT_GROUP } },
	{ "attr: inherit and SAMPLE_READ", { .inherit = 1, .sample_type = PERF_SAMPLE_READ } },
	{ "attr: inherit, SAMPLE_READ and SAMPLE_TID",
	  { .inherit = 1, .sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID } },
	{ "attr: remove_on_exec and enable_on_exec", { .remove_on_exec = 1, .enable_on_exec = 1 } },
	{ "attr: sigtrap and remove_on_exec", { .sigtrap = 1, .remove_on_exec = 1 } },
	{ "attr: weight in both forms",
	  { .sample_type = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT } },
	{ "attr: branch stack of user branches",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = BRANCHES } },
	{ "attr: branch stack, privilege only",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK,
	    .branch_sample_type = PERF_SAMPLE_BRANCH_USER } },
	{ "attr: branch stack, unknown bit",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = BRANCHES | 1ULL << 40 } },
	{ "attr: branch bits without branch stack", { .branch_sample_type = 1ULL << 40 } },
	{ "attr: user registers", { .sample_type = PERF_SAMPLE_REGS_USER,
				    .sample_regs_user = 0xff0fff } },
	{ "attr: user registers, unknown", { .sample_type = PERF_SAMPLE_REGS_USER,
					     .sample_regs_user = 1ULL << 28 } },
	{ "attr: user registers without the sample bit", { .sample_regs_user = 1ULL << 28 } },
	{ "attr: interrupt registers", { .sample_type = PERF_SAMPLE_REGS_INTR,
					 .sample_regs_intr = 0xff0fff } },
	{ "attr: interrupt registers, unknown", { .sample_type = PERF_SAMPLE_REGS_INTR,
						  .sample_regs_intr = 1ULL << 28 } },
	{ "attr: user stack of 8192", { .sample_type = PERF_SAMPLE_STACK_USER,
					.sample_stack_user = 8192 } },
	{ "attr: user stack of 12", { .sample_type = PERF_SAMPLE_STACK_USER,
				      .sample_stack_user = 12 } },
	{ "attr: user stack of 65528", { .sample_type = PERF_SAMPLE_STACK_USER,
					 .sample_stack_user = 65528 } },
	{ "attr: user stack of 65536", { .sample_type = PERF_SAMPLE_STACK_USER,
					 .sample_stack_user = 65536 } },
	{ "attr: call chain deeper than allowed", { .sample_type = PERF_SAMPLE_CALLCHAIN,
						    .sample_max_stack = 60000 } },
	{ "attr: max_stack without call chain", { .sample_max_stack = 60000 } },
	{ "attr: clock monotonic", { .use_clockid = 1, .clockid = CLOCK_MONOTONIC } },
	{ "attr: clock monotonic raw", { .use_clockid = 1, .clockid = CLOCK_MONOTONIC_RAW } },
	{ "attr: clock realtime", { .use_clockid = 1, .clockid = CLOCK_REALTIME } },
	{ "attr: clock tai", { .use_clockid = 1, .clockid = CLOCK_TAI } },
	{ "attr: clock unknown", { .use_clockid = 1, .clockid = 77 } },
	{ "attr: clock without use_clockid", { .clockid = 77 } },
	{ "attr: period 100000", { .sample_period = 100000 } },
	{ "attr: period 1", { .sample_period = 1 } },
	{ "attr: period bit 63", { .sample_period = 1ULL << 63 } },
	{ "attr: frequency 1000", { .freq = 1, .sample_freq = 1000 } },
	{ "attr: frequency too high", { .freq = 1, .sample_freq = 100000000 } },
	{ "attr: frequency with bit 63", { .freq = 1, .sample_freq = 1ULL << 63 } },
	{ "attr: wakeup_events", { .wakeup_events = 1 } },
	{ "attr: bp_type", { .bp_type = 1 } },
	{ "attr: config1", { .config1 = 1 } },
	{ "attr: config2", { .config2 = 1 } },
	{ "attr: config3", { .config3 = 1 } },
	{ "attr: sig_data", { .sig_data = 1 } },
	{ "attr: aux_watermark", { .aux_watermark = 4096 } },
	{ "attr: aux_sample_size", { .aux_sample_size = 4096 } },
	{ "attr: aux_sample_size, no multiple of 8", { .aux_sample_size = 4 } },
	{ "attr: exclude everything", { .exclude_user = 1, .exclude_idle = 1, .exclude_host = 1,
					.exclude_guest = 1 } },
	{ "attr: exclude_host and exclude_guest", { .exclude_host = 1, .exclude_guest = 1 } },
};

/* Types and configs; the rest is that of a counting event. */
static const struct {
	const char *what;
	uint32_t type;
	u64 config;
	u64 config1;
} events[] = {
	{ "type: cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0 },
	{ "type: cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 0 },
	{ "type: bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, 0 },
	{ "type: stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0 },
	{ "type: stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  0 },
	{ "type: ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 0 },
	{ "type: generic event 10", PERF_TYPE_HARDWARE, PERF_COUNT_HW_MAX, 0 },
	{ "type: generic event 55", PERF_TYPE_HARDWARE, 55, 0 },
	{ "type: generic event of PMU 4", PERF_TYPE_HARDWARE, 4ULL << 32 | 1, 0 },
	{ "type: generic event of PMU 77", PERF_TYPE_HARDWARE, 77ULL << 32 | 1, 0 },
	{ "type: generic event with bit 16", PERF_TYPE_HARDWARE, 1ULL << 16 | 1, 0 },
	{ "type: tracepoint without id", PERF_TYPE_TRACEPOINT, 0, 0 },
	{ "type: breakpoint of kind 0", PERF_TYPE_BREAKPOINT, 0, 0 },
	{ "type: L1D read access", PERF_TYPE_HW_CACHE, 0x000000, 0 },
	{ "type: L1D read miss", PERF_TYPE_HW_CACHE, 0x010000, 0 },
	{ "type: LL read miss", PERF_TYPE_HW_CACHE, 0x010002, 0 },
	{ "type: DTLB read miss", PERF_TYPE_HW_CACHE, 0x010003, 0 },
	{ "type: L1I prefetch access", PERF_TYPE_HW_CACHE, 0x000201, 0 },
	{ "type: cache 7", PERF_TYPE_HW_CACHE, 0x000007, 0 },
	{ "type: cache operation 3", PERF_TYPE_HW_CACHE, 0x000300, 0 },
	{ "type: cache result 2", PERF_TYPE_HW_CACHE, 0x020000, 0 },
	{ "type: raw 0", PERF_TYPE_RAW, 0, 0 },
	{ "type: raw instructions", PERF_TYPE_RAW, 0xc0, 0 },
	{ "type: raw, code that does not exist", PERF_TYPE_RAW, 0xffff, 0 },
	{ "type: raw, user bit", PERF_TYPE_RAW, 0xc4 | 1 << 16, 0 },
	{ "type: raw, edge", PERF_TYPE_RAW, 0xc4 | 1 << 18, 0 },
	{ "type: raw, pin control", PERF_TYPE_RAW, 0xc4 | 1 << 19, 0 },
	{ "type: raw, interrupt bit", PERF_TYPE_RAW, 0xc4 | 1 << 20, 0 },
	{ "type: raw, any thread", PERF_TYPE_RAW, 0xc4 | 1 << 21, 0 },
	{ "type: raw, enable bit", PERF_TYPE_RAW, 0xc4 | 1 << 22, 0 },
	{ "type: raw, inverted", PERF_TYPE_RAW, 0xc4 | 1 << 23, 0 },
	{ "type: raw, counter mask", PERF_TYPE_RAW, 0xc4 | 2 << 24, 0 },
	{ "type: raw, bit 32", PERF_TYPE_RAW, 0xc4 | 1ULL << 32, 0 },
	{ "type: raw, bit 35", PERF_TYPE_RAW, 0xc4 | 1ULL << 35, 0 },
	{ "type: raw, bit 63", PERF_TYPE_RAW, 0xc4 | 1ULL << 63, 0 },
	{ "type: raw, fixed counter's pseudo code", PERF_TYPE_RAW, 0x0300, 0 },
	{ "type: raw, offcore response", PERF_TYPE_RAW, 0x01b7, 1 },
	{ "type: raw, offcore response, undefined bits", PERF_TYPE_RAW, 0x01b7, ~0ULL },
	{ "type: 6", 6, 0, 0 },
	{ "type: 12345", 12345, 0, 0 },
	{ "type: 0xffffffff", 0xffffffff, 0, 0 },
};

void theme_attr(void)
{
	size_t i;

	probe_bits("flag", FLAGS_OFFSET, flags, LENGTH(flags));
	probe_bits("sample_type", offsetof(struct perf_event_attr, sample_type), sample_types,
		   LENGTH(sample_types));
	answer_unknown_bits("attr: read_format unknown",
			    offsetof(struct perf_event_attr, read_format), 5);
	for (i = 0; i < LENGTH(changes); i++)
		answer_open(changes[i].what,
			    open_with(&changes[i].change, 0, sizeof(changes[i].change)));
	for (i = 0; i < LENGTH(events); i++) {
		struct perf_event_attr attr = raw(events[i].config);

		attr.type = events[i].type;
		attr.config1 = events[i].config1;
		answer_open(events[i].what, core_open(&attr, 0, -1, -1, 0));
	}
}
