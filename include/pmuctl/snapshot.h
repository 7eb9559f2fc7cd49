/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler's state for people: the records of PMUCTL_IOC_SNAPSHOT.
 */
#ifndef PMUCTL_SNAPSHOT_H
#define PMUCTL_SNAPSHOT_H

#include <pmuctl/plat.h>

/*
 * Store as many records as fit into @size bytes at @buf and return how many bytes all of them are,
 * or ENOMEM. Sleeps.
 */
ssize_t pmuctl_snapshot(void *buf, size_t size);

#endif /* PMUCTL_SNAPSHOT_H */
