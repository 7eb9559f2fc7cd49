// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules of struct perf_event_attr that depend on nothing but the attr, in perf's order. Reads
 * and judges; knows no PMU, no task, no privilege.
 */
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

/* ATTR-09, ATTR-12 */
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
	if (attr->freq ? !!(attr->sample_freq >> 63) : !!(attr->sample_period >> 63))
		return pmuctl_refuse(msg, -EINVAL, "the sampling period or frequency is out of "
				     "range");
	return 0;
}

/*
 * What a later version will do. Refused, never ignored: a count that silently lacks what was asked
 * for is worse than none.
 */
static int check_not_yet(const struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	const struct {
		bool asked;
		const char *text;
	} not_yet[] = {
		{ attr->sample_period, "sampling (sample_period, sample_freq) is not implemented "
		  "yet. Set it to 0 to count" },
		{ attr->sample_type & PERF_SAMPLE_BRANCH_STACK, "branch stacks are not implemented "
		  "yet. Clear PERF_SAMPLE_BRANCH_STACK" },
		{ attr->precise_ip, "precise events are not implemented yet. Set precise_ip to 0 "
		  "(leave out modifier :p)" },
		{ attr->exclude_host, "counting guests alone is not implemented. Clear exclude_host "
		  "(modifier :G)" },
		{ attr->aux_output || attr->aux_sample_size, "AUX data is not implemented. Clear "
		  "aux_output and aux_sample_size" },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(not_yet); i++) {
		if (not_yet[i].asked)
			return pmuctl_refuse(msg, -EOPNOTSUPP, "%s", not_yet[i].text);
	}
	return 0;
}

int pmuctl_attr_check(struct perf_event_attr *attr, struct pmuctl_msg *msg)
{
	int err = check_reserved(attr, msg);

	if (!err)
		err = check_branch(attr, msg);
	if (!err)
		err = check_combinations(attr, msg);
	if (!err)
		err = check_not_yet(attr, msg);
	if (!err && !(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		attr->branch_sample_type = 0;	/* ATTR-13 */
	return err;
}
