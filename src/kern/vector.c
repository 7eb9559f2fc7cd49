// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls that give more than one event's read(2) can: many files at once, and the scheduler.
 */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <pmuctl/compat.h>
#include <pmuctl/file.h>
#include <pmuctl/perm.h>
#include <pmuctl/read.h>
#include <pmuctl/snapshot.h>

/* Values of more bytes than this come in more than one call. */
#define VALUES_MAX (1U << 20)
/* No snapshot is larger; who has that many events gets as much of it as fits. */
#define SNAPSHOT_MAX (64U << 20)

/* ---- many files ---- */

/* A vector read on its way. One piece of memory holds all four arrays. */
struct vector {
	struct pmuctl_read args;
	struct pmuctl_event **events;
	struct fd *files;
	struct pmuctl_read_item *items;
	u64 *values;
};

static int vector_alloc(struct vector *vector)
{
	size_t nr = vector->args.nr;
	size_t size = nr * (sizeof(*vector->events) + sizeof(*vector->files) +
			    sizeof(*vector->items)) + vector->args.values_size;

	vector->events = kvmalloc(size, GFP_KERNEL);
	if (!vector->events)
		return -ENOMEM;
	vector->files = (void *)(vector->events + nr);
	vector->items = (void *)(vector->files + nr);
	vector->values = (void *)(vector->items + nr);
	return 0;
}

static void vector_find(struct vector *vector)
{
	u32 i;

	for (i = 0; i < vector->args.nr; i++) {
		struct file *file;

		vector->files[i] = fdget(vector->items[i].fd);
		file = fd_file(vector->files[i]);
		vector->events[i] = file ? pmuctl_file_event(file) : NULL;
	}
}

static void vector_put(struct vector *vector)
{
	u32 i;

	for (i = 0; i < vector->args.nr; i++)
		fdput(vector->files[i]);
}

static long vector_read(struct vector *vector)
{
	struct pmuctl_read_item __user *uitems = u64_to_user_ptr(vector->args.items);
	size_t items_size = vector->args.nr * sizeof(*vector->items), length;

	if (copy_from_user(vector->items, uitems, items_size))
		return -EFAULT;
	vector_find(vector);
	length = pmuctl_events_read(vector->events, vector->items, vector->args.nr,
				    vector->values, vector->args.values_size);
	vector_put(vector);
	if (copy_to_user(u64_to_user_ptr(vector->args.values), vector->values, length) ||
	    copy_to_user(uitems, vector->items, items_size))
		return -EFAULT;
	return length;
}

long pmuctl_read_ioctl(struct pmuctl_read __user *uarg)
{
	struct vector vector = {};
	u32 size;
	long result;

	if (get_user(size, &uarg->size))
		return -EFAULT;
	if (size < sizeof(vector.args) || size > PAGE_SIZE)
		return -EINVAL;
	result = copy_struct_from_user(&vector.args, sizeof(vector.args), uarg, size);
	if (result)
		return result;
	if (vector.args.nr > PMUCTL_READ_MAX)
		return -EINVAL;
	if (!vector.args.nr)
		return 0;
	vector.args.values_size = min_t(u64, vector.args.values_size, VALUES_MAX);
	if (vector_alloc(&vector))
		return -ENOMEM;
	result = vector_read(&vector);
	kvfree(vector.events);
	return result;
}

/* ---- the scheduler ---- */

static long snapshot(struct pmuctl_snapshot *args)
{
	size_t size = min_t(u64, args->buf_size, SNAPSHOT_MAX);
	void *buf = kvzalloc(max_t(size_t, size, 1), GFP_KERNEL);
	ssize_t needed;

	if (!buf)
		return -ENOMEM;
	needed = pmuctl_snapshot(buf, size);
	if (needed < 0)
		goto out;
	args->needed = needed;
	if (copy_to_user(u64_to_user_ptr(args->buf), buf, min_t(size_t, size, needed)))
		needed = -EFAULT;
out:
	kvfree(buf);
	return needed < 0 ? needed : needed > size ? -ENOSPC : 0;
}

long pmuctl_snapshot_ioctl(struct pmuctl_snapshot __user *uarg)
{
	struct pmuctl_snapshot args;
	u32 size;
	long result;

	if (get_user(size, &uarg->size))
		return -EFAULT;
	if (size < sizeof(args) || size > PAGE_SIZE)
		return -EINVAL;
	result = copy_struct_from_user(&args, sizeof(args), uarg, size);
	if (result)
		return result;
	if (args.__reserved)
		return -EINVAL;
	result = pmuctl_perm_snapshot();
	if (result)
		return result;
	result = snapshot(&args);
	if (put_user(args.needed, &uarg->needed))
		return -EFAULT;
	return result;
}
