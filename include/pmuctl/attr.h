/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules of struct perf_event_attr that need no PMU and no privilege.
 */
#ifndef PMUCTL_ATTR_H
#define PMUCTL_ATTR_H

#include <pmuctl/msg.h>
#include <pmuctl/plat.h>

/*
 * Check @attr in perf's order (checklist ATTR-04 to -13) and refuse what this version does not do
 * yet. May change @attr where perf does.
 */
int pmuctl_attr_check(struct perf_event_attr *attr, struct pmuctl_msg *msg);

#endif /* PMUCTL_ATTR_H */
