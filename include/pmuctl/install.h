/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Installing: the scope, the pmu context and the tally that an event needs in its context are
 * allocated before, linked while the context is owned, and freed after.
 */
#ifndef PMUCTL_INSTALL_H
#define PMUCTL_INSTALL_H

#include <pmuctl/event.h>

/* What may have to be linked, or was unlinked and is to be freed; each may be NULL. */
struct pmuctl_parts {
	struct pmuctl_scope *scope;
	struct pmuctl_pmu_ctx *pmu_ctx;
	struct pmuctl_tally *tally;
};

/* Allocate what @event may need. ENOMEM. */
int pmuctl_parts_alloc(struct pmuctl_parts *parts, const struct pmuctl_event *event, gfp_t gfp);

/* Link what is missing of @parts into the context, and @event to it. */
void __pmuctl_parts_link(struct pmuctl_parts *parts, struct pmuctl_event *event);

/* Unlink what nobody but @event needs. */
void __pmuctl_parts_unlink(struct pmuctl_parts *parts, struct pmuctl_event *event);

void pmuctl_parts_free(struct pmuctl_parts *parts);

/* Install @event, with @parts, alone or as a member of @group. */
void __pmuctl_install(struct pmuctl_event *event, struct pmuctl_group *group,
		      struct pmuctl_parts *parts);

#endif /* PMUCTL_INSTALL_H */
