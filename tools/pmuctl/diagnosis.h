/* SPDX-License-Identifier: GPL-2.0-only */
/* doctor's judgement of a machine's facts. */
#ifndef PMUCTL_DIAGNOSIS_H
#define PMUCTL_DIAGNOSIS_H

#include <stddef.h>

#include "facts.h"
#include "output.h"

#define DIAGNOSIS_MAX	16

/* One thing that can stand in the way. @what is a fixed word, the texts belong to the row. */
struct finding {
	const char *what;
	enum out_mark mark;
	char *found;
	char *mend;		/* an exact command or step; NULL if nothing needs mending */
};

struct diagnosis {
	size_t nr;
	struct finding finding[DIAGNOSIS_MAX];
};

/* Judge; a pure function of @facts. */
void diagnosis_make(struct diagnosis *diagnosis, const struct facts *facts);

/* How many findings stand in the way. */
size_t diagnosis_failures(const struct diagnosis *diagnosis);

void diagnosis_free(struct diagnosis *diagnosis);

#endif
