// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: finding them, coming in and going out, and reaching one wherever it is.
 */
#include <pmuctl/cpu.h>
#include <pmuctl/event.h>
#include <pmuctl/pass.h>

struct hlist_head pmuctl_task_hash[1 << PMUCTL_TASK_HASH_BITS];
static DEFINE_RAW_SPINLOCK(task_hash_lock);
static u32 nr_hashed;	/* under task_hash_lock */
static atomic64_t last_lineage;

void pmuctl_ctx_init(struct pmuctl_ctx *ctx, struct task_struct *task, int home)
{
	raw_spin_lock_init(&ctx->lock);
	raw_spin_lock_init(&ctx->family_lock);
	mutex_init(&ctx->family_mutex);
	INIT_LIST_HEAD(&ctx->events);
	INIT_LIST_HEAD(&ctx->in);
	refcount_set(&ctx->refs, 1);
	ctx->task = task;
	ctx->home = home;
	ctx->cpu = -1;
	pmuctl_scope_init(&ctx->main, ctx, home, NULL);
	list_add(&ctx->main.in_node, &ctx->in);
}

void pmuctl_ctx_unhash(struct pmuctl_ctx *ctx)
{
	struct pmuctl_task *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&task_hash_lock, flags);
	entry = ctx->entry;
	if (entry) {
		hlist_del_rcu(&entry->node);
		nr_hashed--;
	}
	ctx->entry = NULL;
	raw_spin_unlock_irqrestore(&task_hash_lock, flags);
	if (!entry)
		return;
	kfree_rcu(entry, rcu);
	pmuctl_ctx_put(ctx);
}

/*
 * The context of @task with a reference, or NULL. @fresh, if given, becomes it when there is none;
 * then the hash has a reference of its own.
 */
static struct pmuctl_ctx *find_get(struct task_struct *task, struct pmuctl_ctx *fresh)
{
	struct pmuctl_ctx *ctx;
	unsigned long flags;

	raw_spin_lock_irqsave(&task_hash_lock, flags);
	ctx = pmuctl_ctx_find(task);
	if (!ctx && fresh) {
		ctx = fresh;
		hlist_add_head_rcu(&ctx->entry->node, pmuctl_task_bucket(task));
		nr_hashed++;
	}
	if (ctx)
		refcount_inc(&ctx->refs);
	raw_spin_unlock_irqrestore(&task_hash_lock, flags);
	return ctx;
}

/* A CPU's context holds a reference to itself, so only a task's gets here. */
static void free_ctx(struct pmuctl_ctx *ctx)
{
	pmuctl_scope_free(&ctx->main);
	put_task_struct(ctx->task);
	kfree_rcu(ctx, rcu);
}

void pmuctl_ctx_put(struct pmuctl_ctx *ctx)
{
	if (refcount_dec_and_test(&ctx->refs))
		free_ctx(ctx);
}

/* A context that @task does not find yet. */
static struct pmuctl_ctx *alloc(struct task_struct *task, gfp_t gfp)
{
	struct pmuctl_task *entry = kzalloc(sizeof(*entry), gfp);
	struct pmuctl_ctx *ctx = kzalloc(sizeof(*ctx), gfp);

	if (!entry || !ctx) {
		kfree(entry);
		kfree(ctx);
		return NULL;
	}
	pmuctl_ctx_init(ctx, get_task_struct(task), -1);
	entry->task = task;
	entry->ctx = ctx;
	ctx->entry = entry;
	return ctx;
}

static struct pmuctl_ctx *create(struct task_struct *task, gfp_t gfp)
{
	struct pmuctl_ctx *fresh = alloc(task, gfp), *ctx;

	if (!fresh)
		return ERR_PTR(-ENOMEM);
	ctx = find_get(task, fresh);
	if (ctx != fresh) {
		kfree(fresh->entry);
		pmuctl_ctx_put(fresh);
	}
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

struct pmuctl_ctx *pmuctl_ctx_get(struct task_struct *task, int cpu, gfp_t gfp)
{
	struct pmuctl_ctx *ctx;

	if (task) {
		ctx = find_get(task, NULL);
		return ctx ?: create(task, gfp);
	}
	ctx = &per_cpu_ptr(&pmuctl_cpus, cpu)->ctx;
	refcount_inc(&ctx->refs);
	return ctx;
}

u32 pmuctl_ctx_count(void)
{
	return READ_ONCE(nr_hashed);
}

u32 pmuctl_ctx_collect(struct pmuctl_ctx **ctxs, u32 max)
{
	struct pmuctl_task *entry;
	u32 i, n = 0;

	for (i = 0; i < ARRAY_SIZE(pmuctl_task_hash); i++) {
		unsigned long flags;

		raw_spin_lock_irqsave(&task_hash_lock, flags);
		hlist_for_each_entry(entry, &pmuctl_task_hash[i], node) {
			if (n == max)
				break;
			refcount_inc(&entry->ctx->refs);
			ctxs[n++] = entry->ctx;
		}
		raw_spin_unlock_irqrestore(&task_hash_lock, flags);
	}
	return n;
}

/* ---- in and out ---- */

/* Besides the main scope: those of the CPU for a task, those of the running cgroup for a CPU. */
static void other_scopes_in(struct pmuctl_ctx *ctx)
{
	struct pmuctl_scope *scope;

	if (!ctx->task) {
		__pmuctl_cgroup_in(pmuctl_cpu_this(), plat_task_cgroup(plat_current()));
		return;
	}
	scope = __pmuctl_scope_find(ctx, smp_processor_id(), 0);
	if (scope)
		__pmuctl_scope_in(scope);
}

void __pmuctl_ctx_in(struct pmuctl_ctx *ctx)
{
	WRITE_ONCE(ctx->cpu, smp_processor_id());
	__pmuctl_scope_in(&ctx->main);
	if (unlikely(ctx->nr_scopes))
		other_scopes_in(ctx);
}

static void other_scopes_out(struct pmuctl_ctx *ctx)
{
	struct pmuctl_scope *scope, *next;

	list_for_each_entry_safe(scope, next, &ctx->in, in_node) {
		if (scope != &ctx->main)
			__pmuctl_scope_out(scope);
	}
}

/* Whoever holds the lock, and finds that the context is nobody's, sees all that was done before. */
static void disown(struct pmuctl_ctx *ctx)
{
	smp_store_release(&ctx->cpu, -1);
}

void __pmuctl_ctx_out(struct pmuctl_ctx *ctx)
{
	other_scopes_out(ctx);
	__pmuctl_scope_out(&ctx->main);
	disown(ctx);
}

void __pmuctl_ctx_hand_over(struct pmuctl_ctx *from, struct pmuctl_ctx *to)
{
	WRITE_ONCE(to->cpu, smp_processor_id());
	if (unlikely(from->nr_scopes))
		other_scopes_out(from);
	__pmuctl_scope_hand_over(&from->main, &to->main);
	if (unlikely(to->nr_scopes))
		other_scopes_in(to);
	disown(from);
}

void __pmuctl_ctx_update_time(struct pmuctl_ctx *ctx)
{
	struct pmuctl_scope *scope;

	if (ctx->cpu < 0)
		return;
	__pmuctl_scope_update_time(&ctx->main);
	if (likely(!ctx->nr_scopes))
		return;
	list_for_each_entry(scope, &ctx->in, in_node) {
		if (scope != &ctx->main)
			__pmuctl_scope_update_time(scope);
	}
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

/* ---- exchange ---- */

void __pmuctl_ctx_diverge(struct pmuctl_ctx *ctx)
{
	ctx->lineage = atomic64_inc_return(&last_lineage);
}

/*
 * An inherited event may stand for its like in another context: only their sum is ever read. An
 * opened one may not: its file, its group and its end belong to its task.
 */
static bool exchangeable(const struct pmuctl_ctx *ctx)
{
	return !ctx->dead && !ctx->nr_waiting && !ctx->nr_stat && !ctx->nr_scopes &&
	       !ctx->nr_opened;
}

/* @in is ours as it is in here; the hash's lock makes the two entries change as one. */
static void exchange(struct pmuctl_ctx *in, struct pmuctl_ctx *out)
{
	raw_spin_lock(&task_hash_lock);
	WRITE_ONCE(in->entry->ctx, out);
	WRITE_ONCE(out->entry->ctx, in);
	swap(in->entry, out->entry);
	swap(in->task, out->task);
	raw_spin_unlock(&task_hash_lock);
}

bool pmuctl_ctx_swap(struct pmuctl_ctx *in, struct pmuctl_ctx *out)
{
	bool alike;

	raw_spin_lock(&out->lock);
	alike = in->lineage == out->lineage && smp_load_acquire(&out->cpu) < 0 && in->entry && out->entry &&
		exchangeable(in) && exchangeable(out);
	if (alike)
		exchange(in, out);
	raw_spin_unlock(&out->lock);
	return alike;
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
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();

	raw_spin_lock(&ctx->lock);
	if (pmuctl_ctx_is_ours(ctx)) {
		__pmuctl_ctx_update_time(ctx);
		call->fn(ctx, call->arg);
		call->done = true;
	}
	raw_spin_unlock(&ctx->lock);
	pmuctl_pass(cpu);
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

void pmuctl_ctx_enter_here(void *arg)
{
	struct pmuctl_ctx *ctx = arg;
	struct pmuctl_cpu *cpu = pmuctl_cpu_enter();

	if (ctx->task && !plat_task_is_current(ctx->task))
		return;
	raw_spin_lock(&ctx->lock);
	if (!ctx->dead && smp_load_acquire(&ctx->cpu) < 0 && cpu->online) {
		if (ctx->task)
			cpu->task_ctx = ctx;
		__pmuctl_ctx_in(ctx);
	}
	raw_spin_unlock(&ctx->lock);
	pmuctl_pass(cpu);
}

/*
 * The context is where the switch hook finds it (find_get()), and only then we ask where the task
 * runs. So a task that runs already is met by the call, one that is switched in later meets the
 * hook, and the lock decides between the two.
 */
void pmuctl_ctx_enter(struct pmuctl_ctx *ctx)
{
	if (READ_ONCE(ctx->cpu) >= 0)
		return;
	smp_mb();
	plat_call_cpu(ctx->task ? plat_task_cpu(ctx->task) : ctx->home,
		      pmuctl_ctx_enter_here, ctx);
}

static void leave_if_empty(struct pmuctl_ctx *ctx, void *arg)
{
	if (!ctx->nr_events)
		__pmuctl_ctx_kill(ctx);
}

void pmuctl_ctx_retire(struct pmuctl_ctx *ctx)
{
	if (!ctx->task || READ_ONCE(ctx->nr_events))
		return;
	pmuctl_ctx_call(ctx, leave_if_empty, NULL);
	if (READ_ONCE(ctx->dead))
		pmuctl_ctx_unhash(ctx);
}
