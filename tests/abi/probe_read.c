// SPDX-License-Identifier: GPL-2.0-only
/* What read(2) gives in each read format, and for buffers of each kind (FD-02, FD-04). */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "probe.h"

#define MEMBERS 3

static const char *const formats[] = { "enabled", "running", "id", "group", "lost" };

/* A group of three whose members all have @format; counted and disabled again. */
static void open_group(u64 format, int *fds)
{
	static const u64 configs[MEMBERS] = {
		PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		PERF_COUNT_HW_CPU_CYCLES,
	};
	int i;

	for (i = 0; i < MEMBERS; i++) {
		struct perf_event_attr attr = counting(configs[i]);

		attr.read_format = format;
		attr.disabled = !i;
		fds[i] = must_open(&attr, 0, -1, i ? fds[0] : -1);
	}
	ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fds[0], PERF_EVENT_IOC_DISABLE, 0);
}

static void close_group(const int *fds)
{
	int i;

	for (i = MEMBERS - 1; i >= 0; i--)
		close(fds[i]);
}

static void format_name(char *text, size_t size, u64 format)
{
	size_t i;

	snprintf(text, size, "read: value");
	for (i = 0; i < LENGTH(formats); i++) {
		if (format & 1ULL << i)
			snprintf(text + strlen(text), size - strlen(text), "+%s", formats[i]);
	}
}

/* The smallest buffer a read takes, and what the next smaller one gives. */
static void answer_sizes(const char *name, int fd)
{
	u64 values[32];
	ssize_t size = read(fd, values, sizeof(values));
	ssize_t shorter;

	shorter = read(fd, values, size > 0 ? size - 1 : 0);
	answer(name, "%zd bytes, one fewer %s, exactly %s", size,
	       shorter < 0 ? error_name(-errno) : "ok",
	       read(fd, values, size) == size ? "ok" : "other");
}

static u64 id_of(int fd)
{
	u64 id = 0;

	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	return id;
}

/* Does what @fd reads look like what the format says? */
static bool layout_right(u64 format, const int *fds, int member)
{
	u64 values[32] = {}, *at = values;
	int n = format & PERF_FORMAT_GROUP ? MEMBERS : 1, i;
	bool right = read(fds[member], values, sizeof(values)) > 0;
	u64 enabled = 0, running = 0;

	if (format & PERF_FORMAT_GROUP) {
		right = right && *at++ == MEMBERS;
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			enabled = *at++;
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			running = *at++;
	}
	for (i = 0; i < n; i++) {
		u64 value = *at++;

		if (!(format & PERF_FORMAT_GROUP)) {
			if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
				enabled = *at++;
			if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
				running = *at++;
		}
		right = right && value >= ROUNDS && value < 4 * ROUNDS;
		if (format & PERF_FORMAT_ID)
			right = right && *at++ == id_of(fds[n > 1 ? i : member]);
		if (format & PERF_FORMAT_LOST)
			right = right && !*at++;
	}
	if ((format & TIMES) == TIMES)
		right = right && enabled && enabled == running;
	return right;
}

static void probe_formats(void)
{
	char name[120];
	int fds[MEMBERS];
	u64 format;

	for (format = 0; format < 32; format++) {
		open_group(format, fds);
		format_name(name, sizeof(name), format);
		answer_sizes(name, fds[0]);
		strcat(name, ", sibling");
		answer_sizes(name, fds[1]);
		format_name(name, sizeof(name), format);
		strcat(name, ", layout");
		answer(name, "%s, sibling's %s", yes(layout_right(format, fds, 0)),
		       yes(layout_right(format, fds, 1)));
		close_group(fds);
	}
}

/* Only the reader's own format counts, not its leader's. */
static void probe_mixed_formats(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	int leader, sibling;

	attr.read_format = 0;
	leader = must_open(&attr, 0, -1, -1);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	sibling = must_open(&attr, 0, -1, leader);
	answer_sizes("read: plain leader of a group reader", leader);
	answer_sizes("read: group reader below a plain leader", sibling);
}

static void probe_buffers(void)
{
	int fds[MEMBERS];
	u64 values[32];
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct iovec halves[2] = { { values, 8 }, { values + 1, 16 } };
	struct iovec whole[2] = { { values, 24 }, { values + 3, 24 } };

	open_group(TIMES, fds);
	answer_errno("read: no bytes", read(fds[0], values, 0));
	answer_errno("read: into the kernel", read(fds[0], (void *)-4096UL, 24));
	mprotect(page, 4096, PROT_NONE);
	answer_errno("read: into a page that is not there", read(fds[0], page, 24));
	mprotect(page, 4096, PROT_READ);
	answer_errno("read: into a page that is not writable", read(fds[0], page, 24));
	answer_errno("read: pread", pread(fds[0], values, 24, 0));
	answer_errno("read: readv in pieces", readv(fds[0], halves, 2));
	answer("read: readv of two wholes", "%zd bytes", readv(fds[0], whole, 2));
	close_group(fds);
}

/* Values in one read of a group are of one moment, whichever member is asked. */
static void probe_members(void)
{
	u64 of_leader[16] = {}, of_sibling[16] = {};
	int fds[MEMBERS];

	open_group(PERF_FORMAT_GROUP | PERF_FORMAT_ID | TIMES, fds);
	if (read(fds[0], of_leader, sizeof(of_leader)) < 0 ||
	    read(fds[2], of_sibling, sizeof(of_sibling)) < 0)
		answer("read: group", "%s", error_name(-errno));
	answer("read: values of the group", "%llu %llu %llu", (unsigned long long)of_leader[3],
	       (unsigned long long)of_leader[5], (unsigned long long)of_leader[7]);
	answer("read: sibling reads the same as its leader", "%s",
	       yes(!memcmp(of_leader, of_sibling, sizeof(of_leader))));
	answer("read: ids are different", "%s",
	       yes(of_leader[4] != of_leader[6] && of_leader[6] != of_leader[8] &&
		   of_leader[4] != of_leader[8]));
	ioctl(fds[1], PERF_EVENT_IOC_DISABLE, 0);
	ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fds[0], PERF_EVENT_IOC_DISABLE, 0);
	if (read(fds[0], of_sibling, sizeof(of_sibling)) < 0)
		answer("read: group", "%s", error_name(-errno));
	answer("read: with one member off", "%llu %llu %llu more",
	       (unsigned long long)(of_sibling[3] - of_leader[3]),
	       (unsigned long long)(of_sibling[5] - of_leader[5]),
	       (unsigned long long)(of_sibling[7] - of_leader[7]));
	close_group(fds);
}

static void probe_ids(void)
{
	struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS);
	u64 ids[32];
	bool unique = true;
	size_t i, j;

	for (i = 0; i < LENGTH(ids); i++) {
		int fd = must_open(&attr, 0, -1, -1);

		ids[i] = id_of(fd);
		unique = unique && ids[i];
		for (j = 0; j < i; j++)
			unique = unique && ids[i] != ids[j];
		if (i % 2)
			close(fd);
	}
	answer("read: ids of 32 events, closed ones among them, are unique", "%s", yes(unique));
}

void theme_read(void)
{
	probe_formats();
	probe_mixed_formats();
	probe_buffers();
	probe_members();
	probe_ids();
}
