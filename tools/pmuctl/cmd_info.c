// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl info: what there is to count with, and who holds it. Says facts; what to do about them
 * is doctor's.
 */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "commands.h"
#include "device.h"
#include "event_sources.h"
#include "output.h"
#include "refusal.h"
#include "sysfs.h"
#include "text.h"

struct bit_name {
	__u64 bit;
	const char *name;
};

static const struct bit_name module_features[] = {
	{ PMUCTL_FEATURE_COUNT_TASK, "count-task" },
	{ PMUCTL_FEATURE_COUNT_CPU, "count-cpu" },
	{ PMUCTL_FEATURE_GROUPS, "groups" },
	{ PMUCTL_FEATURE_MULTIPLEX, "multiplex" },
	{ PMUCTL_FEATURE_INHERIT, "inherit" },
	{ PMUCTL_FEATURE_CGROUP, "cgroup" },
	{ PMUCTL_FEATURE_SAMPLE, "sample" },
	{ PMUCTL_FEATURE_SOFTWARE, "software" },
	{ PMUCTL_FEATURE_READ_VECTOR, "read-vector" },
	{ PMUCTL_FEATURE_SNAPSHOT, "snapshot" },
};

static const struct bit_name pmu_features[] = {
	{ PMUCTL_PMU_FULL_WIDTH, "full-width-writes" },
	{ PMUCTL_PMU_GLOBAL_CTRL, "global-control" },
	{ PMUCTL_PMU_ARCH_LBR, "arch-lbr" },
	{ PMUCTL_PMU_BRANCH_COUNTERS, "branch-counters" },
	{ PMUCTL_PMU_BRS, "brs" },
	{ PMUCTL_PMU_USER_READ, "user-read" },
};

static void write_bits(struct out *out, const struct bit_name *table, size_t nr, __u64 bits)
{
	char *text = xstrdup("");

	out_array(out, "features", NULL);
	for (size_t i = 0; i < nr; i++) {
		char *longer;

		if (!(bits & table[i].bit))
			continue;
		out_string(out, NULL, NULL, table[i].name);
		longer = text_format("%s%s%s", text, *text ? " " : "", table[i].name);
		free(text);
		text = longer;
	}
	out_close(out);
	/* The array's own line, at the level of its neighbours. */
	if (out->format == OUT_TEXT)
		out_string(out, NULL, "features", *text ? text : "none");
	free(text);
}

static const char *watchdog_text(int on)
{
	return on < 0 ? "not there" : on ? "on" : "off";
}

static void write_kernel(struct out *out)
{
	int watchdog = proc_int(-1, "sys/kernel/nmi_watchdog");
	int paranoid = proc_int(INT_MIN, "sys/kernel/perf_event_paranoid");
	struct utsname name;

	uname(&name);
	out_object(out, "kernel", "Kernel");
	out_string(out, "release", "release", name.release);
	out_string(out, "machine", "machine", name.machine);
	out_number_as(out, "nmi_watchdog", watchdog, "NMI watchdog", watchdog_text(watchdog));
	if (paranoid == INT_MIN)
		out_string(out, "perf_event_paranoid", "perf paranoid", NULL);
	else
		out_number(out, "perf_event_paranoid", "perf paranoid", paranoid);
	out_close(out);
}

static void write_module(struct out *out, const struct device *dev)
{
	const struct pmuctl_info *info = &dev->info;

	out_object(out, "module", "Module");
	out_bool(out, "loaded", NULL, true);
	out_string(out, "version", "version", info->version);
	out_number(out, "abi", "interface", info->abi);
	write_bits(out, module_features, ARRAY_SIZE(module_features), info->features);
	out_number(out, "paranoid", "paranoid", info->paranoid);
	out_number(out, "open_events", "open events", info->nr_events);
	out_string(out, "no_pmu", "no PMU", *info->no_pmu ? info->no_pmu : NULL);
	out_close(out);
}

static void write_counters(struct out *out, const struct pmuctl_pmu_info *pmu)
{
	char *text = text_format("%u general of %u bits, %u fixed of %u bits", pmu->nr_gp,
				 pmu->width_gp, pmu->nr_fixed, pmu->width_fixed);

	out_number_as(out, "general_counters", pmu->nr_gp, "counters", text);
	out_number(out, "general_width", NULL, pmu->width_gp);
	out_number(out, "fixed_counters", NULL, pmu->nr_fixed);
	out_number(out, "fixed_width", NULL, pmu->width_fixed);
	free(text);
}

static void write_branches(struct out *out, const struct pmuctl_pmu_info *pmu)
{
	char *text = pmu->branch_counters ?
		text_format("%u entries, %u counters of %u bits in each", pmu->branch_depth,
			    pmu->branch_counters, pmu->branch_counter_width) :
		text_format("%u entries", pmu->branch_depth);

	out_number_as(out, "branch_depth", pmu->branch_depth, "branch recorder",
		      pmu->branch_depth ? text : "none");
	out_number(out, "branch_counters", NULL, pmu->branch_counters);
	out_number(out, "branch_counter_width", NULL, pmu->branch_counter_width);
	free(text);
}

static const char *holder_name(__u32 holder)
{
	switch (holder) {
	case PMUCTL_HOLDER_NOBODY:
		return "nobody";
	case PMUCTL_HOLDER_PMUCTL:
		return "pmuctl";
	default:
		return "other";
	}
}

static void write_holder(struct out *out, const struct pmuctl_pmu_info *pmu)
{
	const char *name = holder_name(pmu->holder);
	char *text = text_format("%s%s%s%s", name, *pmu->holder_text ? " (" : "", pmu->holder_text,
				 *pmu->holder_text ? ")" : "");

	out_string(out, "holder", NULL, name);
	out_string(out, "holder_text", NULL, *pmu->holder_text ? pmu->holder_text : NULL);
	if (out->format == OUT_TEXT)
		out_string(out, NULL, "held by", text);
	free(text);
}

static void write_pmu(struct out *out, const struct pmuctl_pmu_info *pmu)
{
	char *heading = text_format("PMU %s", pmu->name);

	out_object(out, NULL, heading);
	out_string(out, "name", NULL, pmu->name);
	out_number(out, "type", "type", pmu->type);
	out_number(out, "version", "version", pmu->version);
	write_counters(out, pmu);
	write_branches(out, pmu);
	write_bits(out, pmu_features, ARRAY_SIZE(pmu_features), pmu->features);
	write_holder(out, pmu);
	out_number(out, "open_events", "open events", pmu->nr_events);
	out_number(out, "classes", "things counted", pmu->nr_classes);
	out_close(out);
	free(heading);
}

static void write_pmus(struct out *out, const struct device *dev)
{
	struct pmuctl_pmu_info pmu;

	out_array(out, "pmus", NULL);
	/* Objects in an array stand as far left as the other headings. */
	out->depth -= out->format == OUT_TEXT;
	for (unsigned int i = 0; i < dev->info.nr_pmus; i++)
		if (!device_pmu(dev, i, &pmu))
			write_pmu(out, &pmu);
	out->depth += out->format == OUT_TEXT;
	out_close(out);
}

static void write_without_module(struct out *out, const struct why *why)
{
	char *pmu = sysfs_core_pmu();

	out_object(out, "module", "Module");
	out_bool(out, "loaded", "loaded", false);
	out_string(out, "reason", NULL, why->text);
	out_close(out);
	out_object(out, "in_tree", "In-tree perf");
	out_string(out, "core_pmu", "core PMU", pmu ? pmu : out->format == OUT_TEXT ? "none" : NULL);
	out_close(out);
	free(pmu);
}

static void write_names(struct out *out)
{
	const char *pfm = pfm_core_pmu();

	out_object(out, "event_names", "Event names");
	out_string(out, "libpfm4", "libpfm4",
		   pfm ? pfm : out->format == OUT_TEXT ? "does not know this processor" : NULL);
	out_close(out);
}

static int info(enum out_format format)
{
	struct device dev;
	struct why why;
	struct out out;
	int err = device_connect(&dev), write_err;

	out_start(&out, stdout, format);
	write_kernel(&out);
	if (err) {
		refusal_device(&why, -err, dev.info.abi);
		write_without_module(&out, &why);
	} else {
		write_module(&out, &dev);
		write_pmus(&out, &dev);
		device_close(&dev);
	}
	write_names(&out);
	write_err = out_finish(&out);
	if (write_err)
		say("output: %s. Give a place that can be written.", strerror(-write_err));
	if (err)
		say("%s", why.text);
	return err || write_err ? EXIT_REFUSED : 0;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	bool json = false;
	int status;

	if (!options_json(cmd, argc, argv, &json, &status))
		return status;
	if (optind < argc)
		return options_no_arguments(cmd, argv[optind]);
	return info(json ? OUT_JSON : OUT_TEXT);
}

static const struct option_row options[] = {
	{ 'j', "json", NULL, "print a JSON object" },
	{ OPTION_HELP, "help", NULL, "print this" },
	{ 0 }
};

const struct command cmd_info = {
	.name = "info",
	.summary = "show the kernel, the module, its PMUs and who holds them",
	.usage = "[--json]",
	.about = "Show the kernel, the module, the PMUs it drives, and who holds the hardware.",
	.options = options,
	.more = "Examples:\n"
		"  pmuctl info\n"
		"  pmuctl info --json | jq '.pmus[0].holder'\n"
		"\n"
		"Exit status: 0; 1 if the module cannot be asked (what is known without it is printed all\n"
		"the same); 2 for wrong usage.\n",
	.run = run,
};
