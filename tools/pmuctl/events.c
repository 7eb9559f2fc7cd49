// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of events as people write them: commas, {groups}, :modifiers. Asks the sources in
 * event_sources.h for each name and never opens anything.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "event_sources.h"
#include "events.h"

#define MODIFIERS	"ukhpPDeGHISWb"

static void offer(const struct source_name *name, void *arg)
{
	nearest_offer(arg, name->name);
	if (name->alias)
		nearest_offer(arg, name->alias);
}

/* "EVENT" for "EVENT:UMASK": a mistyped event should be found whatever follows it. */
static void offer_pfm(const struct source_name *name, void *arg)
{
	struct nearest *near = arg;
	char event[TEXT_NAME_MAX];

	nearest_offer(near, name->name);
	if (strchr(near->word, ':') || strlen(name->name) >= sizeof(event))
		return;
	strcpy(event, name->name);
	event[strcspn(event, ":")] = '\0';
	nearest_offer(near, event);
}

/* sysfs events are "PMU/NAME/"; people also write the bare NAME. */
static void offer_sysfs(const struct source_name *name, void *arg)
{
	char event[TEXT_NAME_MAX];
	const char *bare = strchr(name->name, '/') + 1;

	if (strlen(bare) >= sizeof(event))
		return;
	strcpy(event, bare);
	event[strcspn(event, "/")] = '\0';
	nearest_offer(arg, event);
}

static int unknown_event(const char *name, struct why *why)
{
	struct nearest near;
	char *sentence;

	nearest_init(&near, name);
	generic_each_hardware(offer, &near);
	generic_each_software(offer, &near);
	generic_each_cache(offer, &near);
	sysfs_each(offer_sysfs, &near);
	pfm_each(offer_pfm, &near);
	sentence = nearest_sentence(&near);
	why_set(why, "event '%s': no such event on this machine.%s See 'pmuctl list'", name,
		sentence);
	free(sentence);
	return -1;
}

static const char *why_not_modifier(char modifier)
{
	switch (modifier) {
	case 'S':
		return "it reads a group with its leader's samples, and stat takes none. Leave it out";
	case 'W':
		return "groups are never broken up behind your back. Leave it out, and write the events without braces if they do not fit together";
	case 'b':
		return "pmuctl does not count through BPF. Leave it out";
	default:
		return NULL;
	}
}

/* As perf does it: the first of u, k, h excludes the other two. */
static void choose_level(struct event *event, char modifier)
{
	struct perf_event_attr *attr = &event->attr;

	if (event->any_level)
		attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
	event->any_level = false;
	if (modifier == 'u')
		attr->exclude_user = 0;
	else if (modifier == 'k')
		attr->exclude_kernel = 0;
	else
		attr->exclude_hv = 0;
}

static int apply_modifier(struct event *event, char modifier, bool leader, struct why *why)
{
	const char *reason = why_not_modifier(modifier);

	if (reason)
		return why_set(why, "event '%s': modifier '%c': %s", event->name, modifier, reason);
	switch (modifier) {
	case 'u': case 'k': case 'h':
		choose_level(event, modifier);
		return 0;
	case 'p':
		if (event->attr.precise_ip == 3)
			return why_set(why, "event '%s': modifier 'p': three are the most. Leave one out",
				       event->name);
		event->attr.precise_ip++;
		return 0;
	case 'P':
		event->attr.precise_ip = 3;
		return 0;
	case 'D':
		event->attr.pinned = leader;
		return 0;
	case 'e':
		event->attr.exclusive = leader;
		return 0;
	case 'G':
		event->attr.exclude_host = 1;
		return 0;
	case 'H':
		event->attr.exclude_guest = 1;
		return 0;
	case 'I':
		event->attr.exclude_idle = 1;
		return 0;
	default:
		return why_set(why, "event '%s': there is no modifier '%c'. Known: u k h p P D e G H I",
			       event->name, modifier);
	}
}

static int apply_modifiers(struct event *event, const char *modifiers, bool leader,
			   struct why *why)
{
	for (; *modifiers; modifiers++)
		if (apply_modifier(event, *modifiers, leader, why))
			return -1;
	return 0;
}

/* libpfm4 reads :u and :k itself; what it then left out was the user's choice. */
static enum source_answer ask_pfm(const char *text, struct event *event, struct why *why)
{
	enum source_answer answer = pfm_event(text, &event->attr, why);

	if (answer == SOURCE_FOUND && (event->attr.exclude_user || event->attr.exclude_kernel)) {
		event->any_level = false;
		event->attr.exclude_hv = 1;
	}
	return answer;
}

/* perf's names and the bare names of the core PMU's events in sysfs: none holds a colon. */
static enum source_answer ask_plain(const char *text, struct event *event, struct why *why)
{
	enum source_answer answer = generic_event(text, &event->attr);

	return answer == SOURCE_UNKNOWN ? sysfs_short_event(text, &event->attr, why) : answer;
}

/* PMU/TERMS/MODIFIERS, with or without a colon before the modifiers. */
static enum source_answer find_slashed(char *text, struct event *event, const char **modifiers,
				       struct why *why)
{
	const char *rest = strrchr(text, '/') + 1;

	*modifiers = rest + (*rest == ':');
	return sysfs_event(text, &event->attr, &event->name, why);
}

/*
 * NAME:MODIFIERS. libpfm4 writes unit masks after a colon as well, so it is asked about the
 * whole first, and about what stands before the colon only if modifiers stand behind it.
 */
static enum source_answer find_plain(char *text, struct event *event, const char **modifiers,
				     struct why *why)
{
	char *colon = strrchr(text, ':');
	enum source_answer answer;
	struct why ignored;

	if (colon) {
		*colon = '\0';
		*modifiers = colon + 1;
	}
	answer = ask_plain(text, event, why);
	if (answer != SOURCE_UNKNOWN)
		return answer;
	if (colon)
		*colon = ':';
	answer = ask_pfm(text, event, why);
	if (answer == SOURCE_FOUND || !colon || colon[1 + strspn(colon + 1, MODIFIERS)]) {
		*modifiers = "";
		return answer;
	}
	*colon = '\0';
	return ask_pfm(text, event, &ignored) == SOURCE_FOUND ? SOURCE_FOUND : answer;
}

/* Find the event of @text, and what modifiers follow it (part of @text). */
static int resolve(const char *written, char *text, struct event *event, const char **modifiers,
		   struct why *why)
{
	struct why inner = { "" };
	enum source_answer answer;

	*modifiers = "";
	if (strchr(text, '/'))
		answer = find_slashed(text, event, modifiers, &inner);
	else
		answer = find_plain(text, event, modifiers, &inner);
	if (answer == SOURCE_UNKNOWN)
		return unknown_event(text, why);
	if (answer == SOURCE_BAD)
		return why_set(why, "event '%s': %s", written, inner.text);
	return 0;
}

static int parse_one(const char *written, struct event *event, const char *group_modifiers,
		     bool leader, struct why *why)
{
	char *text = xstrdup(written);
	const char *modifiers;
	int err;

	event->any_level = true;
	event->name = xstrdup(written);
	event->attr.size = sizeof(event->attr);
	err = resolve(written, text, event, &modifiers, why);
	if (!err)
		err = apply_modifiers(event, modifiers, leader, why);
	if (!err)
		err = apply_modifiers(event, group_modifiers, leader, why);
	if (!err && *group_modifiers) {
		char *longer = text_format("%s%s%s", event->name, *modifiers ? "" : ":",
					   group_modifiers);

		free(event->name);
		event->name = longer;
	}
	free(text);
	return err;
}

static struct event *append(struct event_list *list)
{
	list->event = xrealloc(list->event, list->nr + 1, sizeof(*list->event));
	list->event[list->nr] = (struct event){ .leader = list->nr };
	return &list->event[list->nr++];
}

/* Length of the text up to the next comma that no slashes or braces hide. */
static size_t item_length(const char *text)
{
	bool in_slashes = false, in_braces = false;
	size_t i;

	for (i = 0; text[i]; i++) {
		if (text[i] == '/')
			in_slashes = !in_slashes;
		if (!in_slashes && text[i] == '{')
			in_braces = true;
		if (!in_slashes && !in_braces && text[i] == ',')
			break;
		if (!in_slashes && text[i] == '}')
			in_braces = false;
	}
	return i;
}

/* Cut off the next item; *@rest is NULL after the last. The caller frees it. */
static char *next_item(const char **rest)
{
	const char *begin = *rest + strspn(*rest, " \t\n");
	size_t length = item_length(begin);
	char *item = text_format("%.*s", (int)length, begin);

	*rest = begin[length] ? begin + length + 1 : NULL;
	while (length && isspace((unsigned char)item[length - 1]))
		item[--length] = '\0';
	return item;
}

static int parse_members(struct event_list *list, const char *text, const char *modifiers,
			 bool named, struct why *why)
{
	size_t leader = list->nr;

	while (text) {
		char *item = next_item(&text);
		struct event *event;
		int err;

		if (!*item) {
			free(item);
			return why_set(why, "an event name is missing beside a comma or brace");
		}
		event = append(list);
		event->leader = leader;
		event->named = named;
		err = parse_one(item, event, modifiers, event->leader == list->nr - 1, why);
		free(item);
		if (err)
			return err;
	}
	return 0;
}

static int parse_group(struct event_list *list, char *item, bool named, struct why *why)
{
	char *end = strrchr(item, '}');

	if (!end)
		return why_set(why, "the group '%s' has no closing brace", item);
	*end++ = '\0';
	if (*end && *end != ':')
		return why_set(why, "'%s' follows a group: only :MODIFIERS may", end);
	return parse_members(list, item + 1, *end ? end + 1 : "", named, why);
}

static void truncate_list(struct event_list *list, size_t nr)
{
	while (list->nr > nr)
		free(list->event[--list->nr].name);
}

int events_parse(struct event_list *list, const char *text, bool named, struct why *why)
{
	size_t before = list->nr;
	int err = 0;

	while (!err && text) {
		char *item = next_item(&text);

		if (*item == '{')
			err = parse_group(list, item, named, why);
		else
			err = parse_members(list, item, "", named, why);
		free(item);
	}
	if (err)
		truncate_list(list, before);
	return err;
}

void events_free(struct event_list *list)
{
	truncate_list(list, 0);
	free(list->event);
	*list = (struct event_list){ 0 };
}
