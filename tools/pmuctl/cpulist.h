/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPU numbers as the kernel writes them: "0-3,7". */
#ifndef PMUCTL_CPULIST_H
#define PMUCTL_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* No kernel has more CPUs than this; a longer range is a typing error. */
#define CPULIST_MAX	65536

/* Ascending, without repeats; owned by whoever parsed it. */
struct cpulist {
	size_t nr;
	int *cpu;
};

/* Parse @text. Returns -1 with the reason in @why; then @list is empty. */
int cpulist_parse(struct cpulist *list, const char *text, struct why *why);

bool cpulist_has(const struct cpulist *list, int cpu);

/* "0-3,7" again. The caller frees it. */
char *cpulist_text(const struct cpulist *list);

void cpulist_free(struct cpulist *list);

#endif
