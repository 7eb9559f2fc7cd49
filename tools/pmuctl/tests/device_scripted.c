// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device whose answers a unit test writes beforehand; takes the place of device.c. Its event
 * files are pipes that hold one reading each.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "device_files.h"
#include "device_scripted.h"
#include "fixture.h"

struct scripted_open script[SCRIPT_MAX];
int script_nr, script_done;
struct scripted_snapshot script_snapshot;
int script_read_err, script_reads;

void scripted_begin(void)
{
	memset(script, 0, sizeof(script));
	memset(&script_snapshot, 0, sizeof(script_snapshot));
	script_nr = script_done = 0;
	script_read_err = script_reads = 0;
}

int device_connect(struct device *dev)
{
	memset(dev, 0, sizeof(*dev));
	dev->fd = -1;
	return -ENOENT;
}

int device_pmu(const struct device *dev, unsigned int index, struct pmuctl_pmu_info *pmu)
{
	(void)dev;
	(void)index;
	(void)pmu;
	return -ENODEV;
}

static int file_of(const struct scripted_open *open)
{
	__u64 reading[3] = { open->value, open->enabled, open->running };
	int fd[2];

	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	assert_int_equal(write(fd[1], reading, sizeof(reading)), sizeof(reading));
	close(fd[1]);
	return fd[0];
}

int device_open_event(const struct device *dev, const struct perf_event_attr *attr,
		      const struct device_place *place, char msg[PMUCTL_TEXT_MAX])
{
	struct scripted_open *open = &script[script_done];

	(void)dev;
	assert_true(script_done < script_nr);
	script_done++;
	open->attr = *attr;
	open->pid = place->pid;
	open->cpu = place->cpu;
	open->group_fd = place->group_fd;
	open->flags = place->flags;
	strcpy(msg, open->msg ? open->msg : "");
	open->fd = open->err ? -open->err : file_of(open);
	return open->fd;
}

int device_read(const struct device *dev, struct pmuctl_read_item *items, size_t nr,
		void *values, size_t size)
{
	(void)dev;
	script_reads++;
	return script_read_err ? -script_read_err : files_read(items, nr, values, size);
}

int device_snapshot(const struct device *dev, void *buf, size_t size, size_t *needed)
{
	struct scripted_snapshot *script = &script_snapshot;

	(void)dev;
	*needed = script->size + script->grow * script->asked++;
	if (script->err)
		return -script->err;
	if (*needed > size)
		return -ENOSPC;
	*needed = script->size;
	memcpy(buf, script->records, script->size);
	return 0;
}

void device_close(struct device *dev)
{
	(void)dev;
}
