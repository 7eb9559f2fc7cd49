// SPDX-License-Identifier: GPL-2.0-only
/*
 * doctor's judgement of a machine's facts: one function a thing that can stand in the way. FAIL
 * is for what keeps pmuctl from counting, warn for what limits or will surprise, info for what
 * is only good to know. Pure functions of the facts: a test describes a machine and reads the
 * rows.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "diagnosis.h"
#include "refusal.h"

/* The oldest kernel that the module is built for. */
#define OLDEST_MAJOR	6
#define OLDEST_MINOR	1

/* Intel perfmon version whose counters in-tree perf does not reserve. */
#define PERFMON_UNRESERVED	6

static struct finding *add(struct diagnosis *d, const char *what, enum out_mark mark,
			   const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void mend(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static struct finding *add(struct diagnosis *d, const char *what, enum out_mark mark,
			   const char *fmt, ...)
{
	struct finding *finding = &d->finding[d->nr++];
	va_list ap;

	*finding = (struct finding){ .what = what, .mark = mark };
	va_start(ap, fmt);
	finding->found = text_vformat(fmt, ap);
	va_end(ap);
	return finding;
}

static void mend(struct finding *finding, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	finding->mend = text_vformat(fmt, ap);
	va_end(ap);
}

static bool connected(const struct facts *f)
{
	return f->device_err == 0;
}

static bool may_everything(const struct facts *f)
{
	return f->root || f->cap_perfmon;
}

static const struct pmuctl_pmu_info *first_pmu(const struct facts *f)
{
	return connected(f) && f->nr_pmus ? &f->pmu[0] : NULL;
}

static void check_kernel(struct diagnosis *d, const struct facts *f)
{
	int major = 0, minor = 0;

	if (sscanf(f->release, "%d.%d", &major, &minor) == 2 &&
	    (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)))
		mend(add(d, "kernel", MARK_FAIL, "%s is older than the module supports", f->release),
		     "boot a kernel from %d.%d on", OLDEST_MAJOR, OLDEST_MINOR);
	else
		add(d, "kernel", MARK_OK, "%s", f->release);
}

static void check_privilege(struct diagnosis *d, const struct facts *f)
{
	if (f->root && f->cap_perfmon)
		add(d, "privilege", MARK_OK, "root");
	else if (f->cap_perfmon)
		add(d, "privilege", MARK_OK, "CAP_PERFMON");
	else if (f->root)
		mend(add(d, "privilege", MARK_WARN, "root without CAP_PERFMON, as in a container"),
		     "run pmuctl outside of the container, or give it CAP_PERFMON");
	else
		mend(add(d, "privilege", MARK_INFO,
			 "an ordinary user: own tasks only, as module paranoid allows"),
		     "sudo pmuctl ...");
}

static void check_headers(struct diagnosis *d, const struct facts *f)
{
	bool needed = !f->module_loaded && !connected(f) && !f->module_file;

	if (f->headers)
		add(d, "headers", MARK_OK, "those of this kernel are installed");
	else if (needed)
		mend(add(d, "headers", MARK_FAIL,
			 "those of this kernel are missing: the module cannot be built"),
		     "apt install linux-headers-%s", f->release);
	else
		mend(add(d, "headers", MARK_INFO,
			 "those of this kernel are missing; needed only to build the module again"),
		     "apt install linux-headers-%s", f->release);
}

static void missing_module(struct diagnosis *d, const struct facts *f)
{
	struct finding *finding;

	if (f->other_release)
		finding = add(d, "module", MARK_FAIL, "installed for kernel %s, not for this one",
			      f->other_release);
	else
		finding = add(d, "module", MARK_FAIL, "not installed");
	if (f->source_in_usr_src)
		mend(finding, "dkms autoinstall -k %s && modprobe pmuctl", f->release);
	else
		mend(finding,
		     "in pmuctl's source: dkms add . && dkms autoinstall -k %s && modprobe pmuctl",
		     f->release);
}

static void check_module(struct diagnosis *d, const struct facts *f)
{
	if (connected(f))
		add(d, "module", MARK_OK, "loaded, version %s", f->info.version);
	else if (f->module_loaded)
		add(d, "module", MARK_OK, "loaded");
	else if (f->module_file)
		mend(add(d, "module", MARK_FAIL, "installed, but not loaded"), "modprobe pmuctl");
	else
		missing_module(d, f);
}

static bool wants_signature(const struct facts *f)
{
	return f->signature_enforced == FACT_YES ||
	       (f->lockdown && strcmp(f->lockdown, "none"));
}

/* A module that is loaded has passed; before that nobody knows whether it is signed. */
static void check_signature(struct diagnosis *d, const struct facts *f)
{
	const char *boot = f->secure_boot == FACT_YES ? "Secure Boot is on" : "Secure Boot is off";
	const char *lock = f->lockdown ? f->lockdown : "none";
	bool loaded = f->module_loaded || connected(f);
	struct finding *finding;

	if (f->lockdown && !strcmp(f->lockdown, "confidentiality"))
		mend(add(d, "lockdown", MARK_FAIL,
			 "%s, lockdown=confidentiality: the kernel lets nobody count", boot),
		     "boot with lockdown=integrity, or without lockdown=");
	else if (!wants_signature(f))
		add(d, "lockdown", MARK_OK, "%s, lockdown=%s: modules need no signature", boot, lock);
	else if (loaded)
		add(d, "lockdown", MARK_OK, "%s, lockdown=%s: the loaded module was accepted", boot,
		    lock);
	else {
		finding = add(d, "lockdown", MARK_WARN,
			      "%s, lockdown=%s: only a module signed with an enrolled key loads",
			      boot, lock);
		mend(finding, f->signing_key ?
		     "mokutil --import %s, then reboot and confirm; needed once" :
		     "dkms generate_mok && mokutil --import %s, then reboot and confirm; needed once",
		     f->signing_key ? f->signing_key : "/var/lib/dkms/mok.pub");
	}
}

static void check_device(struct diagnosis *d, const struct facts *f)
{
	struct finding *finding;
	struct why why;

	if (connected(f)) {
		add(d, "device", MARK_OK, PMUCTL_DEVICE_PATH " answers, interface version %u",
		    f->info.abi);
		return;
	}
	if (f->device_err == EPROTO) {
		refusal_device(&why, EPROTO, f->info.abi);
		finding = add(d, "device", MARK_FAIL,
			      "the module speaks version %u of the interface, this command version %u",
			      f->info.abi, PMUCTL_ABI_VERSION);
		mend(finding, "modprobe -r pmuctl && modprobe pmuctl, with module and command of one version");
		return;
	}
	if (f->device_err == ENOENT && !f->module_loaded) {
		add(d, "device", MARK_INFO, PMUCTL_DEVICE_PATH " comes with the module");
		return;
	}
	finding = add(d, "device", MARK_FAIL, PMUCTL_DEVICE_PATH ": %s", strerror(f->device_err));
	if (f->device_err == EACCES || f->device_err == EPERM)
		mend(finding, "sudo pmuctl ...");
	else if (f->device_err == ENOENT)
		mend(finding, "udevadm trigger --name-match=pmuctl; is /dev a devtmpfs here?");
	else
		mend(finding, "rm " PMUCTL_DEVICE_PATH " && modprobe -r pmuctl && modprobe pmuctl");
}

static void no_pmu(struct diagnosis *d, const struct facts *f, const char *why)
{
	struct finding *finding = add(d, "PMU", MARK_FAIL, "%s%s", why, !f->hypervisor ? "" :
				      "; this is a virtual machine, whose hypervisor may hide it");

	if (f->hypervisor)
		mend(finding,
		     "turn on the virtual PMU in the hypervisor (QEMU/KVM: -cpu host,pmu=on; VMware: vpmc.enable; clouds: a metal instance)");
	else
		mend(finding, "turn on performance counters in the firmware's setup, or use another machine");
}

/* The module says why it drives no PMU; in-tree perf may drive one all the same. */
static void not_driven(struct diagnosis *d, const struct facts *f)
{
	const char *why = *f->info.no_pmu ? f->info.no_pmu : "the module drives none here";

	if (!f->sysfs_pmu)
		no_pmu(d, f, why);
	else
		mend(add(d, "PMU", MARK_FAIL, "%s", why),
		     "install a pmuctl that drives '%s'; until then in-tree perf counts with it",
		     f->sysfs_pmu);
}

static void check_pmu(struct diagnosis *d, const struct facts *f)
{
	const struct pmuctl_pmu_info *pmu = first_pmu(f);

	if (pmu)
		add(d, "PMU", MARK_OK, "%s: %u general and %u fixed counters", pmu->name, pmu->nr_gp,
		    pmu->nr_fixed);
	else if (connected(f))
		not_driven(d, f);
	else if (f->sysfs_pmu)
		add(d, "PMU", MARK_OK, "%s, says in-tree perf", f->sysfs_pmu);
	else
		no_pmu(d, f, "in-tree perf found none");
}

/* One obstacle should not be told as two. */
static bool watchdog_explains(const struct facts *f)
{
	return f->nmi_watchdog == FACT_YES && !f->perf_users;
}

static void held_by_other(struct diagnosis *d, const struct facts *f,
			  const struct pmuctl_pmu_info *pmu)
{
	const char *text = *pmu->holder_text ? pmu->holder_text : "in-tree perf or another driver";
	const char *remedy = strstr(text, ". ");
	bool users = f->perf_users;
	/* The module's first sentence: what to do is known better here. */
	int length = (int)(remedy ? (size_t)(remedy - text) : strlen(text));
	struct finding *finding = add(d, "holder", MARK_FAIL, "%.*s%s%s", length, text,
				      users ? "; perf event files are open in " : "",
				      users ? f->perf_users : "");

	if (users)
		mend(finding, "end those programs");
	else
		mend(finding, "as root: look for users with 'ls -l /proc/*/fd | grep perf_event', and for virtual machines that use a PMU");
}

static void check_holder(struct diagnosis *d, const struct facts *f)
{
	const struct pmuctl_pmu_info *pmu = first_pmu(f);

	if (!pmu && f->perf_users)
		add(d, "holder", MARK_INFO, "perf event files are open in %s", f->perf_users);
	else if (!pmu)
		return;
	else if (pmu->holder == PMUCTL_HOLDER_OTHER && watchdog_explains(f))
		add(d, "holder", MARK_INFO, "in-tree perf, for its NMI watchdog");
	else if (pmu->holder == PMUCTL_HOLDER_OTHER)
		held_by_other(d, f, pmu);
	else if (pmu->holder == PMUCTL_HOLDER_PMUCTL)
		add(d, "holder", MARK_OK, "pmuctl, with %u event%s open", pmu->nr_events,
		    pmu->nr_events == 1 ? "" : "s");
	else
		add(d, "holder", MARK_OK, "nobody");
}

/* A watchdog that holds a counter keeps the module from the whole PMU (reservation, x86). */
static void check_watchdog(struct diagnosis *d, const struct facts *f)
{
	const struct pmuctl_pmu_info *pmu = first_pmu(f);
	bool free_pmu = pmu && pmu->holder != PMUCTL_HOLDER_OTHER;
	bool no_pmu = connected(f) ? !f->nr_pmus : !f->sysfs_pmu;

	if (f->nmi_watchdog != FACT_YES)
		add(d, "NMI watchdog", MARK_OK, f->nmi_watchdog == FACT_NO ? "off" : "not there");
	else if (no_pmu)
		add(d, "NMI watchdog", MARK_INFO, "on, but without a PMU it holds no counter");
	else if (free_pmu)
		add(d, "NMI watchdog", MARK_INFO, "on, but it holds no counter now");
	else
		mend(add(d, "NMI watchdog", MARK_FAIL,
			 "on: it holds a counter, and with it the PMU"),
		     "sysctl kernel.nmi_watchdog=0 (at every boot: nmi_watchdog=0 on the kernel's command line)");
}

static void check_kvm(struct diagnosis *d, const struct facts *f)
{
	if (!f->mediated_kvm)
		add(d, "KVM", MARK_OK, "no mediated PMU");
	else
		mend(add(d, "KVM", MARK_FAIL,
			 "%s.enable_mediated_pmu is on: guests load the PMU without asking pmuctl",
			 f->mediated_kvm),
		     "modprobe -r %s && modprobe %s enable_mediated_pmu=0", f->mediated_kvm,
		     f->mediated_kvm);
}

static void check_perfmon(struct diagnosis *d, const struct facts *f)
{
	const struct pmuctl_pmu_info *pmu = first_pmu(f);

	if (f->perfmon_version < PERFMON_UNRESERVED)
		return;
	mend(add(d, "perfmon", MARK_WARN,
		 "version %u: in-tree perf and %s cannot see each other's use of the counters",
		 f->perfmon_version, pmu ? pmu->name : "pmuctl"),
	     "run no perf program beside pmuctl, and sysctl kernel.nmi_watchdog=0");
}

static const char *paranoid_meaning(int level)
{
	if (level >= 3)
		return "nothing without CAP_PERFMON";
	if (level == 2)
		return "own tasks, user space only";
	if (level == 1)
		return "own tasks, user space and kernel";
	return "own tasks and whole CPUs";
}

static void check_paranoid(struct diagnosis *d, const struct facts *f)
{
	int level = f->info.paranoid;
	struct finding *finding;

	if (!connected(f))
		return;
	if (may_everything(f)) {
		add(d, "paranoid", MARK_OK, "module paranoid=%d: others may count %s; you may count everything",
		    level, paranoid_meaning(level));
		return;
	}
	finding = add(d, "paranoid", level >= 3 ? MARK_FAIL : MARK_INFO,
		      "module paranoid=%d: you may count %s", level, paranoid_meaning(level));
	if (level > 0)
		mend(finding, level >= 3 ?
		     "sudo pmuctl ..., or as root: echo 2 > /sys/module/pmuctl/parameters/paranoid" :
		     "for more: sudo pmuctl ..., or as root: echo 0 > /sys/module/pmuctl/parameters/paranoid");
}

static void check_in_tree(struct diagnosis *d, const struct facts *f)
{
	if (f->kernel_paranoid == INT_MIN)
		add(d, "in-tree perf", MARK_INFO, "this kernel has none");
	else
		add(d, "in-tree perf", MARK_INFO,
		    "kernel.perf_event_paranoid=%d; it does not bind pmuctl", f->kernel_paranoid);
}

static void check_names(struct diagnosis *d, const struct facts *f)
{
	if (f->pfm_pmu)
		add(d, "event names", MARK_OK, "libpfm4 knows '%s'", f->pfm_pmu);
	else
		mend(add(d, "event names", MARK_INFO, "libpfm4 does not know this processor"),
		     "use generic names, cpu/event=..,umask=../ or rNNNN");
}

void diagnosis_make(struct diagnosis *diagnosis, const struct facts *facts)
{
	static void (*const checks[])(struct diagnosis *d, const struct facts *f) = {
		check_kernel, check_privilege, check_headers, check_module, check_signature,
		check_device, check_pmu, check_perfmon, check_holder, check_watchdog, check_kvm,
		check_paranoid, check_in_tree, check_names,
	};
	_Static_assert(ARRAY_SIZE(checks) <= DIAGNOSIS_MAX, "each check adds one row at most");

	diagnosis->nr = 0;
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		checks[i](diagnosis, facts);
}

size_t diagnosis_failures(const struct diagnosis *diagnosis)
{
	size_t nr = 0;

	for (size_t i = 0; i < diagnosis->nr; i++)
		nr += diagnosis->finding[i].mark == MARK_FAIL;
	return nr;
}

void diagnosis_free(struct diagnosis *diagnosis)
{
	for (size_t i = 0; i < diagnosis->nr; i++) {
		free(diagnosis->finding[i].found);
		free(diagnosis->finding[i].mend);
	}
	diagnosis->nr = 0;
}
