// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules of struct perf_event_attr that depend on nothing but the attr, in perf's order. Reads
 * and judges; knows no PMU, no task, no privilege.
 */
#include <pmuctl/arch.h>
#include <pmuctl/attr.h>

/* Branch filters that say who, not which: user, kernel, hypervisor. */
#define BRANCH_PLM (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

/* ATTR-04 */
static int check_reserved(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	if (attr->__reserved_1 || attr->__reserved_2 || attr->__reserved_3)
		return pmuctl_refuse(msg, -EINVAL, "a reserved bit of the attr is set. Clear it");
	if (attr->sample_type & ~(u64)(PERF_SAMPLE_MAX - 1))
		return pmuctl_refuse(msg, -EINVAL, "sample_type has bits this kernel does not know. "
				     "Drop them");
	if (attr->read_format & ~(u64)(PERF_FORMAT_MAX - 1))
		return pmuctl_refuse(msg, -EINVAL, "read_format has bits this kernel does not know. "
				     "Drop them");
	return 0;
}

/* ATTR-05 */
static int check_branch(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	u64 type = attr->branch_sample_type;

	if (!(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return 0;
	if (type & ~(u64)(PERF_SAMPLE_BRANCH_MAX - 1))
		return pmuctl_refuse(msg, -EINVAL, "branch_sample_type has bits this kernel does "
				     "not know. Drop them");
	if (!(type & ~(u64)BRANCH_PLM))
		return pmuctl_refuse(msg, -EINVAL, "branch_sample_type says whose branches but not "
				     "which. Add PERF_SAMPLE_BRANCH_ANY or a filter");
	return 0;
}

/* ATTR-08 */
static int check_user_state(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	if ((attr->sample_type & PERF_SAMPLE_REGS_USER) &&
	    (!attr->sample_regs_user || attr->sample_regs_user & ~pmuctl_arch_sample_regs))
		return pmuctl_refuse(msg, -EINVAL, "sample_regs_user names no register, or one that "
				     "cannot be sampled. See asm/perf_regs.h");
	return 0;
}

/* ATTR-09, -11, -12 */
static int check_combinations(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	if ((attr->sample_type & PERF_SAMPLE_STACK_USER) &&
	    (attr->sample_stack_user >= 0xffff || attr->sample_stack_user % 8))
		return pmuctl_refuse(msg, -EINVAL, "sample_stack_user must be a multiple of 8 below "
				     "65535");
	if ((attr->sample_type & PERF_SAMPLE_WEIGHT) &&
	    (attr->sample_type & PERF_SAMPLE_WEIGHT_STRUCT))
		return pmuctl_refuse(msg, -EINVAL, "PERF_SAMPLE_WEIGHT and _WEIGHT_STRUCT exclude "
				     "each other. Choose one");
	if (attr->inherit_thread && !attr->inherit)
		return pmuctl_refuse(msg, -EINVAL, "inherit_thread means nothing without inherit. "
				     "Set both");
	if (attr->remove_on_exec && attr->enable_on_exec)
		return pmuctl_refuse(msg, -EINVAL, "remove_on_exec and enable_on_exec exclude each "
				     "other. Choose one");
	if (attr->sigtrap && !attr->remove_on_exec)
		return pmuctl_refuse(msg, -EINVAL, "sigtrap needs remove_on_exec. Set both");
	if ((attr->sample_type & PERF_SAMPLE_REGS_INTR) &&
	    (!attr->sample_regs_intr || attr->sample_regs_intr & ~pmuctl_arch_sample_regs))
		return pmuctl_refuse(msg, -EINVAL, "sample_regs_intr names no register, or one that "
				     "cannot be sampled. See asm/perf_regs.h");
	return 0;
}

/* perf's defaults of the sysctls perf_event_max_sample_rate and perf_event_max_stack. */
#define SAMPLE_RATE_MAX	100000
#define STACK_MAX	127

/* OPEN-05, OPEN-14, and the depth of call chains. */
static int check_sampling(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	if (attr->freq && attr->sample_freq > SAMPLE_RATE_MAX)
		return pmuctl_refuse(msg, -EINVAL, "sample_freq is above %d a second. Lower it",
				     SAMPLE_RATE_MAX);
	if (!attr->freq && attr->sample_period >> 63)
		return pmuctl_refuse(msg, -EINVAL, "sample_period has bit 63 set. Lower it");
	if (attr->inherit && (attr->sample_type & PERF_SAMPLE_READ) &&
	    !(attr->sample_type & PERF_SAMPLE_TID))
		return pmuctl_refuse(msg, -EINVAL, "inherited counts in samples need "
				     "PERF_SAMPLE_TID, to say whose they are. Set it");
	if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) && attr->sample_max_stack > STACK_MAX)
		return pmuctl_refuse(msg, -EOVERFLOW, "sample_max_stack is above %d. Lower it",
				     STACK_MAX);
	return 0;
}

/* What one of a number of rules forbids. */
struct rule {
	bool broken;
	const char *text;
};

static int check_rules(const struct rule *rules, int n, int err, struct pmuctl_msg *msg)
{
	int i;

	for (i = 0; i < n; i++) {
		if (rules[i].broken)
			return pmuctl_refuse(msg, err, "%s", rules[i].text);
	}
	return 0;
}

/*
 * What a later version will do. Refused, never ignored: a count that silently lacks what was asked
 * for is worse than none.
 */
static int check_not_yet(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	const struct rule rules[] = {
		{ attr->sample_period, "sampling (sample_period, sample_freq) is not implemented "
		  "yet. Set it to 0 to count" },
		{ attr->sample_type & PERF_SAMPLE_BRANCH_STACK, "branch stacks are not implemented "
		  "yet. Clear PERF_SAMPLE_BRANCH_STACK" },
	};

	return check_rules(rules, ARRAY_SIZE(rules), -EOPNOTSUPP, msg);
}

int pmuctl_attr_check(struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	int err = check_reserved(attr, msg);

	if (!err)
		err = check_branch(attr, msg);
	if (!err)
		err = check_user_state(attr, msg);
	if (!err)
		err = check_combinations(attr, msg);
	if (!err)
		err = check_sampling(attr, msg);
	if (!err && !(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		attr->branch_sample_type = 0;	/* ATTR-13 */
	return err;
}

/* OPEN-21: an NMI can read only clocks that never wait. */
static int check_clock(const struct perf_event_attr *attr, bool hardware, struct pmuctl_msg *msg)
{
	if (!attr->use_clockid)
		return 0;
	switch (attr->clockid) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
		return 0;
	case CLOCK_REALTIME:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		if (!hardware)
			return 0;
	}
	return pmuctl_refuse(msg, -EINVAL, "clock %d cannot stamp samples of this event. Use "
			     "CLOCK_MONOTONIC or CLOCK_MONOTONIC_RAW", attr->clockid);
}

int pmuctl_attr_check_pmu(const struct perf_event_attr *attr, bool hardware,
			  struct pmuctl_msg *msg)
{
	const struct rule aux[] = {
		{ attr->aux_output, "this PMU writes no AUX data. Clear aux_output" },
		{ attr->aux_sample_size, "this PMU writes no AUX data. Clear aux_sample_size" },
	};
	const struct rule not_yet[] = {
		{ attr->precise_ip, "precise events are not implemented yet. Set precise_ip to 0 "
		  "(leave out modifier :p)" },
		{ attr->exclude_host, "counting guests alone is not implemented. Clear exclude_host "
		  "(modifier :G)" },
	};
	int err = check_rules(aux, ARRAY_SIZE(aux), -EINVAL, msg);

	if (!err && hardware)
		err = check_rules(not_yet, ARRAY_SIZE(not_yet), -EOPNOTSUPP, msg);
	if (!err)
		err = check_not_yet(attr, msg);
	if (!err)
		err = check_clock(attr, hardware, msg);
	return err;
}
