// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens, enables, reads, moves and closes events from several threads at once, on themselves, on
 * each other and on CPUs, while the threads wander over the CPUs. What it looks for is in the
 * kernel log; by itself it checks that counts never go back and that only expected errors come.
 *
 * usage: hammer SECONDS [SEED]
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core.h"
#include "loop.h"

#define THREADS 6
#define FILES 8

static const uint64_t configs[] = {
	PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES,
};

static atomic_int tids[THREADS];
static atomic_int done;
static atomic_long opened, wrong;
static int cpus;

struct held {
	int fd;
	uint64_t last;
};

static void complain(const char *what, long value)
{
	fprintf(stderr, "hammer: %s: %ld\n", what, value);
	wrong++;
}

static void open_one(struct held *held, unsigned int *seed, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = configs[rand_r(seed) % (sizeof(configs) / sizeof(configs[0]))],
		.disabled = rand_r(seed) % 2,
		.exclude_kernel = rand_r(seed) % 2,
	};
	pid_t pid = rand_r(seed) % 4 ? tids[rand_r(seed) % THREADS] : -1;
	int cpu = pid == -1 || !(rand_r(seed) % 4) ? rand_r(seed) % cpus : -1;
	int fd = core_open(&attr, pid, cpu, rand_r(seed) % 3 ? -1 : leader, 0);

	/* EINVAL: group of another task. ENODEV: a CPU that is off just now. EBUSY: counters. */
	if (fd < 0 && fd != -EINVAL && fd != -ENODEV && fd != -EBUSY && fd != -ESRCH)
		complain("open", fd);
	*held = (struct held){ .fd = fd < 0 ? -1 : fd };
	opened += fd >= 0;
}

static void use_one(struct held *held, unsigned int *seed)
{
	uint64_t value;

	switch (rand_r(seed) % 4) {
	case 0:
		ioctl(held->fd, PERF_EVENT_IOC_ENABLE, rand_r(seed) % 2);
		break;
	case 1:
		ioctl(held->fd, PERF_EVENT_IOC_DISABLE, rand_r(seed) % 2);
		break;
	default:
		if (read(held->fd, &value, sizeof(value)) != sizeof(value))
			complain("read", errno);
		else if (value < held->last)
			complain("count went back by", held->last - value);
		else
			held->last = value;
	}
}

static void wander(unsigned int *seed)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(rand_r(seed) % cpus, &set);
	sched_setaffinity(0, sizeof(set), &set);	/* fails while that CPU is off */
}

static void *thread(void *arg)
{
	struct held held[FILES];
	unsigned int seed = (uintptr_t)arg;
	int i;

	for (i = 0; i < FILES; i++)
		held[i].fd = -1;
	while (!done) {
		struct held *one = &held[rand_r(&seed) % FILES];

		if (one->fd < 0) {
			open_one(one, &seed, held[rand_r(&seed) % FILES].fd);
		} else if (!(rand_r(&seed) % 8)) {
			close(one->fd);
			one->fd = -1;
		} else {
			use_one(one, &seed);
		}
		if (!(rand_r(&seed) % 16))
			wander(&seed);
		loop(1 + rand_r(&seed) % 1000);
	}
	for (i = 0; i < FILES; i++) {
		if (held[i].fd >= 0)
			close(held[i].fd);
	}
	return NULL;
}

static void *start(void *arg)
{
	uintptr_t nr = (uintptr_t)arg;

	tids[nr % THREADS] = gettid();
	return thread(arg);
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 5;
	unsigned int seed = argc > 2 ? atoi(argv[2]) : 20261201;
	pthread_t threads[THREADS];
	uintptr_t i;

	if (!core_choose("pmuctl")) {
		fprintf(stderr, "hammer: no /dev/pmuctl\n");
		return 2;
	}
	cpus = sysconf(_SC_NPROCESSORS_CONF);
	/* A multiple of THREADS, so that a thread's seed tells its number. */
	seed -= seed % THREADS;
	printf("hammer: seed %u, %d threads, %d CPUs, %d s\n", seed, THREADS, cpus, seconds);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, start, (void *)(seed + i));
	sleep(seconds);
	done = 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("hammer: %ld events opened, %ld complaints\n", (long)opened, (long)wrong);
	return wrong || !opened;
}
