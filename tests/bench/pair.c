// SPDX-License-Identifier: GPL-2.0-only
/*
 * See pair.h. The first task takes the samples itself, so that starting and stopping is in none of
 * them. A sample is one round trip: that is two switches, whether a write hands over at once or
 * only the read that follows it does.
 */
#include "pair.h"

#include "fail.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLES		4000
#define WARM_UP		50

static void pass(int fd)
{
	char byte = 0;

	if (write(fd, &byte, 1) != 1)
		_exit(1);
}

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(1);
}

static void take(struct sample *sample, int there, int back)
{
	meter_read(sample);
	pass(there);
	await(back);
	meter_since(sample);
}

static void first_task(struct pair *pair, int there, int back)
{
	int i;

	for (;;) {
		await(pair->command[0]);
		/* What is taken while warming up is overwritten. */
		for (i = -WARM_UP; i < SAMPLES; i++)
			take(&pair->samples[i < 0 ? 0 : i], there, back);
		pass(pair->answer[1]);
	}
}

static void second_task(int there, int back)
{
	for (;;) {
		await(there);
		pass(back);
	}
}

/* Whoever dies first, the others do not stay. */
static pid_t start(void)
{
	pid_t pid = fork();

	must(pid >= 0, "fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

void pair_start(struct pair *pair)
{
	size_t size = SAMPLES * sizeof(*pair->samples);
	int there[2], back[2];

	must(!pipe(there) && !pipe(back) && !pipe(pair->command) && !pipe(pair->answer), "pipe");
	pair->samples = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(pair->samples != MAP_FAILED, "mmap");
	pair->pid[0] = start();
	if (!pair->pid[0])
		first_task(pair, there[1], back[0]);
	pair->pid[1] = start();
	if (!pair->pid[1])
		second_task(there[0], back[1]);
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
}

struct cost pair_measure(struct pair *pair)
{
	char byte = 0;

	must(write(pair->command[1], &byte, 1) == 1, "pair: write");
	must(read(pair->answer[0], &byte, 1) == 1, "pair: read");
	return meter_times(meter_cost(pair->samples, SAMPLES), 0.5);
}

void pair_end(struct pair *pair)
{
	int i;

	for (i = 0; i < 2; i++) {
		kill(pair->pid[i], SIGKILL);
		waitpid(pair->pid[i], NULL, 0);
		close(pair->command[i]);
		close(pair->answer[i]);
	}
	munmap(pair->samples, SAMPLES * sizeof(*pair->samples));
}
