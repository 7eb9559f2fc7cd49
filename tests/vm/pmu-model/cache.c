// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data cache. Loads and stores are the same to it, and an access belongs to the line its
 * first byte is in. It must never see instruction fetches.
 */
#include <string.h>

#include "cache.h"

enum cache_result cache_access(struct cache *cache, u64 address)
{
	u64 line = address >> CACHE_LINE_BITS;
	u64 *l1 = &cache->l1[line % CACHE_L1_LINES];
	u64 *llc = &cache->llc[line % CACHE_LLC_LINES];
	bool llc_hit = *llc == line + 1;

	if (*l1 == line + 1)
		return CACHE_L1_HIT;
	*l1 = line + 1;
	*llc = line + 1;
	return llc_hit ? CACHE_LLC_HIT : CACHE_MISS;
}

void cache_empty(struct cache *cache)
{
	memset(cache, 0, sizeof(*cache));
}
