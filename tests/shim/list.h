/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's list interfaces, as far as the core uses them, for user space. Same names and
 * meanings; removed entries are poisoned, so that a second removal faults.
 */
#ifndef SHIM_LIST_H
#define SHIM_LIST_H

#include <stddef.h>

#define SHIM_POISON ((void *)0x101)

#ifndef container_of
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#endif

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head->prev = head;
}

static inline void shim_list_insert(struct list_head *entry, struct list_head *prev,
				    struct list_head *next)
{
	entry->next = next;
	entry->prev = prev;
	prev->next = entry;
	next->prev = entry;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head->prev, head);
}

static inline void list_del(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	entry->next = entry->prev = SHIM_POISON;
}

static inline void list_del_init(struct list_head *entry)
{
	list_del(entry);
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	list_del(entry);
	list_add_tail(entry, head);
}

static inline int list_empty(const struct list_head *head)
{
	return head->next == head;
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_next_entry(pos, member) list_entry((pos)->member.next, typeof(*(pos)), member)

#define list_for_each_entry(pos, head, member)					\
	for (pos = list_entry((head)->next, typeof(*pos), member);		\
	     &pos->member != (head);						\
	     pos = list_next_entry(pos, member))

#define list_for_each_entry_safe(pos, after, head, member)			\
	for (pos = list_entry((head)->next, typeof(*pos), member),		\
	     after = list_next_entry(pos, member);				\
	     &pos->member != (head);						\
	     pos = after, after = list_next_entry(after, member))

struct hlist_node {
	struct hlist_node *next, **link;
};

struct hlist_head {
	struct hlist_node *first;
};

#define HLIST_HEAD(name) struct hlist_head name = { NULL }

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->link = &head->first;
	if (head->first)
		head->first->link = &node->next;
	head->first = node;
}

static inline void hlist_del(struct hlist_node *node)
{
	*node->link = node->next;
	if (node->next)
		node->next->link = node->link;
	node->link = SHIM_POISON;
}

#define hlist_entry_or_null(ptr, type, member) \
	({ struct hlist_node *node_ = (ptr); node_ ? container_of(node_, type, member) : NULL; })

#define hlist_for_each_entry(pos, head, member)						\
	for (pos = hlist_entry_or_null((head)->first, typeof(*pos), member); pos;	\
	     pos = hlist_entry_or_null(pos->member.next, typeof(*pos), member))

#define hlist_for_each_entry_safe(pos, after, head, member)				\
	for (pos = hlist_entry_or_null((head)->first, typeof(*pos), member);		\
	     pos && (after = pos->member.next, 1);					\
	     pos = hlist_entry_or_null(after, typeof(*pos), member))

#define hlist_for_each_entry_rcu(pos, head, member, cond) hlist_for_each_entry(pos, head, member)
#define hlist_add_head_rcu hlist_add_head
#define hlist_del_rcu hlist_del

#endif /* SHIM_LIST_H */
