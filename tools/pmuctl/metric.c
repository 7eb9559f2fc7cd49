// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures made of two counts, or of a count and a time, as perf stat shows them beside the count.
 * A table and pure functions; knows nothing of where counts come from.
 */
#include <stddef.h>

#include "metric.h"
#include "text.h"

#define HW(name)	PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name
#define CACHE(level, result)	PERF_TYPE_HW_CACHE,					\
	PERF_COUNT_HW_CACHE_##level | PERF_COUNT_HW_CACHE_OP_READ << 8 |		\
	PERF_COUNT_HW_CACHE_RESULT_##result << 16

struct metric_rule {
	__u32 type;
	__u64 config;
	__u32 by_type;
	__u64 by_config;
	double factor;
	const char *unit;
};

static const struct metric_rule rules[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), 1, "insn per cycle" },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), 100, "% of all branches" },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), 100, "% of all cache refs" },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), 100, "% frontend cycles idle" },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), 100, "% backend cycles idle" },
	{ CACHE(L1D, MISS), CACHE(L1D, ACCESS), 100, "% of all L1-dcache accesses" },
	{ CACHE(L1I, MISS), CACHE(L1I, ACCESS), 100, "% of all L1-icache accesses" },
	{ CACHE(LL, MISS), CACHE(LL, ACCESS), 100, "% of all LL-cache accesses" },
	{ CACHE(DTLB, MISS), CACHE(DTLB, ACCESS), 100, "% of all dTLB cache accesses" },
	{ CACHE(ITLB, MISS), CACHE(ITLB, ACCESS), 100, "% of all iTLB cache accesses" },
};

static const struct metric_rule *find(const struct perf_event_attr *attr)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].type == attr->type && rules[i].config == attr->config)
			return &rules[i];
	return NULL;
}

bool metric_divisor(const struct perf_event_attr *attr, __u32 *type, __u64 *config)
{
	const struct metric_rule *rule = find(attr);

	if (!rule)
		return false;
	*type = rule->by_type;
	*config = rule->by_config;
	return true;
}

struct metric metric_ratio(const struct perf_event_attr *attr, double count, double divisor)
{
	const struct metric_rule *rule = find(attr);

	return (struct metric){ rule->factor * count / divisor, 2, rule->unit };
}

bool metric_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

struct metric metric_utilized(double ns, double seconds)
{
	return (struct metric){ ns / 1e9 / seconds, 3, "CPUs utilized" };
}

struct metric metric_rate(const struct perf_event_attr *attr, double count, double ns)
{
	static const struct {
		double least;
		const char *unit;
	} units[] = { { 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" } };
	double rate = 1e9 * count / ns;

	if (attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_CPU_CYCLES)
		return (struct metric){ rate / 1e9, 3, "GHz" };
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (rate >= units[i].least)
			return (struct metric){ rate / units[i].least, 3, units[i].unit };
	return (struct metric){ rate, 3, "/sec" };
}
