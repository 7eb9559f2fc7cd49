// SPDX-License-Identifier: GPL-2.0-only
/* A treap (R. Seidel, C. Aragon, 1989) behind the kernel's names. */
#include "shim.h"

static uint32_t next_weight(void)
{
	static uint32_t x = 2463534242u;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

/* Who points at @node: its parent or the root. */
static struct rb_node **link_of(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *parent = node->rb_parent;

	if (!parent)
		return &root->rb_node;
	return parent->rb_left == node ? &parent->rb_left : &parent->rb_right;
}

/* @child takes the place of its parent, which becomes its child; the order stays. */
static void rotate_up(struct rb_node *child, struct rb_root *root)
{
	struct rb_node *parent = child->rb_parent, *between;

	*link_of(parent, root) = child;
	child->rb_parent = parent->rb_parent;
	parent->rb_parent = child;
	if (parent->rb_left == child) {
		between = child->rb_right;
		child->rb_right = parent;
		parent->rb_left = between;
	} else {
		between = child->rb_left;
		child->rb_left = parent;
		parent->rb_right = between;
	}
	if (between)
		between->rb_parent = parent;
}

void rb_link_node(struct rb_node *node, struct rb_node *parent, struct rb_node **link)
{
	SHIM_RULE(!*link, "a node is linked where nothing is");
	*node = (struct rb_node){ .rb_parent = parent, .weight = next_weight() };
	*link = node;
}

void rb_insert_color(struct rb_node *node, struct rb_root *root)
{
	while (node->rb_parent && node->rb_parent->weight < node->weight)
		rotate_up(node, root);
}

/* The heavier child, or the only one. */
static struct rb_node *heavier(const struct rb_node *node)
{
	if (!node->rb_left || !node->rb_right)
		return node->rb_left ?: node->rb_right;
	return node->rb_left->weight > node->rb_right->weight ? node->rb_left : node->rb_right;
}

void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *child;

	SHIM_RULE(node->rb_parent != SHIM_POISON, "a node is removed once");
	SHIM_RULE(*link_of(node, root) == node, "a node is removed from the tree where it is");
	while ((child = heavier(node)))
		rotate_up(child, root);
	*link_of(node, root) = NULL;
	node->rb_parent = node->rb_left = node->rb_right = SHIM_POISON;
}

struct rb_node *rb_first(const struct rb_root *root)
{
	struct rb_node *node = root->rb_node;

	while (node && node->rb_left)
		node = node->rb_left;
	return node;
}

struct rb_node *rb_next(const struct rb_node *node)
{
	struct rb_node *next = node->rb_right;

	if (next) {
		while (next->rb_left)
			next = next->rb_left;
		return next;
	}
	while (node->rb_parent && node->rb_parent->rb_right == node)
		node = node->rb_parent;
	return node->rb_parent;
}
