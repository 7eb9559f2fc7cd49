/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A loop of known length: @n > 0 rounds of exactly two instructions, one of them a branch.
 */
#ifndef ABI_LOOP_H
#define ABI_LOOP_H

static inline void loop(unsigned long n)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

#endif /* ABI_LOOP_H */
