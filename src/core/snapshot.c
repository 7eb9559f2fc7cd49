// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots. Each CPU and each context is caught at one moment, one after the other.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>
#include <pmuctl/snapshot.h>

/* Where records go. Once one did not fit, none behind it is stored, but all are measured. */
struct writer {
	char *buf;
	size_t size;
	size_t needed;
};

static void put(struct writer *writer, u32 type, void *record, u32 size)
{
	struct pmuctl_record *header = record;

	header->type = type;
	header->size = size;
	if (writer->needed + size <= writer->size)
		memcpy(writer->buf + writer->needed, record, size);
	writer->needed += size;
}

/* ---- CPUs ---- */

static void put_slot(struct writer *writer, const struct pmuctl_cpu_pmu_ctx *cpc,
		     struct pmuctl_slot *slot)
{
	struct pmuctl_record_slot record = {
		.cpu = smp_processor_id(),
		.pmu = cpc->pmu->index,
		.counter = slot->counter,
		.class = slot->class->id,
		.total = pmuctl_slot_read(slot),
	};

	memcpy(record.users, slot->users, sizeof(record.users));
	put(writer, PMUCTL_RECORD_SLOT, &record, sizeof(record));
}

static void put_cpu_pmu(struct writer *writer, struct pmuctl_cpu_pmu_ctx *cpc)
{
	struct pmuctl_record_cpu_pmu record = {
		.cpu = smp_processor_id(),
		.pmu = cpc->pmu->index,
		.nr_counters = cpc->nr_slots,
		.nr_used = cpc->nr_used,
		.rotating = cpc->rotating,
		.passes = cpc->passes,
		.visits = cpc->visits,
		.rotations = cpc->rotations,
		.starts = cpc->nr_starts,
		.stops = cpc->nr_stops,
	};
	u32 i;

	strscpy(record.name, cpc->pmu->name, sizeof(record.name));
	put(writer, PMUCTL_RECORD_CPU_PMU, &record, sizeof(record));
	for (i = 0; i < cpc->nr_slots; i++) {
		if (cpc->slots[i].class)
			put_slot(writer, cpc, &cpc->slots[i]);
	}
}

static void put_cpu_here(void *arg)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();
	int i;

	for (i = 0; i < pmuctl_nr_pmus; i++)
		put_cpu_pmu(arg, cpu->pmus[i]);
}

/* ---- classes; under pmuctl_open_mutex ---- */

static void put_classes(struct writer *writer, const struct pmuctl_pmu *pmu)
{
	const struct pmuctl_class *class;
	int i;

	for (i = 0; i < ARRAY_SIZE(pmu->classes); i++) {
		hlist_for_each_entry(class, &pmu->classes[i], node) {
			struct pmuctl_record_class record = {
				.id = class->id,
				.pmu = pmu->index,
				.nr_events = atomic_read(&class->nr_events),
				.config = class->key.config,
				.config1 = class->key.config1,
				.counters = class->key.counters,
			};

			put(writer, PMUCTL_RECORD_CLASS, &record, sizeof(record));
		}
	}
}

/* ---- contexts ---- */

static void put_group(struct writer *writer, const struct pmuctl_group *group, u64 ctx_id)
{
	const struct pmuctl_event *leader = pmuctl_group_leader(group);
	struct pmuctl_record_group record = {
		.leader = leader->id,
		.ctx = ctx_id,
		.cgroup = group->pmu_ctx->scope->cgroup_id,
		.cpu = leader->cpu,
		.pmu = group->pmu_ctx->pmu->index,
		.state = leader->state,
		.nr_events = group->nr,
		.flags = (group->pinned ? PMUCTL_GROUP_PINNED : 0) |
			 (group->exclusive ? PMUCTL_GROUP_EXCLUSIVE : 0) |
			 (group->rank == PMUCTL_RANK_WAITING ? PMUCTL_GROUP_WAITING : 0),
	};

	put(writer, PMUCTL_RECORD_GROUP, &record, sizeof(record));
}

static void put_event(struct writer *writer, const struct pmuctl_event *event)
{
	struct pmuctl_values values = __pmuctl_event_values(event);
	struct pmuctl_record_event record = {
		.id = event->id,
		.leader = pmuctl_group_leader(event->group)->id,
		.parent = event->parent ? event->parent->id : 0,
		.class = event->class->id,
		.state = event->state,
		.type = event->attr.type,
		.config = event->attr.config,
		.value = values.count,
		.enabled = values.enabled,
		.running = values.running,
	};

	put(writer, PMUCTL_RECORD_EVENT, &record, sizeof(record));
}

struct ctx_call {
	struct writer *writer;
	u64 id;
};

static void put_ctx_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct ctx_call *call = arg;
	struct pmuctl_record_ctx record = {
		.id = call->id,
		.home = ctx->home,
		.in_on = ctx->cpu,
		.nr_events = ctx->nr_events,
		.time = ctx->main.time,
	};
	struct pmuctl_event *event;

	if (!ctx->nr_events)
		return;
	if (ctx->task)
		record.tid = plat_task_name(ctx->task, record.comm, sizeof(record.comm));
	put(call->writer, PMUCTL_RECORD_CTX, &record, sizeof(record));
	list_for_each_entry(event, &ctx->events, ctx_node) {
		if (event->group == &event->own)
			put_group(call->writer, event->group, call->id);
		put_event(call->writer, event);
	}
}

static void put_ctx(struct writer *writer, struct pmuctl_ctx *ctx, u64 id)
{
	struct ctx_call call = { .writer = writer, .id = id };

	pmuctl_ctx_call(ctx, put_ctx_here, &call);
}

static int put_tasks(struct writer *writer, u64 id)
{
	u32 i, n = pmuctl_ctx_count() + 16;	/* tasks fork meanwhile */
	struct pmuctl_ctx **ctxs = kvcalloc(n, sizeof(*ctxs), GFP_KERNEL);

	if (!ctxs)
		return -ENOMEM;
	n = pmuctl_ctx_collect(ctxs, n);
	for (i = 0; i < n; i++) {
		put_ctx(writer, ctxs[i], id++);
		pmuctl_ctx_put(ctxs[i]);
	}
	kvfree(ctxs);
	return 0;
}

ssize_t pmuctl_snapshot(void *buf, size_t size)
{
	struct writer writer = { .buf = buf, .size = size };
	int cpu, i, err;
	u64 id = 1;

	plat_cpus_lock();
	mutex_lock(&pmuctl_open_mutex);
	for_each_possible_cpu(cpu)
		plat_call_cpu(cpu, put_cpu_here, &writer);
	for (i = 0; i < pmuctl_nr_pmus; i++)
		put_classes(&writer, pmuctl_pmus[i]);
	for_each_possible_cpu(cpu)
		put_ctx(&writer, &per_cpu_ptr(&pmuctl_cpus, cpu)->ctx, id++);
	err = put_tasks(&writer, id);
	mutex_unlock(&pmuctl_open_mutex);
	plat_cpus_unlock();
	return err ?: writer.needed;
}
