// SPDX-License-Identifier: GPL-2.0-only
/* Lists of events as people write them. libpfm4 is told to be on a Sapphire Rapids. */
#include <time.h>

#include "event_sources.h"
#include "events.h"
#include "fixture.h"

#define HW	PERF_TYPE_HARDWARE
#define SW	PERF_TYPE_SOFTWARE
#define CACHE	PERF_TYPE_HW_CACHE
#define RAW	PERF_TYPE_RAW

static int setup(void **state)
{
	(void)state;
	setenv("LIBPFM_FORCE_PMU", "spr", 1);
	pfm_reset();
	fixture_make();
	fixture_cpu_pmu();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_remove();
	pfm_reset();
	return 0;
}

static struct event_list parse(const char *text)
{
	struct event_list list = { 0 };
	struct why why = { "" };

	if (events_parse(&list, text, true, &why))
		fail_msg("%s: %s", text, why.text);
	return list;
}

static void refused(const char *text, const char *part)
{
	struct event_list list = { 0 };
	struct why why = { "" };

	if (!events_parse(&list, text, true, &why))
		fail_msg("%s was accepted", text);
	if (!strstr(why.text, part))
		fail_msg("%s: '%s' does not say '%s'", text, why.text, part);
	assert_int_equal(list.nr, 0);
	events_free(&list);
}

static void every_way_to_name_an_event(void **state)
{
	static const struct {
		const char *text;
		__u32 type;
		__u64 config, config1;
	} names[] = {
		{ "cycles", HW, 0, 0 },
		{ "cpu-cycles", HW, 0, 0 },
		{ "instructions", HW, 1, 0 },
		{ "branch-instructions", HW, 4, 0 },
		{ "stalled-cycles-backend", HW, 8, 0 },
		{ "ref-cycles", HW, 9, 0 },
		{ "task-clock", SW, 1, 0 },
		{ "faults", SW, 2, 0 },
		{ "cs", SW, 3, 0 },
		{ "dummy", SW, 9, 0 },
		{ "L1-dcache-loads", CACHE, 0, 0 },
		{ "L1-dcache-load-misses", CACHE, 0x10000, 0 },
		{ "L1-dcache-stores", CACHE, 0x100, 0 },
		{ "LLC-loads", CACHE, 2, 0 },
		{ "dTLB-store-misses", CACHE, 0x10103, 0 },
		{ "branch-load-misses", CACHE, 0x10005, 0 },
		{ "node-prefetches", CACHE, 0x206, 0 },
		{ "L1-icache-misses", CACHE, 0x10001, 0 },
		{ "r1a2b", RAW, 0x1a2b, 0 },
		{ "r0", RAW, 0, 0 },
		{ "cpu/event=0xc4,umask=0x20/", RAW, 0x20c4, 0 },
		{ "cpu/event=0xc4,edge/", RAW, 0x400c4, 0 },
		{ "cpu/config=0x20c4,config1=7/", RAW, 0x20c4, 7 },
		{ "cpu/mem-loads/", RAW, 0x1cd, 3 },
		{ "cpu/mem-loads,ldlat=30/", RAW, 0x1cd, 30 },
		{ "cpu/any-latency,ldlat=9/", RAW, 0xcd, 9 },
		{ "mem-loads", RAW, 0x1cd, 3 },
		{ "BR_INST_RETIRED:COND", RAW, 0x11c4, 0 },
		{ "spr::BR_INST_RETIRED:COND", RAW, 0x11c4, 0 },
		{ "br_inst_retired:cond", RAW, 0x11c4, 0 },
		{ "BR_INST_RETIRED:COND:c=2", RAW, 0x20011c4, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct event_list list = parse(names[i].text);

		assert_int_equal(list.nr, 1);
		assert_string_equal(list.event[0].name, names[i].text);
		assert_int_equal(list.event[0].attr.type, names[i].type);
		assert_int_equal(list.event[0].attr.config, names[i].config);
		assert_int_equal(list.event[0].attr.config1, names[i].config1);
		assert_true(list.event[0].any_level);
		assert_false(list.event[0].attr.exclude_kernel || list.event[0].attr.exclude_user ||
			     list.event[0].attr.exclude_hv);
		events_free(&list);
	}
}

static void modifiers_choose_levels(void **state)
{
	static const struct {
		const char *text;
		int no_user, no_kernel, no_hv;
	} cases[] = {
		{ "cycles:u", 0, 1, 1 },
		{ "cycles:k", 1, 0, 1 },
		{ "cycles:uk", 0, 0, 1 },
		{ "cycles:h", 1, 1, 0 },
		{ "r1c4:u", 0, 1, 1 },
		{ "cpu/event=1/u", 0, 1, 1 },
		{ "cpu/event=1/:k", 1, 0, 1 },
		{ "mem-loads:u", 0, 1, 1 },
		{ "BR_INST_RETIRED:COND:u", 0, 1, 1 },
		{ "BR_INST_RETIRED:COND:k", 1, 0, 1 },
		{ "BR_INST_RETIRED:COND:uD", 0, 1, 1 },
		{ "{cycles}:u", 0, 1, 1 },
		{ "{cycles:k}:u", 0, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = parse(cases[i].text);
		const struct perf_event_attr *attr = &list.event[0].attr;

		assert_int_equal(attr->exclude_user, cases[i].no_user);
		assert_int_equal(attr->exclude_kernel, cases[i].no_kernel);
		assert_int_equal(attr->exclude_hv, cases[i].no_hv);
		assert_false(list.event[0].any_level);
		events_free(&list);
	}
}

static void other_modifiers_set_their_bit(void **state)
{
	struct event_list list = parse("cycles:ppDeGHI");
	const struct perf_event_attr *attr = &list.event[0].attr;

	(void)state;
	assert_int_equal(attr->precise_ip, 2);
	assert_true(attr->pinned && attr->exclusive);
	assert_true(attr->exclude_host && attr->exclude_guest && attr->exclude_idle);
	assert_true(list.event[0].any_level);
	events_free(&list);
}

static void groups_know_their_leader(void **state)
{
	struct event_list list = parse("branches,{cycles,instructions,cpu/event=1,umask=2/}:uD,r1");
	static const size_t leader[] = { 0, 1, 1, 1, 4 };

	(void)state;
	assert_int_equal(list.nr, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(list.event[i].leader, leader[i]);
	assert_true(list.event[1].attr.pinned);
	assert_false(list.event[2].attr.pinned);
	assert_true(list.event[2].attr.exclude_kernel);
	assert_false(list.event[4].attr.exclude_kernel);
	assert_string_equal(list.event[2].name, "instructions:uD");
	assert_string_equal(list.event[4].name, "r1");
	events_free(&list);
}

static void lists_are_appended(void **state)
{
	struct event_list list = parse("cycles");
	struct why why;

	(void)state;
	assert_int_equal(events_parse(&list, "{branches,branch-misses}", false, &why), 0);
	assert_int_equal(list.nr, 3);
	assert_int_equal(list.event[2].leader, 1);
	assert_true(list.event[0].named);
	assert_false(list.event[2].named);
	/* A refused list leaves what was there. */
	assert_int_equal(events_parse(&list, "instructions,nonsense", false, &why), -1);
	assert_int_equal(list.nr, 3);
	events_free(&list);
}

static void an_event_may_name_itself(void **state)
{
	struct event_list list = parse("cpu/event=1,name=first thing/u");

	(void)state;
	assert_string_equal(list.event[0].name, "first thing");
	events_free(&list);
}

static void spaces_do_not_matter(void **state)
{
	struct event_list list = parse(" cycles , {instructions , branches} ");

	(void)state;
	assert_int_equal(list.nr, 3);
	assert_string_equal(list.event[0].name, "cycles");
	assert_string_equal(list.event[2].name, "branches");
	events_free(&list);
}

static void cpu_is_the_core_pmu_wherever_it_has_another_name(void **state)
{
	struct event_list list;

	(void)state;
	fixture_remove();
	fixture_make();
	fixture_file("bus/event_source/devices/armv8_pmuv3_0/type", "9\n");
	fixture_file("bus/event_source/devices/armv8_pmuv3_0/format/event", "config:0-15\n");
	fixture_file("bus/event_source/devices/armv8_pmuv3_0/events/inst_retired", "event=0x008\n");
	list = parse("cpu/event=0x8/,armv8_pmuv3_0/inst_retired/,inst_retired");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(list.event[i].attr.type, 9);
		assert_int_equal(list.event[i].attr.config, 8);
	}
	events_free(&list);
}

static void refusals_say_why_and_name_the_nearest(void **state)
{
	(void)state;
	refused("cyclse", "event 'cyclse': no such event on this machine. Did you mean 'cycles'");
	refused("cyclse:u", "'cycles'");
	refused("L1-dcache-laods", "'L1-dcache-loads'");
	refused("mem-laods", "'mem-loads'");
	refused("BR_INST_RETIRD", "'BR_INST_RETIRED'");
	refused("BR_INST_RETIRD:COND", "'BR_INST_RETIRED:COND'");
	refused("BR_INST_RETIRED:BAD", "BR_INST_RETIRED:COND");
	refused("spr::BR_INST_RETIRED:BAD", "BR_INST_RETIRED:COND");
	refused("cpu/evnt=1/", "Did you mean 'event'");
	refused("cpu/event=0x100/", "term 'event': the value 0x100 does not fit in 8 bits");
	refused("cpu/event=abc/", "not a number");
	refused("cpu/any-latency/", "needs a value for 'ldlat'");
	refused("cpu/event=1,period=100/", "for sampling");
	refused("cpu/loop/", "refers to itself");
	refused("cpux/event=1/", "Did you mean 'cpu'");
	refused("iTLB-stores", "no such event");
	refused("rxyz", "no such event");
}

static void bad_lists_and_modifiers_are_refused(void **state)
{
	(void)state;
	refused("", "missing");
	refused("cycles,", "missing");
	refused(",cycles", "missing");
	refused("{}", "missing");
	refused("{cycles", "no closing brace");
	refused("{cycles}u", "only :MODIFIERS may");
	refused("cycles:x", "there is no modifier 'x'");
	refused("cycles:pppp", "three are the most");
	refused("cycles:S", "modifier 'S'");
	refused("cycles:W", "modifier 'W'");
	refused("cycles:b", "BPF");
	refused("cpu/event=1/z", "there is no modifier 'z'");
}

/* What a cat on the keyboard makes of valid lists; only the sanitizers judge. */
static void no_text_breaks_the_parser(void **state)
{
	static const char *const start[] = {
		"{cycles,instructions:u}:D,cpu/event=0xc4,umask=0x20,name=x/k,r1c4",
		"BR_INST_RETIRED:COND:c=2:u,cpu/mem-loads,ldlat=3/",
	};
	static const char letters[] = "{}/:,=-.ukDr0x9 e?";
	const char *given = getenv("PMUCTL_TEST_SEED");
	unsigned int seed = given ? (unsigned int)atoi(given) : (unsigned int)time(NULL);

	(void)state;
	print_message("seed %u (set PMUCTL_TEST_SEED to repeat)\n", seed);
	srandom(seed);
	for (int round = 0; round < 2000; round++) {
		struct event_list list = { 0 };
		struct why why = { "" };
		char text[128];

		strcpy(text, start[round % 2]);
		for (long edits = random() % 4; edits >= 0; edits--)
			text[random() % strlen(text)] = letters[random() % strlen(letters)];
		text[1 + random() % strlen(text)] = '\0';
		if (events_parse(&list, text, true, &why))
			assert_true(why.text[0] && !list.nr);
		else
			assert_true(list.nr);
		events_free(&list);
	}
}

struct seen {
	const char *name;
	int nr;
};

static void see(const struct source_name *name, void *arg)
{
	struct seen *seen = arg;

	seen->nr += !strcmp(name->name, seen->name);
}

static void sources_list_what_they_understand(void **state)
{
	struct seen seen[] = { { "cycles", 0 }, { "LLC-load-misses", 0 }, { "page-faults", 0 },
			       { "cpu/mem-loads/", 0 }, { "BR_INST_RETIRED:COND", 0 } };

	(void)state;
	generic_each_hardware(see, &seen[0]);
	generic_each_cache(see, &seen[1]);
	generic_each_software(see, &seen[2]);
	sysfs_each(see, &seen[3]);
	pfm_each(see, &seen[4]);
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++) {
		struct event_list list = parse(seen[i].name);

		assert_int_equal(seen[i].nr, 1);
		events_free(&list);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(every_way_to_name_an_event),
		TEST(modifiers_choose_levels),
		TEST(other_modifiers_set_their_bit),
		TEST(groups_know_their_leader),
		TEST(lists_are_appended),
		TEST(an_event_may_name_itself),
		TEST(spaces_do_not_matter),
		TEST(cpu_is_the_core_pmu_wherever_it_has_another_name),
		TEST(refusals_say_why_and_name_the_nearest),
		TEST(bad_lists_and_modifiers_are_refused),
		TEST(no_text_breaks_the_parser),
		TEST(sources_list_what_they_understand),
	};

	return cmocka_run_group_tests_name("tools/events", tests, NULL, NULL);
}
