// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/pmuctl: what the module is, which PMUs it drives, and the way to open events.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/uaccess.h>
#include <pmuctl/class.h>
#include <pmuctl/file.h>
#include <pmuctl/module.h>
#include <pmuctl/perm.h>
#include <pmuctl/pmu.h>
#include <pmuctl/read.h>
#include <pmuctl/snapshot.h>

#define FEATURES (PMUCTL_FEATURE_COUNT_TASK | PMUCTL_FEATURE_COUNT_CPU | PMUCTL_FEATURE_GROUPS | \
		  PMUCTL_FEATURE_MULTIPLEX | PMUCTL_FEATURE_INHERIT | PMUCTL_FEATURE_CGROUP | \
		  PMUCTL_FEATURE_SOFTWARE | PMUCTL_FEATURE_READ_VECTOR | PMUCTL_FEATURE_SNAPSHOT)

struct pmuctl_msg pmuctl_no_pmu;

/*
 * Hand out @length bytes of which the caller's structure of @size bytes takes what fits; a longer
 * one gets zeroes. The size comes first in either.
 */
static long reply(void __user *uarg, u32 size, void *from, u32 length)
{
	u32 copied = min(size, length);

	*(u32 *)from = length;
	if (copy_to_user(uarg, from, copied) || clear_user(uarg + copied, size - copied))
		return -EFAULT;
	return 0;
}

/* A structure of which not even the first version fits is no structure of ours. */
static int check_size(u32 size, u32 first_version)
{
	return size < first_version || size > PAGE_SIZE ? -EINVAL : 0;
}

static long info_ioctl(struct pmuctl_info __user *uarg)
{
	struct pmuctl_info info = {
		.abi = PMUCTL_ABI_VERSION,
		.features = FEATURES,
		.nr_pmus = pmuctl_nr_hardware,
		.paranoid = pmuctl_paranoid,
		.nr_events = pmuctl_file_count(),
	};
	u32 size;

	if (get_user(size, &uarg->size))
		return -EFAULT;
	if (check_size(size, sizeof(info)))
		return -EINVAL;
	strscpy(info.version, THIS_MODULE->version, sizeof(info.version));
	strscpy(info.no_pmu, pmuctl_no_pmu.text, sizeof(info.no_pmu));
	return reply(uarg, size, &info, sizeof(info));
}

static void describe_holder(struct pmuctl_pmu *pmu, struct pmuctl_pmu_info *info)
{
	struct pmuctl_msg msg = {};

	if (pmu->nr_events)
		info->holder = PMUCTL_HOLDER_PMUCTL;
	else if (pmu->ops->held_elsewhere(pmu, &msg))
		info->holder = PMUCTL_HOLDER_OTHER;
	else
		info->holder = PMUCTL_HOLDER_NOBODY;
	strscpy(info->holder_text, msg.text, sizeof(info->holder_text));
}

static void describe(struct pmuctl_pmu *pmu, struct pmuctl_pmu_info *info)
{
	info->type = pmu->type;
	info->version = pmu->version;
	info->nr_gp = pmu->nr_gp;
	info->nr_fixed = pmu->nr_fixed;
	info->width_gp = pmu->width_gp;
	info->width_fixed = pmu->width_fixed;
	info->features = pmu->features;
	info->branch_depth = pmu->branch_depth;
	info->branch_counters = pmu->branch_counters;
	info->branch_counter_width = pmu->branch_counter_width;
	strscpy(info->name, pmu->name, sizeof(info->name));

	mutex_lock(&pmuctl_open_mutex);
	info->nr_classes = pmuctl_class_count(pmu);
	info->nr_events = pmu->nr_events;
	describe_holder(pmu, info);
	mutex_unlock(&pmuctl_open_mutex);
}

static long pmu_ioctl(struct pmuctl_pmu_info __user *uarg)
{
	struct pmuctl_pmu_info info = {};
	u32 size, index;

	if (get_user(size, &uarg->size))
		return -EFAULT;
	if (check_size(size, sizeof(info)))
		return -EINVAL;
	if (get_user(index, &uarg->index))
		return -EFAULT;
	if (index >= pmuctl_nr_hardware)
		return -ENODEV;
	info.index = index;
	describe(pmuctl_pmus[index], &info);
	return reply(uarg, size, &info, sizeof(info));
}

/* The structures grow, and with them the size in the command: only type and number count. */
static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *uarg = (void __user *)arg;

	if (_IOC_TYPE(cmd) != PMUCTL_IOC_MAGIC)
		return -ENOTTY;
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(PMUCTL_IOC_INFO):
		return info_ioctl(uarg);
	case _IOC_NR(PMUCTL_IOC_PMU):
		return pmu_ioctl(uarg);
	case _IOC_NR(PMUCTL_IOC_EVENT_OPEN):
		return pmuctl_open_ioctl(uarg);
	case _IOC_NR(PMUCTL_IOC_READ):
		return pmuctl_read_ioctl(uarg);
	case _IOC_NR(PMUCTL_IOC_SNAPSHOT):
		return pmuctl_snapshot_ioctl(uarg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations device_fops = {
	.owner		= THIS_MODULE,
	.unlocked_ioctl	= device_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.llseek		= noop_llseek,
};

/* Open to all: what a caller may measure is decided event by event (perm.c). */
static struct miscdevice device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= PMUCTL_DEVICE_NAME,
	.fops	= &device_fops,
	.mode	= 0666,
};

/*
 * The driver core answers a name given twice with a backtrace, which looks like a bug of ours. So
 * look first; who comes in between still gets the driver core's answer.
 */
static bool name_taken(void)
{
	struct path path;

	if (kern_path("/sys/class/misc/" PMUCTL_DEVICE_NAME, 0, &path))
		return false;
	path_put(&path);
	return true;
}

int pmuctl_device_init(void)
{
	int err = name_taken() ? -EEXIST : misc_register(&device);

	if (err == -EEXIST)
		pr_err("pmuctl: the device name '%s' is taken by another driver. Unload that one first\n",
		       PMUCTL_DEVICE_NAME);
	else if (err)
		pr_err("pmuctl: cannot make %s: error %d\n", PMUCTL_DEVICE_PATH, err);
	return err;
}

void pmuctl_device_exit(void)
{
	misc_deregister(&device);
}
