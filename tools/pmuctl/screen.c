// SPDX-License-Identifier: GPL-2.0-only
/*
 * A text redrawn in place: home, lines each with its rest cleared, rest of the screen cleared.
 * Modes of the terminal are changed within one picture only, never from one to the next.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"

#define HOME		"\033[H"
#define CLEAR_BELOW	"\033[J"
#define CLEAR_RIGHT	"\033[K"
/* A line too long for the terminal is cut instead of going on below. */
#define WRAP_OFF	"\033[?7l"
#define WRAP_ON		"\033[?7h"

#define USUAL_LINES	24

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

void screen_draw_lines(FILE *terminal, const char *text, size_t lines, bool first)
{
	/* One line is for the cursor, one for saying what is missing. */
	size_t all = count_lines(text), room = lines > 3 ? lines - 1 : 2;
	size_t shown = all <= room ? all : room - 1;

	/* Scroll away what is there rather than write over it. */
	for (size_t i = 1; first && i < lines; i++)
		fputc('\n', terminal);
	fputs(WRAP_OFF HOME, terminal);
	for (size_t i = 0; i < shown; i++) {
		size_t length = strcspn(text, "\n");

		fprintf(terminal, "%.*s" CLEAR_RIGHT "\n", (int)length, text);
		text += length + 1;
	}
	if (shown < all)
		fprintf(terminal, "... and %zu lines more: -C CPUS shows fewer." CLEAR_RIGHT "\n",
			all - shown);
	fputs(CLEAR_BELOW WRAP_ON, terminal);
	fflush(terminal);
}

void screen_draw(FILE *terminal, const char *text, bool first)
{
	struct winsize size;
	bool known = !ioctl(fileno(terminal), TIOCGWINSZ, &size) && size.ws_row;

	screen_draw_lines(terminal, text, known ? size.ws_row : USUAL_LINES, first);
}
