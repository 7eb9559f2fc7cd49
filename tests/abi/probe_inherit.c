// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is counted of children and threads: each case is a script, the event is opened on the puppet
 * at the script's first point and read at the others. The counts are exact, so a child that is
 * counted twice, not at all, or from the wrong moment on shows.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"
#include "stage.h"

/* Steps through channel @channel wherever it is, up to the script's end, reading at each. */
static const struct {
	const char *what;
	const char *script;
	int steps;			/* on channel 0, before the end */
	struct perf_event_attr change;	/* or-ed to an enabled counting event */
	int cpu;
} cases[] = {
	{ "fork, not inherited", "s0f{l}wls0", 1, {}, -1 },
	{ "fork", "s0f{l}wls0", 1, { .inherit = 1 }, -1 },
	{ "fork, three children", "s0f{l}f{l}f{ll}wls0", 1, { .inherit = 1 }, -1 },
	{ "fork, one after the other", "s0f{l}ws0f{l}ws0f{ll}ws0", 3, { .inherit = 1 }, -1 },
	{ "grandchildren", "s0f{lf{lf{l}w}w}wls0", 1, { .inherit = 1 }, -1 },
	{ "grandchildren, not inherited", "s0f{lf{lf{l}w}w}wls0", 1, {}, -1 },
	{ "vfork", "s0v{l}wls0", 1, { .inherit = 1 }, -1 },
	{ "vfork of a vfork", "s0v{lv{l}}wls0", 1, { .inherit = 1 }, -1 },
	{ "child forks after its parent's death", "s0f{lq}wls0", 1, { .inherit = 1 }, -1 },
	{ "fork, inherit_stat", "s0f{l}wls0", 1, { .inherit = 1, .inherit_stat = 1 }, -1 },
	{ "inherit_thread, fork (SW-06)", "s0f{l}wls0", 1, { .inherit = 1, .inherit_thread = 1 },
	  -1 },
	{ "fork by a child of inherit_thread (SW-06)", "s0f{lf{l}w}wls0", 1,
	  { .inherit = 1, .inherit_thread = 1 }, -1 },
	{ "fork, pinned", "s0f{l}wls0", 1, { .inherit = 1, .pinned = 1 }, -1 },
	{ "fork, remove_on_exec", "s0f{l}wls0", 1, { .inherit = 1, .remove_on_exec = 1 }, -1 },
	{ "fork, bound to cpu 1", "c0s0f{lc1l}wc1ls0", 1, { .inherit = 1 }, 1 },
	{ "fork, bound to cpu 0", "c0s0f{lc1l}wc1ls0", 1, { .inherit = 1 }, 0 },
	{ "child moves to the other cpu", "c0s0f{c1lc0lc1l}wls0", 1, { .inherit = 1 }, -1 },
	{ "child executes", "s0f{lxl}wls0", 1, { .inherit = 1 }, -1 },
	{ "vforked child executes", "s0v{xl}wls0", 1, { .inherit = 1 }, -1 },
	{ "executed, then fork", "s0xf{l}wls0", 1, { .inherit = 1 }, -1 },
};

static struct perf_event_attr enabled(const struct perf_event_attr *change)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	size_t i;

	for (i = 0; i < sizeof(attr); i++)
		((char *)&attr)[i] |= ((const char *)change)[i];
	attr.disabled = 0;
	return attr;
}

static void probe_case(size_t nr)
{
	struct perf_event_attr attr = enabled(&cases[nr].change);
	char name[120];
	struct stage s;
	int fd, i;

	stage_open(&s, cases[nr].script);
	fd = must_open(&attr, s.pid, cases[nr].cpu, -1);
	for (i = 0; i < cases[nr].steps; i++) {
		stage_step(&s, 0);
		snprintf(name, sizeof(name), "inherit: %s%s", cases[nr].what,
			 i ? i > 1 ? ", third" : ", second" : "");
		answer_value(name, fd);
	}
	stage_cue(&s, 0);
	stage_close(&s);
	snprintf(name, sizeof(name), "inherit: %s, at the end", cases[nr].what);
	answer_value(name, fd);
	/* A bound event waits for its CPU by nature. */
	snprintf(name, sizeof(name), "inherit: %s, times", cases[nr].what);
	answer_times(name, fd);
	close(fd);
}

static const struct perf_event_attr inherit = { .inherit = 1 };

static int open_inherited(struct stage *s, const char *script)
{
	struct perf_event_attr attr = enabled(&inherit);

	stage_open(s, script);
	return must_open(&attr, s->pid, -1, -1);
}

/*
 * A child's event is removed by exec. In-tree perf 7.3 loses what the child did since it was last
 * switched in, which is why it sleeps before, and why the answer is a rounded one.
 */
static void probe_removed_child(void)
{
	static const struct perf_event_attr removed = { .inherit = 1, .remove_on_exec = 1 };
	struct perf_event_attr attr = enabled(&removed);
	struct stage s;
	int fd;

	stage_open(&s, "s0f{lnxl}wls0");
	keep_apart(s.pid);
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 0);
	answer("inherit: child executes, removed there", "%llu loops",
	       (unsigned long long)(must_read(fd).value / (2 * PUPPET_ROUNDS)));
	answer_times("inherit: child executes, removed there, times", fd);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* Reads while a child is there, asleep: its count is added in. */
static void probe_living_child(void)
{
	struct stage s;
	pid_t child;
	int fd = open_inherited(&s, "s0f{ls1ls1}ls0ws0");

	stage_cue(&s, 0);
	child = stage_wait(&s, 1);
	stage_wait(&s, 0);
	answer_value("inherit: child lives", fd);
	answer_times("inherit: child lives, times", fd);
	stage_step(&s, 1);
	answer_value("inherit: child lives, went on", fd);
	stage_cue(&s, 1);
	stage_wait_gone(child);
	answer_value("inherit: child has exited, not waited for", fd);
	stage_step(&s, 0);
	answer_value("inherit: child was waited for", fd);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* The parent exits first; its children are counted on, and theirs too. */
static void probe_orphans(void)
{
	struct stage s;
	int fd = open_inherited(&s, "s0f{s1ls1f{l}wls1}s0");
	pid_t child;

	stage_cue(&s, 0);
	child = stage_wait(&s, 1);
	stage_wait(&s, 0);
	stage_cue(&s, 0);
	stage_wait_gone(s.pid);
	answer_value("inherit: parent exited", fd);
	stage_step(&s, 1);
	answer_value("inherit: parent exited, child went on", fd);
	stage_step(&s, 1);
	answer_value("inherit: parent exited, grandchild", fd);
	stage_cue(&s, 1);
	stage_wait_gone(child);
	stage_close(&s);
	answer_value("inherit: parent and all children exited", fd);
	answer_times("inherit: parent and all children exited, times", fd);
}

static void probe_threads(const char *what, const struct perf_event_attr *change)
{
	struct perf_event_attr attr = enabled(change);
	char name[120];
	struct stage s;
	pid_t thread;
	int fd;

	stage_open(&s, "s0t{ls1lf{l}wt{l}s1}ls0s0");
	fd = must_open(&attr, s.pid, -1, -1);
	stage_cue(&s, 0);
	thread = stage_wait(&s, 1);
	stage_wait(&s, 0);
	snprintf(name, sizeof(name), "inherit: %s, thread lives", what);
	answer_value(name, fd);
	stage_step(&s, 1);
	stage_wait_threads(s.pid, 2);
	snprintf(name, sizeof(name), "inherit: %s, thread forked and started a thread", what);
	answer_value(name, fd);
	stage_cue(&s, 1);
	stage_wait_gone(thread);
	snprintf(name, sizeof(name), "inherit: %s, thread exited", what);
	answer_value(name, fd);
	stage_step(&s, 0);
	stage_cue(&s, 0);
	stage_close(&s);
	snprintf(name, sizeof(name), "inherit: %s, all exited", what);
	answer_value(name, fd);
}

/* A child is enabled where it never ran as long as where it did (TIM-05, REG-30). */
static void probe_bound_parts(void)
{
	struct perf_event_attr attr = enabled(&inherit);
	struct counts whole, parts[2];
	struct stage s;
	int fds[3];

	stage_open(&s, "c0s0f{lf{c1l}wl}f{c1ll}wlc1ls0");
	fds[2] = must_open(&attr, s.pid, -1, -1);
	fds[0] = must_open(&attr, s.pid, 0, -1);
	fds[1] = must_open(&attr, s.pid, 1, -1);
	stage_step(&s, 0);
	whole = must_read(fds[2]);
	parts[0] = must_read(fds[0]);
	parts[1] = must_read(fds[1]);
	answer("inherit: bound parts make the whole", "%s",
	       yes(parts[0].value + parts[1].value == whole.value));
	answer("inherit: bound parts run as long as the whole", "%s",
	       yes(parts[0].running + parts[1].running == whole.running));
	answer("inherit: bound parts are enabled as long as the whole (REG-30)", "%s",
	       yes(parts[0].enabled == whole.enabled && parts[1].enabled == whole.enabled));
	stage_cue(&s, 0);
	stage_close(&s);
}

/* Who is there before the open is not counted. */
static void probe_earlier_children(void)
{
	struct perf_event_attr attr = enabled(&inherit);
	struct stage s;
	pid_t child;
	int fd;

	stage_open(&s, "s0f{s1lf{l}wls1}s0ls0");
	stage_cue(&s, 0);
	child = stage_wait(&s, 1);
	stage_wait(&s, 0);
	fd = must_open(&attr, s.pid, -1, -1);
	stage_step(&s, 1);
	answer_value("inherit: child from before the open", fd);
	stage_step(&s, 0);
	answer_value("inherit: its parent", fd);
	stage_cue(&s, 1);
	stage_wait_gone(child);
	answer_value("inherit: child from before the open exited", fd);
	stage_cue(&s, 0);
	stage_close(&s);
}

/* The file is closed while a child counts; the child and its children go on undisturbed. */
static void probe_closed(void)
{
	struct perf_event_attr attr = enabled(&inherit);
	struct stage s;
	int fd = open_inherited(&s, "s0f{s1lf{l}wls1}s0"), second;
	pid_t child;

	stage_cue(&s, 0);
	child = stage_wait(&s, 1);
	stage_wait(&s, 0);
	second = must_open(&attr, child, -1, -1);
	close(fd);
	stage_step(&s, 1);
	answer_value("inherit: closed while the child runs, child's own event", second);
	stage_cue(&s, 1);
	stage_wait_gone(child);
	answer_value("inherit: closed while the child runs, child's own event at the end", second);
	stage_cue(&s, 0);
	stage_close(&s);
}

void theme_inherit(void)
{
	static const struct perf_event_attr none = {};
	static const struct perf_event_attr threads = { .inherit = 1, .inherit_thread = 1 };
	size_t i;

	for (i = 0; i < LENGTH(cases); i++)
		probe_case(i);
	probe_removed_child();
	probe_living_child();
	probe_orphans();
	probe_threads("thread", &inherit);
	probe_threads("thread, not inherited", &none);
	probe_threads("thread, inherit_thread (SW-06)", &threads);
	probe_bound_parts();
	probe_earlier_children();
	probe_closed();
}
