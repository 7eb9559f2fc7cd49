// SPDX-License-Identifier: GPL-2.0-only
/*
 * A made-up /sys and /proc below /tmp for tests. Never touches the machine's own.
 */
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"

static char root[64];

void fixture_make(void)
{
	strcpy(root, "/tmp/pmuctl-test-XXXXXX");
	assert_non_null(mkdtemp(root));
	setenv("SYSFS_PATH", root, 1);
	setenv("PROC_PATH", root, 1);
}

void fixture_file(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

void fixture_cpu_pmu(void)
{
	static const char *const file[][2] = {
		{ "type", "4\n" },
		{ "format/event", "config:0-7\n" },
		{ "format/umask", "config:8-15\n" },
		{ "format/edge", "config:18\n" },
		{ "format/cmask", "config:24-31\n" },
		{ "format/ldlat", "config1:0-15\n" },
		{ "events/branch-misses", "event=0xc5\n" },
		{ "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
		{ "events/any-latency", "event=0xcd,ldlat=?\n" },
		{ "events/loop", "loop\n" },
	};
	char path[128];

	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		snprintf(path, sizeof(path), "bus/event_source/devices/cpu/%s", file[i][0]);
		fixture_file(path, file[i][1]);
	}
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void fixture_remove(void)
{
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	unsetenv("SYSFS_PATH");
	unsetenv("PROC_PATH");
}
