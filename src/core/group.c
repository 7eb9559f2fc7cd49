// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups: on together or not at all. Every change, whoever asks for it, ends in
 * __pmuctl_group_update(), which says who is off and who waits; a pass puts on.
 */
#include <pmuctl/event.h>
#include <pmuctl/pass.h>

struct pmuctl_event *pmuctl_group_leader(const struct pmuctl_group *group)
{
	return list_first_entry(&group->members, struct pmuctl_event, group_node);
}

static struct pmuctl_ctx *ctx_of(const struct pmuctl_group *group)
{
	return group->pmu_ctx->scope->ctx;
}

struct pmuctl_tree *pmuctl_group_tree(const struct pmuctl_group *group)
{
	return group->pinned ? &ctx_of(group)->pinned : &ctx_of(group)->flexible;
}

enum pmuctl_level pmuctl_group_level(const struct pmuctl_group *group)
{
	if (group->pinned)
		return ctx_of(group)->task ? PMUCTL_LEVEL_TASK_PINNED : PMUCTL_LEVEL_CPU_PINNED;
	return ctx_of(group)->task ? PMUCTL_LEVEL_TASK_FLEXIBLE : PMUCTL_LEVEL_CPU_FLEXIBLE;
}

static bool is_in(const struct pmuctl_group *group)
{
	return group->pmu_ctx->scope->in;
}

static struct pmuctl_cpu_pmu_ctx *cpc_of(const struct pmuctl_group *group)
{
	return pmuctl_cpu_this()->pmus[group->pmu_ctx->pmu->index];
}

static bool is_software(const struct pmuctl_pmu_ctx *pmu_ctx)
{
	return pmu_ctx->pmu == &pmuctl_software;
}

/* ---- rank ---- */

static void count_waiting(struct pmuctl_group *group, int one)
{
	ctx_of(group)->nr_waiting += one;
	group->pmu_ctx->nr_waiting += one;
	if (!is_in(group))
		return;
	cpc_of(group)->nr_waiting += one;
	pmuctl_cpu_this()->nr_waiting += one;
}

static void count_exclusive(struct pmuctl_group *group, int one)
{
	/* Software has room for everybody, so nobody is alone there. */
	if (!group->exclusive || is_software(group->pmu_ctx))
		return;
	group->pmu_ctx->nr_exclusive += one;
	if (!is_in(group))
		return;
	if (one > 0)
		cpc_of(group)->exclusive = group;
	else if (cpc_of(group)->exclusive == group)
		pmuctl_slot_end_exclusive(cpc_of(group));
}

static void leave_rank(struct pmuctl_group *group)
{
	pmuctl_tree_erase(pmuctl_group_tree(group), group);
	if (group->rank == PMUCTL_RANK_ON)
		count_exclusive(group, -1);
	if (group->rank != PMUCTL_RANK_WAITING)
		return;
	count_waiting(group, -1);
	list_del(&group->watch_node);
	if (group->pmu_ctx->stuck == group)
		group->pmu_ctx->stuck = NULL;
}

static void enter_rank(struct pmuctl_group *group, enum pmuctl_rank rank)
{
	group->rank = rank;
	pmuctl_tree_insert(pmuctl_group_tree(group), group);
	if (rank == PMUCTL_RANK_ON)
		count_exclusive(group, 1);
	if (rank != PMUCTL_RANK_WAITING)
		return;
	count_waiting(group, 1);
	group->watch = NULL;
	list_add_tail(&group->watch_node, &group->pmu_ctx->woken);
}

static void set_rank(struct pmuctl_group *group, enum pmuctl_rank rank)
{
	leave_rank(group);
	enter_rank(group, rank);
}

void __pmuctl_group_wake(struct pmuctl_group *group)
{
	group->watch = NULL;
	list_move_tail(&group->watch_node, &group->pmu_ctx->woken);
}

void __pmuctl_group_watch(struct pmuctl_group *group, struct pmuctl_tally *tally)
{
	group->watch = tally;
	list_move_tail(&group->watch_node, &tally->watchers);
}

/* ---- members ---- */

void __pmuctl_group_init(struct pmuctl_event *event)
{
	struct pmuctl_group *group = &event->own;

	INIT_LIST_HEAD(&group->members);
	group->pmu_ctx = event->tally->pmu_ctx;
	group->pinned = event->attr.pinned;
	group->exclusive = event->attr.exclusive;
	group->nr = 1;
	group->generation = 0;
	list_add_tail(&event->group_node, &group->members);
	event->group = group;
	enter_rank(group, PMUCTL_RANK_OFF);
}

/* GRP-01, GRP-02: a group takes its turns where its hardware events do. */
static void move_to_hardware(struct pmuctl_group *group, struct pmuctl_pmu_ctx *pmu_ctx)
{
	if (group->rank == PMUCTL_RANK_ON)
		__pmuctl_group_off(group);
	leave_rank(group);
	group->pmu_ctx = pmu_ctx;
	enter_rank(group, group->rank);
}

void __pmuctl_group_add(struct pmuctl_group *group, struct pmuctl_event *event)
{
	if (is_software(group->pmu_ctx) && !is_software(event->tally->pmu_ctx))
		move_to_hardware(group, event->tally->pmu_ctx);
	list_add_tail(&event->group_node, &group->members);
	event->group = group;
	group->nr++;
	group->generation++;
}

/* Siblings of a leader that goes are on their own from now on, in the state they were asked for. */
static void dissolve(struct pmuctl_group *group)
{
	struct pmuctl_event *event, *next;

	leave_rank(group);
	list_for_each_entry_safe(event, next, &group->members, group_node) {
		list_del(&event->group_node);
		__pmuctl_group_init(event);
		__pmuctl_group_update(&event->own);
	}
}

void __pmuctl_group_del(struct pmuctl_event *event)
{
	struct pmuctl_group *group = event->group;

	if (group == &event->own && group->rank == PMUCTL_RANK_ON)
		__pmuctl_group_off(group);
	list_del(&event->group_node);
	group->nr--;
	group->generation++;
	if (group == &event->own)
		dissolve(group);
	else
		__pmuctl_group_update(group);
	event->group = NULL;
}

/* ---- off and waiting ---- */

/* The leader may be on, as far as its user and its past are concerned. */
static bool wanted(const struct pmuctl_group *group)
{
	const struct pmuctl_event *leader = pmuctl_group_leader(group);

	return leader->asked && leader->state > PMUCTL_STATE_ERROR;
}

/* A member's state while its group is not on. */
static void rest(struct pmuctl_event *event, bool group_wanted)
{
	enum pmuctl_state state = group_wanted && event->asked ? PMUCTL_STATE_INACTIVE
							       : PMUCTL_STATE_OFF;

	if (event->state > PMUCTL_STATE_ERROR && event->state != state)
		__pmuctl_event_set_state(event, state);
}

static void rest_all(struct pmuctl_group *group)
{
	bool group_wanted = wanted(group);
	struct pmuctl_event *event;

	list_for_each_entry(event, &group->members, group_node)
		rest(event, group_wanted);
}

void __pmuctl_group_off(struct pmuctl_group *group)
{
	rest_all(group);
	set_rank(group, PMUCTL_RANK_WAITING);
}

void __pmuctl_group_fail(struct pmuctl_group *group)
{
	__pmuctl_ctx_diverge(ctx_of(group));
	__pmuctl_event_set_state(pmuctl_group_leader(group), PMUCTL_STATE_ERROR);
	rest_all(group);
	set_rank(group, PMUCTL_RANK_OFF);
}

/* Members that are on and should not be go off one by one; one that should come on needs all. */
static bool stays_on(struct pmuctl_group *group)
{
	struct pmuctl_event *event;

	if (group->rank != PMUCTL_RANK_ON || !wanted(group))
		return false;
	list_for_each_entry(event, &group->members, group_node) {
		if (event->asked && event->state == PMUCTL_STATE_INACTIVE)
			return false;
		if (event->asked && event->state == PMUCTL_STATE_OFF)
			return false;
	}
	return true;
}

void __pmuctl_group_update(struct pmuctl_group *group)
{
	struct pmuctl_event *event;

	pmuctl_ctx_assert_owned(ctx_of(group));
	if (stays_on(group)) {
		list_for_each_entry(event, &group->members, group_node) {
			if (!event->asked)
				rest(event, true);
		}
		return;
	}
	rest_all(group);
	set_rank(group, wanted(group) ? PMUCTL_RANK_WAITING : PMUCTL_RANK_OFF);
}

/* ---- on ---- */

/* The different classes of the members that are asked for, of one PMU; -1 if they are too many. */
static int collect(const struct pmuctl_group *group, const struct pmuctl_pmu *pmu,
		   struct pmuctl_class **classes)
{
	struct pmuctl_event *event;
	int i, n = 0;

	list_for_each_entry(event, &group->members, group_node) {
		struct pmuctl_class *class = event->tally->class;

		if (!event->asked || class->pmu != pmu)
			continue;
		for (i = 0; i < n && classes[i] != class; i++)
			;
		if (i < n)
			continue;
		if (n == PMUCTL_COUNTERS_MAX)
			return -1;
		classes[n++] = class;
	}
	return n;
}

/* Have a slot on this CPU for each class of one PMU, or change nothing. */
static bool place(struct pmuctl_group *group, struct pmuctl_pmu *pmu, int level)
{
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
	int n = collect(group, pmu, classes);

	return n >= 0 && !pmuctl_slot_place(pmuctl_cpu_this()->pmus[pmu->index], classes, n,
					    level);
}

/* Nothing of the group's own context is on beside it; for @level see __pmuctl_group_on(). */
static bool clear_ctx(struct pmuctl_group *group, int level)
{
	struct pmuctl_ctx *ctx = ctx_of(group);
	int index = group->pmu_ctx->pmu->index;
	struct pmuctl_scope *scope;

	list_for_each_entry(scope, &ctx->in, in_node) {
		struct pmuctl_pmu_ctx *pmu_ctx = scope->pmus[index];

		if (!pmu_ctx)
			continue;
		if (level < (int)pmuctl_group_level(group))
			__pmuctl_pmu_ctx_shed(pmu_ctx, &ctx->flexible);
		if (pmu_ctx->nr_on)
			return false;
	}
	return true;
}

/*
 * SCH-05: an exclusive group comes on if nothing of its own context is on, and then keeps out
 * whatever comes later. One of a worse level gives way to others.
 */
static bool make_alone(struct pmuctl_group *group, int level)
{
	struct pmuctl_cpu_pmu_ctx *cpc = cpc_of(group);

	if (is_software(group->pmu_ctx))
		return true;
	if (cpc->exclusive && (int)pmuctl_group_level(cpc->exclusive) <= level)
		return false;
	if (cpc->exclusive)
		__pmuctl_group_off(cpc->exclusive);
	return !group->exclusive || clear_ctx(group, level);
}

static void activate_all(struct pmuctl_group *group)
{
	struct pmuctl_event *event;

	list_for_each_entry(event, &group->members, group_node) {
		if (event->asked && event->state > PMUCTL_STATE_ERROR)
			__pmuctl_event_set_state(event, PMUCTL_STATE_ACTIVE);
	}
	set_rank(group, PMUCTL_RANK_ON);
}

bool __pmuctl_group_on(struct pmuctl_group *group, int level)
{
	if (!make_alone(group, level) || !place(group, group->pmu_ctx->pmu, level))
		return false;
	/* Software never lacks room. */
	if (!is_software(group->pmu_ctx))
		place(group, &pmuctl_software, level);
	activate_all(group);
	return true;
}

void __pmuctl_group_on_outside(struct pmuctl_group *group)
{
	activate_all(group);
}

/*
 * The rarest of several: once a group watches what few others want, it is not disturbed when
 * something comes on that everybody has.
 */
struct pmuctl_tally *__pmuctl_group_missing(const struct pmuctl_group *group)
{
	const struct pmuctl_pmu *pmu = group->pmu_ctx->pmu;
	struct pmuctl_tally *rarest = NULL;
	struct pmuctl_event *event;

	list_for_each_entry(event, &group->members, group_node) {
		struct pmuctl_tally *tally = event->tally;

		if (!event->asked || tally->class->pmu != pmu ||
		    tally->class->slots[smp_processor_id()])
			continue;
		if (!rarest || tally->nr_events < rarest->nr_events)
			rarest = tally;
	}
	return rarest;
}
