// SPDX-License-Identifier: GPL-2.0-only
/*
 * What doctor looks at: the state of this machine, without judgement. Only reads, and takes a
 * file that is missing or unreadable as "unknown".
 */
#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "device.h"
#include "event_sources.h"
#include "facts.h"
#include "sysfs.h"

/* linux/capability.h; CAP_SYS_ADMIN stands for CAP_PERFMON where that came later. */
#define CAP_SYS_ADMIN_BIT	21
#define CAP_PERFMON_BIT		38

#define MODULE_FILE	"/pmuctl.ko"

/* EFI's global variables, UEFI specification 3.3. */
#define SECURE_BOOT_VARIABLE	"SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static bool effective_capability(int bit)
{
	char *path = text_format("%s/self/status", proc_root());
	FILE *f = fopen(path, "re");
	unsigned long long set = 0;
	char line[256];

	free(path);
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %llx", &set) == 1)
			break;
	fclose(f);
	return set >> bit & 1;
}

static void gather_user(struct facts *facts)
{
	struct utsname name;
	char *build;

	uname(&name);
	facts->release = xstrdup(name.release);
	facts->root = geteuid() == 0;
	facts->cap_perfmon = effective_capability(CAP_PERFMON_BIT) ||
			     effective_capability(CAP_SYS_ADMIN_BIT);
	build = text_format("/lib/modules/%s/build/Makefile", facts->release);
	facts->headers = !access(build, F_OK);
	free(build);
}

/* The module's file in a kernel's modules.dep, "updates/dkms/pmuctl.ko.xz"; NULL if it has none. */
static char *module_of(const char *dep_path)
{
	FILE *f = fopen(dep_path, "re");
	char *line = NULL, *found = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	while (!found && getline(&line, &size, f) > 0) {
		line[strcspn(line, ":\n")] = '\0';
		if (strstr(line, MODULE_FILE))
			found = xstrdup(line);
	}
	free(line);
	fclose(f);
	return found;
}

static void take_module(struct facts *facts, const char *dep_path)
{
	char *file = module_of(dep_path);
	char release[128];

	if (!file || sscanf(dep_path, "/lib/modules/%127[^/]", release) != 1) {
		free(file);
		return;
	}
	if (!strcmp(release, facts->release)) {
		facts->module_file = file;
		return;
	}
	free(file);
	free(facts->other_release);
	facts->other_release = xstrdup(release);
}

static bool any_path(const char *pattern)
{
	glob_t found;
	bool any = !glob(pattern, 0, NULL, &found);

	globfree(&found);
	return any;
}

static void gather_module(struct facts *facts)
{
	char *state = sysfs_line("module/pmuctl/initstate");
	glob_t deps;

	facts->module_loaded = state;
	free(state);
	if (!glob("/lib/modules/*/modules.dep", 0, NULL, &deps))
		for (size_t i = 0; i < deps.gl_pathc; i++)
			take_module(facts, deps.gl_pathv[i]);
	globfree(&deps);
	facts->source_in_usr_src = any_path("/usr/src/pmuctl-*/dkms.conf");
}

/* An EFI variable's file holds four bytes of attributes before its data. */
static enum fact secure_boot(void)
{
	char *path = text_format("%s/firmware/efi/efivars/" SECURE_BOOT_VARIABLE, sysfs_root());
	FILE *f = fopen(path, "re");
	unsigned char data[5];
	size_t nr;

	free(path);
	if (!f)
		return FACT_UNKNOWN;
	nr = fread(data, 1, sizeof(data), f);
	fclose(f);
	if (nr < sizeof(data))
		return FACT_UNKNOWN;
	return data[4] ? FACT_YES : FACT_NO;
}

/* "none [integrity] confidentiality": the chosen one. */
static char *lockdown(void)
{
	char *line = sysfs_line("kernel/security/lockdown");
	char *begin = line ? strchr(line, '[') : NULL;
	char *chosen = NULL;

	if (begin) {
		begin[strcspn(begin, "]")] = '\0';
		chosen = xstrdup(begin + 1);
	}
	free(line);
	return chosen;
}

static enum fact letter_fact(char *line)
{
	enum fact fact = FACT_UNKNOWN;

	if (line)
		fact = strchr("Yy1", line[0]) ? FACT_YES : FACT_NO;
	free(line);
	return fact;
}

static void gather_signing(struct facts *facts)
{
	static const char *const keys[] = {
		"/var/lib/dkms/mok.pub",
		"/var/lib/shim-signed/mok/MOK.der",
	};

	facts->secure_boot = secure_boot();
	facts->signature_enforced = letter_fact(sysfs_line("module/module/parameters/sig_enforce"));
	facts->lockdown = lockdown();
	for (size_t i = 0; i < ARRAY_SIZE(keys) && !facts->signing_key; i++)
		if (!access(keys[i], F_OK))
			facts->signing_key = xstrdup(keys[i]);
}

static void gather_device(struct facts *facts)
{
	struct device dev;
	int err = device_connect(&dev);

	facts->device_err = -err;
	facts->info = dev.info;
	if (err)
		return;
	for (unsigned int i = 0; i < dev.info.nr_pmus && i < FACTS_PMUS_MAX; i++)
		if (!device_pmu(&dev, i, &facts->pmu[facts->nr_pmus]))
			facts->nr_pmus++;
	device_close(&dev);
}

static bool cpuinfo_says_hypervisor(void)
{
	char *path = text_format("%s/cpuinfo", proc_root());
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	free(path);
	if (!f)
		return false;
	while (!found && getline(&line, &size, f) > 0)
		found = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
	free(line);
	fclose(f);
	return found;
}

/* Intel SDM volume 2, CPUID leaf 0AH: EAX bits 7 to 0. AMD has no such leaf. */
static unsigned int perfmon_version(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;

	if (__get_cpuid(0xa, &a, &b, &c, &d))
		return a & 0xff;
#endif
	return 0;
}

static bool holds_perf_event(const char *pid)
{
	char *path = text_format("%s/%s/fd", proc_root(), pid);
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	free(path);
	while (dir && !found && (entry = readdir(dir))) {
		char link[64];
		ssize_t length = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);

		if (length < 0)
			continue;
		link[length] = '\0';
		found = !strcmp(link, "anon_inode:[perf_event]");
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Whoever has in-tree perf's event files open. Files of other users are seen by root only. */
static char *perf_users(void)
{
	DIR *dir = opendir(proc_root());
	struct dirent *entry;
	char *all = NULL;

	while (dir && (entry = readdir(dir))) {
		char *name, *longer;

		if (!isdigit((unsigned char)entry->d_name[0]) || !holds_perf_event(entry->d_name))
			continue;
		name = proc_line("%s/comm", entry->d_name);
		longer = text_format("%s%s%s (%s)", all ? all : "", all ? ", " : "",
				     name ? name : "a process", entry->d_name);
		free(name);
		free(all);
		all = longer;
	}
	if (dir)
		closedir(dir);
	return all;
}

static void gather_hardware(struct facts *facts)
{
	static const char *const kvm[] = { "kvm_intel", "kvm_amd" };

	facts->sysfs_pmu = sysfs_core_pmu();
	facts->hypervisor = cpuinfo_says_hypervisor();
	facts->perfmon_version = perfmon_version();
	facts->nmi_watchdog = (enum fact)proc_int(FACT_UNKNOWN, "sys/kernel/nmi_watchdog");
	facts->perf_users = perf_users();
	facts->kernel_paranoid = proc_int(INT_MIN, "sys/kernel/perf_event_paranoid");
	facts->pfm_pmu = pfm_core_pmu();
	for (size_t i = 0; i < ARRAY_SIZE(kvm) && !facts->mediated_kvm; i++)
		if (letter_fact(sysfs_line("module/%s/parameters/enable_mediated_pmu", kvm[i])) ==
		    FACT_YES)
			facts->mediated_kvm = xstrdup(kvm[i]);
}

void facts_gather(struct facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	gather_user(facts);
	gather_module(facts);
	gather_signing(facts);
	gather_device(facts);
	gather_hardware(facts);
}

void facts_free(struct facts *facts)
{
	free(facts->release);
	free(facts->module_file);
	free(facts->other_release);
	free(facts->lockdown);
	free(facts->signing_key);
	free(facts->sysfs_pmu);
	free(facts->perf_users);
	free(facts->mediated_kvm);
	memset(facts, 0, sizeof(*facts));
}
