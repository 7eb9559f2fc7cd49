/* SPDX-License-Identifier: GPL-2.0-only */
/* A text redrawn in place on a terminal. */
#ifndef PMUCTL_SCREEN_H
#define PMUCTL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Put @text in the place of what the terminal shows; lines that do not fit are left out, with a
 * last line that says how many. Between two calls the terminal is as its user left it, so it
 * may be left at any time. @first: push what is there out of the way.
 */
void screen_draw(FILE *terminal, const char *text, bool first);

/* As screen_draw(), for a terminal of so many lines. */
void screen_draw_lines(FILE *terminal, const char *text, size_t lines, bool first);

#endif
