/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pulls a puppet's strings: starts it, waits until it sleeps at a given point of its script, lets
 * it go on. While it sleeps no user-space instruction of it is under way, so what is opened, read
 * or switched on then has an exact meaning.
 */
#ifndef ABI_STAGE_H
#define ABI_STAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "puppet.h"

struct stage {
	pid_t pid;
	int cue[PUPPET_CHANNELS];	/* we write, the puppet reads */
	int told[PUPPET_CHANNELS];	/* the puppet writes, we read */
};

/* The puppet's program, for who starts it by himself. */
int stage_puppet(void);

/* Start a puppet with @script, which has to begin with "s0", and wait until it sleeps there. */
void stage_open(struct stage *s, const char *script);

/* Wait until somebody sleeps on @channel: its tid. */
pid_t stage_wait(struct stage *s, int channel);

/* Let whoever sleeps on @channel go on. */
void stage_cue(struct stage *s, int channel);

/* Both: until the next one sleeps on @channel. */
pid_t stage_step(struct stage *s, int channel);

/* Wait until the thread or process @tid is gone, that is, has left its events too. */
void stage_wait_gone(pid_t tid);

/* Wait until process @pid has @n threads left. */
void stage_wait_threads(pid_t pid, int n);

/* Wait until the puppet and all who came from it have ended. */
void stage_close(struct stage *s);

/* The same, killing them first. */
void stage_kill(struct stage *s);

#endif /* ABI_STAGE_H */
