// SPDX-License-Identifier: GPL-2.0-only
/* The shim itself: its trees are trees, and who breaks a rule of the kernel does not get away. */
#include "world.h"

struct item {
	struct rb_node node;
	int key;
	bool in;
};

#define ITEMS 2000

static struct item items[ITEMS];
static struct rb_root root;
static unsigned int seed = 20261201;

static void insert(struct item *item)
{
	struct rb_node **link = &root.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		link = item->key < rb_entry(parent, struct item, node)->key ? &parent->rb_left
									    : &parent->rb_right;
	}
	rb_link_node(&item->node, parent, link);
	rb_insert_color(&item->node, &root);
	item->in = true;
}

static int depth(const struct rb_node *node)
{
	if (!node)
		return 0;
	return 1 + max(depth(node->rb_left), depth(node->rb_right));
}

/* Everything that is in, in order. */
static void check_tree(void)
{
	struct rb_node *node;
	int i, n = 0, last = -1;

	for (node = rb_first(&root); node; node = rb_next(node), n++) {
		struct item *item = rb_entry(node, struct item, node);

		assert_true(item->in);
		assert_true(item->key >= last);
		last = item->key;
	}
	for (i = 0; i < ITEMS; i++)
		n -= items[i].in;
	assert_int_equal(n, 0);
}

static void trees_stay_ordered_and_flat(void **state)
{
	int step;

	(void)state;
	for (step = 0; step < 50000; step++) {
		struct item *item = &items[rand_r(&seed) % ITEMS];

		if (item->in) {
			rb_erase(&item->node, &root);
			item->in = false;
		} else {
			/* Rising keys are what an unbalanced tree fears. */
			item->key = step / 3;
			insert(item);
		}
		if (!(step % 1000))
			check_tree();
	}
	assert_in_range(depth(root.rb_node), 8, 40);
}

static struct pmuctl_ctx a, b;
static struct task_struct task = { .refs = 9 };

static void prepare(void)
{
	pmuctl_ctx_init(&a, &task, -1);
	pmuctl_ctx_init(&b, &task, -1);
	shim_irqs_off = true;
}

static void lock_with_interrupts_on(void)
{
	prepare();
	shim_irqs_off = false;
	raw_spin_lock(&a.lock);
}

static void lock_twice(void)
{
	prepare();
	raw_spin_lock(&a.lock);
	raw_spin_lock(&a.lock);
}

static void lock_two_contexts(void)
{
	prepare();
	raw_spin_lock(&a.lock);
	raw_spin_lock(&b.lock);
}

static void lock_context_below_family(void)
{
	prepare();
	raw_spin_lock(&a.family_lock);
	raw_spin_lock(&b.lock);
}

static void lock_two_families(void)
{
	prepare();
	raw_spin_lock(&a.family_lock);
	raw_spin_lock(&b.family_lock);
}

static void lock_what_is_not_initialised(void)
{
	raw_spinlock_t lock = {};

	shim_irqs_off = true;
	raw_spin_lock(&lock);
}

static void sleep_below_a_lock(void)
{
	prepare();
	raw_spin_lock(&a.lock);
	kfree(kzalloc(1, GFP_KERNEL));
}

static void take_mutexes_in_the_wrong_order(void)
{
	prepare();
	shim_irqs_off = false;
	mutex_lock(&a.family_mutex);
	mutex_lock(&pmuctl_open_mutex);
}

static void start_a_timer_twice(void)
{
	shim_reset();
	shim_irqs_off = true;
	pmuctl_cpus[0].online = true;
	plat_rotate_timer(0, true);
	plat_rotate_timer(0, true);
}

/* It is in nowhere, so it is only for who holds its lock. */
static void change_what_we_do_not_own(void)
{
	struct pmuctl_pmu_ctx pmu_ctx = { .scope = &a.main };
	struct pmuctl_group group = { .pmu_ctx = &pmu_ctx };

	prepare();
	__pmuctl_group_update(&group);
}

static void lck_03_only_an_owner_changes_a_context(void **state)
{
	(void)state;
	assert_true(world_aborts(change_what_we_do_not_own));
}

static void lck_01_broken_rules_abort(void **state)
{
	(void)state;
	assert_true(world_aborts(lock_with_interrupts_on));
	assert_true(world_aborts(lock_twice));
	assert_true(world_aborts(lock_two_contexts));
	assert_true(world_aborts(lock_context_below_family));
	assert_true(world_aborts(lock_two_families));
	assert_true(world_aborts(lock_what_is_not_initialised));
	assert_true(world_aborts(sleep_below_a_lock));
	assert_true(world_aborts(take_mutexes_in_the_wrong_order));
	assert_true(world_aborts(start_a_timer_twice));
}

static void lock_as_allowed(void)
{
	prepare();
	raw_spin_lock(&a.lock);
	raw_spin_lock_nested(&b.lock, SINGLE_DEPTH_NESTING);
	raw_spin_lock(&a.family_lock);
	raw_spin_unlock(&a.family_lock);
	kfree(kzalloc(1, GFP_ATOMIC));
	raw_spin_unlock(&b.lock);
	raw_spin_unlock(&a.lock);
}

static void what_is_allowed_does_not_abort(void **state)
{
	(void)state;
	assert_false(world_aborts(lock_as_allowed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_stay_ordered_and_flat),
		cmocka_unit_test(lck_01_broken_rules_abort),
		cmocka_unit_test(lck_03_only_an_owner_changes_a_context),
		cmocka_unit_test(what_is_allowed_does_not_abort),
	};

	return cmocka_run_group_tests_name("shim", tests, NULL, NULL);
}
