// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of an event: open and close; and the one place where its state changes and its times are
 * settled.
 */
#include <pmuctl/attr.h>
#include <pmuctl/cpu.h>
#include <pmuctl/install.h>
#include <pmuctl/read.h>

/* Ids start at 1: 0 would look like "no event" in a sample. */
static atomic64_t last_id;

/* ---- state and count ---- */

static u64 count_here(const struct pmuctl_tally *tally)
{
	return __pmuctl_tally_count(tally, pmuctl_cpu_this()->seq);
}

static struct pmuctl_values times(const struct pmuctl_event *event)
{
	struct pmuctl_values values = event->settled;
	const struct pmuctl_scope *scope;

	if (event->state < PMUCTL_STATE_INACTIVE)
		return values;
	scope = event->tally->pmu_ctx->scope;
	values.enabled += scope->clock->time - event->since_enabled;
	if (event->state == PMUCTL_STATE_ACTIVE)
		values.running += scope->time - event->since_running;
	return values;
}

struct pmuctl_values __pmuctl_event_values(const struct pmuctl_event *event)
{
	struct pmuctl_values values = times(event);

	if (event->state == PMUCTL_STATE_ACTIVE)
		values.count += count_here(event->tally) - event->base;
	return values;
}

/* The entry may be for another context of this CPU, which gives or takes what @scope's events need. */
static void update_time(struct pmuctl_scope *scope)
{
	if (!scope->in)
		return;
	__pmuctl_scope_update_time(scope);
	__pmuctl_scope_update_time(&scope->ctx->main);
}

/*
 * A scope's time stands still within one entry into the core, so enabled and running of an event
 * that never waited are equal to the nanosecond.
 */
void __pmuctl_event_set_state(struct pmuctl_event *event, enum pmuctl_state state)
{
	struct pmuctl_scope *scope = event->tally->pmu_ctx->scope;
	enum pmuctl_state before = event->state;

	update_time(scope);
	event->settled = __pmuctl_event_values(event);
	event->since_enabled = scope->clock->time;
	event->since_running = scope->time;
	if (before == PMUCTL_STATE_ACTIVE && state != PMUCTL_STATE_ACTIVE)
		__pmuctl_tally_unuse(event->tally, event);
	if (before != PMUCTL_STATE_ACTIVE && state == PMUCTL_STATE_ACTIVE)
		__pmuctl_tally_use(event->tally, event);
	if (state == PMUCTL_STATE_ACTIVE)
		event->base = count_here(event->tally);
	WRITE_ONCE(event->state, state);
}

bool pmuctl_event_finished(const struct pmuctl_event *event)
{
	return READ_ONCE(event->state) <= PMUCTL_STATE_EXIT;
}

bool pmuctl_event_failed(const struct pmuctl_event *event)
{
	return READ_ONCE(event->state) == PMUCTL_STATE_ERROR ||
	       READ_ONCE(event->family.incomplete);
}

/* ---- life ---- */

struct pmuctl_event *pmuctl_event_alloc(const struct perf_event_attr *attr,
					struct pmuctl_class *class, struct pmuctl_ctx *ctx,
					gfp_t gfp)
{
	struct pmuctl_event *event = kzalloc(sizeof(*event), gfp);

	if (!event)
		return NULL;
	event->id = atomic64_inc_return(&last_id);
	event->attr = *attr;
	event->class = class;
	event->ctx = ctx;
	event->cpu = -1;
	event->state = PMUCTL_STATE_OFF;
	event->asked = !attr->disabled;
	event->on_exec = attr->enable_on_exec;
	event->read_size = pmuctl_read_size(attr->read_format & ~(u64)PERF_FORMAT_GROUP, 1);
	event->simple = !(attr->read_format & PERF_FORMAT_GROUP) && !pmuctl_family_exists(event);
	refcount_set(&event->refs, 1);
	INIT_LIST_HEAD(&event->family.children);
	INIT_LIST_HEAD(&event->family.node);
	pmuctl_class_hold(class);
	refcount_inc(&ctx->refs);
	return event;
}

void pmuctl_event_put(struct pmuctl_event *event)
{
	if (!refcount_dec_and_test(&event->refs))
		return;
	if (event->parent)
		pmuctl_event_put(event->parent);
	pmuctl_class_put(event->class);
	pmuctl_ctx_put(event->ctx);
	kfree(event);
}

void __pmuctl_event_remove(struct pmuctl_event *event, enum pmuctl_state state,
			   struct pmuctl_parts *parts)
{
	struct pmuctl_ctx *ctx = event->ctx;

	__pmuctl_event_set_state(event, state);
	__pmuctl_group_del(event);
	list_del(&event->ctx_node);
	ctx->nr_events--;
	ctx->nr_inherit -= event->attr.inherit;
	ctx->nr_opened -= !event->parent;
	ctx->nr_stat -= event->attr.inherit_stat;
	__pmuctl_ctx_diverge(ctx);
	__pmuctl_parts_unlink(parts, event);
}

void __pmuctl_event_end(struct pmuctl_event *event)
{
	__pmuctl_ctx_diverge(event->ctx);
	__pmuctl_event_set_state(event, PMUCTL_STATE_EXIT);
	/* Checklist SW-08, SW-10: what remains of the group goes on without it. */
	__pmuctl_group_del(event);
	__pmuctl_group_init(event);
}

/* ---- open; under pmuctl_open_mutex ---- */

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
	if (spec->cgroup && leader->cgroup != spec->cgroup)
		return pmuctl_refuse(msg, -EINVAL, "the group's leader counts another cgroup. "
				     "Members of a group share the cgroup");
	if (spec->task && leader->attr.inherit != spec->attr->inherit)
		return pmuctl_refuse(msg, -EINVAL, "the group's leader is %s, this event is %s. "
				     "Set inherit alike in all members",
				     leader->attr.inherit ? "inherited" : "not inherited",
				     spec->attr->inherit ? "inherited" : "not inherited");
	if (leader->cpu != spec->cpu)
		return pmuctl_refuse(msg, -EINVAL, "the group's leader is bound to CPU %d, this "
				     "event to %d. Give both the same cpu", leader->cpu, spec->cpu);
	if (leader->attr.use_clockid != spec->attr->use_clockid ||
	    (spec->attr->use_clockid && leader->attr.clockid != spec->attr->clockid))
		return pmuctl_refuse(msg, -EINVAL, "the group's leader is stamped by another clock. "
				     "Members of a group share the clock");
	if (spec->attr->pinned || spec->attr->exclusive)
		return pmuctl_refuse(msg, -EINVAL, "only the leader of a group can be pinned or "
				     "exclusive. Clear the bit in the sibling's attr");
	if (pmu != &pmuctl_software && leader->group->pmu_ctx->pmu != &pmuctl_software &&
	    leader->group->pmu_ctx->pmu != pmu)
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

		/* perf's rule: who is disabled does not count here. The leader always does. */
		if (class->pmu != pmu || (!event->asked && event != spec->leader))
			continue;
		if (class->key.config == key->config && class->key.config1 == key->config1)
			return 0;
		for (i = 0; i < n && classes[i] != class; i++)
			;
		if (i < n)
			continue;
		if (n == ARRAY_SIZE(wants))
			break;
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

struct install {
	struct pmuctl_event *event;
	struct task_struct *task;
	struct pmuctl_group *group;
	struct pmuctl_parts parts;
	int err;
};

static void install_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct install *install = arg;

	if (ctx->task != install->task) {
		install->err = -EAGAIN;
		return;
	}
	if (ctx->dead) {
		install->err = -ESRCH;
		return;
	}
	if (!ctx->task && ctx->cpu < 0) {
		install->err = -ENODEV;
		return;
	}
	/* OPEN-09: it may have ended since check_group(). */
	if (install->group && pmuctl_group_leader(install->group)->state <= PMUCTL_STATE_EXIT) {
		install->err = -ENODEV;
		return;
	}
	__pmuctl_install(install->event, install->group, &install->parts);
}

/* EAGAIN if the task has exchanged its context since (pmuctl_ctx_swap()). */
static int install(struct pmuctl_event *event, const struct pmuctl_event_spec *spec,
		   struct pmuctl_msg *msg)
{
	struct install args = {
		.event = event, .task = spec->task,
		.group = spec->leader ? spec->leader->group : NULL,
	};

	args.err = pmuctl_parts_alloc(&args.parts, event, GFP_KERNEL_ACCOUNT);
	if (args.err)
		return args.err;
	pmuctl_ctx_enter(event->ctx);
	pmuctl_ctx_call(event->ctx, install_here, &args);
	pmuctl_parts_free(&args.parts);
	if (args.err == -ESRCH)
		pmuctl_refuse(msg, 0, "the task has exited");
	else if (args.err == -ENODEV && spec->leader)
		pmuctl_refuse(msg, 0, "the group's leader has ended, or its CPU went offline");
	else if (args.err == -ENODEV)
		pmuctl_refuse(msg, 0, "CPU %d is offline. Bring it online, or give another",
			      event->cpu);
	return args.err;
}

static struct pmuctl_pmu *find_pmu(struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	struct pmuctl_pmu *pmu = pmuctl_pmu_find(attr);

	if (pmu)
		return pmu;
	if (!pmuctl_nr_hardware)
		pmuctl_refuse(msg, 0, "no PMU is driven on this machine. 'pmuctl doctor' says why");
	else
		pmuctl_refuse(msg, 0, "no PMU of type %u is driven. 'pmuctl info' lists those that "
			      "are", attr->type);
	return NULL;
}

static int check(const struct pmuctl_event_spec *spec, struct pmuctl_pmu *pmu,
		 struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	int err = pmu->ops->classify(pmu, spec->attr, key, msg);

	if (!err)
		err = pmuctl_attr_check_pmu(spec->attr, pmu != &pmuctl_software, msg);
	if (!err && spec->leader)
		err = check_group(spec, pmu, msg);
	if (!err)
		err = check_group_fits(spec, pmu, key, msg);
	if (!err)
		err = check_read_size(spec, msg);
	return err;
}

/* A member that names no cgroup is on when its group is: while the leader's runs. */
static struct cgroup *cgroup_of(const struct pmuctl_event_spec *spec)
{
	if (spec->cgroup || !spec->leader)
		return spec->cgroup;
	return spec->leader->cgroup;
}

/* With the PMU ours and the context found: the event itself. */
static struct pmuctl_event *open_in(const struct pmuctl_event_spec *spec, struct pmuctl_pmu *pmu,
				    const struct pmuctl_class_key *key, struct pmuctl_ctx *ctx,
				    struct pmuctl_msg *msg)
{
	struct pmuctl_class *class = pmuctl_class_get(pmu, key);
	struct pmuctl_event *event;
	int err;

	if (!class)
		return ERR_PTR(-ENOMEM);
	event = pmuctl_event_alloc(spec->attr, class, ctx, GFP_KERNEL_ACCOUNT);
	pmuctl_class_put(class);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->cpu = spec->cpu;
	event->cgroup = cgroup_of(spec);
	err = install(event, spec, msg);
	if (!err)
		return event;
	pmuctl_event_put(event);
	return ERR_PTR(err);
}

static struct pmuctl_event *event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg)
{
	struct pmuctl_pmu *pmu = find_pmu(spec->attr, msg);
	struct pmuctl_class_key key = {};
	struct pmuctl_event *event;
	struct pmuctl_ctx *ctx;
	int err;

	if (!pmu)
		return ERR_PTR(-ENOENT);
	err = check(spec, pmu, &key, msg);
	if (!err)
		err = pmuctl_pmu_get(pmu, msg);
	if (err)
		return ERR_PTR(err);
	ctx = pmuctl_ctx_get(spec->task, spec->cpu, GFP_KERNEL_ACCOUNT);
	if (IS_ERR(ctx)) {
		pmuctl_pmu_put(pmu);
		if (PTR_ERR(ctx) == -ESRCH)
			pmuctl_refuse(msg, 0, "the task has exited");
		return ERR_CAST(ctx);
	}
	event = open_in(spec, pmu, &key, ctx, msg);
	if (IS_ERR(event)) {
		pmuctl_ctx_retire(ctx);
		pmuctl_pmu_put(pmu);
	}
	pmuctl_ctx_put(ctx);
	return event;
}

/* Events that need to hear of task switches. Software events of a CPU count them, or tasks' faults. */
static bool needs_hooks(bool of_task, const struct cgroup *cgroup, u32 type)
{
	return of_task || cgroup || type == PERF_TYPE_SOFTWARE;
}

struct pmuctl_event *pmuctl_event_open(const struct pmuctl_event_spec *spec,
				       struct pmuctl_msg *msg)
{
	bool hooks = needs_hooks(spec->task, cgroup_of(spec), spec->attr->type);
	struct pmuctl_event *event;
	int err;

	if (hooks) {
		err = plat_task_hooks_get(msg);
		if (err)
			return ERR_PTR(err);
	}
	plat_cpus_lock();
	mutex_lock(&pmuctl_open_mutex);
	do {
		event = event_open(spec, msg);
	} while (PTR_ERR_OR_ZERO(event) == -EAGAIN);
	mutex_unlock(&pmuctl_open_mutex);
	plat_cpus_unlock();
	if (IS_ERR(event) && hooks)
		plat_task_hooks_put();
	return event;
}

/* ---- close; under pmuctl_open_mutex ---- */

struct uninstall {
	struct pmuctl_event *event;
	struct pmuctl_parts parts;
	bool was_there;
};

/* A child may have been taken out by its exit already, or not have got there yet. */
static void uninstall_here(struct pmuctl_ctx *ctx, void *arg)
{
	struct uninstall *args = arg;
	struct pmuctl_event *event = args->event;

	args->was_there = event->tally;
	if (event->tally)
		__pmuctl_event_remove(event, PMUCTL_STATE_DEAD, &args->parts);
	else
		WRITE_ONCE(event->state, PMUCTL_STATE_DEAD);
}

/* Take @event out of its context. True if it was in: then the reference of being there is ours. */
static bool uninstall(struct pmuctl_event *event)
{
	struct uninstall args = { .event = event };

	pmuctl_ctx_call(event->ctx, uninstall_here, &args);
	pmuctl_parts_free(&args.parts);
	return args.was_there;
}

static void close_children(struct pmuctl_event *parent)
{
	struct pmuctl_event *child;

	if (!pmuctl_family_exists(parent))
		return;
	while ((child = pmuctl_family_disown(parent))) {
		bool was_there = uninstall(child);

		pmuctl_ctx_retire(child->ctx);
		if (was_there)
			pmuctl_event_put(child);
		pmuctl_event_put(child);
	}
}

void pmuctl_event_close(struct pmuctl_event *event)
{
	bool hooks = needs_hooks(event->ctx->task, event->cgroup, event->attr.type);
	struct pmuctl_pmu *pmu = event->class->pmu;

	plat_cpus_lock();
	mutex_lock(&pmuctl_open_mutex);
	close_children(event);
	uninstall(event);
	pmuctl_ctx_retire(event->ctx);
	pmuctl_event_put(event);
	pmuctl_pmu_put(pmu);
	mutex_unlock(&pmuctl_open_mutex);
	plat_cpus_unlock();
	if (hooks)
		plat_task_hooks_put();
}
