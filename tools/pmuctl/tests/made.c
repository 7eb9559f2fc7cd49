// SPDX-License-Identifier: GPL-2.0-only
/* Finished measurements with made-up counts. */
#include "made.h"

void made_begin(struct made *m, const char *events)
{
	static char *const command[] = { (char *)"xz", (char *)"-k", (char *)"a file", NULL };
	struct why why;

	memset(m, 0, sizeof(*m));
	assert_int_equal(events_parse(&m->events, events, true, &why), 0);
	target_set_command(&m->target, 1);
	m->report = (struct report){
		.counters = &m->counters,
		.command = command,
		.exit_status = 3,
		.elapsed = 1.5,
		.user = 1.25,
		.sys = 0.125,
	};
	m->file = open_memstream(&m->text, &m->size);
	assert_non_null(m->file);
}

/* After the target's spots are known. */
void made_finish(struct made *m)
{
	counters_init(&m->counters, &m->events, &m->target);
	m->counters.nr_spots = m->target.nr;
	for (size_t i = 0; i < m->counters.nr; i++) {
		struct counter *counter = &m->counters.counter[i];

		counter->fd = xcalloc(m->target.nr, sizeof(int));
		counter->count = xcalloc(m->target.nr, sizeof(struct count));
		counter->base = xcalloc(m->target.nr, sizeof(struct count));
		for (size_t spot = 0; spot < m->target.nr; spot++)
			counter->fd[spot] = -1;
	}
}

void made_count(struct made *m, size_t i, size_t spot, uint64_t value, uint64_t running)
{
	m->counters.counter[i].count[spot] = (struct count){ value, 1000, running };
}

void made_end(struct made *m)
{
	fclose(m->file);
	free(m->text);
	counters_free(&m->counters);
	target_free(&m->target);
	events_free(&m->events);
}

void made_print(struct made *m, enum out_format format)
{
	struct out out;

	out_start(&out, m->file, format);
	report_write(&out, &m->report);
	assert_int_equal(out_finish(&out), 0);
}

void made_expect(const struct made *m, const char *part)
{
	if (!strstr(m->text, part))
		fail_msg("'%s' is not in:\n%s", part, m->text);
}

json_t *made_load(const struct made *m)
{
	json_error_t error;
	json_t *root = json_loads(m->text, 0, &error);

	if (!root)
		fail_msg("%s:\n%s", error.text, m->text);
	return root;
}

/* The line of @text on which @part stands; it must. */
const char *made_line(const char *text, const char *part)
{
	static char line[256];
	const char *at = strstr(text, part), *begin = at;

	if (!at)
		fail_msg("'%s' is not in:\n%s", part, text);
	while (begin > text && begin[-1] != '\n')
		begin--;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(begin, "\n"), begin);
	return line;
}
