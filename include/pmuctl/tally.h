/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tallies: what one scope of a context has counted of one class. All events of the scope that
 * count the class share the tally, so a context switch touches tallies and never events.
 */
#ifndef PMUCTL_TALLY_H
#define PMUCTL_TALLY_H

#include <pmuctl/slot.h>

struct pmuctl_event;
struct pmuctl_pmu_ctx;

/**
 * struct pmuctl_tally - one class, as one scope counts it
 * @class, @pmu_ctx: which class, for whom
 * @kind:      @class, plus 1 if @pinned: of two tallies that a switch meets, alike means the same slot
 *             at the same level
 * @slot:      where, while it is on and the scope is in; else NULL
 * @sum:       what was counted since the class came on; while there is a slot, less what that had
 *             counted when the scope came in
 * @users:     active events; the class is on for the scope while it is not 0
 * @pinned:    of those, events of pinned groups
 * @joined:    the clock when the latest of them came on
 * @place:     index in @pmu_ctx->on[], while on
 * @nr_events: events that count the class, active or not
 * @active:    active events, by struct pmuctl_event.tally_node
 * @watchers:  waiting groups that cannot go on before the class does, by pmuctl_group.watch_node
 * @node:      in @pmu_ctx->tallies
 *
 * Counted so far: @sum, plus the slot's total while there is one. Owned as the context is.
 */
struct pmuctl_tally {
	struct pmuctl_class *class;
	struct pmuctl_pmu_ctx *pmu_ctx;
	unsigned long kind;
	struct pmuctl_slot *slot;
	u64 sum;
	u32 users;
	u32 pinned;
	u32 place;
	u32 nr_events;
	u64 joined;
	struct list_head active;
	struct list_head watchers;
	struct rb_node node;
};

/* Set up a fresh tally of @class; it belongs to nobody yet. */
void pmuctl_tally_init(struct pmuctl_tally *tally, struct pmuctl_class *class);

/* The tally of @class, or NULL. */
struct pmuctl_tally *__pmuctl_tally_find(const struct pmuctl_pmu_ctx *pmu_ctx,
					 const struct pmuctl_class *class);

/* Put a fresh tally where __pmuctl_tally_find() looks; take it out again. */
void __pmuctl_tally_add(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_tally *tally);
void __pmuctl_tally_del(struct pmuctl_tally *tally);

/* @event becomes active, ceases to be. While the scope is in, the class has a slot here. */
void __pmuctl_tally_use(struct pmuctl_tally *tally, struct pmuctl_event *event);
void __pmuctl_tally_unuse(struct pmuctl_tally *tally, struct pmuctl_event *event);

/* The scope comes in, goes out. */
void __pmuctl_tally_attach(struct pmuctl_tally *tally);
void __pmuctl_tally_detach(struct pmuctl_tally *tally);

/* What was counted since the class came on for the scope; @seq as in __pmuctl_slot_read(). */
static inline u64 __pmuctl_tally_count(const struct pmuctl_tally *tally, u64 seq)
{
	return tally->slot ? tally->sum + __pmuctl_slot_read(tally->slot, seq) : tally->sum;
}

#endif /* PMUCTL_TALLY_H */
