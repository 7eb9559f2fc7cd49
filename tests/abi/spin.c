// SPDX-License-Identifier: GPL-2.0-only
/* usage: spin ROUNDS: runs the loop of known length and ends. */
#include <stdlib.h>

#include "loop.h"

int main(int argc, char **argv)
{
	if (argc != 2 || atol(argv[1]) <= 0)
		return 2;
	loop(atol(argv[1]));
	return 0;
}
