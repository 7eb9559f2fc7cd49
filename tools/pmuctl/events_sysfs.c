// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events a PMU describes in sysfs: PMU/term=value,.../ as perf writes them. Opens files below
 * bus/event_source/devices only.
 */
#include <stdlib.h>
#include <string.h>

#include "event_sources.h"
#include "format.h"
#include "sysfs.h"

#define DEVICES		"bus/event_source/devices"
#define MAX_NESTING	4

/* One parse: the words filled so far, and the name the event gave itself. */
struct sysfs_parse {
	const char *pmu;
	const char *written;	/* the user's terms, which may fill in an event's "?" */
	uint64_t words[FORMAT_WORDS];
	char *name;
	struct why *why;
};

static int parse_terms(struct sysfs_parse *p, const char *text, int nesting);

static void offer(const char *name, void *arg)
{
	nearest_offer(arg, name);
}

static int unknown_term(struct sysfs_parse *p, const char *term)
{
	struct nearest near;
	char *sentence;

	nearest_init(&near, term);
	sysfs_names(offer, &near, DEVICES "/%s/format", p->pmu);
	sysfs_names(offer, &near, DEVICES "/%s/events", p->pmu);
	sentence = nearest_sentence(&near);
	why_set(p->why, "PMU '%s' has no term or event '%s'.%s See 'pmuctl list %s/'", p->pmu, term,
		sentence, p->pmu);
	free(sentence);
	return -1;
}

/* config=, config1=, config2=: a whole word at once. */
static bool whole_word(const char *term, struct format *format)
{
	struct why ignored;
	char *text = text_format("%s:0-63", term);
	bool found = !format_parse(format, text, &ignored);

	free(text);
	return found;
}

static int store_term(struct sysfs_parse *p, const char *term, const char *value)
{
	char *text = sysfs_line(DEVICES "/%s/format/%s", p->pmu, term);
	struct format format;
	uint64_t number = 1;
	int err;

	if (!text && !whole_word(term, &format))
		return unknown_term(p, term);
	if (value && !text_number(value, 0, &number)) {
		free(text);
		return why_set(p->why, "the value '%s' of term '%s' is not a number", value, term);
	}
	err = text ? format_parse(&format, text, p->why) : 0;
	free(text);
	if (!err && format_store(&format, number, p->words, p->why)) {
		struct why inner = *p->why;

		err = why_set(p->why, "term '%s': %.400s", term, inner.text);
	}
	return err;
}

static bool is_term(struct sysfs_parse *p, const char *word)
{
	char *format = sysfs_line(DEVICES "/%s/format/%s", p->pmu, word);

	free(format);
	return format;
}

/* A bare word is an event of the PMU, whose file holds terms, or else a term set to 1. */
static int bare_word(struct sysfs_parse *p, const char *word, int nesting)
{
	char *terms = sysfs_line(DEVICES "/%s/events/%s", p->pmu, word);
	int err;

	if (!terms)
		return is_term(p, word) ? store_term(p, word, NULL) : unknown_term(p, word);
	if (nesting >= MAX_NESTING)
		err = why_set(p->why, "event '%s' in sysfs refers to itself", word);
	else
		err = parse_terms(p, terms, nesting + 1);
	free(terms);
	return err;
}

/* "ldlat=?" in an event of sysfs: the user gives it beside the event's name. */
static int check_parameter(struct sysfs_parse *p, const char *term)
{
	char *wanted = text_format(",%s=", term);
	bool given = strstr(p->written, wanted);

	free(wanted);
	return given ? 0 : why_set(p->why, "the event needs a value for '%s'. Write %s/%s,%s=NUMBER/",
				   term, p->pmu, p->written, term);
}

static int parse_term(struct sysfs_parse *p, char *term, int nesting)
{
	char *value = strchr(term, '=');

	if (!value)
		return bare_word(p, term, nesting);
	*value++ = '\0';
	if (!strcmp(term, "name")) {
		free(p->name);
		p->name = xstrdup(value);
		return 0;
	}
	if (!strcmp(term, "period") || !strcmp(term, "freq"))
		return why_set(p->why, "the term '%s' is for sampling, and stat counts. Leave it out",
			       term);
	if (nesting && !strcmp(value, "?"))
		return check_parameter(p, term);
	return store_term(p, term, value);
}

static int parse_terms(struct sysfs_parse *p, const char *text, int nesting)
{
	char *copy = xstrdup(text), *rest = copy, *term;
	int err = 0;

	while (!err && (term = strsep(&rest, ",")))
		if (*term)
			err = parse_term(p, term, nesting);
	free(copy);
	return err;
}

static int unknown_pmu(const char *pmu, struct why *why)
{
	struct nearest near;
	char *sentence;

	nearest_init(&near, pmu);
	sysfs_names(offer, &near, DEVICES);
	sentence = nearest_sentence(&near);
	why_set(why, "there is no PMU '%s' in %s/" DEVICES "%s%s", pmu, sysfs_root(),
		*sentence ? "." : "", sentence);
	free(sentence);
	return -1;
}

/* "cpu" stands for the core PMU wherever that has another name. */
static char *find_pmu(const char *pmu, int *type)
{
	char *core = NULL;

	*type = sysfs_int(-1, DEVICES "/%s/type", pmu);
	if (*type >= 0)
		return xstrdup(pmu);
	if (!strcmp(pmu, "cpu"))
		core = sysfs_core_pmu();
	if (core)
		*type = sysfs_int(-1, DEVICES "/%s/type", core);
	return core;
}

/* Returns 0, or -1 with the reason; *@name is replaced if the terms give one. */
static int encode(const char *pmu, const char *terms, struct perf_event_attr *attr, char **name,
		  struct why *why)
{
	int type, err;
	char *found = find_pmu(pmu, &type);
	struct sysfs_parse p = { .pmu = found, .written = terms, .why = why };

	if (!found)
		return unknown_pmu(pmu, why);
	err = parse_terms(&p, terms, 0);
	free(found);
	if (err) {
		free(p.name);
		return err;
	}
	attr->type = type;
	attr->config = p.words[0];
	attr->config1 = p.words[1];
	attr->config2 = p.words[2];
	if (p.name && name) {
		free(*name);
		*name = p.name;
	} else {
		free(p.name);
	}
	return 0;
}

enum source_answer sysfs_event(const char *text, struct perf_event_attr *attr, char **name,
			       struct why *why)
{
	char *pmu = xstrdup(text), *terms = strchr(pmu, '/');
	int err;

	if (!terms || terms == pmu) {
		free(pmu);
		return SOURCE_UNKNOWN;
	}
	*terms++ = '\0';
	terms[strcspn(terms, "/")] = '\0';
	err = encode(pmu, terms, attr, name, why);
	free(pmu);
	return err ? SOURCE_BAD : SOURCE_FOUND;
}

enum source_answer sysfs_short_event(const char *text, struct perf_event_attr *attr,
				     struct why *why)
{
	char *core = sysfs_core_pmu();
	char *terms = core ? sysfs_line(DEVICES "/%s/events/%s", core, text) : NULL;
	int err = 0;

	if (terms)
		err = encode(core, text, attr, NULL, why);
	free(core);
	if (!terms)
		return SOURCE_UNKNOWN;
	free(terms);
	return err ? SOURCE_BAD : SOURCE_FOUND;
}

struct each_event {
	const char *pmu;
	source_each each;
	void *arg;
};

static void each_event(const char *event, void *arg)
{
	const struct each_event *e = arg;
	char *full, *about;
	struct source_name name;

	/* cycles.scale and the like describe an event, they are none. */
	if (strchr(event, '.'))
		return;
	full = text_format("%s/%s/", e->pmu, event);
	about = sysfs_line(DEVICES "/%s/events/%s", e->pmu, event);
	name = (struct source_name){ full, NULL, about };
	e->each(&name, e->arg);
	free(about);
	free(full);
}

void sysfs_each(source_each each, void *arg)
{
	char *core = sysfs_core_pmu();
	struct each_event e = { core, each, arg };

	if (core)
		sysfs_names(each_event, &e, DEVICES "/%s/events", core);
	free(core);
}
