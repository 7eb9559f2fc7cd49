/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor looks at: the state of this machine, without judgement. */
#ifndef PMUCTL_FACTS_H
#define PMUCTL_FACTS_H

#include <linux/pmuctl.h>
#include <stdbool.h>
#include <sys/types.h>

/* Switches that some kernels do not have. */
enum fact {
	FACT_UNKNOWN = -1,
	FACT_NO,
	FACT_YES,
};

#define FACTS_PMUS_MAX	8

/* Strings belong to the structure; NULL is "not there". */
struct facts {
	/* kernel and user */
	char *release;
	bool root;
	bool cap_perfmon;
	bool headers;

	/* the module */
	bool module_loaded;
	char *module_file;		/* for this kernel */
	char *other_release;		/* a kernel that has the module though this has not */
	bool source_in_usr_src;
	enum fact secure_boot;
	enum fact signature_enforced;
	char *lockdown;			/* "none", "integrity", "confidentiality" */
	char *signing_key;		/* a public key that dkms signs with */

	/* the device */
	int device_err;			/* 0, or errno of device_connect() */
	struct pmuctl_info info;
	unsigned int nr_pmus;
	struct pmuctl_pmu_info pmu[FACTS_PMUS_MAX];

	/* the hardware and its other users */
	char *sysfs_pmu;
	bool hypervisor;
	unsigned int perfmon_version;	/* CPUID leaf 0xA; 0 if there is none */
	enum fact nmi_watchdog;
	char *perf_users;		/* "perf (12), rr (34)": processes with perf event files */
	char *mediated_kvm;		/* "kvm_intel" or "kvm_amd" with enable_mediated_pmu */
	int kernel_paranoid;		/* INT_MIN: no in-tree perf */
	const char *pfm_pmu;
};

void facts_gather(struct facts *facts);
void facts_free(struct facts *facts);

#endif
