// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading small files below /sys and /proc. Never writes there, and never decides what a value
 * means: that is for the callers.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs.h"

static const char *root(const char *variable, const char *usual)
{
	const char *path = getenv(variable);

	return path && *path ? path : usual;
}

const char *sysfs_root(void)
{
	return root("SYSFS_PATH", "/sys");
}

const char *proc_root(void)
{
	return root("PROC_PATH", "/proc");
}

static char *path_below(const char *below, const char *fmt, va_list ap)
{
	char *rest = text_vformat(fmt, ap);
	char *path = text_format("%s/%s", below, rest);

	free(rest);
	return path;
}

static char *first_line(char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	free(path);
	if (!f)
		return NULL;
	if (getline(&line, &size, f) < 0) {
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\n")] = '\0';
	}
	fclose(f);
	return line;
}

static int line_to_int(char *line, int absent)
{
	char *end = line;
	long value = absent;

	if (line) {
		value = strtol(line, &end, 10);
		if (end == line)
			value = absent;
	}
	free(line);
	return (int)value;
}

char *sysfs_line(const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(sysfs_root(), fmt, ap);
	va_end(ap);
	return first_line(path);
}

char *proc_line(const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(proc_root(), fmt, ap);
	va_end(ap);
	return first_line(path);
}

int sysfs_int(int absent, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(sysfs_root(), fmt, ap);
	va_end(ap);
	return line_to_int(first_line(path), absent);
}

int proc_int(int absent, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(proc_root(), fmt, ap);
	va_end(ap);
	return line_to_int(first_line(path), absent);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void sysfs_names(void (*each)(const char *name, void *arg), void *arg, const char *fmt, ...)
{
	struct dirent **entry;
	va_list ap;
	char *path;
	int nr;

	va_start(ap, fmt);
	path = path_below(sysfs_root(), fmt, ap);
	va_end(ap);
	nr = scandir(path, &entry, not_hidden, alphasort);
	free(path);
	if (nr < 0)
		return;
	for (int i = 0; i < nr; i++) {
		each(entry[i]->d_name, arg);
		free(entry[i]);
	}
	free(entry);
}

/* x86 calls its core PMU "cpu", hybrid parts "cpu_core"; arm64 names the design ("..._pmuv3_0"). */
static void take_core_pmu(const char *name, void *arg)
{
	char **found = arg;
	bool core = !strcmp(name, "cpu") || !strcmp(name, "cpu_core") ||
		    (!strncmp(name, "arm", 3) && strstr(name, "_pmuv3")) ||
		    (!strncmp(name, "armv8_", 6) && !strstr(name, "_dsu"));

	if (core && !*found)
		*found = xstrdup(name);
}

char *sysfs_core_pmu(void)
{
	char *name = NULL;

	sysfs_names(take_core_pmu, &name, "bus/event_source/devices");
	return name;
}

int sysfs_online_cpus(struct cpulist *list, struct why *why)
{
	char *line = sysfs_line("devices/system/cpu/online");
	int err;

	if (!line)
		return why_set(why, "%s/devices/system/cpu/online cannot be read. Mount sysfs",
			       sysfs_root());
	err = cpulist_parse(list, line, why);
	free(line);
	return err;
}
