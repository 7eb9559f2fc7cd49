// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processor's own events, from libpfm4. Only what the library says is used; no event is
 * known here by name.
 */
#include <stdio.h>
#include <string.h>

#include "event_sources.h"

/* After <linux/perf_event.h>: otherwise it declares the same types itself. */
#include <perfmon/pfmlib_perf_event.h>

static enum { PFM_NEW, PFM_READY, PFM_BROKEN } state;

static bool ready(void)
{
	if (state == PFM_NEW)
		state = pfm_initialize() == PFM_SUCCESS ? PFM_READY : PFM_BROKEN;
	return state == PFM_READY;
}

void pfm_reset(void)
{
	if (state == PFM_READY)
		pfm_terminate();
	state = PFM_NEW;
}

static bool pmu_info(int pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(pmu, info) == PFM_SUCCESS && info->is_present;
}

static bool event_info(int id, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_event_info(id, PFM_OS_PERF_EVENT_EXT, info) == PFM_SUCCESS;
}

/* The k-th unit mask of an event; false if there is none or it is another kind of attribute. */
static bool umask_info(int id, int k, pfm_event_attr_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_event_attr_info(id, k, PFM_OS_PERF_EVENT_EXT, info) == PFM_SUCCESS &&
	       info->type == PFM_ATTR_UMASK;
}

/* perf's own names are shown by events_generic.c. */
static bool is_perf_itself(const pfm_pmu_info_t *info)
{
	return info->pmu == PFM_PMU_PERF_EVENT || info->pmu == PFM_PMU_PERF_EVENT_RAW;
}

const char *pfm_core_pmu(void)
{
	pfm_pmu_info_t info;
	const char *best = NULL;

	for (int pmu = 0; ready() && pmu < PFM_PMU_MAX; pmu++) {
		if (!pmu_info(pmu, &info) || info.type != PFM_PMU_TYPE_CORE || is_perf_itself(&info))
			continue;
		/* The architectural PMU is a fallback: any other core PMU says more. */
		if (!best || info.is_dfl)
			best = info.desc;
	}
	return best;
}

/* "PMU::EVENT" of "PMU::EVENT:UMASK:..."; both PMU and UMASK may be missing. */
static void cut_to_event(char *event)
{
	char *begin = strstr(event, "::");

	begin = begin ? begin + 2 : event;
	begin[strcspn(begin, ":")] = '\0';
}

/* Name the unit masks of the event that was asked for with a wrong one. */
static void add_umasks(const char *text, struct why *why)
{
	pfm_event_attr_info_t umask;
	pfm_event_info_t info;
	char event[TEXT_NAME_MAX];
	int id, shown = 0;

	snprintf(event, sizeof(event), "%s", text);
	cut_to_event(event);
	id = pfm_find_event(event);

	if (id < 0 || !event_info(id, &info))
		return;
	for (int k = 0; k < info.nattrs; k++) {
		if (umask_info(id, k, &umask))
			why_add(why, "%s%s:%s", shown++ ? ", " : ". Write one of ", info.name,
				umask.name);
	}
}

enum source_answer pfm_event(const char *text, struct perf_event_attr *attr, struct why *why)
{
	struct perf_event_attr found = { .size = sizeof(found) };
	pfm_perf_encode_arg_t arg = { .attr = &found, .size = sizeof(arg) };
	int err;

	if (!ready())
		return SOURCE_UNKNOWN;
	err = pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT_EXT,
					&arg);
	if (err == PFM_ERR_NOTFOUND)
		return SOURCE_UNKNOWN;
	if (err) {
		why_set(why, "libpfm4 says: %s", pfm_strerror(err));
		add_umasks(text, why);
		return SOURCE_BAD;
	}
	attr->type = found.type;
	attr->config = found.config;
	attr->config1 = found.config1;
	attr->config2 = found.config2;
	attr->exclude_user = found.exclude_user;
	attr->exclude_kernel = found.exclude_kernel;
	attr->pinned = found.pinned;
	attr->exclusive = found.exclusive;
	attr->precise_ip = found.precise_ip;
	return SOURCE_FOUND;
}

static void each_umask(int id, const pfm_event_info_t *event, source_each each, void *arg)
{
	pfm_event_attr_info_t umask;
	int shown = 0;

	for (int k = 0; k < event->nattrs; k++) {
		char full[2 * TEXT_NAME_MAX];
		struct source_name name = { full, NULL, NULL };

		if (!umask_info(id, k, &umask))
			continue;
		snprintf(full, sizeof(full), "%s:%s", event->name, umask.name);
		name.about = umask.desc;
		each(&name, arg);
		shown++;
	}
	if (!shown) {
		struct source_name name = { event->name, event->equiv, event->desc };

		each(&name, arg);
	}
}

void pfm_each(source_each each, void *arg)
{
	pfm_event_info_t event;
	pfm_pmu_info_t info;

	for (int pmu = 0; ready() && pmu < PFM_PMU_MAX; pmu++) {
		if (!pmu_info(pmu, &info) || info.type != PFM_PMU_TYPE_CORE || is_perf_itself(&info))
			continue;
		for (int id = info.first_event; id >= 0; id = pfm_get_event_next(id))
			if (event_info(id, &event))
				each_umask(id, &event, each, arg);
	}
}
