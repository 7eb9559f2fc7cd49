/* SPDX-License-Identifier: GPL-2.0-only */
/* A vector read made of many read(2), for devices that are none. */
#ifndef PMUCTL_TEST_DEVICE_FILES_H
#define PMUCTL_TEST_DEVICE_FILES_H

#include "device.h"

/* As PMUCTL_IOC_READ does it: values without gaps, a result for each file. Returns 0. */
int files_read(struct pmuctl_read_item *items, size_t nr, void *values, size_t size);

#endif
