// SPDX-License-Identifier: GPL-2.0-only
/* What an event file does besides read and ioctl. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

static void probe_calls(int fd)
{
	struct epoll_event wanted = { .events = EPOLLIN }, got = {};
	int epoll = epoll_create1(0);

	answer_errno("file: write", write(fd, "x", 1));
	answer_errno("file: lseek", lseek(fd, 0, SEEK_SET));
	answer_errno("file: fsync", fsync(fd));
	answer_errno("file: ftruncate", ftruncate(fd, 0));
	answer_errno("file: O_NONBLOCK", fcntl(fd, F_SETFL, O_NONBLOCK));
	answer_errno("file: O_ASYNC", fcntl(fd, F_SETFL, O_ASYNC));
	answer_errno("file: O_ASYNC off", fcntl(fd, F_SETFL, 0));
	answer_errno("file: F_SETOWN", fcntl(fd, F_SETOWN, getpid()));
	answer_errno("file: F_SETSIG", fcntl(fd, F_SETSIG, 10));
	answer_errno("file: added to epoll", epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted));
	answer("file: epoll", "%d ready, events %x", epoll_wait(epoll, &got, 1, 0), got.events);
}

static void probe_poll(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };
	int ready = poll(&poller, 1, 0);

	answer("file: poll without a ring", "%d ready, events %x", ready, poller.revents);
	poller.events = 0;
	ready = poll(&poller, 1, 0);
	answer("file: poll for nothing", "%d ready, events %x", ready, poller.revents);
}

static void answer_map(const char *name, int fd, size_t pages, int prot, int flags, off_t offset)
{
	void *area = mmap(NULL, pages * 4096, prot, flags, fd, offset * 4096);

	answer_errno(name, area == MAP_FAILED ? -1 : 0);
	if (area != MAP_FAILED)
		munmap(area, pages * 4096);
}

/* FD-10. */
static void probe_map(int fd)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	const int rw = PROT_READ | PROT_WRITE;

	answer_map("file: map one page", fd, 1, rw, MAP_SHARED, 0);
	answer_map("file: map one page, read-only", fd, 1, PROT_READ, MAP_SHARED, 0);
	answer_map("file: map one page and eight", fd, 9, rw, MAP_SHARED, 0);
	answer_map("file: map one page and seven (FD-10)", fd, 8, rw, MAP_SHARED, 0);
	answer_map("file: map private (FD-10)", fd, 1, rw, MAP_PRIVATE, 0);
	answer_map("file: map at page 1", fd, 1, rw, MAP_SHARED, 1);
	attr.inherit = 1;
	answer_map("file: map an inherited event (FD-10)", must_open(&attr, 0, -1, -1), 1, rw,
		   MAP_SHARED, 0);
}

/* Through a child's copy of the file: it is the file's event, not the reader's. */
static void probe_copies(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = must_open(&attr, 0, -1, -1), copy;
	int status = 0;
	pid_t pid;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	pid = fork();
	if (!pid)
		_exit(must_read(fd).value >= 2 * ROUNDS ? 1 : 2);
	waitpid(pid, &status, 0);
	answer("file: read by a child", "%s", WEXITSTATUS(status) == 1 ? "the parent's count" : "other");
	pid = fork();
	if (!pid)
		_exit(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? 2 : 1);
	waitpid(pid, &status, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	answer("file: enabled by a child, counts its own task", "%s",
	       yes(must_read(fd).value >= 4 * ROUNDS));
	copy = dup(fd);
	close(fd);
	answer("file: a copy outlives the first", "%s", yes(must_read(copy).value >= 4 * ROUNDS));
}

void theme_file(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = must_open(&attr, 0, -1, -1);

	probe_calls(fd);
	probe_poll(fd);
	probe_map(fd);
	probe_copies();
}
