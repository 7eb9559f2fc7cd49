/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event files, and the ioctl that opens them.
 */
#ifndef PMUCTL_FILE_H
#define PMUCTL_FILE_H

#include <linux/fs.h>
#include <pmuctl/event.h>
#include <linux/pmuctl.h>

/* PMUCTL_IOC_EVENT_OPEN: the new file's number or a negative errno. */
long pmuctl_open_ioctl(struct pmuctl_event_open __user *uarg);

/* PMUCTL_IOC_READ: bytes stored. PMUCTL_IOC_SNAPSHOT: 0, or ENOSPC with what is needed. */
long pmuctl_read_ioctl(struct pmuctl_read __user *uarg);
long pmuctl_snapshot_ioctl(struct pmuctl_snapshot __user *uarg);

/* A file that owns @event; on failure @event is still the caller's. */
struct file *pmuctl_file_create(struct pmuctl_event *event, int flags);

/* The event of @file, or NULL if it is not an event file of ours. */
struct pmuctl_event *pmuctl_file_event(struct file *file);

/* Event files open now. */
u32 pmuctl_file_count(void);

#endif /* PMUCTL_FILE_H */
