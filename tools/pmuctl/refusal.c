// SPDX-License-Identifier: GPL-2.0-only
/*
 * What to tell a user whose event or device was refused. The module's own text comes first; a
 * remedy is added only where that text holds none. Pure functions of errno and text.
 */
#include <errno.h>
#include <linux/pmuctl.h>
#include <string.h>

#include "refusal.h"

struct remedy {
	int err;
	const char *why;	/* where the module says nothing */
	const char *what_to_do;
};

static const struct remedy event_remedies[] = {
	{ EACCES, "not allowed for this user",
	  "Run it as root, or see 'pmuctl doctor'" },
	{ EPERM, "not allowed for this user",
	  "Run it as root, or see 'pmuctl doctor'" },
	{ EBUSY, "the hardware is in use by someone else",
	  "'pmuctl doctor' says by whom" },
	{ ENOENT, "this machine has no such event",
	  "See 'pmuctl list' for those it has" },
	{ ENODEV, "the hardware or the CPU is not there",
	  "See 'pmuctl info'" },
	{ ENXIO, "the hardware is not there",
	  "See 'pmuctl info'" },
	{ EOPNOTSUPP, "the hardware cannot do this",
	  "Leave out the modifier or the option, or see 'pmuctl info'" },
	{ EINVAL, "the module does not accept it like this",
	  "Count fewer events at once, or leave out modifiers" },
	{ ENOSPC, "no counter is free for it",
	  "Count fewer events at once" },
	{ ESRCH, "the task has ended",
	  "Give one that runs" },
	{ EMFILE, "too many open files",
	  "Raise 'ulimit -n', or count fewer events or CPUs" },
	{ ENFILE, "too many open files in the system",
	  "Raise 'sysctl fs.file-max'" },
	{ ENOMEM, "the kernel has no memory for it",
	  "Count fewer events at once" },
	{ E2BIG, "the module is older than this command",
	  "Install module and command of one version" },
};

static const struct remedy device_remedies[] = {
	{ ENOENT, "there is no such file, so the module is not loaded",
	  "Run 'modprobe pmuctl' as root, or see 'pmuctl doctor'" },
	{ EACCES, "no permission to open it",
	  "Run it as root, or see 'pmuctl doctor'" },
	{ EPERM, "no permission to open it",
	  "Run it as root, or see 'pmuctl doctor'" },
	{ ENODEV, "no module answers behind it",
	  "Run 'modprobe pmuctl' as root" },
	{ ENXIO, "no module answers behind it",
	  "Run 'modprobe pmuctl' as root" },
	{ ENOTTY, "what answers is not the pmuctl module",
	  "Remove the file and run 'modprobe pmuctl' as root" },
};

static const struct remedy snapshot_remedies[] = {
	{ EACCES, "not allowed for this user, for it shows everybody's events: it needs CAP_PERFMON, or module parameter paranoid at most 0",
	  "Run it as root" },
	{ EPERM, "not allowed for this user", "Run it as root" },
	{ ENOTTY, "this module cannot show its counters",
	  "Install module and command of one version" },
	{ ENOSPC, "events are opened faster than they can be listed",
	  "Try again" },
	{ ENOMEM, "the kernel has no memory for it",
	  "Try again" },
};

static const struct remedy *find(const struct remedy *table, size_t nr, int err)
{
	for (size_t i = 0; i < nr; i++)
		if (table[i].err == err)
			return &table[i];
	return NULL;
}

/* Sentences after the first are the module's own remedy. */
static bool holds_remedy(const char *text)
{
	return strstr(text, ". ");
}

void refusal_event(struct why *why, const char *name, int err, const char *text)
{
	const struct remedy *remedy = find(event_remedies, ARRAY_SIZE(event_remedies), err);

	if (!*text)
		text = remedy ? remedy->why : strerror(err);
	why_set(why, "event '%s': %s%s", name, text, text_final_stop(text));
	if (remedy && !holds_remedy(text))
		why_add(why, " %s.", remedy->what_to_do);
}

void refusal_device(struct why *why, int err, unsigned int abi)
{
	const struct remedy *remedy = find(device_remedies, ARRAY_SIZE(device_remedies), err);

	if (err == EPROTO)
		why_set(why, PMUCTL_DEVICE_PATH ": the module speaks version %u of the interface, this command version %u. Install module and command of one version.",
			abi, PMUCTL_ABI_VERSION);
	else if (remedy)
		why_set(why, PMUCTL_DEVICE_PATH ": %s. %s.", remedy->why, remedy->what_to_do);
	else
		why_set(why, PMUCTL_DEVICE_PATH ": %s. See 'pmuctl doctor'.", strerror(err));
}

void refusal_snapshot(struct why *why, int err)
{
	const struct remedy *remedy = find(snapshot_remedies, ARRAY_SIZE(snapshot_remedies), err);

	if (remedy)
		why_set(why, "snapshot: %s. %s.", remedy->why, remedy->what_to_do);
	else
		why_set(why, "snapshot: %s. See 'pmuctl doctor'.", strerror(err));
}
