/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules of struct perf_event_attr that need no PMU and no privilege.
 */
#ifndef PMUCTL_ATTR_H
#define PMUCTL_ATTR_H

#include <pmuctl/msg.h>
#include <pmuctl/plat.h>

/*
 * Check @attr in perf's order (checklist ATTR-04 to -13, OPEN-05, -14). May change @attr where perf
 * does.
 */
int pmuctl_attr_check(struct perf_event_attr *attr, struct pmuctl_msg *msg);

/*
 * The rules that come later in that order, when the PMU is known and whether it is @hardware; and
 * what this version does not do yet.
 */
int pmuctl_attr_check_pmu(const struct perf_event_attr *attr, bool hardware,
			  struct pmuctl_msg *msg);

#endif /* PMUCTL_ATTR_H */
