/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few short names the model is written with.
 */
#ifndef PMU_MODEL_TYPES_H
#define PMU_MODEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define BIT(n) (1ULL << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* The low @n bits set, for n from 0 to 64. */
static inline u64 low_bits(unsigned int n)
{
	return n >= 64 ? ~0ULL : BIT(n) - 1;
}

#endif /* PMU_MODEL_TYPES_H */
