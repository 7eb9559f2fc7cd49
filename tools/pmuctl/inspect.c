// SPDX-License-Identifier: GPL-2.0-only
/*
 * What inspect shows of one snapshot: sums, counters (inspect_cpus.c), who waits, who counts. Only
 * writes; what belongs together was found by picture.c.
 */
#include <stdlib.h>
#include <string.h>

#include "inspect.h"

#define WAITS	"33"

static bool wanted_ctx(const struct inspect *inspect, const struct pmuctl_record_ctx *ctx)
{
	if (!inspect->cpus->nr)
		return true;
	return ctx && (inspect_wants_cpu(inspect, ctx->home) || inspect_wants_cpu(inspect, ctx->in_on));
}

struct inspect_sums inspect_sum(const struct snapshot *snapshot)
{
	struct inspect_sums sums = { 0 };

	for (size_t i = 0; i < snapshot->cpu_pmus.nr; i++) {
		const struct pmuctl_record_cpu_pmu *cpu_pmu = snapshot_cpu_pmu(snapshot, i);

		sums.passes += cpu_pmu->passes;
		sums.visits += cpu_pmu->visits;
		sums.rotations += cpu_pmu->rotations;
		sums.starts += cpu_pmu->starts;
		sums.stops += cpu_pmu->stops;
	}
	return sums;
}

/* "passes 12 (+3)": what has come since the snapshot before. */
static void write_sum(struct out *out, const char *name, __u64 sum, const __u64 *before)
{
	out_number(out, name, NULL, (int64_t)sum);
	out_text(out, "  %s %llu", name, (unsigned long long)sum);
	if (before)
		out_text(out, " (+%llu)", (unsigned long long)(sum - *before));
}

static void write_sums(struct out *out, const struct inspect *inspect)
{
	const struct snapshot *snapshot = inspect->picture.snapshot;
	struct inspect_sums sums = inspect_sum(snapshot);
	const struct inspect_sums *before = inspect->before;

	out_object(out, "sums", NULL);
	out_text(out, "%zu contexts, %zu events.", snapshot->ctxs.nr, snapshot->events.nr);
	write_sum(out, "passes", sums.passes, before ? &before->passes : NULL);
	write_sum(out, "visits", sums.visits, before ? &before->visits : NULL);
	write_sum(out, "rotations", sums.rotations, before ? &before->rotations : NULL);
	write_sum(out, "starts", sums.starts, before ? &before->starts : NULL);
	write_sum(out, "stops", sums.stops, before ? &before->stops : NULL);
	out_text(out, "\n");
	out_close(out);
}

static const char *group_kind(const struct pmuctl_record_group *group)
{
	if (group->flags & PMUCTL_GROUP_PINNED)
		return group->flags & PMUCTL_GROUP_EXCLUSIVE ? "pinned, exclusive" : "pinned";
	return group->flags & PMUCTL_GROUP_EXCLUSIVE ? "exclusive" : "flexible";
}

static void write_waiting_group(struct out *out, const struct picture *picture,
				const struct pmuctl_record_group *group)
{
	const struct pmuctl_record_ctx *ctx = picture_ctx(picture, group->ctx);
	char *name = picture_group_name(picture, group);
	char *owner = picture_owner(ctx, group->cgroup);

	out_object(out, NULL, NULL);
	out_string(out, "events", NULL, name);
	out_string(out, "owner", NULL, owner);
	out_string(out, "kind", NULL, group_kind(group));
	out_number(out, "only_cpu", NULL, group->cpu);
	out_number(out, "in_on", NULL, ctx ? ctx->in_on : -1);
	out_close(out);
	out_text(out, "  ");
	out_coloured(out, WAITS, name);
	out_text(out, "  %s, %s\n", owner, group_kind(group));
	free(owner);
	free(name);
}

static void write_waiting(struct out *out, const struct inspect *inspect)
{
	const struct picture *picture = &inspect->picture;
	size_t nr = 0;

	out_array(out, "waiting", NULL);
	for (size_t i = 0; i < picture->snapshot->groups.nr; i++) {
		const struct pmuctl_record_group *group = snapshot_group(picture->snapshot, i);

		if (!(group->flags & PMUCTL_GROUP_WAITING) ||
		    !wanted_ctx(inspect, picture_ctx(picture, group->ctx)))
			continue;
		if (!nr++)
			out_text(out, "\nWaiting for a counter\n");
		write_waiting_group(out, picture, group);
	}
	out_close(out);
}

static void write_ctx(struct out *out, const struct pmuctl_record_ctx *ctx)
{
	char *owner = picture_owner(ctx, 0);
	char where[24] = "out";

	if (ctx->in_on >= 0)
		snprintf(where, sizeof(where), "on CPU %d", ctx->in_on);
	out_object(out, NULL, NULL);
	out_number(out, "id", NULL, (int64_t)ctx->id);
	if (ctx->home >= 0) {
		out_number(out, "cpu", NULL, ctx->home);
	} else {
		out_number(out, "tid", NULL, ctx->tid);
		out_string(out, "comm", NULL, ctx->comm);
	}
	out_number(out, "in_on", NULL, ctx->in_on);
	out_number(out, "events", NULL, ctx->nr_events);
	out_number(out, "time_ns", NULL, (int64_t)ctx->time);
	out_close(out);
	out_text(out, "  %-24s %-12s %4u events %14.3f s\n", owner, where, ctx->nr_events,
		 (double)ctx->time / 1e9);
	free(owner);
}

static void write_ctxs(struct out *out, const struct inspect *inspect)
{
	const struct snapshot *snapshot = inspect->picture.snapshot;
	size_t nr = 0;

	out_array(out, "contexts", NULL);
	for (size_t i = 0; i < snapshot->ctxs.nr; i++) {
		if (!wanted_ctx(inspect, snapshot_ctx(snapshot, i)))
			continue;
		if (!nr++)
			out_text(out, "\nWho counts\n");
		write_ctx(out, snapshot_ctx(snapshot, i));
	}
	out_close(out);
}

static const char *state_name(int state)
{
	static const char *const name[] = { "exited", "error", "off", "waits", "counts" };

	return state >= -3 && state <= 1 ? name[state + 3] : "dead";
}

static void write_event(struct out *out, const struct known_event *known)
{
	const struct pmuctl_record_event *event = known->event;
	char *name = picture_event_name(known);
	char *owner = picture_owner(known->ctx, known->group ? known->group->cgroup : 0);
	char digits[48];

	text_digits(digits, sizeof(digits), event->value, text_separator());
	out_object(out, NULL, NULL);
	out_number(out, "id", NULL, (int64_t)event->id);
	out_number(out, "leader", NULL, (int64_t)event->leader);
	out_number(out, "parent", NULL, (int64_t)event->parent);
	out_number(out, "class", NULL, (int64_t)event->class);
	out_string(out, "event", NULL, name);
	out_string(out, "owner", NULL, owner);
	out_string(out, "state", NULL, state_name(event->state));
	out_number(out, "value", NULL, (int64_t)event->value);
	out_number(out, "time_enabled_ns", NULL, (int64_t)event->enabled);
	out_number(out, "time_running_ns", NULL, (int64_t)event->running);
	out_close(out);
	out_text(out, "  %8llu %-8s %-30s %20s  %s%s\n", (unsigned long long)event->id,
		 state_name(event->state), name, digits, owner, event->parent ? ", inherited" : "");
	free(owner);
	free(name);
}

static void write_events(struct out *out, const struct inspect *inspect)
{
	const struct picture *picture = &inspect->picture;

	out_array(out, "events", NULL);
	out_text(out, "\n  %8s %-8s %-30s %20s\n", "id", "state", "event", "value");
	for (size_t i = 0; i < picture->nr_events; i++)
		if (wanted_ctx(inspect, picture->event[i].ctx))
			write_event(out, &picture->event[i]);
	out_close(out);
}

void inspect_write(struct out *out, const struct inspect *inspect)
{
	const struct snapshot *snapshot = inspect->picture.snapshot;

	write_sums(out, inspect);
	inspect_write_cpus(out, inspect);
	write_waiting(out, inspect);
	write_ctxs(out, inspect);
	if (inspect->events)
		write_events(out, inspect);
	out_bool(out, "incomplete", NULL, snapshot->cut || snapshot->skipped);
	if (snapshot->cut || snapshot->skipped)
		out_text(out, "\nThe module says more than this command understands: install both of one version.\n");
}
