// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: finding them, coming in and going out, and reaching one wherever it is.
 *
 * Coming in and going out happen under the run-queue lock: they read counters and, where a class
 * is not on hardware yet, program it; they allocate nothing and wake nobody.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>

#define TASK_HASH_BITS 10
static struct hlist_head task_hash[1 << TASK_HASH_BITS];
static DEFINE_RAW_SPINLOCK(task_hash_lock);

static struct hlist_head *bucket(const struct task_struct *task)
{
	return &task_hash[hash_ptr((void *)task, TASK_HASH_BITS)];
}

/*
 * Callers have interrupts off, which RCU takes for a reader; memory of a context goes after a
 * grace period.
 */
struct pmuctl_ctx *pmuctl_ctx_find(const struct task_struct *task)
{
	struct pmuctl_ctx *ctx;

	hlist_for_each_entry_rcu(ctx, bucket(task), node, true) {
		if (ctx->task == task)
			return ctx;
	}
	return NULL;
}

void pmuctl_ctx_init(struct pmuctl_ctx *ctx, struct task_struct *task, int home)
{
	raw_spin_lock_init(&ctx->lock);
	INIT_LIST_HEAD(&ctx->events);
	refcount_set(&ctx->refs, 1);
	ctx->task = task;
	ctx->home = home;
	ctx->cpu = -1;
}

static void hash_ctx(struct pmuctl_ctx *ctx)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&task_hash_lock, flags);
	hlist_add_head_rcu(&ctx->node, bucket(ctx->task));
	ctx->hashed = true;
	raw_spin_unlock_irqrestore(&task_hash_lock, flags);
}

void pmuctl_ctx_unhash(struct pmuctl_ctx *ctx)
{
	unsigned long flags;
	bool hashed;

	raw_spin_lock_irqsave(&task_hash_lock, flags);
	hashed = ctx->hashed;
	if (hashed)
		hlist_del_rcu(&ctx->node);
	ctx->hashed = false;
	raw_spin_unlock_irqrestore(&task_hash_lock, flags);
	if (hashed)
		pmuctl_ctx_put(ctx);
}

static struct pmuctl_ctx *find_get(const struct task_struct *task)
{
	struct pmuctl_ctx *ctx;

	rcu_read_lock();
	ctx = pmuctl_ctx_find(task);
	if (ctx && !refcount_inc_not_zero(&ctx->refs))
		ctx = NULL;
	rcu_read_unlock();
	return ctx;
}

static struct pmuctl_ctx *create(struct task_struct *task)
{
	struct pmuctl_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);

	if (!ctx)
		return ERR_PTR(-ENOMEM);
	pmuctl_ctx_init(ctx, get_task_struct(task), -1);
	refcount_inc(&ctx->refs);
	hash_ctx(ctx);
	/*
	 * Pairs with the barrier in pmuctl_sched_exit(): either the exiting task finds the
	 * context, or we find it exiting.
	 */
	smp_mb();
	if (plat_task_exiting(task)) {
		pmuctl_ctx_retire(ctx);
		pmuctl_ctx_put(ctx);
		return ERR_PTR(-ESRCH);
	}
	return ctx;
}

struct pmuctl_ctx *pmuctl_ctx_get(struct task_struct *task, int cpu)
{
	struct pmuctl_ctx *ctx;

	lockdep_assert_held(&pmuctl_open_mutex);
	if (task) {
		ctx = find_get(task);
		return ctx ?: create(task);
	}
	ctx = &per_cpu_ptr(&pmuctl_cpus, cpu)->ctx;
	refcount_inc(&ctx->refs);
	return ctx;
}

/* A CPU's context holds a reference to itself, so only a task's gets here. */
static void free_ctx(struct pmuctl_ctx *ctx)
{
	int i;

	for (i = 0; i < PMUCTL_PMUS_MAX; i++)
		kfree(ctx->pmus[i]);
	put_task_struct(ctx->task);
	kfree_rcu(ctx, rcu);
}

void pmuctl_ctx_put(struct pmuctl_ctx *ctx)
{
	if (refcount_dec_and_test(&ctx->refs))
		free_ctx(ctx);
}

int pmuctl_ctx_add_pmu(struct pmuctl_ctx *ctx, struct pmuctl_pmu *pmu)
{
	struct pmuctl_pmu_ctx *pmu_ctx;

	lockdep_assert_held(&pmuctl_open_mutex);
	if (ctx->pmus[pmu->index])
		return 0;
	pmu_ctx = kzalloc(sizeof(*pmu_ctx), GFP_KERNEL_ACCOUNT);
	if (!pmu_ctx)
		return -ENOMEM;
	pmu_ctx->ctx = ctx;
	pmu_ctx->pmu = pmu;
	INIT_LIST_HEAD(&pmu_ctx->groups);
	/* The switch hook on another CPU may look at any moment. */
	smp_store_release(&ctx->pmus[pmu->index], pmu_ctx);
	return 0;
}

/* ---- classes that are on ---- */

u64 __pmuctl_on_count(const struct pmuctl_on *on)
{
	if (!on->slot)
		return on->sum;
	return on->sum + pmuctl_slot_read(on->slot) - on->base;
}

struct pmuctl_on *__pmuctl_on_find(struct pmuctl_pmu_ctx *pmu_ctx,
				   const struct pmuctl_class *class)
{
	u32 i;

	for (i = 0; i < pmu_ctx->nr_on; i++) {
		if (pmu_ctx->on[i].class == class)
			return &pmu_ctx->on[i];
	}
	return NULL;
}

static void attach(struct pmuctl_on *on)
{
	on->slot = on->class->slots[smp_processor_id()];
	pmuctl_slot_use(on->slot);
	on->base = pmuctl_slot_read(on->slot);
}

static void detach(struct pmuctl_on *on)
{
	on->sum = __pmuctl_on_count(on);
	pmuctl_slot_unuse(on->slot);
	on->slot = NULL;
}

struct pmuctl_on *__pmuctl_on_get(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_class *class)
{
	struct pmuctl_on *on = __pmuctl_on_find(pmu_ctx, class);

	if (!on) {
		on = &pmu_ctx->on[pmu_ctx->nr_on++];
		*on = (struct pmuctl_on){ .class = class };
		attach(on);
	}
	on->users++;
	return on;
}

void __pmuctl_on_put(struct pmuctl_pmu_ctx *pmu_ctx, struct pmuctl_on *on)
{
	if (--on->users)
		return;
	if (on->slot)
		detach(on);
	*on = pmu_ctx->on[--pmu_ctx->nr_on];
}

/* ---- in and out ---- */

/* Find a slot on this CPU for everything that is on. False if the PMU cannot hold it. */
static bool place_on(struct pmuctl_pmu_ctx *pmu_ctx)
{
	struct pmuctl_class *classes[PMUCTL_COUNTERS_MAX];
	u32 i, cpu = smp_processor_id();
	bool missing = false;

	for (i = 0; i < pmu_ctx->nr_on; i++) {
		classes[i] = pmu_ctx->on[i].class;
		missing |= !classes[i]->slots[cpu];
	}
	return !missing || !pmuctl_slot_place(pmu_ctx->pmu, classes, pmu_ctx->nr_on);
}

static void update_groups(struct pmuctl_pmu_ctx *pmu_ctx)
{
	struct pmuctl_group *group;

	pmu_ctx->recheck = false;
	list_for_each_entry(group, &pmu_ctx->groups, node)
		__pmuctl_group_update(group);
}

static void pmu_ctx_in(struct pmuctl_pmu_ctx *pmu_ctx)
{
	u32 i;

	if (place_on(pmu_ctx)) {
		for (i = 0; i < pmu_ctx->nr_on; i++)
			attach(&pmu_ctx->on[i]);
	} else {
		__pmuctl_groups_off(pmu_ctx);
	}
	if (unlikely(pmu_ctx->recheck || pmu_ctx->ctx->nr_filtered))
		update_groups(pmu_ctx);
}

static void pmu_ctx_out(struct pmuctl_pmu_ctx *pmu_ctx)
{
	u32 i;

	for (i = 0; i < pmu_ctx->nr_on; i++)
		detach(&pmu_ctx->on[i]);
}

static void for_each_pmu_ctx(struct pmuctl_ctx *ctx, void (*fn)(struct pmuctl_pmu_ctx *pmu_ctx))
{
	int i;

	for (i = 0; i < pmuctl_nr_pmus; i++) {
		struct pmuctl_pmu_ctx *pmu_ctx = smp_load_acquire(&ctx->pmus[i]);

		if (pmu_ctx)
			fn(pmu_ctx);
	}
}

void __pmuctl_ctx_in(struct pmuctl_ctx *ctx)
{
	ctx->cpu = smp_processor_id();
	ctx->since = plat_clock();
	for_each_pmu_ctx(ctx, pmu_ctx_in);
}

void __pmuctl_ctx_out(struct pmuctl_ctx *ctx)
{
	__pmuctl_ctx_update_time(ctx);
	for_each_pmu_ctx(ctx, pmu_ctx_out);
	ctx->cpu = -1;
}

void __pmuctl_ctx_update_time(struct pmuctl_ctx *ctx)
{
	u64 now;

	if (ctx->cpu < 0)
		return;
	now = plat_clock();
	ctx->time += now - ctx->since;
	ctx->since = now;
}

void __pmuctl_ctx_kill(struct pmuctl_ctx *ctx)
{
	struct pmuctl_cpu *cpu = pmuctl_cpu_this();

	if (ctx->cpu >= 0)
		__pmuctl_ctx_out(ctx);
	if (cpu->task_ctx == ctx)
		cpu->task_ctx = NULL;
	ctx->dead = true;
}

/* ---- reaching a context ---- */

struct call {
	struct pmuctl_ctx *ctx;
	void (*fn)(struct pmuctl_ctx *ctx, void *arg);
	void *arg;
	bool done;
};

/* Carry out the call if the context is in here or nowhere. Interrupts off. */
static void call_here(void *arg)
{
	struct call *call = arg;
	struct pmuctl_ctx *ctx = call->ctx;

	pmuctl_cpu_enter();
	raw_spin_lock(&ctx->lock);
	if (ctx->cpu < 0 || ctx->cpu == smp_processor_id()) {
		__pmuctl_ctx_update_time(ctx);
		call->fn(ctx, call->arg);
		call->done = true;
	}
	raw_spin_unlock(&ctx->lock);
}

void pmuctl_ctx_call(struct pmuctl_ctx *ctx, void (*fn)(struct pmuctl_ctx *ctx, void *arg),
		     void *arg)
{
	struct call call = { .ctx = ctx, .fn = fn, .arg = arg };
	unsigned long flags;

	for (;;) {
		int cpu;

		local_irq_save(flags);
		call_here(&call);
		local_irq_restore(flags);
		if (call.done)
			return;
		/* In on another CPU, unless it has moved on by now: then look again. */
		cpu = READ_ONCE(ctx->cpu);
		if (cpu >= 0)
			plat_call_cpu(cpu, call_here, &call);
		if (call.done)
			return;
	}
}

static void enter_here(void *arg)
{
	struct pmuctl_ctx *ctx = arg;
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();

	if (ctx->task && !plat_task_is_current(ctx->task))
		return;
	raw_spin_lock(&ctx->lock);
	if (!ctx->dead && ctx->cpu < 0 && cpu->online) {
		__pmuctl_ctx_in(ctx);
		if (ctx->task)
			cpu->task_ctx = ctx;
	}
	raw_spin_unlock(&ctx->lock);
}

/*
 * The context is where the switch hook finds it (hash_ctx()), and only then we ask where the task
 * runs. So a task that runs already is met by the call, one that is switched in later meets the
 * hook, and the lock decides between the two.
 */
void pmuctl_ctx_enter(struct pmuctl_ctx *ctx)
{
	if (READ_ONCE(ctx->cpu) >= 0)
		return;
	smp_mb();
	plat_call_cpu(ctx->task ? plat_task_cpu(ctx->task) : ctx->home, enter_here, ctx);
}

static void leave(struct pmuctl_ctx *ctx, void *arg)
{
	__pmuctl_ctx_kill(ctx);
}

void pmuctl_ctx_retire(struct pmuctl_ctx *ctx)
{
	lockdep_assert_held(&pmuctl_open_mutex);
	if (!ctx->task || ctx->nr_events)
		return;
	pmuctl_ctx_call(ctx, leave, NULL);
	pmuctl_ctx_unhash(ctx);
}
