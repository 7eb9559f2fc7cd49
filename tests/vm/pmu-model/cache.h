/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data cache: two direct-mapped levels, indexed and tagged by virtual address, so that what
 * it says depends on the program alone and not on where the kernel found memory for it.
 */
#ifndef PMU_MODEL_CACHE_H
#define PMU_MODEL_CACHE_H

#include "types.h"

#define CACHE_LINE_BITS		6
#define CACHE_L1_LINES		512	/* 32 KiB */
#define CACHE_LLC_LINES		16384	/* 1 MiB */

/* Tags are line numbers plus one: zero is an empty line. */
struct cache {
	u64 l1[CACHE_L1_LINES];
	u64 llc[CACHE_LLC_LINES];
};

enum cache_result { CACHE_L1_HIT, CACHE_LLC_HIT, CACHE_MISS };

enum cache_result cache_access(struct cache *cache, u64 address);

void cache_empty(struct cache *cache);

#endif /* PMU_MODEL_CACHE_H */
