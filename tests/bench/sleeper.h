/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task that only sleeps: somebody else whom to measure.
 */
#ifndef BENCH_SLEEPER_H
#define BENCH_SLEEPER_H

#include <sys/types.h>

pid_t sleeper_start(void);
void sleeper_end(pid_t pid);

#endif /* BENCH_SLEEPER_H */
