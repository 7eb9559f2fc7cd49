/* SPDX-License-Identifier: GPL-2.0-only */
/* Atomics, references, RCU and memory. An allocation fails when a test says so. */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

/* One thread is all there is, so plain arithmetic is atomic. */
typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_inc(v) ((void)(v)->counter++)
#define atomic_dec(v) ((void)(v)->counter--)
#define atomic_inc_return(v) (++(v)->counter)
#define atomic_dec_and_test(v) (!--(v)->counter)
#define atomic64_inc_return(v) (++(v)->counter)

typedef struct {
	int n;
} refcount_t;

#define refcount_set(r, value) ((r)->n = (value))

static inline void refcount_inc(refcount_t *r)
{
	SHIM_RULE(r->n > 0, "a reference is taken from a live object");
	r->n++;
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	if (r->n)
		r->n++;
	return r->n;
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	SHIM_RULE(r->n > 0, "a reference is dropped once");
	return !--r->n;
}

struct rcu_head {
	struct rcu_head *next;
	void *memory;
};

#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define kfree_rcu(p, member) shim_free_later(&(p)->member, p)
void shim_free_later(struct rcu_head *head, void *memory);

/* A grace period passes: what was to be freed later is freed now. */
void shim_grace_period(void);

typedef unsigned int gfp_t;

#define GFP_KERNEL		0x1u	/* may sleep */
#define GFP_KERNEL_ACCOUNT	0x1u
#define GFP_ATOMIC		0x2u
#define __GFP_NOWARN		0x10u
#define __GFP_NOFAIL		0x20u

#define kzalloc(size, gfp) shim_alloc(size, gfp)
#define kzalloc_node(size, gfp, node) shim_alloc(size, gfp)
#define kcalloc(n, size, gfp) shim_alloc((size_t)(n) * (size), gfp)
#define kvcalloc(n, size, gfp) kcalloc(n, size, gfp)
#define kfree(p) shim_free(p)
#define kvfree(p) shim_free(p)
void *shim_alloc(size_t size, gfp_t gfp);
void shim_free(void *p);

/* The allocation after @shim_fail_after more fails, once; -1 for none. */
extern int shim_fail_after;
/* Allocations not freed yet. */
extern int shim_allocated;

#endif /* SHIM_MEMORY_H */
