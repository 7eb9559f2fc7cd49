// SPDX-License-Identifier: GPL-2.0-only
/*
 * The size protocol of the attr (ATTR-02, ATTR-03): every size there ever was, sizes of kernels to
 * come, tails that are and are not zero, and memory that cannot be read or written.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe.h"

#define PAGE 4096

/* An attr with whatever follows it; longer than any size that is tried. */
union room {
	struct perf_event_attr attr;
	char bytes[2 * PAGE];
};

/* @junk: offset of a byte that is not zero, or 0. */
static void probe_one(uint32_t size, int junk)
{
	union room room = { .attr = counting(PERF_COUNT_HW_INSTRUCTIONS) };
	char name[80];
	int fd;

	room.attr.size = size;
	if (junk)
		room.bytes[junk] = 1;
	snprintf(name, sizeof(name), "size: %u%s", size,
		 !junk ? "" : junk < (int)size ? ", junk inside" : ", junk behind");
	fd = core_open(&room.attr, 0, -1, -1, 0);
	answer_open(name, fd);
	if (fd == -E2BIG) {
		snprintf(name + strlen(name), sizeof(name) - strlen(name), ", written back");
		answer(name, "%u", room.attr.size);
	}
}

static void probe_sizes(void)
{
	static const struct {
		uint32_t size;
		int junk;
	} sizes[] = {
		{ 0, 0 }, { 0, 100 }, { 1, 0 }, { 32, 0 }, { 63, 0 }, { 64, 0 }, { 64, 100 },
		{ 65, 0 }, { 72, 0 }, { 72, 100 }, { 80, 0 }, { 96, 0 }, { 104, 0 }, { 112, 0 },
		{ 120, 0 }, { 128, 0 }, { 128, 140 }, { 136, 0 }, { 144, 0 }, { 152, 0 },
		{ 160, 158 }, { 4000, 0 }, { 4000, 3000 }, { 4096, 0 }, { 4096, 4095 }, { 4097, 0 },
		{ 5000, 0 }, { 0xffffffff, 0 },
	};
	size_t i;

	for (i = 0; i < LENGTH(sizes); i++)
		probe_one(sizes[i].size, sizes[i].junk);
}

/* Two pages, of which the second cannot be read; the attr ends @inside bytes into the second. */
static void probe_memory(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS), *there;
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(pages + PAGE, PAGE, PROT_NONE);
	answer_open("size: attr NULL", core_open(NULL, 0, -1, -1, 0));
	answer_open("size: attr unreadable",
		    core_open((struct perf_event_attr *)(pages + PAGE), 0, -1, -1, 0));
	there = (struct perf_event_attr *)(pages + PAGE - 64);
	memcpy(there, &attr, 64);
	answer_open("size: attr ends unreadable", core_open(there, 0, -1, -1, 0));
	there->size = 64;
	answer_open("size: first version before the end", core_open(there, 0, -1, -1, 0));
	there->size = 63;
	mprotect(pages, PAGE, PROT_READ);
	answer_open("size: too small and not writable", core_open(there, 0, -1, -1, 0));
	answer("size: too small and not writable, left", "%u", there->size);
}

/* The order of the checks: with two faults the earlier check answers. */
static void probe_order(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

	attr.size = 32;
	answer_open("size: and unknown flags", core_open(&attr, 0, -1, -1, 1UL << 20));
	answer_open("size: and no such task", core_open(&attr, 4000000, -1, -1, 0));
	attr.size = sizeof(attr);
	attr.__reserved_2 = 1;
	answer_open("order: reserved field and no such task", core_open(&attr, 4000000, -1, -1, 0));
	attr.__reserved_2 = 0;
	attr.type = 12345;
	answer_open("order: unknown type and no such task", core_open(&attr, 4000000, -1, -1, 0));
	answer_open("order: unknown type and cpu out of range", core_open(&attr, 0, 100000, -1, 0));
	answer_open("order: unknown type and bad group", core_open(&attr, 0, -1, 4321, 0));
	answer_open("order: no such task and bad group", core_open(&attr, 4000000, -1, 4321, 0));
	answer_open("order: pid -1 cpu -1 and unknown type", core_open(&attr, -1, -1, -1, 0));
	attr.sample_period = 1ULL << 63;
	answer_open("order: period bit 63 and bad group", core_open(&attr, 0, -1, 4321, 0));
}

void theme_size(void)
{
	probe_sizes();
	probe_memory();
	probe_order();
}
