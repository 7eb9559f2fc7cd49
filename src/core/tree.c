// SPDX-License-Identifier: GPL-2.0-only
/* Trees of groups, ordered by {cpu, pmu, cgroup, index} (checklist RB-01 to -04). */
#include <pmuctl/group.h>

/* Negative, 0 or positive as a < b, a == b, a > b. */
static int order(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Where the subtree of @pmu_ctx is: cpu -1 first, no cgroup first. */
static int order_pmu_ctx(const struct pmuctl_pmu_ctx *a, const struct pmuctl_pmu_ctx *b)
{
	if (a == b)
		return 0;
	if (a->scope->cpu != b->scope->cpu)
		return a->scope->cpu < b->scope->cpu ? -1 : 1;
	return order(a->pmu->index, b->pmu->index) ?:
	       order(a->scope->cgroup_id, b->scope->cgroup_id);
}

static int order_group(const struct pmuctl_group *a, const struct pmuctl_group *b)
{
	return order_pmu_ctx(a->pmu_ctx, b->pmu_ctx) ?: order(a->rank, b->rank) ?:
	       order(a->ticket, b->ticket);
}

void pmuctl_tree_insert(struct pmuctl_tree *tree, struct pmuctl_group *group)
{
	struct rb_node **link = &tree->root.rb_node, *parent = NULL;

	group->ticket = ++tree->ticket;
	while (*link) {
		parent = *link;
		if (order_group(group, rb_entry(parent, struct pmuctl_group, node)) < 0)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&group->node, parent, link);
	rb_insert_color(&group->node, &tree->root);
}

void pmuctl_tree_erase(struct pmuctl_tree *tree, struct pmuctl_group *group)
{
	rb_erase(&group->node, &tree->root);
}

struct pmuctl_group *pmuctl_tree_first(const struct pmuctl_tree *tree,
				       const struct pmuctl_pmu_ctx *pmu_ctx,
				       enum pmuctl_rank rank)
{
	struct rb_node *node = tree->root.rb_node;
	struct pmuctl_group *first = NULL;

	while (node) {
		struct pmuctl_group *group = rb_entry(node, struct pmuctl_group, node);
		int way = order_pmu_ctx(pmu_ctx, group->pmu_ctx) ?: order(rank, group->rank);

		if (!way)
			first = group;
		node = way <= 0 ? node->rb_left : node->rb_right;
	}
	return first;
}
