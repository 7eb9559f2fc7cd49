// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event files: what read, poll and ioctl of them do, in the words of perf_event_open(2).
 */
#include <linux/anon_inodes.h>
#include <linux/compat.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <pmuctl/file.h>
#include <pmuctl/read.h>

static atomic_t nr_files;

u32 pmuctl_file_count(void)
{
	return atomic_read(&nr_files);
}

static ssize_t event_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct pmuctl_event *event = file->private_data;
	u64 few[8], *values = few;	/* enough for one event, which is what most reads are for */
	ssize_t length;

	size = min_t(size_t, size, PMUCTL_READ_SIZE_MAX);
	if (size > sizeof(few))
		values = kmalloc(size, GFP_KERNEL);
	if (!values)
		return -ENOMEM;
	length = pmuctl_event_read(event, values, size);
	if (length > 0 && copy_to_user(buf, values, length))
		length = -EFAULT;
	if (values != few)
		kfree(values);
	return length;
}

/* Without a ring there is nothing to wait for. An error is told apart from an end (REG-37). */
static __poll_t event_poll(struct file *file, poll_table *wait)
{
	return pmuctl_event_failed(file->private_data) ? EPOLLERR : EPOLLHUP;
}

static long event_control(struct pmuctl_event *event, enum pmuctl_event_cmd cmd,
			  unsigned long flags)
{
	pmuctl_event_control(event, cmd, flags & PERF_IOC_FLAG_GROUP);
	return 0;
}

/* No event writes into a ring yet: there is only an output to give up. */
static long event_set_output(unsigned long fd)
{
	struct file *file;
	bool is_event;

	if (fd == -1UL)
		return 0;
	file = fget(fd);
	if (!file)
		return -EBADF;
	is_event = pmuctl_file_event(file);
	fput(file);
	return is_event ? -EINVAL : -EBADF;
}

/* A program can be attached to samples only; but who gives no file at all hears that first. */
static long check_file(unsigned long fd)
{
	struct file *file = fget(fd);

	if (!file)
		return -EBADF;
	fput(file);
	return -EINVAL;
}

/* Only breakpoints can be modified, and we have none. */
static long event_modify(const struct pmuctl_event *event, struct perf_event_attr __user *uattr)
{
	u32 type;

	if (get_user(type, &uattr->type))
		return -EFAULT;
	return type == event->attr.type ? -EOPNOTSUPP : -EINVAL;
}

static long event_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pmuctl_event *event = file->private_data;
	u64 value;
	char first;

	switch (cmd) {
	case PERF_EVENT_IOC_ENABLE:
		return event_control(event, PMUCTL_EVENT_ENABLE, arg);
	case PERF_EVENT_IOC_DISABLE:
		return event_control(event, PMUCTL_EVENT_DISABLE, arg);
	case PERF_EVENT_IOC_RESET:
		return event_control(event, PMUCTL_EVENT_RESET, arg);
	case PERF_EVENT_IOC_ID:
		return put_user(event->id, (u64 __user *)arg);
	/* These are about samples, and a counting event takes none. */
	case PERF_EVENT_IOC_REFRESH:
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
	case PERF_EVENT_IOC_QUERY_BPF:
		return -EINVAL;
	case PERF_EVENT_IOC_PERIOD:
		return get_user(value, (u64 __user *)arg) ? -EFAULT : -EINVAL;
	case PERF_EVENT_IOC_SET_OUTPUT:
		return event_set_output(arg);
	case PERF_EVENT_IOC_SET_BPF:
		return check_file(arg);
	case PERF_EVENT_IOC_SET_FILTER:
		return get_user(first, (char __user *)arg) ? -EFAULT : -EINVAL;
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return event_modify(event, (struct perf_event_attr __user *)arg);
	default:
		return -ENOTTY;
	}
}

#ifdef CONFIG_COMPAT
/* The size of a pointer is part of two of the numbers. */
static long event_compat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (_IOC_TYPE(cmd) == _IOC_TYPE(PERF_EVENT_IOC_ID) &&
	    _IOC_SIZE(cmd) == sizeof(compat_uptr_t)) {
		cmd &= ~IOCSIZE_MASK;
		cmd |= sizeof(void *) << IOCSIZE_SHIFT;
	}
	if (_IOC_DIR(cmd) != _IOC_NONE)
		arg = (unsigned long)compat_ptr(arg);
	return event_ioctl(file, cmd, arg);
}
#else
#define event_compat_ioctl NULL
#endif

static int event_release(struct inode *inode, struct file *file)
{
	pmuctl_event_close(file->private_data);
	atomic_dec(&nr_files);
	return 0;
}

static const struct file_operations event_fops = {
	.owner		= THIS_MODULE,
	.read		= event_read,
	.poll		= event_poll,
	.unlocked_ioctl	= event_ioctl,
	.compat_ioctl	= event_compat_ioctl,
	.release	= event_release,
};

struct file *pmuctl_file_create(struct pmuctl_event *event, int flags)
{
	struct file *file = anon_inode_getfile("[pmuctl_event]", &event_fops, event,
					       O_RDWR | flags);

	if (!IS_ERR(file))
		atomic_inc(&nr_files);
	return file;
}

struct pmuctl_event *pmuctl_file_event(struct file *file)
{
	return file->f_op == &event_fops ? file->private_data : NULL;
}
