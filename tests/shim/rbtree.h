/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's rb-tree interface for user space. Behind it is a treap: a search tree that is also a
 * heap by random weights, which keeps it balanced with a fraction of the code.
 */
#ifndef SHIM_RBTREE_H
#define SHIM_RBTREE_H

#include "list.h"

#include <stdint.h>

struct rb_node {
	struct rb_node *rb_parent, *rb_left, *rb_right;
	uint32_t weight;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT ((struct rb_root){ NULL })
#define rb_entry(ptr, type, member) container_of(ptr, type, member)

void rb_link_node(struct rb_node *node, struct rb_node *parent, struct rb_node **link);
void rb_insert_color(struct rb_node *node, struct rb_root *root);
/* A removed node is poisoned: a second removal aborts. */
void rb_erase(struct rb_node *node, struct rb_root *root);

/* For tests: in order, from the first. */
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);

#endif /* SHIM_RBTREE_H */
