/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Families: an opened event and those inherited from it. Whoever forks, children attach to the
 * event that was opened (checklist SW-05), so a family has two generations and no more.
 */
#ifndef PMUCTL_FAMILY_H
#define PMUCTL_FAMILY_H

#include <pmuctl/plat.h>

struct pmuctl_event;
struct pmuctl_member;

/* What an event counted, and nanoseconds with state >= INACTIVE and ACTIVE. */
struct pmuctl_values {
	u64 count;
	u64 enabled;
	u64 running;
};

/**
 * struct pmuctl_family - an event's place in its family
 * @children: of an opened event: those inherited from it; not yet visited in the present round first
 * @closed:   it is being closed: no more children
 * @incomplete: a child of a child could not be made; until it is enabled again
 * @node:     of a child: in @children; empty once it was folded or disowned
 * @round:    of a child: the last round that visited it
 * @read:     of a child: what that round added to the parent's @sum
 * @folded:   what children left behind when they exited
 * @sum:      what the present round has come to
 *
 * Under the family_lock of the opened event's context.
 */
struct pmuctl_family {
	struct list_head children;
	bool closed;
	bool incomplete;
	struct list_head node;
	u64 round;
	struct pmuctl_values read;
	struct pmuctl_values folded;
	struct pmuctl_values sum;
};

/* Make @child one of @parent's. False if the parent is being closed. */
bool pmuctl_family_add(struct pmuctl_event *parent, struct pmuctl_event *child);

/* Is @child still somebody's child: neither folded nor disowned? */
bool pmuctl_family_is_child(struct pmuctl_event *child);

/* @child is nobody's child any more. */
void pmuctl_family_leave(struct pmuctl_event *child);

/*
 * The children of one group have exited: what they counted is their parents' from now on, all in
 * one moment. @children: by struct pmuctl_event.ctx_node.
 */
void pmuctl_family_fold(struct list_head *children);

/* No more children; and one after the other is handed out, with a reference, NULL at the end. */
struct pmuctl_event *pmuctl_family_disown(struct pmuctl_event *parent);

/*
 * Go through the children of @parent: begin, next until NULL (with a reference each), end. One at a
 * time in a family; sleeps. Children born meanwhile are met too.
 */
void pmuctl_family_begin(struct pmuctl_event *parent);
struct pmuctl_event *pmuctl_family_next(struct pmuctl_event *parent);
void pmuctl_family_end(struct pmuctl_event *parent);

/*
 * In a round: start the sums of a group's members anew; add what a child group counted, all of it
 * in one moment, unless it was folded since; take the sums and what was folded.
 */
void pmuctl_family_reset(struct pmuctl_member *parents, u32 n);
void pmuctl_family_add_values(struct pmuctl_member *parents, struct pmuctl_member *children, u32 n);
void pmuctl_family_sum(struct pmuctl_member *parents, u32 n);

/* Has it inherited, or might it? */
bool pmuctl_family_exists(const struct pmuctl_event *event);

/* The running task makes @child; @thread: in the same process. Before it runs. */
void pmuctl_inherit(struct task_struct *child, bool thread);

#endif /* PMUCTL_FAMILY_H */
