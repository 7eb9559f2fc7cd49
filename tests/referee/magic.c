// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints what the model says of the CPU it runs on: a name and a number a line. Exits with 1
 * where there is no model. Run it with taskset: each CPU has its own numbers.
 */
#include <cpuid.h>
#include <stdio.h>

#define LEAF		0x504d5500
#define SIGNATURE	0x504d5543

static const char *const names[] = { "kernel", "user", "wrmsr", "rdmsr", "rdpmc", "pmi" };

int main(void)
{
	unsigned int i, a, b, c, d;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		__cpuid_count(LEAF, i, a, b, c, d);
		if (b != SIGNATURE) {
			fprintf(stderr, "pmuctl: magic: this CPU is no PMU model. "
				"Run it in tests/vm/run.\n");
			return 1;
		}
		printf("%s %llu\n", names[i], (unsigned long long)d << 32 | a);
	}
	return 0;
}
