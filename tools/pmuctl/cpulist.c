// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of CPU numbers as the kernel writes them: "0-3,7". Pure functions of text; whether a CPU
 * exists or is online is for others to ask.
 */
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void sort_unique(struct cpulist *list)
{
	size_t kept = 0;

	qsort(list->cpu, list->nr, sizeof(*list->cpu), compare);
	for (size_t i = 0; i < list->nr; i++)
		if (!kept || list->cpu[kept - 1] != list->cpu[i])
			list->cpu[kept++] = list->cpu[i];
	list->nr = kept;
}

static int add_range(struct cpulist *list, char *range, struct why *why)
{
	char *dash = strchr(range, '-');
	uint64_t first, last;

	if (dash)
		*dash = '\0';
	if (!text_number(range, 10, &first) || (dash && !text_number(dash + 1, 10, &last)))
		return why_set(why, "not a list of CPU numbers like 0-3,7");
	if (!dash)
		last = first;
	if (first > last)
		return why_set(why, "the range %s-%s runs backwards", range, dash + 1);
	if (last >= CPULIST_MAX)
		return why_set(why, "there is no CPU %s", dash ? dash + 1 : range);
	list->cpu = xrealloc(list->cpu, list->nr + last - first + 1, sizeof(*list->cpu));
	for (uint64_t cpu = first; cpu <= last; cpu++)
		list->cpu[list->nr++] = (int)cpu;
	return 0;
}

int cpulist_parse(struct cpulist *list, const char *text, struct why *why)
{
	char *copy = xstrdup(text), *rest = copy, *range;
	int err = 0;

	*list = (struct cpulist){ 0 };
	copy[strcspn(copy, "\n")] = '\0';
	while (!err && (range = strsep(&rest, ",")))
		err = add_range(list, range, why);
	free(copy);
	if (err)
		cpulist_free(list);
	else
		sort_unique(list);
	return err;
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	return list->nr && bsearch(&cpu, list->cpu, list->nr, sizeof(cpu), compare);
}

char *cpulist_text(const struct cpulist *list)
{
	char *all = xstrdup("");
	size_t i, last;

	for (i = 0; i < list->nr; i = last + 1) {
		char *longer;

		for (last = i; last + 1 < list->nr; last++)
			if (list->cpu[last + 1] != list->cpu[last] + 1)
				break;
		longer = text_format(last > i ? "%s%s%d-%d" : "%s%s%d", all, i ? "," : "",
				     list->cpu[i], list->cpu[last]);
		free(all);
		all = longer;
	}
	return all;
}

void cpulist_free(struct cpulist *list)
{
	free(list->cpu);
	*list = (struct cpulist){ 0 };
}
