// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does everything to events at once, at random: several threads open, group, enable, read, move and
 * close events of every kind on themselves, on each other, on children that fork, start threads and
 * execute, on CPUs and on cgroups, while all wander over the CPUs and CPU 1 goes off and on. What
 * this looks for is in the kernel's log; by itself it checks that counts and times never go back,
 * that running is at most enabled, and that only expected errors come.
 *
 * usage: hammer SECONDS [SEED [perf|pmuctl]]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "probe.h"
#include "stage.h"

#define THREADS 6
#define FILES 12
#define CHILDREN 2
#define CGROUPS 4
#define MEMBERS_MAX 32

static atomic_int tids[THREADS];
static atomic_int children[THREADS * CHILDREN];
static atomic_int done;
static atomic_long steps, opened, read_ok, snapshots, spawned, wrong;
static int cpus, puppet;
static int cgroups[CGROUPS];
/* The first one is ours, and holds all that we start. */
static const char *const cgroup_names[CGROUPS] = { "hammer", "hammer/0", "hammer/1", "hammer/1/below" };

struct held {
	int fd;
	bool group;		/* reads a group */
	struct counts last;
};

struct hammer {
	unsigned int seed;
	int nr;
	struct held held[FILES];
};

static unsigned int random_below(struct hammer *h, unsigned int n)
{
	return rand_r(&h->seed) % n;
}

static bool one_in(struct hammer *h, unsigned int n)
{
	return !random_below(h, n);
}

/* The first few are enough to know what is wrong. */
static void complain(const char *what, long value)
{
	if (wrong++ < 20)
		fprintf(stderr, "hammer: %s: %ld\n", what, value);
}

/* ---- opening ---- */

/* No cache events: the model translates all code anew whenever somebody begins to count them. */
static void choose_event(struct hammer *h, struct perf_event_attr *attr)
{
	static const u64 generic[] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_BRANCH_MISSES,
	};

	switch (random_below(h, 4)) {
	case 0:
		*attr = software(random_below(h, PERF_COUNT_SW_DUMMY + 1));
		break;
	case 1:
		*attr = counting(generic[random_below(h, LENGTH(generic))]);
		break;
	default:
		*attr = raw(raw_configs[random_below(h, NR_RAW)]);
	}
}

static void choose_flags(struct hammer *h, struct perf_event_attr *attr)
{
	attr->disabled = one_in(h, 2);
	attr->exclude_kernel = one_in(h, 2);
	attr->inherit = one_in(h, 2);
	attr->inherit_stat = one_in(h, 8);
	attr->inherit_thread = attr->inherit && one_in(h, 4);
	attr->pinned = one_in(h, 8);
	attr->exclusive = one_in(h, 16);
	attr->enable_on_exec = one_in(h, 4);
	attr->remove_on_exec = !attr->enable_on_exec && one_in(h, 4);
	if (one_in(h, 3))
		attr->read_format |= PERF_FORMAT_GROUP;
}

static pid_t choose_task(struct hammer *h)
{
	pid_t child = children[random_below(h, THREADS * CHILDREN)];

	return child && one_in(h, 2) ? child : tids[random_below(h, THREADS)];
}

/*
 * EINVAL: a group of something else, or one too large. ENODEV: a CPU that is off, a leader whose
 * task is gone. ESRCH: a task that is gone. EBUSY: counters. EOPNOTSUPP: not yet.
 */
static bool expected(int error)
{
	return error == -EINVAL || error == -ENODEV || error == -ESRCH || error == -EBUSY ||
	       error == -EOPNOTSUPP;
}

static int open_at_random(struct hammer *h, struct perf_event_attr *attr)
{
	int leader = one_in(h, 2) ? h->held[random_below(h, FILES)].fd : -1;

	switch (random_below(h, 8)) {
	case 0:
		return core_open(attr, -1, random_below(h, cpus), leader, 0);
	case 1:
		return core_open(attr, cgroups[random_below(h, CGROUPS)], random_below(h, cpus), leader,
				 PERF_FLAG_PID_CGROUP);
	case 2:
		return core_open(attr, choose_task(h), random_below(h, cpus), leader, 0);
	default:
		return core_open(attr, choose_task(h), -1, leader, 0);
	}
}

static void open_one(struct hammer *h, struct held *held)
{
	struct perf_event_attr attr;
	int fd;

	choose_event(h, &attr);
	choose_flags(h, &attr);
	fd = open_at_random(h, &attr);
	if (fd < 0 && !expected(fd))
		complain("open", fd);
	*held = (struct held){
		.fd = fd < 0 ? -1 : fd,
		.group = attr.read_format & PERF_FORMAT_GROUP,
	};
	opened += fd >= 0;
}

/* ---- reading ---- */

static void check_counts(struct held *held, const struct counts *now)
{
	if (now->running > now->enabled)
		complain("running above enabled by", now->running - now->enabled);
	if (now->value < held->last.value)
		complain("count went back by", held->last.value - now->value);
	if (now->enabled < held->last.enabled)
		complain("enabled went back by", held->last.enabled - now->enabled);
	if (now->running < held->last.running)
		complain("running went back by", held->last.running - now->running);
	held->last = *now;
	read_ok++;
}

/* @size bytes at @values came from the file. A pinned event in error gives none. */
static void check_read(struct held *held, const u64 *values, long size)
{
	struct counts now;

	if (!size)
		return;
	if (!held->group) {
		now = (struct counts){ values[0], values[1], values[2] };
		if (size != sizeof(now))
			complain("bytes of a read", size);
		else
			check_counts(held, &now);
		return;
	}
	if (size != (long)(3 + values[0]) * 8) {
		complain("bytes of a group read", size);
		return;
	}
	now = (struct counts){ values[3], values[1], values[2] };
	check_counts(held, &now);
}

/* ECHILD: children whose group has another shape. ENOSPC: a group larger than the room. */
static void check_error(int error)
{
	if (error != ECHILD && error != ENOSPC)
		complain("read", error);
}

static void read_one(struct held *held)
{
	u64 values[3 + MEMBERS_MAX];
	ssize_t size = read(held->fd, values, sizeof(values));

	if (size < 0)
		check_error(errno);
	else
		check_read(held, values, size);
}

static void read_vector(struct hammer *h)
{
	struct pmuctl_read_item items[FILES];
	u64 values[FILES * (3 + MEMBERS_MAX)], *at = values;
	struct held *asked[FILES];
	int i, n = 0;
	long size;

	for (i = 0; i < FILES; i++) {
		if (h->held[i].fd < 0)
			continue;
		asked[n] = &h->held[i];
		items[n++] = (struct pmuctl_read_item){ .fd = h->held[i].fd };
	}
	if (!n)
		return;
	size = device_read(items, n, values, sizeof(values));
	if (size < 0) {
		complain("vector read", size);
		return;
	}
	for (i = 0; i < n; i++) {
		if (items[i].result < 0) {
			check_error(-items[i].result);
			continue;
		}
		check_read(asked[i], at, items[i].result);
		at += items[i].result / 8;
	}
	if ((char *)at - (char *)values != size)
		complain("vector read gave other bytes than its items", size);
}

static void check_record(const struct pmuctl_record *record)
{
	const struct pmuctl_record_event *event = (const void *)record;

	if (record->type == PMUCTL_RECORD_EVENT && event->running > event->enabled)
		complain("snapshot: running above enabled by", event->running - event->enabled);
}

static void take_snapshot(void)
{
	const struct pmuctl_record *record = NULL;
	struct snapshot snapshot;
	int error = device_snapshot(&snapshot);

	/* Others open events all the time: it may be too short again and again. */
	if (error) {
		if (error != -ENOSPC)
			complain("snapshot", error);
		return;
	}
	while ((record = device_next(&snapshot, record, &error)))
		check_record(record);
	if (error)
		complain("snapshot: bad record", error);
	free(snapshot.records);
	snapshots++;
}

/* ---- the rest of what can be done to a file ---- */

static void reset_one(struct hammer *h, struct held *held)
{
	int i;

	ioctl(held->fd, PERF_EVENT_IOC_RESET, random_below(h, 2));
	/* Of a group any of ours may be a member. */
	for (i = 0; i < FILES; i++)
		h->held[i].last.value = 0;
}

/* Who led a group is gone, perhaps, and with it the times that its members read. */
static void close_one(struct hammer *h, struct held *held)
{
	int i;

	close(held->fd);
	held->fd = -1;
	for (i = 0; i < FILES; i++) {
		if (h->held[i].group)
			h->held[i].last = (struct counts){};
	}
}

static void use_one(struct hammer *h, struct held *held)
{
	switch (random_below(h, 10)) {
	case 0:
	case 1:
		ioctl(held->fd, PERF_EVENT_IOC_ENABLE, random_below(h, 2));
		break;
	case 2:
	case 3:
		ioctl(held->fd, PERF_EVENT_IOC_DISABLE, random_below(h, 2));
		break;
	case 4:
		reset_one(h, held);
		break;
	case 5:
		if (core_device() >= 0)
			read_vector(h);
		break;
	default:
		read_one(held);
	}
}

/* ---- tasks ---- */

/* A random script of puppet.h without points to sleep at; @size leaves room for the braces. */
static char *write_script(struct hammer *h, char *at, char *end, int depth)
{
	static const char plain[] = "llnpw";
	static const char nested[] = "fvt";
	int deeds = 2 + random_below(h, 5);

	while (deeds-- > 0 && end - at > 24) {
		if (depth && one_in(h, 3)) {
			*at++ = nested[random_below(h, sizeof(nested) - 1)];
			*at++ = '{';
			at = write_script(h, at, end - 8, depth - 1);
			*at++ = '}';
		} else if (one_in(h, 4)) {
			*at++ = 'c';
			*at++ = '0' + random_below(h, 2);
		} else if (one_in(h, 8)) {
			*at++ = 'x';
		} else {
			*at++ = plain[random_below(h, sizeof(plain) - 1)];
		}
	}
	return at;
}

static void spawn(struct hammer *h, atomic_int *slot)
{
	posix_spawn_file_actions_t actions;
	char script[200] = {};
	char *argv[] = { "puppet", script, NULL }, *envp[] = { NULL };
	char path[32];
	pid_t pid;

	write_script(h, script, script + sizeof(script) - 1, 2);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", puppet);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, puppet, PUPPET_FD_SELF);
	if (!posix_spawn(&pid, path, &actions, NULL, argv, envp)) {
		/* Or its children would leave us little of the CPUs. */
		setpriority(PRIO_PROCESS, pid, 19);
		*slot = pid;
		spawned++;
	}
	posix_spawn_file_actions_destroy(&actions);
}

static void reap(atomic_int *slot, bool at_once)
{
	if (at_once)
		kill(*slot, SIGKILL);
	if (waitpid(*slot, NULL, at_once ? 0 : WNOHANG) > 0)
		*slot = 0;
}

static void tend_children(struct hammer *h)
{
	atomic_int *slot = &children[h->nr * CHILDREN + random_below(h, CHILDREN)];

	if (!*slot)
		spawn(h, slot);
	else
		reap(slot, one_in(h, 4));
}

/* Moving a task that ends meanwhile fails, and may. */
static void move_child(struct hammer *h)
{
	pid_t child = children[random_below(h, THREADS * CHILDREN)];
	char path[80], text[16];
	int fd;

	if (!child)
		return;
	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s/cgroup.procs",
		 cgroup_names[random_below(h, CGROUPS)]);
	snprintf(text, sizeof(text), "%d", child);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (write(fd, text, strlen(text)) < 0 && errno != ESRCH)
		complain("move to a cgroup", errno);
	close(fd);
}

static void wander(struct hammer *h)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(random_below(h, cpus), &set);
	sched_setaffinity(0, sizeof(set), &set);	/* fails while that CPU is off */
}

/* ---- threads ---- */

static void step(struct hammer *h)
{
	struct held *one = &h->held[random_below(h, FILES)];

	if (one->fd < 0) {
		open_one(h, one);
	} else if (one_in(h, 8)) {
		close_one(h, one);
	} else {
		use_one(h, one);
	}
	if (one_in(h, 16))
		wander(h);
	if (one_in(h, 8))
		tend_children(h);
	if (one_in(h, 16))
		move_child(h);
	if (core_device() >= 0 && one_in(h, 64))
		take_snapshot();
	loop(1 + random_below(h, 1000));
	steps++;
}

static void *thread(void *arg)
{
	struct hammer *h = arg;
	int i;

	tids[h->nr] = gettid();
	for (i = 0; i < FILES; i++)
		h->held[i].fd = -1;
	while (!done)
		step(h);
	for (i = 0; i < CHILDREN; i++) {
		if (children[h->nr * CHILDREN + i])
			reap(&children[h->nr * CHILDREN + i], true);
	}
	for (i = 0; i < FILES; i++) {
		if (h->held[i].fd >= 0)
			close(h->held[i].fd);
	}
	return NULL;
}

/* CPU 1 goes off and comes back; somebody else may do the same meanwhile. */
static void *plug(void *unused)
{
	(void)unused;
	while (!done) {
		usleep(700000);
		cpu_set_online(1, false);
		usleep(300000);
		cpu_set_online(1, true);
	}
	return NULL;
}

static void set_up(void)
{
	int i;

	puppet = stage_puppet();
	for (i = 0; i < CGROUPS; i++)
		cgroups[i] = cgroup_make(NULL, cgroup_names[i]);
	cgroup_move(cgroup_names[0], getpid());
}

/* Children of children are there still. */
static void tear_down(void)
{
	int i;

	cgroup_move("", getpid());
	cgroup_kill(cgroup_names[0]);
	for (i = CGROUPS - 1; i >= 0; i--) {
		close(cgroups[i]);
		cgroup_remove(cgroup_names[i]);
	}
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 5, i;
	unsigned int seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 20261201;
	const char *core = argc > 3 ? argv[3] : "pmuctl";
	static struct hammer hammers[THREADS];
	pthread_t threads[THREADS], plugger;

	if (!core_choose(core)) {
		fprintf(stderr, "hammer: there is no core %s\n", core);
		return 2;
	}
	cpus = sysconf(_SC_NPROCESSORS_CONF);
	printf("hammer: seed %u, %d threads, %d CPUs, %d s\n", seed, THREADS, cpus, seconds);
	fflush(stdout);
	set_up();
	for (i = 0; i < THREADS; i++) {
		hammers[i].nr = i;
		hammers[i].seed = seed + i;
		pthread_create(&threads[i], NULL, thread, &hammers[i]);
	}
	pthread_create(&plugger, NULL, plug, NULL);
	sleep(seconds);
	done = 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_join(plugger, NULL);
	tear_down();
	printf("hammer: %ld steps, %ld events opened, %ld reads, %ld snapshots, %ld children, %ld complaints\n",
	       (long)steps, (long)opened, (long)read_ok, (long)snapshots, (long)spawned, (long)wrong);
	return wrong || !opened;
}
