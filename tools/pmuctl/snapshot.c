// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records from the module: asking until they fit, and sorting them by type. Trusts no size in
 * them; knows nothing of what they mean.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"
#include "text.h"

#define FIRST_SIZE	65536
/* Events that open faster than this command asks again are not waited for. */
#define MOST_TRIES	8

static struct record_list *list_of(struct snapshot *snapshot, __u32 type, size_t *size)
{
	switch (type) {
	case PMUCTL_RECORD_CPU_PMU:
		*size = sizeof(struct pmuctl_record_cpu_pmu);
		return &snapshot->cpu_pmus;
	case PMUCTL_RECORD_SLOT:
		*size = sizeof(struct pmuctl_record_slot);
		return &snapshot->slots;
	case PMUCTL_RECORD_CLASS:
		*size = sizeof(struct pmuctl_record_class);
		return &snapshot->classes;
	case PMUCTL_RECORD_CTX:
		*size = sizeof(struct pmuctl_record_ctx);
		return &snapshot->ctxs;
	case PMUCTL_RECORD_GROUP:
		*size = sizeof(struct pmuctl_record_group);
		return &snapshot->groups;
	case PMUCTL_RECORD_EVENT:
		*size = sizeof(struct pmuctl_record_event);
		return &snapshot->events;
	default:
		return NULL;
	}
}

static void add(struct snapshot *snapshot, const struct pmuctl_record *header, const char *bytes)
{
	size_t size;
	struct record_list *list = list_of(snapshot, header->type, &size);
	char *record;

	if (!list) {
		snapshot->skipped++;
		return;
	}
	/* Doubling, so that many records cost few copies. */
	if (!(list->nr & (list->nr - 1)))
		list->record = xrealloc(list->record, list->nr ? 2 * list->nr : 1, size);
	record = (char *)list->record + list->nr++ * size;
	memset(record, 0, size);
	memcpy(record, bytes, header->size < size ? header->size : size);
}

/* Texts in records are terminated by this module; a foreign one's might not be. */
static void terminate_texts(struct snapshot *snapshot)
{
	struct pmuctl_record_cpu_pmu *cpu_pmu = snapshot->cpu_pmus.record;
	struct pmuctl_record_ctx *ctx = snapshot->ctxs.record;

	for (size_t i = 0; i < snapshot->cpu_pmus.nr; i++)
		cpu_pmu[i].name[sizeof(cpu_pmu[i].name) - 1] = '\0';
	for (size_t i = 0; i < snapshot->ctxs.nr; i++)
		ctx[i].comm[sizeof(ctx[i].comm) - 1] = '\0';
}

void snapshot_decode(struct snapshot *snapshot, const void *buf, size_t size)
{
	const char *at = buf, *end = at + size;
	struct pmuctl_record header;

	memset(snapshot, 0, sizeof(*snapshot));
	while (at < end) {
		if ((size_t)(end - at) < sizeof(header))
			break;
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size > (size_t)(end - at))
			break;
		add(snapshot, &header, at);
		at += header.size;
	}
	snapshot->cut = at != end;
	terminate_texts(snapshot);
}

int snapshot_take(struct snapshot *snapshot, const struct device *dev)
{
	size_t size = FIRST_SIZE, needed = 0;
	char *buf = NULL;
	int err = -ENOSPC;

	memset(snapshot, 0, sizeof(*snapshot));
	for (int try = 0; err == -ENOSPC && try < MOST_TRIES; try++) {
		/* More than was needed a moment ago: others open events meanwhile. */
		if (needed >= size)
			size = needed + needed / 4 + FIRST_SIZE;
		buf = xrealloc(buf, size, 1);
		err = device_snapshot(dev, buf, size, &needed);
	}
	if (!err)
		snapshot_decode(snapshot, buf, needed < size ? needed : size);
	free(buf);
	return err;
}

const struct pmuctl_record_cpu_pmu *snapshot_cpu_pmu(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_cpu_pmu *)snapshot->cpu_pmus.record + i;
}

const struct pmuctl_record_slot *snapshot_slot(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_slot *)snapshot->slots.record + i;
}

const struct pmuctl_record_class *snapshot_class(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_class *)snapshot->classes.record + i;
}

const struct pmuctl_record_ctx *snapshot_ctx(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_ctx *)snapshot->ctxs.record + i;
}

const struct pmuctl_record_group *snapshot_group(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_group *)snapshot->groups.record + i;
}

const struct pmuctl_record_event *snapshot_event(const struct snapshot *snapshot, size_t i)
{
	return (const struct pmuctl_record_event *)snapshot->events.record + i;
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->cpu_pmus.record);
	free(snapshot->slots.record);
	free(snapshot->classes.record);
	free(snapshot->ctxs.record);
	free(snapshot->groups.record);
	free(snapshot->events.record);
	memset(snapshot, 0, sizeof(*snapshot));
}
