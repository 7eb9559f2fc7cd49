// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of each PMU on each CPU: what each counts, for how many, and for whom.
 */
#include <stdlib.h>

#include "inspect.h"

#define DIM	"2"
#define BUSY	"32"

/* Names of those who share a counter in the table; JSON has all. */
#define MOST_OWNERS	4

bool inspect_wants_cpu(const struct inspect *inspect, int cpu)
{
	return !inspect->cpus->nr || cpulist_has(inspect->cpus, cpu);
}

static bool is_idle(const struct pmuctl_record_slot *slot)
{
	for (int level = 0; level < PMUCTL_LEVELS; level++)
		if (slot->users[level])
			return false;
	return true;
}

static void write_owner(struct out *out, const struct known_event *known, size_t nr)
{
	char *owner;

	/* Names of cgroups cost system calls; the table shows few. */
	if (out->format == OUT_TEXT && nr >= MOST_OWNERS)
		return;
	owner = picture_owner(known->ctx, known->group->cgroup);
	out_string(out, NULL, NULL, owner);
	out_text(out, "%s%s", nr ? ", " : "  ", owner);
	free(owner);
}

/* Contexts, each with its cgroups, that count on a slot now. */
static void write_owners(struct out *out, const struct picture *picture,
			 const struct pmuctl_record_slot *slot)
{
	const struct known_event *last = NULL;
	size_t nr = 0;

	out_array(out, "counted_by", NULL);
	for (size_t i = 0; i < picture->nr_events; i++) {
		const struct known_event *known = &picture->event[i];

		if (!picture_counts_on(known, slot))
			continue;
		/* Events of one context follow each other. */
		if (!last || last->ctx != known->ctx || last->group->cgroup != known->group->cgroup)
			write_owner(out, known, nr++);
		last = known;
	}
	out_close(out);
	if (nr > MOST_OWNERS)
		out_text(out, " and %zu more", nr - MOST_OWNERS);
}

static void write_users(struct out *out, const struct pmuctl_record_slot *slot)
{
	static const char *const key[] = { "cpu_pinned", "task_pinned", "cpu", "task" };

	out_object(out, "users", NULL);
	for (int level = 0; level < PMUCTL_LEVELS; level++) {
		out_number(out, key[level], NULL, slot->users[level]);
		if (slot->users[level])
			out_text(out, " %5u", slot->users[level]);
		else
			out_text(out, " %5s", ".");
	}
	out_close(out);
}

static void write_slot(struct out *out, const struct picture *picture,
		       const struct pmuctl_record_slot *slot)
{
	const struct pmuctl_record_class *class = picture_class(picture, slot->class);
	char *counter = picture_counter_name(picture, slot);
	char *name = picture_class_name(picture, slot->class);
	bool idle = is_idle(slot);
	char digits[48], cell[16];

	snprintf(cell, sizeof(cell), "  %-8s", counter);
	text_digits(digits, sizeof(digits), slot->total, text_separator());
	out_coloured(out, idle ? DIM : BUSY, cell);
	out_text(out, " %-30s %20s", name, digits);
	out_object(out, NULL, NULL);
	out_string(out, "counter", NULL, counter);
	out_number(out, "class", NULL, (int64_t)slot->class);
	out_string(out, "counts", NULL, name);
	if (class)
		out_number(out, "encoding", NULL, (int64_t)class->config);
	out_number(out, "total", NULL, (int64_t)slot->total);
	out_bool(out, "idle", NULL, idle);
	write_users(out, slot);
	write_owners(out, picture, slot);
	out_close(out);
	if (idle)
		out_coloured(out, DIM, "  idle");
	out_text(out, "\n");
	free(name);
	free(counter);
}

static void write_cpu_pmu(struct out *out, const struct inspect *inspect,
			  const struct pmuctl_record_cpu_pmu *cpu_pmu)
{
	const struct snapshot *snapshot = inspect->picture.snapshot;

	out_text(out, "\nCPU %d, %s: %u of %u counters in use%s\n", cpu_pmu->cpu, cpu_pmu->name,
		 cpu_pmu->nr_used, cpu_pmu->nr_counters,
		 cpu_pmu->rotating ? ", groups take turns" : "");
	if (cpu_pmu->nr_used)
		out_text(out, "  %-8s %-30s %20s %5s %5s %5s %5s\n", "counter", "counts", "total",
			 "cpu!", "task!", "cpu", "task");
	out_object(out, NULL, NULL);
	out_number(out, "cpu", NULL, cpu_pmu->cpu);
	out_string(out, "pmu", NULL, cpu_pmu->name);
	out_number(out, "counters", NULL, cpu_pmu->nr_counters);
	out_number(out, "used", NULL, cpu_pmu->nr_used);
	out_bool(out, "rotating", NULL, cpu_pmu->rotating);
	out_number(out, "passes", NULL, (int64_t)cpu_pmu->passes);
	out_number(out, "visits", NULL, (int64_t)cpu_pmu->visits);
	out_number(out, "rotations", NULL, (int64_t)cpu_pmu->rotations);
	out_number(out, "starts", NULL, (int64_t)cpu_pmu->starts);
	out_number(out, "stops", NULL, (int64_t)cpu_pmu->stops);
	out_array(out, "slots", NULL);
	for (size_t i = 0; i < snapshot->slots.nr; i++) {
		const struct pmuctl_record_slot *slot = inspect->picture.slot[i];

		if (slot->cpu == cpu_pmu->cpu && slot->pmu == cpu_pmu->pmu)
			write_slot(out, &inspect->picture, slot);
	}
	out_close(out);
	out_close(out);
}

void inspect_write_cpus(struct out *out, const struct inspect *inspect)
{
	const struct snapshot *snapshot = inspect->picture.snapshot;

	out_array(out, "cpus", NULL);
	for (size_t i = 0; i < snapshot->cpu_pmus.nr; i++)
		if (inspect_wants_cpu(inspect, snapshot_cpu_pmu(snapshot, i)->cpu))
			write_cpu_pmu(out, inspect, snapshot_cpu_pmu(snapshot, i));
	out_close(out);
}
