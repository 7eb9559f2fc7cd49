/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the puppet (puppet.c) and whoever pulls its strings (stage.c) agree on.
 *
 * A puppet acts out a script, its only argument: a letter a deed.
 *
 *	l	the loop of known length (loop.h), PUPPET_ROUNDS rounds
 *	L	the same fifty times
 *	b	loops until it is killed
 *	sN	tells channel N its tid and sleeps there until it gets its cue (N: 0 to 3)
 *	f{...}	forks; the child acts out what is in the braces and exits
 *	v{...}	the same with vfork, t{...} with a thread
 *	w	waits until the calling thread has no children left
 *	cN	moves to CPU N
 *	p	touches PUPPET_PAGES pages that nobody touched before
 *	n	sleeps for two milliseconds
 *	x	executes itself with the rest of the script; S: its set-uid copy, U: its unreadable one
 *	e	tries to execute what is no program
 *	u	becomes user PUPPET_USER
 *	q	ends its whole process
 */
#ifndef ABI_PUPPET_H
#define ABI_PUPPET_H

#define PUPPET_ROUNDS	200000UL
#define PUPPET_PAGES	64
#define PUPPET_USER	1000
#define PUPPET_CHANNELS	4

/* Files that a puppet finds open. */
#define PUPPET_FD_SELF		12	/* what x executes, and so on */
#define PUPPET_FD_SETUID	13
#define PUPPET_FD_UNREADABLE	14
#define PUPPET_FD_NOTHING	15	/* what e tries */
#define PUPPET_FD_CUE		20	/* of channel n: + n */
#define PUPPET_FD_TELL		30

#endif /* ABI_PUPPET_H */
