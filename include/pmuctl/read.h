/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading events: what read(2) of their files gives, one by one or many at once.
 */
#ifndef PMUCTL_READ_H
#define PMUCTL_READ_H

#include <pmuctl/plat.h>
#include <linux/pmuctl.h>

struct pmuctl_event;

/* The largest read perf allows; a group that would exceed it is refused with E2BIG. */
#define PMUCTL_READ_SIZE_MAX (16 * 1024)

/* Bytes that read(2) of an event with @read_format in a group of @nr gives. */
size_t pmuctl_read_size(u64 read_format, u32 nr);

/*
 * Fill @values with what read(2) of the event's file gives (perf_event_open(2), "Reading results")
 * and return its length in bytes: 0 for a pinned event in error. ENOSPC if @size bytes are too few,
 * ECHILD if the groups of children differ, ENOMEM. Sleeps.
 */
ssize_t pmuctl_event_read(struct pmuctl_event *event, u64 *values, size_t size);

/*
 * The same for @n events, whose values are stored without gaps; returns their bytes, and in each
 * item's result those of its event. A missing event (NULL) gives EBADF. Simple events of one context
 * that follow each other are read together, in one moment.
 */
size_t pmuctl_events_read(struct pmuctl_event **events, struct pmuctl_read_item *items, u32 n,
			  u64 *values, size_t size);

#endif /* PMUCTL_READ_H */
