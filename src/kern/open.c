// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMUCTL_IOC_EVENT_OPEN: from the caller's words to an event file. Validates everything before
 * allocating anything; each refusal says which rule it was.
 */
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <pmuctl/attr.h>
#include <pmuctl/file.h>
#include <pmuctl/perm.h>

#define FLAGS_KNOWN (PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | \
		     PERF_FLAG_FD_CLOEXEC)

/* A request on its way: what was read, what was found. */
struct request {
	struct pmuctl_event_open args;
	struct perf_event_attr attr;
	struct task_struct *task;
	struct cgroup *cgroup;
	struct file *leader_file;
	struct pmuctl_event *leader;
};

/* ATTR-02, ATTR-03: the size protocol of perf's attr. */
static int read_attr(struct request *req, struct pmuctl_msg *msg)
{
	struct perf_event_attr __user *uattr = u64_to_user_ptr(req->args.attr);
	u32 size;
	int err;

	if (get_user(size, &uattr->size))
		return pmuctl_refuse(msg, -EFAULT, "the attr cannot be read");
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		goto too_big;
	err = copy_struct_from_user(&req->attr, sizeof(req->attr), uattr, size);
	if (err == -E2BIG)
		goto too_big;
	if (err)
		return pmuctl_refuse(msg, err, "the attr cannot be read");
	req->attr.size = size;
	return 0;

too_big:
	put_user((u32)sizeof(req->attr), &uattr->size);
	return pmuctl_refuse(msg, -E2BIG, "attr.size is %u, this kernel knows %zu bytes and the rest "
			     "is not zero. Use the size written back", size, sizeof(req->attr));
}

static int check_flags(const struct request *req, struct pmuctl_msg *msg)
{
	u64 flags = req->args.flags;

	if (flags & ~(u64)FLAGS_KNOWN)
		return pmuctl_refuse(msg, -EINVAL, "unknown bits in flags. Use PERF_FLAG_* of "
				     "perf_event_open(2)");
	if (flags & PERF_FLAG_PID_CGROUP) {
		if (req->args.pid == -1 || req->args.cpu == -1)
			return pmuctl_refuse(msg, -EINVAL, "a cgroup event needs the cgroup's "
					     "directory as pid, and a cpu");
	}
	return 0;
}

/* OPEN-08 to -10 */
static int find_leader(struct request *req, struct pmuctl_msg *msg)
{
	if (req->args.group_fd == -1)
		return 0;
	req->leader_file = fget(req->args.group_fd);
	if (!req->leader_file || !pmuctl_file_event(req->leader_file))
		return pmuctl_refuse(msg, -EBADF, "group_fd %d is not an event file of pmuctl. Give "
				     "the leader's, or -1", req->args.group_fd);
	if (!(req->args.flags & PERF_FLAG_FD_NO_GROUP))
		req->leader = pmuctl_file_event(req->leader_file);
	if (req->leader && pmuctl_event_finished(req->leader))
		return pmuctl_refuse(msg, -ENODEV, "the group's leader has ended with its task. "
				     "Open a new group");
	if (req->args.flags & PERF_FLAG_FD_OUTPUT)
		return pmuctl_refuse(msg, -EOPNOTSUPP, "sample output (PERF_FLAG_FD_OUTPUT) is not "
				     "implemented yet");
	return 0;
}

/* OPEN-11 */
static int find_task(struct request *req, struct pmuctl_msg *msg)
{
	struct pid *pid;

	if (req->args.pid == -1 || req->args.flags & PERF_FLAG_PID_CGROUP)
		return 0;
	if (!req->args.pid) {
		req->task = get_task_struct(current);
		return 0;
	}
	pid = find_get_pid(req->args.pid);
	req->task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!req->task)
		return pmuctl_refuse(msg, -ESRCH, "there is no task %d", req->args.pid);
	return 0;
}

/* OPEN-18 */
static int find_cgroup(struct request *req, struct pmuctl_msg *msg)
{
	struct cgroup *cgroup;
	struct file *file;

	if (!(req->args.flags & PERF_FLAG_PID_CGROUP))
		return 0;
	/* Not by a path alone (O_PATH), which the call below would accept. */
	file = fget(req->args.pid);
	cgroup = file ? cgroup_get_from_fd(req->args.pid) : ERR_PTR(-EBADF);
	if (file)
		fput(file);
	if (IS_ERR(cgroup))
		return pmuctl_refuse(msg, PTR_ERR(cgroup), "file %d is not the directory of a cgroup (v2). "
				     "Open one below /sys/fs/cgroup", req->args.pid);
	req->cgroup = cgroup;
	return 0;
}

/* OPEN-13 */
static int check_cpu(const struct request *req, struct pmuctl_msg *msg)
{
	int cpu = req->args.cpu;

	if (req->task && cpu == -1)
		return 0;
	if (cpu == -1)
		return pmuctl_refuse(msg, -EINVAL, "pid -1 with cpu -1 would count everything "
				     "everywhere. Open one event for each CPU");
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return pmuctl_refuse(msg, -EINVAL, "there is no CPU %d", cpu);
	if (req->attr.sigtrap && !req->task)
		return pmuctl_refuse(msg, -EINVAL, "sigtrap needs a task that gets the signal. Give "
				     "a pid, or clear the bit");
	return 0;
}

static struct pmuctl_event *open_event(struct request *req, struct pmuctl_msg *msg)
{
	struct pmuctl_event_spec spec = {
		.attr = &req->attr,
		.task = req->task,
		.cpu = req->args.cpu,
		.cgroup = req->cgroup,
		.leader = req->leader,
	};
	struct pmuctl_event *event;
	int err;

	if (!req->task)
		return pmuctl_event_open(&spec, msg);
	/* An exec in between could turn a task we may measure into one we may not (OPEN-22). */
	err = down_read_interruptible(&req->task->signal->exec_update_lock);
	if (err)
		return ERR_PTR(err);
	err = pmuctl_perm_task(req->task, msg);
	event = err ? ERR_PTR(err) : pmuctl_event_open(&spec, msg);
	up_read(&req->task->signal->exec_update_lock);
	return event;
}

static int open_file(struct request *req, struct pmuctl_msg *msg)
{
	int fd_flags = req->args.flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0;
	struct pmuctl_event *event;
	struct file *file;
	int fd = get_unused_fd_flags(fd_flags);

	if (fd < 0)
		return pmuctl_refuse(msg, fd, "no file descriptor is free. Close some, or raise "
				     "'ulimit -n'");
	event = open_event(req, msg);
	if (IS_ERR(event)) {
		put_unused_fd(fd);
		return PTR_ERR(event);
	}
	file = pmuctl_file_create(event, fd_flags);
	if (IS_ERR(file)) {
		pmuctl_event_close(event);
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	/* From here on nothing may fail (OPEN-32). */
	fd_install(fd, file);
	return fd;
}

static bool of_cpu(const struct request *req)
{
	return req->args.pid == -1 || req->args.flags & PERF_FLAG_PID_CGROUP;
}

/* The checks in perf's order, checklist D0.1 and D0.2. */
static int handle(struct request *req, struct pmuctl_msg *msg)
{
	int err = check_flags(req, msg);

	if (!err)
		err = read_attr(req, msg);
	if (!err)
		err = pmuctl_attr_check(&req->attr, msg);
	if (!err)
		err = pmuctl_perm_open(&req->attr, of_cpu(req), msg);
	if (!err)
		err = find_leader(req, msg);
	if (!err)
		err = find_task(req, msg);
	if (!err)
		err = check_cpu(req, msg);
	if (!err)
		err = find_cgroup(req, msg);
	if (!err)
		err = open_file(req, msg);
	return err;
}

static void give_reason(const struct pmuctl_event_open *args, const struct pmuctl_msg *msg)
{
	char __user *to = u64_to_user_ptr(args->msg);
	size_t length = min_t(size_t, strlen(msg->text) + 1, args->msg_size);

	if (!length)
		return;
	/* The reason is a courtesy: the errno stands whether or not it arrives. */
	if (!copy_to_user(to, msg->text, length))
		put_user('\0', to + length - 1);
}

long pmuctl_open_ioctl(struct pmuctl_event_open __user *uarg)
{
	struct request req = {};
	struct pmuctl_msg msg = {};
	u32 size;
	int result;

	if (get_user(size, &uarg->size))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	result = copy_struct_from_user(&req.args, sizeof(req.args), uarg, size);
	if (result)
		return result;
	if (size < sizeof(req.args) || req.args.__reserved)
		return -EINVAL;
	result = handle(&req, &msg);
	if (result < 0)
		give_reason(&req.args, &msg);
	if (req.task)
		put_task_struct(req.task);
	if (req.cgroup)
		cgroup_put(req.cgroup);
	if (req.leader_file)
		fput(req.leader_file);
	return result;
}
