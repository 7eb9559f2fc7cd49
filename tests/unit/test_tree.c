// SPDX-License-Identifier: GPL-2.0-only
/* Trees of groups: their order, and the first of a kind. */
#include "world.h"

#define GROUPS 500
#define PMU_CTXS 12

static struct pmuctl_pmu pmus[2] = { { .index = 0 }, { .index = 1 } };
static struct pmuctl_scope scopes[6];
static struct pmuctl_pmu_ctx pmu_ctxs[PMU_CTXS];
static struct pmuctl_group groups[GROUPS];
static bool in[GROUPS];
static struct pmuctl_tree tree;

/* Scopes of a CPU and of cgroups, in the order of RB-01: cpu, -1 first; then no cgroup first. */
static int tree_setup(void **state)
{
	int i;

	(void)state;
	memset(groups, 0, sizeof(groups));
	memset(in, 0, sizeof(in));
	tree = (struct pmuctl_tree){};
	for (i = 0; i < ARRAY_SIZE(scopes); i++) {
		scopes[i].cpu = i / 2 - 1;
		scopes[i].cgroup_id = i % 2 * 7;
	}
	for (i = 0; i < PMU_CTXS; i++) {
		pmu_ctxs[i].scope = &scopes[i / 2];
		pmu_ctxs[i].pmu = &pmus[i % 2];
	}
	return 0;
}

static void insert(int i, int pmu_ctx, enum pmuctl_rank rank)
{
	groups[i].pmu_ctx = &pmu_ctxs[pmu_ctx];
	groups[i].rank = rank;
	pmuctl_tree_insert(&tree, &groups[i]);
	in[i] = true;
}

static void erase(int i)
{
	pmuctl_tree_erase(&tree, &groups[i]);
	in[i] = false;
}

static struct pmuctl_group *group_of(struct rb_node *node)
{
	return rb_entry(node, struct pmuctl_group, node);
}

static void rb_01_order_is_cpu_pmu_cgroup_index(void **state)
{
	struct rb_node *node;
	int i, k = 0;
	/* Per CPU: first PMU without, with cgroup; second PMU without, with. */
	static const int order[PMU_CTXS] = { 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11 };

	(void)state;
	for (i = PMU_CTXS - 1; i >= 0; i--) {
		insert(3 * i, i, PMUCTL_RANK_OFF);
		insert(3 * i + 1, i, PMUCTL_RANK_ON);
		insert(3 * i + 2, i, PMUCTL_RANK_WAITING);
	}
	for (node = rb_first(&tree.root); node; node = rb_next(node), k++) {
		assert_ptr_equal(group_of(node)->pmu_ctx, &pmu_ctxs[order[k / 3]]);
		assert_int_equal(group_of(node)->rank, k % 3);
	}
	assert_int_equal(k, 3 * PMU_CTXS);
}

static void rb_03_insertion_is_at_the_tail(void **state)
{
	int i, round;

	(void)state;
	for (i = 0; i < 5; i++)
		insert(i, 3, PMUCTL_RANK_WAITING);
	/* Out and in again: each is the first once, in turn. */
	for (round = 0; round < 50; round++) {
		struct pmuctl_group *first = pmuctl_tree_first(&tree, &pmu_ctxs[3],
							       PMUCTL_RANK_WAITING);

		assert_ptr_equal(first, &groups[round % 5]);
		erase(round % 5);
		insert(round % 5, 3, PMUCTL_RANK_WAITING);
	}
}

/* The least of those that match, by looking at all. */
static struct pmuctl_group *naive_first(const struct pmuctl_pmu_ctx *pmu_ctx, enum pmuctl_rank rank)
{
	struct pmuctl_group *first = NULL;
	int i;

	for (i = 0; i < GROUPS; i++) {
		if (in[i] && groups[i].pmu_ctx == pmu_ctx && groups[i].rank == rank &&
		    (!first || groups[i].ticket < first->ticket))
			first = &groups[i];
	}
	return first;
}

static void rb_04_first_of_a_kind_agrees_with_looking_at_all(void **state)
{
	unsigned int seed = 20261201;
	int step;

	(void)state;
	for (step = 0; step < 50000; step++) {
		int i = rand_r(&seed) % GROUPS, k = rand_r(&seed) % PMU_CTXS;
		enum pmuctl_rank rank = rand_r(&seed) % 3;

		if (in[i])
			erase(i);
		else
			insert(i, rand_r(&seed) % PMU_CTXS, rand_r(&seed) % 3);
		assert_ptr_equal(pmuctl_tree_first(&tree, &pmu_ctxs[k], rank),
				 naive_first(&pmu_ctxs[k], rank));
	}
}

/* RB-02: only leaders are in the trees; siblings come in when their leader goes. */
static u32 count_nodes(const struct pmuctl_tree *tree)
{
	struct rb_node *node;
	u32 n = 0;

	for (node = rb_first(&tree->root); node; node = rb_next(node))
		n++;
	return n;
}

static void rb_02_only_leaders_are_in_a_tree(void **state)
{
	struct task_struct task = { .refs = 1 };
	struct pmuctl_event *leader = world_open(&task, -1, 1, NULL), *siblings[3];
	struct perf_event_attr attr = world_attr(1);
	struct pmuctl_event *pinned;
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		siblings[i] = world_open(&task, -1, 2 + i, leader);
	attr.pinned = 1;
	pinned = world_open_attr(&task, -1, &attr, NULL);
	assert_int_equal(count_nodes(&leader->ctx->flexible), 1);
	assert_int_equal(count_nodes(&leader->ctx->pinned), 1);
	pmuctl_event_close(leader);
	assert_int_equal(count_nodes(&pinned->ctx->flexible), 3);
	for (i = 0; i < 3; i++)
		pmuctl_event_close(siblings[i]);
	assert_int_equal(count_nodes(&pinned->ctx->flexible), 0);
	pmuctl_event_close(pinned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rb_01_order_is_cpu_pmu_cgroup_index, tree_setup),
		cmocka_unit_test_setup(rb_03_insertion_is_at_the_tail, tree_setup),
		cmocka_unit_test_setup(rb_04_first_of_a_kind_agrees_with_looking_at_all,
				       tree_setup),
		TEST(rb_02_only_leaders_are_in_a_tree),
	};

	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
