// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks a performance-event core questions and prints one line an answer. Run on in-tree perf and
 * on pmuctl in the same guest, the outputs are compared (tests/abi/compare). The guest needs two
 * CPUs and cgroup v2.
 *
 * usage: probe perf|pmuctl [THEME...]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

/* Seconds that a theme may take; none needs a tenth of it. */
#define PATIENCE 120

static const struct theme {
	const char *name;
	void (*run)(void);
} themes[] = {
	{ "attr", theme_attr },
	{ "size", theme_size },
	{ "open", theme_open },
	{ "permission", theme_permission },
	{ "group", theme_group },
	{ "count", theme_count },
	{ "read", theme_read },
	{ "ioctl", theme_ioctl },
	{ "file", theme_file },
	{ "attach", theme_attach },
	{ "inherit", theme_inherit },
	{ "inherit control", theme_inherit_control },
	{ "inherit group", theme_inherit_group },
	{ "exec", theme_exec },
	{ "exit", theme_exit },
	{ "multiplex", theme_multiplex },
	{ "pinned", theme_pinned },
	{ "exclusive", theme_exclusive },
	{ "software", theme_software },
	{ "mixed", theme_mixed },
	{ "cgroup", theme_cgroup },
	{ "cpu", theme_cpu },
	{ "hotplug", theme_hotplug },
};

/* In a process group of its own, so that nothing it started is left behind. */
static pid_t start(const struct theme *theme)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setpgid(0, 0);
	alarm(PATIENCE);
	theme->run();
	exit(fflush(stdout) ? 1 : 0);
}

static bool run(const struct theme *theme)
{
	pid_t pid = start(theme);
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return false;
	kill(-pid, SIGKILL);
	if (!status)
		return true;
	fprintf(stderr, "probe: theme '%s' ended early: %s %d\n", theme->name,
		WIFSIGNALED(status) ? "signal" : "status",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return false;
}

static bool wanted(const struct theme *theme, char **names)
{
	if (!*names)
		return true;
	while (*names && strcmp(*names, theme->name))
		names++;
	return *names;
}

int main(int argc, char **argv)
{
	int failed = 0;
	size_t i;

	if (argc < 2 || !core_choose(argv[1])) {
		fprintf(stderr, "probe: usage: probe perf|pmuctl [THEME...] (and the core must be there)\n");
		return 2;
	}
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		fprintf(stderr, "probe: one CPU is not enough\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	for (i = 0; i < LENGTH(themes); i++) {
		if (wanted(&themes[i], argv + 2))
			failed += !run(&themes[i]);
	}
	return failed ? 1 : 0;
}
