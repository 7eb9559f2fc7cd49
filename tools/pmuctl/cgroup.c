// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control groups as something to count in: names to open directories, and to which event each
 * belongs. Version 2 only, as the module's: version 1 has a hierarchy of its own for perf.
 */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "sysfs.h"

char *cgroup_mount(void)
{
	char *path = text_format("%s/mounts", proc_root());
	FILE *mounts = setmntent(path, "re");
	struct mntent *entry;
	char *found = NULL;

	free(path);
	if (!mounts)
		return NULL;
	while (!found && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "cgroup2"))
			found = xstrdup(entry->mnt_dir);
	endmntent(mounts);
	return found;
}

static int open_one(struct cgroup *cgroup, const char *mount, struct why *why)
{
	char *path;

	if (!*cgroup->name)
		return 0;
	path = text_format("%s/%s", mount, cgroup->name + strspn(cgroup->name, "/"));
	cgroup->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		why_set(why, "there is no cgroup '%s' below %s. See 'systemd-cgls' for those there are",
			cgroup->name, mount);
	else if (cgroup->fd < 0)
		why_set(why, "cgroup '%s': %s cannot be opened: %s. Run it as root", cgroup->name,
			path, strerror(errno));
	free(path);
	return cgroup->fd < 0 ? -1 : 0;
}

static struct cgroup *append(struct cgroup_list *list, const char *name)
{
	list->cgroup = xrealloc(list->cgroup, list->nr + 1, sizeof(*list->cgroup));
	list->cgroup[list->nr] = (struct cgroup){ xstrdup(name), -1 };
	return &list->cgroup[list->nr++];
}

int cgroups_open(struct cgroup_list *list, const char *names, struct why *why)
{
	char *mount = cgroup_mount(), *copy, *rest, *name;
	int err = 0;

	if (!mount)
		return why_set(why, "no cgroup2 is mounted. Run 'mount -t cgroup2 none /sys/fs/cgroup' as root, or boot with systemd.unified_cgroup_hierarchy=1");
	copy = rest = xstrdup(names);
	while (!err && (name = strsep(&rest, ",")))
		err = open_one(append(list, name), mount, why);
	free(copy);
	free(mount);
	return err;
}

static const struct cgroup *named(const struct cgroup *cgroup)
{
	return *cgroup->name ? cgroup : NULL;
}

static bool same(const struct cgroup *a, const struct cgroup *b)
{
	return a == b || (a && b && !strcmp(a->name, b->name));
}

int cgroups_assign(const struct cgroup_list *list, struct event_list *events, struct why *why)
{
	if (list->nr != 1 && list->nr != events->nr)
		return why_set(why, "%zu cgroups for %zu events: give one for all events, or one for each (empty for none, as in 'a,,b')",
			       list->nr, events->nr);
	for (size_t i = 0; i < events->nr; i++) {
		struct event *event = &events->event[i];

		event->cgroup = named(&list->cgroup[list->nr == 1 ? 0 : i]);
		if (!same(event->cgroup, events->event[event->leader].cgroup))
			return why_set(why, "event '%s': its group's leader counts in another cgroup. Give all members of a group the same cgroup",
				       event->name);
	}
	return 0;
}

static struct event copy_event(const struct event *event, const struct cgroup *cgroup,
			       size_t offset)
{
	struct event copy = *event;

	copy.name = xstrdup(event->name);
	copy.leader += offset;
	copy.cgroup = cgroup;
	return copy;
}

void cgroups_multiply(const struct cgroup_list *list, struct event_list *events)
{
	struct event_list all = { 0 };

	all.event = xcalloc(list->nr * events->nr, sizeof(*all.event));
	for (size_t c = 0; c < list->nr; c++) {
		size_t offset = all.nr;

		for (size_t i = 0; i < events->nr; i++)
			all.event[all.nr++] = copy_event(&events->event[i],
							 named(&list->cgroup[c]), offset);
	}
	events_free(events);
	*events = all;
}

void cgroups_free(struct cgroup_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->cgroup[i].fd >= 0)
			close(list->cgroup[i].fd);
		free(list->cgroup[i].name);
	}
	free(list->cgroup);
	*list = (struct cgroup_list){ 0 };
}

/* The kernel's number for handles of its own small file systems: FILEID_KERNFS. */
#define HANDLE_KERNFS	0xfe

static int open_id(int mount_fd, uint64_t id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} u = { .handle = { .handle_bytes = sizeof(id), .handle_type = HANDLE_KERNFS } };

	memcpy(u.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount_fd, &u.handle, O_PATH | O_CLOEXEC);
}

/* The path of an open directory, without @mount before it. */
static char *path_below(int fd, const char *mount)
{
	char *link = text_format("/proc/self/fd/%d", fd), path[4096];
	ssize_t length = readlink(link, path, sizeof(path) - 1);
	size_t skip = strlen(mount);

	free(link);
	if (length < 0)
		return NULL;
	path[length] = '\0';
	if (strncmp(path, mount, skip))
		return xstrdup(path);
	return xstrdup(path[skip] ? path + skip : "/");
}

char *cgroup_path(uint64_t id)
{
	char *mount = cgroup_mount(), *path = NULL;
	int mount_fd = mount ? open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int fd = mount_fd >= 0 ? open_id(mount_fd, id) : -1;

	if (fd >= 0) {
		path = path_below(fd, mount);
		close(fd);
	}
	if (mount_fd >= 0)
		close(mount_fd);
	free(mount);
	return path ? path : text_format("cgroup %llu", (unsigned long long)id);
}
