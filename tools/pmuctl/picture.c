// SPDX-License-Identifier: GPL-2.0-only
/*
 * A snapshot put together. The module caught each CPU and each context at its own moment, so an
 * event may refer to what is not there any more: then that part is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "event_sources.h"
#include "picture.h"
#include "text.h"

#define FIRST_FIXED	32

/* Sorted pointers to records. */
#define SORT(kind)									\
static const struct pmuctl_record_##kind **sort_##kind(const struct pmuctl_record_##kind *all,	\
						       size_t nr)			\
{											\
	const struct pmuctl_record_##kind **sorted = xcalloc(nr, sizeof(*sorted));	\
											\
	for (size_t i = 0; i < nr; i++)							\
		sorted[i] = &all[i];							\
	qsort(sorted, nr, sizeof(*sorted), compare_##kind);				\
	return sorted;									\
}

/* By a number in them, found again by bsearch(). */
#define BY_NUMBER(kind, field)								\
static int compare_##kind(const void *a, const void *b)					\
{											\
	const struct pmuctl_record_##kind *x = *(const struct pmuctl_record_##kind *const *)a;	\
	const struct pmuctl_record_##kind *y = *(const struct pmuctl_record_##kind *const *)b;	\
											\
	return (x->field > y->field) - (x->field < y->field);				\
}											\
											\
SORT(kind)										\
											\
static const struct pmuctl_record_##kind *						\
find_##kind(const struct pmuctl_record_##kind *const *sorted, size_t nr, __u64 number)	\
{											\
	const struct pmuctl_record_##kind key = { .field = number }, *wanted = &key;	\
	const struct pmuctl_record_##kind *const *found;				\
											\
	found = bsearch(&wanted, sorted, nr, sizeof(*sorted), compare_##kind);		\
	return found ? *found : NULL;							\
}

BY_NUMBER(class, id)
BY_NUMBER(ctx, id)
BY_NUMBER(group, leader)

static int compare_slot(const void *a, const void *b)
{
	const struct pmuctl_record_slot *x = *(const struct pmuctl_record_slot *const *)a;
	const struct pmuctl_record_slot *y = *(const struct pmuctl_record_slot *const *)b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->pmu != y->pmu)
		return x->pmu < y->pmu ? -1 : 1;
	return (x->counter > y->counter) - (x->counter < y->counter);
}

SORT(slot)

const struct pmuctl_record_ctx *picture_ctx(const struct picture *picture, __u64 id)
{
	return find_ctx(picture->ctx, picture->snapshot->ctxs.nr, id);
}

const struct pmuctl_record_class *picture_class(const struct picture *picture, __u64 id)
{
	return find_class(picture->class, picture->snapshot->classes.nr, id);
}

void picture_make(struct picture *picture, const struct snapshot *snapshot)
{
	picture->snapshot = snapshot;
	picture->class = sort_class(snapshot->classes.record, snapshot->classes.nr);
	picture->ctx = sort_ctx(snapshot->ctxs.record, snapshot->ctxs.nr);
	picture->group = sort_group(snapshot->groups.record, snapshot->groups.nr);
	picture->slot = sort_slot(snapshot->slots.record, snapshot->slots.nr);
	picture->nr_events = snapshot->events.nr;
	picture->event = xcalloc(picture->nr_events, sizeof(*picture->event));
	for (size_t i = 0; i < picture->nr_events; i++) {
		struct known_event *known = &picture->event[i];

		known->event = snapshot_event(snapshot, i);
		known->group = find_group(picture->group, snapshot->groups.nr,
					  known->event->leader);
		known->ctx = known->group ? picture_ctx(picture, known->group->ctx) : NULL;
		known->class = picture_class(picture, known->event->class);
	}
}

static bool is_software(const struct snapshot *snapshot, __u32 pmu)
{
	for (size_t i = 0; i < snapshot->cpu_pmus.nr; i++)
		if (snapshot_cpu_pmu(snapshot, i)->pmu == pmu)
			return !strcmp(snapshot_cpu_pmu(snapshot, i)->name, "software");
	return false;
}

#ifdef __x86_64__
/* Intel SDM volume 3, IA32_PERFEVTSELx: bit 16 USR, bit 17 OS; AMD's are the same. */
#define LEVELS		(3ULL << 16)
#define LEVEL_USER	(1ULL << 16)
#define LEVEL_KERNEL	(2ULL << 16)
#else
#define LEVELS		0ULL
#define LEVEL_USER	1ULL
#define LEVEL_KERNEL	2ULL
#endif

static const char *modifiers(const struct pmuctl_record_class *class)
{
	__u64 levels = class->config & LEVELS;

	return levels == LEVEL_USER ? ":u" : levels == LEVEL_KERNEL ? ":k" : "";
}

/* An event that counts the class and has a name of its own, rather than a raw one. */
static const struct pmuctl_record_event *namesake(const struct picture *picture, __u64 class)
{
	const struct pmuctl_record_event *found = NULL;

	for (size_t i = 0; i < picture->nr_events; i++) {
		const struct pmuctl_record_event *event = picture->event[i].event;

		if (event->class != class)
			continue;
		if (event->type < PERF_TYPE_RAW && event->type != PERF_TYPE_TRACEPOINT)
			return event;
		found = found ? found : event;
	}
	return found;
}

char *picture_class_name(const struct picture *picture, __u64 id)
{
	const struct pmuctl_record_class *class = picture_class(picture, id);
	const struct pmuctl_record_event *event = namesake(picture, id);
	char name[TEXT_NAME_MAX];

	if (!class)
		return text_format("class %llu", (unsigned long long)id);
	if (is_software(picture->snapshot, class->pmu)) {
		generic_name(PERF_TYPE_SOFTWARE, class->config, name, sizeof(name));
		return xstrdup(name);
	}
	if (event)
		generic_name(event->type, event->config, name, sizeof(name));
	else
		generic_name(PERF_TYPE_RAW, class->config & ~LEVELS, name, sizeof(name));
	return text_format("%s%s", name, modifiers(class));
}

char *picture_event_name(const struct known_event *known)
{
	char name[TEXT_NAME_MAX];

	generic_name(known->event->type, known->event->config, name, sizeof(name));
	return text_format("%s%s", name, known->class && known->event->type != PERF_TYPE_SOFTWARE ?
			   modifiers(known->class) : "");
}

char *picture_group_name(const struct picture *picture, const struct pmuctl_record_group *group)
{
	char *all = xstrdup(""), *whole;

	for (size_t i = 0; i < picture->nr_events; i++) {
		char *name, *longer;

		if (picture->event[i].group != group)
			continue;
		name = picture_event_name(&picture->event[i]);
		longer = text_format("%s%s%s", all, *all ? "," : "", name);
		free(name);
		free(all);
		all = longer;
	}
	whole = text_format(group->nr_events > 1 ? "{%s}" : "%s", all);
	free(all);
	return whole;
}

char *picture_owner(const struct pmuctl_record_ctx *ctx, __u64 cgroup)
{
	char *where, *path, *both;

	if (!ctx)
		return xstrdup("?");
	if (ctx->home >= 0)
		where = text_format("CPU %d", ctx->home);
	else
		where = text_format("%s-%d", *ctx->comm ? ctx->comm : "task", ctx->tid);
	if (!cgroup)
		return where;
	path = cgroup_path(cgroup);
	both = text_format("%s in %s", where, path);
	free(path);
	free(where);
	return both;
}

bool picture_counts_on(const struct known_event *known, const struct pmuctl_record_slot *slot)
{
	return known->event->class == slot->class && known->event->state > 0 && known->ctx &&
	       known->ctx->in_on == slot->cpu;
}

char *picture_counter_name(const struct picture *picture, const struct pmuctl_record_slot *slot)
{
	if (is_software(picture->snapshot, slot->pmu))
		return text_format("sw%u", slot->counter);
	if (slot->counter < FIRST_FIXED)
		return text_format("gp%u", slot->counter);
	return text_format("fixed%u", slot->counter - FIRST_FIXED);
}

void picture_free(struct picture *picture)
{
	free(picture->event);
	free(picture->class);
	free(picture->ctx);
	free(picture->group);
	free(picture->slot);
	memset(picture, 0, sizeof(*picture));
}
