/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trees of groups: a context has one of pinned and one of flexible groups, both ordered by
 * {cpu, pmu, cgroup, index}. The first three say whose turn it can be at all; the index says in
 * which order.
 */
#ifndef PMUCTL_TREE_H
#define PMUCTL_TREE_H

#include <pmuctl/plat.h>

struct pmuctl_group;
struct pmuctl_pmu_ctx;

/*
 * The upper part of a group's index. Within {cpu, pmu, cgroup}, those that wait come first, the one
 * that waits longest leading; then those that are on, the one that came on first leading.
 */
enum pmuctl_rank {
	PMUCTL_RANK_WAITING,
	PMUCTL_RANK_ON,
	PMUCTL_RANK_OFF,
};

/**
 * struct pmuctl_tree - pinned or flexible groups of a context
 * @root:   by struct pmuctl_group.node
 * @ticket: the last one given; the lower part of an index
 */
struct pmuctl_tree {
	struct rb_root root;
	u64 ticket;
};

/* Put @group behind all others of its rank; take it out. */
void pmuctl_tree_insert(struct pmuctl_tree *tree, struct pmuctl_group *group);
void pmuctl_tree_erase(struct pmuctl_tree *tree, struct pmuctl_group *group);

/* The first group of @pmu_ctx with @rank, or NULL. O(log n). */
struct pmuctl_group *pmuctl_tree_first(const struct pmuctl_tree *tree,
				       const struct pmuctl_pmu_ctx *pmu_ctx,
				       enum pmuctl_rank rank);

#endif /* PMUCTL_TREE_H */
