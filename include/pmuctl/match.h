/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which counter for which class: a bipartite matching, for backends whose constraints are masks.
 */
#ifndef PMUCTL_MATCH_H
#define PMUCTL_MATCH_H

#include <pmuctl/pmu.h>

/*
 * Give each of @n wants a counter of its own. Who has one keeps it unless another could not be
 * served otherwise; a fixed counter is preferred to a general one, which more classes can use.
 * EAGAIN, and every @counter -1, if there is no way. O(n * counters * n), no allocation.
 */
int pmuctl_match(struct pmuctl_want *wants, int n);

#endif /* PMUCTL_MATCH_H */
