// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of an event: open, enable, disable, reset, close; and the one place where its state
 * changes and its times are settled.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>

/* Ids start at 1: 0 would look like "no event" in a sample. Under pmuctl_open_mutex. */
static u64 last_id;

/* ---- state and count; under the context's lock ---- */

/*
 * The only writer of event->state. Context time stands still within one entry into the core, so
 * enabled and running of an event that never waited are equal to the nanosecond.
 */
static void event_set_state(struct pmuctl_event *event, enum pmuctl_state state)
{
	__pmuctl_event_times(event, &event->enabled, &event->running);
	event->since = event->ctx->time;
	WRITE_ONCE(event->state, state);
}

void __pmuctl_event_times(const struct pmuctl_event *event, u64 *enabled, u64 *running)
{
	u64 passed = event->ctx->time - event->since;

	*enabled = event->enabled + (event->state >= PMUCTL_STATE_INACTIVE ? passed : 0);
	*running = event->running + (event->state == PMUCTL_STATE_ACTIVE ? passed : 0);
}

static struct pmuctl_pmu_ctx *pmu_ctx_of(const struct pmuctl_event *event)
{
	return event->ctx->pmus[event->class->pmu->index];
}

static struct pmuctl_on *on_of(const struct pmuctl_event *event)
{
	return __pmuctl_on_find(pmu_ctx_of(event), event->class);
}

u64 __pmuctl_event_count(const struct pmuctl_event *event)
{
	if (event->state != PMUCTL_STATE_ACTIVE)
		return event->count;
	return event->count + __pmuctl_on_count(on_of(event)) - event->base;
}

void __pmuctl_event_activate(struct pmuctl_event *event)
{
	event->base = __pmuctl_on_count(__pmuctl_on_get(pmu_ctx_of(event), event->class));
	event_set_state(event, PMUCTL_STATE_ACTIVE);
}

void __pmuctl_event_deactivate(struct pmuctl_event *event, enum pmuctl_state state)
{
	if (event->state == PMUCTL_STATE_ACTIVE) {
		event->count = __pmuctl_event_count(event);
		__pmuctl_on_put(pmu_ctx_of(event), on_of(event));
	}
	event_set_state(event, state);
}

bool pmuctl_event_finished(const struct pmuctl_event *event)
{
	return READ_ONCE(event->state) <= PMUCTL_STATE_EXIT;
}

/* ---- control ---- */

struct control {
	struct pmuctl_event *event;
	enum pmuctl_event_cmd cmd;
	bool group;
};

static void control_one(struct pmuctl_event *event, enum pmuctl_event_cmd cmd)
{
	switch (cmd) {
	case PMUCTL_EVENT_ENABLE:
		event->asked = true;
		break;
	case PMUCTL_EVENT_DISABLE:
		event->asked = false;
		break;
	case PMUCTL_EVENT_RESET:
		/* The times go on: perf's RESET leaves them alone. */
		event->count -= __pmuctl_event_count(event);
		break;
	}
}

static void control(struct pmuctl_ctx *ctx, void *arg)
{
	struct control *control = arg;
	struct pmuctl_event *event = control->event;
	struct pmuctl_group *group = event->group;

	if (!control->group)
		control_one(event, control->cmd);
	else
		list_for_each_entry(event, &group->members, group_node)
			control_one(event, control->cmd);
	if (!ctx->dead)
		__pmuctl_group_update(group);
}

void pmuctl_event_control(struct pmuctl_event *event, enum pmuctl_event_cmd cmd, bool group)
{
	struct control args = { .event = event, .cmd = cmd, .group = group };

	pmuctl_ctx_call(event->ctx, control, &args);
}

/* ---- open and close; under pmuctl_open_mutex ---- */

/* What a group asks of who joins it (checklist OPEN-09, OPEN-12, OPEN-26, OPEN-27). */
static int check_group(const struct pmuctl_event_spec *spec, struct pmuctl_pmu *pmu,
		       struct pmuctl_msg *msg)
{
	const struct pmuctl_event *leader = spec->leader;

	if (pmuctl_event_finished(leader))
		return pmuctl_refuse(msg, -ENODEV, "the group's leader has ended with its task. "
				     "Open a new group");
	if (leader->group != &leader->own)
		return pmuctl_refuse(msg, -EINVAL, "group_fd is a sibling, not the leader of a "
				     "group. Give the leader's file");
	if (leader->ctx->task != spec->task)
		return pmuctl_refuse(msg, -EINVAL, "the group's leader counts another task or a "
				     "CPU. Members of a group share the task and the CPU");
	if (leader->cpu != spec->cpu)
		return pmuctl_refuse(msg, -EINVAL, "the group's leader is bound to CPU %d, this "
				     "event to %d. Give both the same cpu", leader->cpu, spec->cpu);
	if (spec->attr->pinned || spec->attr->exclusive)
		return pmuctl_refuse(msg, -EINVAL, "only the leader of a group can be pinned or "
				     "exclusive. Clear the bit in the sibling's attr");
	if (leader->class->pmu != pmu)
		return pmuctl_refuse(msg, -EINVAL, "the group's events are those of another PMU. "
				     "Open one group for each PMU");
	return 0;
}

/* The read of no member may outgrow what perf allows once the group has one more (OPEN-28). */
static int check_read_size(const struct pmuctl_event_spec *spec, struct pmuctl_msg *msg)
{
	u32 nr = spec->leader ? spec->leader->group->nr + 1 : 1;
	struct pmuctl_event *event;
	size_t size = pmuctl_read_size(spec->attr->read_format, nr);

	if (spec->leader) {
		list_for_each_entry(event, &spec->leader->group->members, group_node)
			size = max(size, pmuctl_read_size(event->attr.read_format, nr));
	}
	if (size > PMUCTL_READ_SIZE_MAX)
		return pmuctl_refuse(msg, -E2BIG, "one read of the group would exceed %d bytes. "
				     "Split the group", PMUCTL_READ_SIZE_MAX);
	return 0;
}

/* A group that could never be on as a whole is refused now, not when it fails to count. */
static int check_group_fits(const struct pmuctl_event_spec *spec, struct pmuctl_pmu *pmu,
			    const struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	struct pmuctl_want wants[PMUCTL_COUNTERS_MAX];
	const struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
	struct pmuctl_event *event;
	int i, n = 0;

	if (!spec->leader)
		return 0;
	list_for_each_entry(event, &spec->leader->group->members, group_node) {
		const struct pmuctl_class *class = event->class;

		if (class->key.config == key->config && class->key.config1 == key->config1)
			return 0;
		for (i = 0; i < n && classes[i] != class; i++)
			;
		if (i < n)
			continue;
		classes[n] = class;
		wants[n++] = (struct pmuctl_want){ .counters = class->key.counters,
						   .current_counter = -1 };
	}
	if (n < ARRAY_SIZE(wants)) {
		wants[n++] = (struct pmuctl_want){ .counters = key->counters,
						   .current_counter = -1 };
		if (!pmu->ops->place(pmu, wants, n))
			return 0;
	}
	return pmuctl_refuse(msg, -EINVAL, "the group would need more counters of %s than there "
			     "are for its events. Split the group", pmu->name);
}

static struct pmuctl_event *event_alloc(const struct pmuctl_event_spec *spec,
					struct pmuctl_class *class, struct pmuctl_ctx *ctx)
{
	struct pmuctl_event *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);

	if (!event)
		return NULL;
	event->id = ++last_id;
	event->attr = *spec->attr;
	event->class = class;
	event->ctx = ctx;
	event->cpu = spec->cpu;
	event->state = PMUCTL_STATE_OFF;
	event->asked = !spec->attr->disabled;
	event->on_exec = spec->attr->enable_on_exec;
	return event;
}

/* An event of a task that is bound to one CPU. */
static bool filtered(const struct pmuctl_event *event)
{
	return event->ctx->task && event->cpu >= 0;
}

struct install {
	struct pmuctl_event *event;
	struct pmuctl_group *group;
	int err;
};

static void install(struct pmuctl_ctx *ctx, void *arg)
{
	struct install *install = arg;
	struct pmuctl_event *event = install->event;

	if (ctx->dead) {
		install->err = -ESRCH;
		return;
	}
	if (!ctx->task && ctx->cpu < 0) {
		install->err = -ENODEV;
		return;
	}
	event->since = ctx->time;
	list_add_tail(&event->ctx_node, &ctx->events);
	ctx->nr_events++;
	ctx->nr_filtered += filtered(event);
	if (install->group)
		__pmuctl_group_add(install->group, event);
	else
		__pmuctl_group_init(event, pmu_ctx_of(event));
	__pmuctl_group_update(event->group);
}

static int event_install(struct pmuctl_event *event, struct pmuctl_event *leader,
			 struct pmuctl_msg *msg)
{
	struct install args = { .event = event, .group = leader ? leader->group : NULL };

	pmuctl_ctx_enter(event->ctx);
	pmuctl_ctx_call(event->ctx, install, &args);
	if (args.err == -ESRCH)
		pmuctl_refuse(msg, 0, "the task has exited");
	else if (args.err == -ENODEV)
		pmuctl_refuse(msg, 0, "CPU %d is offline. Bring it online, or give another",
			      event->cpu);
	return args.err;
}

static struct pmuctl_pmu *find_pmu(u32 type, struct pmuctl_msg *msg)
{
	struct pmuctl_pmu *pmu = pmuctl_pmu_find(type);

	if (pmu)
		return pmu;
	if (type == PERF_TYPE_SOFTWARE)
		pmuctl_refuse(msg, 0, "software events are not implemented yet. Use in-tree perf "
			      "for them");
	else if (!pmuctl_nr_pmus)
		pmuctl_refuse(msg, 0, "no PMU is driven on this machine. 'pmuctl doctor' says why");
	else
		pmuctl_refuse(msg, 0, "no PMU of type %u is driven. 'pmuctl info' lists those that "
			      "are", type);
	return NULL;
}

static struct pmuctl_event *event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg)
{
	struct pmuctl_pmu *pmu = find_pmu(spec->attr->type, msg);
	struct pmuctl_class_key key = {};
	struct pmuctl_class *class;
	struct pmuctl_event *event;
	struct pmuctl_ctx *ctx;
	int err;

	if (!pmu)
		return ERR_PTR(-ENOENT);
	err = pmu->ops->classify(pmu, spec->attr, &key, msg);
	if (!err && spec->leader)
		err = check_group(spec, pmu, msg);
	if (!err)
		err = check_group_fits(spec, pmu, &key, msg);
	if (!err)
		err = check_read_size(spec, msg);
	if (!err)
		err = pmuctl_pmu_get(pmu, msg);
	if (err)
		return ERR_PTR(err);

	class = pmuctl_class_get(pmu, &key, msg);
	if (IS_ERR(class)) {
		err = PTR_ERR(class);
		goto err_pmu;
	}
	ctx = pmuctl_ctx_get(spec->task, spec->cpu);
	if (IS_ERR(ctx)) {
		err = PTR_ERR(ctx);
		goto err_class;
	}
	err = pmuctl_ctx_add_pmu(ctx, pmu);
	if (err)
		goto err_ctx;
	event = event_alloc(spec, class, ctx);
	if (!event) {
		err = -ENOMEM;
		goto err_ctx;
	}
	err = event_install(event, spec->leader, msg);
	if (err)
		goto err_event;
	return event;

err_event:
	kfree(event);
err_ctx:
	pmuctl_ctx_retire(ctx);
	pmuctl_ctx_put(ctx);
err_class:
	pmuctl_class_put(class);
err_pmu:
	pmuctl_pmu_put(pmu);
	return ERR_PTR(err);
}

struct pmuctl_event *pmuctl_event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg)
{
	struct pmuctl_event *event;
	int err;

	if (spec->task) {
		err = plat_task_hooks_get(msg);
		if (err)
			return ERR_PTR(err);
	}
	plat_cpus_lock();
	mutex_lock(&pmuctl_open_mutex);
	event = event_open(spec, msg);
	mutex_unlock(&pmuctl_open_mutex);
	plat_cpus_unlock();
	if (IS_ERR(event) && spec->task)
		plat_task_hooks_put();
	return event;
}

static void uninstall(struct pmuctl_ctx *ctx, void *arg)
{
	struct pmuctl_event *event = arg;

	__pmuctl_event_deactivate(event, PMUCTL_STATE_DEAD);
	__pmuctl_group_del(event);
	list_del(&event->ctx_node);
	ctx->nr_events--;
	ctx->nr_filtered -= filtered(event);
}

void pmuctl_event_close(struct pmuctl_event *event)
{
	struct pmuctl_class *class = event->class;
	struct pmuctl_pmu *pmu = class->pmu;
	struct pmuctl_ctx *ctx = event->ctx;
	bool of_task = ctx->task;

	plat_cpus_lock();
	mutex_lock(&pmuctl_open_mutex);
	pmuctl_ctx_call(ctx, uninstall, event);
	pmuctl_ctx_retire(ctx);
	pmuctl_ctx_put(ctx);
	pmuctl_class_put(class);
	pmuctl_pmu_put(pmu);
	mutex_unlock(&pmuctl_open_mutex);
	plat_cpus_unlock();
	kfree(event);
	if (of_task)
		plat_task_hooks_put();
}
