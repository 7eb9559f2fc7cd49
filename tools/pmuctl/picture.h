/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot put together: which event belongs to whom, and what things are called. */
#ifndef PMUCTL_PICTURE_H
#define PMUCTL_PICTURE_H

#include "snapshot.h"

/* An event with its group, its context and what it counts; NULL where a record is missing. */
struct known_event {
	const struct pmuctl_record_event *event;
	const struct pmuctl_record_group *group;
	const struct pmuctl_record_ctx *ctx;
	const struct pmuctl_record_class *class;
};

/* Borrows the snapshot. @event: one for each of its events, in their order. */
struct picture {
	const struct snapshot *snapshot;
	struct known_event *event;
	size_t nr_events;
	const struct pmuctl_record_class **class;	/* by id */
	const struct pmuctl_record_ctx **ctx;		/* by id */
	const struct pmuctl_record_group **group;	/* by leader */
	const struct pmuctl_record_slot **slot;		/* by CPU, PMU and counter */
};

void picture_make(struct picture *picture, const struct snapshot *snapshot);

/* What a class counts, as far as it can be named. The caller frees it. */
char *picture_class_name(const struct picture *picture, __u64 id);

/* The name of one event, and of all events of a group: "{a,b}". The caller frees it. */
char *picture_event_name(const struct known_event *event);
char *picture_group_name(const struct picture *picture, const struct pmuctl_record_group *group);

/* Whose a context is: "CPU 3", "comm-123"; @cgroup: 0, or one it counts in. The caller frees it. */
char *picture_owner(const struct pmuctl_record_ctx *ctx, __u64 cgroup);

const struct pmuctl_record_ctx *picture_ctx(const struct picture *picture, __u64 id);
const struct pmuctl_record_class *picture_class(const struct picture *picture, __u64 id);

/* Whether the event is on this slot now, and its context is in there. */
bool picture_counts_on(const struct known_event *event, const struct pmuctl_record_slot *slot);

/* "gp3", "fixed0"; software has no counters but kinds: "sw2". */
char *picture_counter_name(const struct picture *picture, const struct pmuctl_record_slot *slot);

void picture_free(struct picture *picture);

#endif
