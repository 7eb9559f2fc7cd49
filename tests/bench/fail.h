/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two kinds of failure: the core cannot do what a bench asks, which is a result, and the program
 * cannot go on, which ends it.
 */
#ifndef BENCH_FAIL_H
#define BENCH_FAIL_H

/* Keep the reason and return @err, for "return fail(-errno, ...)". */
int fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *fail_reason(void);

/* Ends the program unless @ok; for what no core has a part in: fork, pipe, memory. */
void must(int ok, const char *what);

#endif /* BENCH_FAIL_H */
