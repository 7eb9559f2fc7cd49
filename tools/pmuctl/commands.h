/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands that main.c offers. */
#ifndef PMUCTL_COMMANDS_H
#define PMUCTL_COMMANDS_H

#include "options.h"

extern const struct command cmd_doctor;
extern const struct command cmd_info;
extern const struct command cmd_inspect;
extern const struct command cmd_list;
extern const struct command cmd_stat;

#endif
