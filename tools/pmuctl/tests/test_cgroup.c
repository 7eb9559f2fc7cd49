// SPDX-License-Identifier: GPL-2.0-only
/* Control groups: finding them, and giving them to events. */
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "fixture.h"

/* A made-up mount of cgroup2, with a space in its name, and two groups in it. */
static int setup(void **state)
{
	char *mounts, *escaped;

	(void)state;
	fixture_make();
	fixture_file("cgroup two/a/cgroup.procs", "");
	fixture_file("cgroup two/b/c/cgroup.procs", "");
	escaped = text_format("%s/cgroup\\040two", getenv("PROC_PATH"));
	mounts = text_format("proc /proc proc rw 0 0\n"
			     "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
			     "none %s cgroup2 rw,nsdelegate 0 0\n", escaped);
	fixture_file("mounts", mounts);
	free(mounts);
	free(escaped);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_remove();
	return 0;
}

static struct event_list parse(const char *text)
{
	struct event_list list = { 0 };
	struct why why;

	assert_int_equal(events_parse(&list, text, true, &why), 0);
	return list;
}

static struct cgroup_list open_names(const char *names)
{
	struct cgroup_list list = { 0 };
	struct why why = { "" };

	if (cgroups_open(&list, names, &why))
		fail_msg("%s: %s", names, why.text);
	return list;
}

static void mount_is_found_among_others(void **state)
{
	char *mount = cgroup_mount(), *wanted = text_format("%s/cgroup two", getenv("PROC_PATH"));

	(void)state;
	assert_string_equal(mount, wanted);
	free(mount);
	free(wanted);
}

static void names_are_directories_below_the_mount(void **state)
{
	struct cgroup_list list = open_names("a,/b/c,,/");

	(void)state;
	assert_int_equal(list.nr, 4);
	assert_string_equal(list.cgroup[1].name, "/b/c");
	assert_true(list.cgroup[0].fd >= 0 && list.cgroup[1].fd >= 0 && list.cgroup[3].fd >= 0);
	assert_int_equal(list.cgroup[2].fd, -1);
	cgroups_free(&list);
}

static void what_is_not_there_is_refused_by_name(void **state)
{
	struct cgroup_list list = { 0 };
	struct why why;

	(void)state;
	assert_int_equal(cgroups_open(&list, "a,nix", &why), -1);
	assert_true(strstr(why.text, "there is no cgroup 'nix' below "));
	cgroups_free(&list);
	fixture_file("mounts", "proc /proc proc rw 0 0\n");
	assert_int_equal(cgroups_open(&list, "a", &why), -1);
	assert_true(strstr(why.text, "no cgroup2 is mounted."));
	cgroups_free(&list);
}

static void one_for_all_or_one_for_each(void **state)
{
	struct event_list events = parse("cycles,instructions,branches");
	struct cgroup_list one = open_names("a"), each = open_names("a,,/b/c"), two = open_names("a,b");
	struct why why;

	(void)state;
	assert_int_equal(cgroups_assign(&one, &events, &why), 0);
	for (int i = 0; i < 3; i++)
		assert_ptr_equal(events.event[i].cgroup, &one.cgroup[0]);
	assert_int_equal(cgroups_assign(&each, &events, &why), 0);
	assert_ptr_equal(events.event[0].cgroup, &each.cgroup[0]);
	assert_null(events.event[1].cgroup);
	assert_ptr_equal(events.event[2].cgroup, &each.cgroup[2]);
	assert_int_equal(cgroups_assign(&two, &events, &why), -1);
	assert_true(strstr(why.text, "2 cgroups for 3 events: give one for all events"));
	events_free(&events);
	cgroups_free(&one);
	cgroups_free(&each);
	cgroups_free(&two);
}

static void a_group_counts_in_one_cgroup(void **state)
{
	struct event_list events = parse("{cycles,instructions}");
	struct cgroup_list same = open_names("a,a"), other = open_names("a,b");
	struct why why;

	(void)state;
	assert_int_equal(cgroups_assign(&same, &events, &why), 0);
	assert_int_equal(cgroups_assign(&other, &events, &why), -1);
	assert_string_equal(why.text, "event 'instructions': its group's leader counts in another cgroup. Give all members of a group the same cgroup");
	events_free(&events);
	cgroups_free(&same);
	cgroups_free(&other);
}

static void every_event_in_every_cgroup(void **state)
{
	struct event_list events = parse("cycles,{instructions,branches:u}");
	struct cgroup_list list = open_names("a,b");

	(void)state;
	cgroups_multiply(&list, &events);
	assert_int_equal(events.nr, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_ptr_equal(events.event[i].cgroup, &list.cgroup[i / 3]);
		assert_int_equal(events.event[i].leader, i / 3 * 3 + (i % 3 ? 1 : 0));
		assert_true(events.event[i].named);
	}
	assert_string_equal(events.event[5].name, "branches:u");
	assert_true(events.event[5].attr.exclude_kernel);
	events_free(&events);
	cgroups_free(&list);
}

static void unknown_id_is_shown_as_number(void **state)
{
	char *path = cgroup_path(12345);

	(void)state;
	assert_string_equal(path, "cgroup 12345");
	free(path);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(mount_is_found_among_others),
		TEST(names_are_directories_below_the_mount),
		TEST(what_is_not_there_is_refused_by_name),
		TEST(one_for_all_or_one_for_each),
		TEST(a_group_counts_in_one_cgroup),
		TEST(every_event_in_every_cgroup),
		TEST(unknown_id_is_shown_as_number),
	};

	return cmocka_run_group_tests_name("tools/cgroup", tests, NULL, NULL);
}
