// SPDX-License-Identifier: GPL-2.0-only
/*
 * Assignment of counters under constraints, as a bipartite matching with augmenting paths
 * (H. W. Kuhn, 1955). The sizes are those of a PMU, so the plain algorithm is the fast one.
 */
#include <pmuctl/match.h>

/* Who has a counter, by counter number; -1 for nobody. */
struct owners {
	s8 of[64];
};

/* Fixed counters first: they serve fewer classes, so taking one leaves more to the others. */
static int pick(u64 counters)
{
	u64 fixed = counters >> PMUCTL_FIXED << PMUCTL_FIXED;

	return __ffs64(fixed ?: counters);
}

static void give(struct pmuctl_want *wants, struct owners *owners, int who, int counter)
{
	wants[who].counter = counter;
	owners->of[counter] = who;
}

static u64 free_counters(const struct owners *owners, u64 counters)
{
	u64 result = 0;

	while (counters) {
		int counter = __ffs64(counters);

		counters &= counters - 1;
		if (owners->of[counter] < 0)
			result |= 1ULL << counter;
	}
	return result;
}

/*
 * Serve @first, moving others if need be: a breadth-first search for a free counter. @from[c] is
 * who would move to counter c; the path back to @first is then carried out from its free end.
 */
static bool serve(struct pmuctl_want *wants, struct owners *owners, int first)
{
	s8 queue[PMUCTL_COUNTERS_MAX], from[64];
	int head = 0, tail = 0;
	u64 seen = 0;

	queue[tail++] = first;
	while (head < tail) {
		int who = queue[head++];
		u64 next = wants[who].counters & ~seen;
		u64 idle = free_counters(owners, next);

		if (idle) {
			int counter = pick(idle);

			for (;;) {
				int before = wants[who].counter;

				give(wants, owners, who, counter);
				if (who == first)
					return true;
				counter = before;
				who = from[counter];
			}
		}
		seen |= next;
		while (next) {
			int counter = __ffs64(next);

			next &= next - 1;
			from[counter] = who;
			queue[tail++] = owners->of[counter];
		}
	}
	return false;
}

int pmuctl_match(struct pmuctl_want *wants, int n)
{
	struct owners owners;
	int i;

	if (n > PMUCTL_COUNTERS_MAX)
		goto no_way;
	memset(&owners, -1, sizeof(owners));
	for (i = 0; i < n; i++) {
		int now = wants[i].current_counter;

		wants[i].counter = -1;
		if (now >= 0 && (wants[i].counters & (1ULL << now)) && owners.of[now] < 0)
			give(wants, &owners, i, now);
	}
	for (i = 0; i < n; i++) {
		if (wants[i].counter < 0 && !serve(wants, &owners, i))
			goto no_way;
	}
	return 0;

no_way:
	for (i = 0; i < n; i++)
		wants[i].counter = -1;
	return -EAGAIN;
}
