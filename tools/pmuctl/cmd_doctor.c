// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmuctl doctor: prints what diagnosis.c says about what facts.c found. Changes nothing on the
 * machine: the user runs the commands it names.
 */
#include <getopt.h>
#include <string.h>

#include "commands.h"
#include "diagnosis.h"
#include "facts.h"
#include "output.h"
#include "text.h"

static void write_finding(struct out *out, const struct finding *finding)
{
	bool stands = finding->mark >= MARK_WARN;

	out_object(out, NULL, NULL);
	out_string(out, "check", NULL, finding->what);
	out_string(out, "state", NULL, out_mark_name(finding->mark));
	out_string(out, "found", NULL, finding->found);
	out_string(out, "mend", NULL, finding->mend);
	out_close(out);
	out_mark(out, finding->mark);
	out_text(out, "  %-13s %s\n", finding->what, finding->found);
	if (finding->mend)
		out_text(out, "      %-13s %s %s\n", "", stands ? "->" : "  ", finding->mend);
}

static int write_diagnosis(const struct diagnosis *diagnosis, enum out_format format)
{
	size_t failures = diagnosis_failures(diagnosis);
	struct out out;

	out_start(&out, stdout, format);
	out_array(&out, "checks", NULL);
	for (size_t i = 0; i < diagnosis->nr; i++)
		write_finding(&out, &diagnosis->finding[i]);
	out_close(&out);
	out_bool(&out, "ready", NULL, !failures);
	if (failures)
		out_text(&out, "\n%zu thing%s in the way.\n", failures,
			 failures == 1 ? " stands" : "s stand");
	else
		out_text(&out, "\nNothing stands in the way.\n");
	return out_finish(&out);
}

static int run(const struct command *cmd, int argc, char **argv)
{
	struct diagnosis diagnosis;
	struct facts facts;
	bool json = false;
	int status, err;

	if (!options_json(cmd, argc, argv, &json, &status))
		return status;
	if (optind < argc)
		return options_no_arguments(cmd, argv[optind]);
	facts_gather(&facts);
	diagnosis_make(&diagnosis, &facts);
	err = write_diagnosis(&diagnosis, json ? OUT_JSON : OUT_TEXT);
	status = diagnosis_failures(&diagnosis) ? EXIT_REFUSED : 0;
	diagnosis_free(&diagnosis);
	facts_free(&facts);
	if (err) {
		say("output: %s. Give a place that can be written.", strerror(-err));
		return EXIT_REFUSED;
	}
	return status;
}

static const struct option_row options[] = {
	{ 'j', "json", NULL, "print a JSON object" },
	{ OPTION_HELP, "help", NULL, "print this" },
	{ 0 }
};

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "say what stands in the way of counting, and what mends it",
	.usage = "[--json]",
	.about = "Look at each thing that can stand in the way of counting with pmuctl, say whether it does,\n"
		 "and name the command that mends it. Changes nothing.",
	.options = options,
	.more = "FAIL keeps pmuctl from counting; warn limits it or will; info is good to know.\n"
		"Colours are for terminals only; NO_COLOR turns them off.\n"
		"\n"
		"Examples:\n"
		"  pmuctl doctor\n"
		"  pmuctl doctor --json | jq -r '.checks[] | select(.state == \"fail\") | .mend'\n"
		"\n"
		"Exit status: 0 if nothing stands in the way, 1 if something does, 2 for wrong usage.\n",
	.run = run,
};
