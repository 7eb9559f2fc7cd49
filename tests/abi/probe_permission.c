// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may measure what at which paranoid level (OPEN-01, OPEN-03, OPEN-22, OPEN-24). Levels are set
 * in whatever place the chosen core keeps them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

static void set_paranoid(const char *level)
{
	int fd = open(core_paranoid_path(), O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, level, strlen(level)) != (ssize_t)strlen(level))
		answer("permission: set paranoid", "%s", strerrorname_np(errno));
	close(fd);
}

static void get_paranoid(char *level, size_t size)
{
	int fd = open(core_paranoid_path(), O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, level, size - 1);

	level[got > 0 ? got : 0] = '\0';
	close(fd);
}

static const struct {
	const char *what;
	struct perf_event_attr change;	/* or-ed to a plain counting event */
	bool kernel;
	bool self;
	bool cpu;
} wishes[] = {
	{ "own user space", {}, false, true, false },
	{ "own kernel", {}, true, true, false },
	{ "own, bound to a cpu", {}, false, true, true },
	{ "a cpu", {}, false, false, true },
	{ "a cpu with its kernel", {}, true, false, true },
	{ "namespaces (OPEN-04)", { .namespaces = 1 }, false, true, false },
	{ "text_poke", { .text_poke = 1 }, false, true, false },
	{ "physical addresses (OPEN-06)", { .sample_type = PERF_SAMPLE_PHYS_ADDR }, false, true, false },
	{ "call chain of the kernel", { .sample_type = PERF_SAMPLE_CALLCHAIN }, false, true, false },
	{ "call chain of user space", { .sample_type = PERF_SAMPLE_CALLCHAIN,
					.exclude_callchain_kernel = 1 }, false, true, false },
	{ "remove_on_exec", { .remove_on_exec = 1 }, false, true, false },
};

static void probe_wishes(const char *who)
{
	char name[120];
	size_t i, byte;

	for (i = 0; i < LENGTH(wishes); i++) {
		struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);

		for (byte = 0; byte < sizeof(attr); byte++)
			((char *)&attr)[byte] |= ((const char *)&wishes[i].change)[byte];
		attr.exclude_kernel = !wishes[i].kernel;
		snprintf(name, sizeof(name), "permission: %s, %s", who, wishes[i].what);
		answer_open(name, core_open(&attr, wishes[i].self ? 0 : -1, wishes[i].cpu ? 0 : -1, -1, 0));
	}
}

static void become_user(void)
{
	if (setresgid(PUPPET_USER, PUPPET_USER, PUPPET_USER) ||
	    setresuid(PUPPET_USER, PUPPET_USER, PUPPET_USER))
		_exit(1);
}

/* In a child that is an ordinary user from there on. */
static void as_user(void (*probe)(const char *who), const char *who)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		become_user();
		prctl(PR_SET_DUMPABLE, 1);
		probe(who);
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static pid_t of_root, of_user;

static void probe_others(const char *who)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	char name[120];

	snprintf(name, sizeof(name), "permission: %s, task of root (OPEN-22)", who);
	answer_open(name, core_open(&attr, of_root, -1, -1, 0));
	snprintf(name, sizeof(name), "permission: %s, task of his own", who);
	answer_open(name, core_open(&attr, of_user, -1, -1, 0));
	snprintf(name, sizeof(name), "permission: %s, kernel thread", who);
	answer_open(name, core_open(&attr, 2, -1, -1, 0));
}

static void probe_levels(void)
{
	static const char *const levels[] = { "3", "2", "1", "0" };
	char who[40];
	size_t i;

	for (i = 0; i < LENGTH(levels); i++) {
		set_paranoid(levels[i]);
		snprintf(who, sizeof(who), "user at level %s", levels[i]);
		as_user(probe_wishes, who);
	}
	set_paranoid("3");
	probe_wishes("root at level 3");
}

void theme_permission(void)
{
	struct stage root, user;
	char before[16];

	get_paranoid(before, sizeof(before));
	probe_levels();

	set_paranoid("2");
	stage_open(&root, "s0");
	stage_open(&user, "s0uxs0");
	stage_step(&user, 0);
	of_root = root.pid;
	of_user = user.pid;
	as_user(probe_others, "user at level 2");
	stage_kill(&user);
	stage_kill(&root);
	set_paranoid(before);
}
