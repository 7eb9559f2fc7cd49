/* SPDX-License-Identifier: GPL-2.0-only */
/* What several tests need: a made-up /sys and /proc, and cmocka with its own includes. */
#ifndef PMUCTL_TEST_FIXTURE_H
#define PMUCTL_TEST_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An empty directory below /tmp that SYSFS_PATH and PROC_PATH name until fixture_remove(). */
void fixture_make(void);

/* A file in it, with the directories on its way. */
void fixture_file(const char *path, const char *text);

/* Sysfs of a PMU as an Intel processor has it. */
void fixture_cpu_pmu(void);

void fixture_remove(void);

#endif
