// SPDX-License-Identifier: GPL-2.0-only
/* doctor's judgement: each test describes a machine and reads one row. */
#include <errno.h>

#include "diagnosis.h"
#include "fixture.h"
#include "text.h"

/* A machine on which everything is as it should be. */
static struct facts healthy(void)
{
	struct facts facts = {
		.release = (char *)"6.12.5",
		.root = true,
		.cap_perfmon = true,
		.headers = true,
		.module_loaded = true,
		.secure_boot = FACT_NO,
		.signature_enforced = FACT_NO,
		.info = { .abi = PMUCTL_ABI_VERSION, .nr_pmus = 1, .paranoid = 2,
			  .version = "0.1.0" },
		.nr_pmus = 1,
		.nmi_watchdog = FACT_NO,
		.kernel_paranoid = 2,
		.pfm_pmu = "Some Lake",
	};

	strcpy(facts.pmu[0].name, "cpu");
	return facts;
}

/* The same before anything of pmuctl is installed. */
static struct facts bare(void)
{
	struct facts facts = healthy();

	facts.module_loaded = false;
	facts.device_err = ENOENT;
	facts.nr_pmus = 0;
	facts.sysfs_pmu = (char *)"cpu";
	memset(&facts.info, 0, sizeof(facts.info));
	return facts;
}

/* The row @what must stand as @mark, its mend (or "") hold @mend; @failures in all. */
static void judge(const struct facts *facts, const char *what, enum out_mark mark,
		  const char *mend, size_t failures)
{
	struct diagnosis d;
	const struct finding *row = NULL;

	diagnosis_make(&d, facts);
	for (size_t i = 0; i < d.nr; i++)
		if (!strcmp(d.finding[i].what, what))
			row = &d.finding[i];
	if (!row)
		fail_msg("no row '%s'", what);
	if (row->mark != mark)
		fail_msg("%s: %s: %s", what, out_mark_name(row->mark), row->found);
	if (!strstr(row->mend ? row->mend : "", mend))
		fail_msg("%s: '%s' does not say '%s'", what, row->mend, mend);
	if (!*mend)
		assert_null(row->mend);
	assert_int_equal(diagnosis_failures(&d), failures);
	diagnosis_free(&d);
}

static void nothing_stands_in_the_way_of_a_healthy_machine(void **state)
{
	struct facts facts = healthy();

	(void)state;
	judge(&facts, "module", MARK_OK, "", 0);
	judge(&facts, "device", MARK_OK, "", 0);
	judge(&facts, "PMU", MARK_OK, "", 0);
	judge(&facts, "holder", MARK_OK, "", 0);
	judge(&facts, "paranoid", MARK_OK, "", 0);
}

static void kernel_may_be_too_old(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.release = (char *)"6.0.12";
	judge(&facts, "kernel", MARK_FAIL, "6.1", 1);
	facts.release = (char *)"5.10.0-9";
	judge(&facts, "kernel", MARK_FAIL, "6.1", 1);
	facts.release = (char *)"7.3.4+deb13-amd64";
	judge(&facts, "kernel", MARK_OK, "", 0);
}

static void module_may_be_missing_in_three_ways(void **state)
{
	struct facts facts = bare();

	(void)state;
	judge(&facts, "module", MARK_FAIL, "dkms add . && dkms autoinstall -k 6.12.5", 1);
	facts.other_release = (char *)"6.1.0";
	facts.source_in_usr_src = true;
	judge(&facts, "module", MARK_FAIL, "dkms autoinstall -k 6.12.5 && modprobe pmuctl", 1);
	facts.module_file = (char *)"updates/dkms/pmuctl.ko";
	judge(&facts, "module", MARK_FAIL, "modprobe pmuctl", 1);
	judge(&facts, "device", MARK_INFO, "", 1);
}

static void headers_matter_only_where_the_module_must_be_built(void **state)
{
	struct facts facts = bare();

	(void)state;
	facts.headers = false;
	judge(&facts, "headers", MARK_FAIL, "apt install linux-headers-6.12.5", 2);
	facts.module_file = (char *)"extra/pmuctl.ko";
	judge(&facts, "headers", MARK_INFO, "apt install linux-headers-6.12.5", 1);
}

static void lockdown_wants_a_signature(void **state)
{
	struct facts facts = bare();

	(void)state;
	facts.module_file = (char *)"extra/pmuctl.ko";
	facts.secure_boot = FACT_YES;
	facts.lockdown = (char *)"integrity";
	judge(&facts, "lockdown", MARK_WARN, "mokutil --import /var/lib/dkms/mok.pub", 1);
	facts.signing_key = (char *)"/k.der";
	judge(&facts, "lockdown", MARK_WARN, "mokutil --import /k.der", 1);
	facts.lockdown = (char *)"none";
	judge(&facts, "lockdown", MARK_OK, "", 1);
	facts.signature_enforced = FACT_YES;
	judge(&facts, "lockdown", MARK_WARN, "mokutil", 1);
	facts = healthy();
	facts.lockdown = (char *)"integrity";
	judge(&facts, "lockdown", MARK_OK, "", 0);
	facts.lockdown = (char *)"confidentiality";
	judge(&facts, "lockdown", MARK_FAIL, "lockdown=integrity", 1);
}

static void device_may_refuse_in_its_own_ways(void **state)
{
	static const struct {
		int err;
		const char *mend;
	} cases[] = {
		{ EACCES, "sudo" },
		{ ENOENT, "udevadm" },
		{ ENXIO, "modprobe -r pmuctl" },
		{ ENOTTY, "modprobe -r pmuctl" },
		{ EPROTO, "one version" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct facts facts = bare();

		facts.module_loaded = true;
		facts.device_err = cases[i].err;
		judge(&facts, "device", MARK_FAIL, cases[i].mend, 1);
	}
}

static void virtual_machine_may_hide_the_pmu(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.nr_pmus = facts.info.nr_pmus = 0;
	judge(&facts, "PMU", MARK_FAIL, "firmware", 1);
	facts.hypervisor = true;
	judge(&facts, "PMU", MARK_FAIL, "hypervisor", 1);
	facts.sysfs_pmu = (char *)"cpu";
	judge(&facts, "PMU", MARK_FAIL, "until then in-tree perf", 1);
	facts = bare();
	facts.sysfs_pmu = NULL;
	judge(&facts, "PMU", MARK_FAIL, "firmware", 2);
}

static void watchdog_holds_the_pmu_unless_the_module_knows_better(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.nmi_watchdog = FACT_YES;
	judge(&facts, "NMI watchdog", MARK_INFO, "", 0);
	facts.pmu[0].holder = PMUCTL_HOLDER_OTHER;
	judge(&facts, "NMI watchdog", MARK_FAIL, "sysctl kernel.nmi_watchdog=0", 1);
	judge(&facts, "holder", MARK_INFO, "", 1);
	facts.perf_users = (char *)"perf (12)";
	judge(&facts, "NMI watchdog", MARK_FAIL, "sysctl kernel.nmi_watchdog=0", 2);
	judge(&facts, "holder", MARK_FAIL, "end those programs", 2);
	facts.perf_users = NULL;
	facts.nr_pmus = 0;
	judge(&facts, "NMI watchdog", MARK_INFO, "", 1);
	facts = bare();
	facts.nmi_watchdog = FACT_YES;
	judge(&facts, "NMI watchdog", MARK_FAIL, "sysctl", 2);
}

static void other_holders_are_named(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.pmu[0].holder = PMUCTL_HOLDER_OTHER;
	judge(&facts, "holder", MARK_FAIL, "ls -l /proc", 1);
	facts.perf_users = (char *)"perf (12)";
	judge(&facts, "holder", MARK_FAIL, "end those programs", 1);
}

static void kvm_may_take_the_pmu_unasked(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.mediated_kvm = (char *)"kvm_intel";
	judge(&facts, "KVM", MARK_FAIL, "modprobe kvm_intel enable_mediated_pmu=0", 1);
}

static void perfmon_6_reserves_nothing(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.perfmon_version = 6;
	judge(&facts, "perfmon", MARK_WARN, "no perf program", 0);
}

static void paranoid_is_explained_to_this_user(void **state)
{
	struct facts facts = healthy();

	(void)state;
	facts.root = facts.cap_perfmon = false;
	judge(&facts, "paranoid", MARK_INFO, "paranoid", 0);
	judge(&facts, "privilege", MARK_INFO, "sudo", 0);
	facts.info.paranoid = 3;
	judge(&facts, "paranoid", MARK_FAIL, "sudo", 1);
	facts.info.paranoid = 0;
	judge(&facts, "paranoid", MARK_INFO, "", 0);
	facts.root = true;
	judge(&facts, "privilege", MARK_WARN, "CAP_PERFMON", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_stands_in_the_way_of_a_healthy_machine),
		cmocka_unit_test(kernel_may_be_too_old),
		cmocka_unit_test(module_may_be_missing_in_three_ways),
		cmocka_unit_test(headers_matter_only_where_the_module_must_be_built),
		cmocka_unit_test(lockdown_wants_a_signature),
		cmocka_unit_test(device_may_refuse_in_its_own_ways),
		cmocka_unit_test(virtual_machine_may_hide_the_pmu),
		cmocka_unit_test(watchdog_holds_the_pmu_unless_the_module_knows_better),
		cmocka_unit_test(other_holders_are_named),
		cmocka_unit_test(kvm_may_take_the_pmu_unasked),
		cmocka_unit_test(perfmon_6_reserves_nothing),
		cmocka_unit_test(paranoid_is_explained_to_this_user),
	};

	return cmocka_run_group_tests_name("tools/diagnosis", tests, NULL, NULL);
}
