// SPDX-License-Identifier: GPL-2.0-only
/* Opening and reading events as event files would, for tests. */
#include "world.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct pmuctl_msg world_msg;

struct perf_event_attr world_attr(u64 config)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_RAW,
		.config = config,
		.disabled = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

struct perf_event_attr world_software_attr(u64 config)
{
	struct perf_event_attr attr = world_attr(config);

	attr.type = PERF_TYPE_SOFTWARE;
	return attr;
}

static struct pmuctl_event *try_open(const struct pmuctl_event_spec *spec)
{
	memset(&world_msg, 0, sizeof(world_msg));
	return pmuctl_event_open(spec, &world_msg);
}

static struct pmuctl_event *must_open(const struct pmuctl_event_spec *spec)
{
	struct pmuctl_event *event = try_open(spec);

	if (IS_ERR(event))
		fail_msg("open: error %ld: %s", PTR_ERR(event), world_msg.text);
	return event;
}

/* The errno, positive; 0 if it opened after all. */
static int refused(const struct pmuctl_event_spec *spec)
{
	struct pmuctl_event *event = try_open(spec);

	if (IS_ERR(event))
		return -PTR_ERR(event);
	pmuctl_event_close(event);
	return 0;
}

struct pmuctl_event *world_open_attr(struct task_struct *task, int cpu,
				     struct perf_event_attr *attr, struct pmuctl_event *leader)
{
	return must_open(&(struct pmuctl_event_spec){
		.attr = attr, .task = task, .cpu = cpu, .leader = leader,
	});
}

struct pmuctl_event *world_open(struct task_struct *task, int cpu, u64 config,
				struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(config);

	return world_open_attr(task, cpu, &attr, leader);
}

struct pmuctl_event *world_open_cgroup(struct cgroup *cgroup, int cpu,
				       struct perf_event_attr *attr, struct pmuctl_event *leader)
{
	return must_open(&(struct pmuctl_event_spec){
		.attr = attr, .cgroup = cgroup, .cpu = cpu, .leader = leader,
	});
}

int world_refused(struct task_struct *task, int cpu, struct perf_event_attr *attr,
		  struct pmuctl_event *leader)
{
	return refused(&(struct pmuctl_event_spec){
		.attr = attr, .task = task, .cpu = cpu, .leader = leader,
	});
}

int world_refused_cgroup(struct cgroup *cgroup, int cpu, struct perf_event_attr *attr,
			 struct pmuctl_event *leader)
{
	return refused(&(struct pmuctl_event_spec){
		.attr = attr, .cgroup = cgroup, .cpu = cpu, .leader = leader,
	});
}

void world_enable(struct pmuctl_event *event)
{
	pmuctl_event_control(event, PMUCTL_EVENT_ENABLE, false);
}

void world_disable(struct pmuctl_event *event)
{
	pmuctl_event_control(event, PMUCTL_EVENT_DISABLE, false);
}

void world_reset(struct pmuctl_event *event)
{
	pmuctl_event_control(event, PMUCTL_EVENT_RESET, false);
}

struct world_reading world_read(struct pmuctl_event *event)
{
	struct world_reading reading = {};

	assert_int_equal(pmuctl_event_read(event, &reading.count, sizeof(reading)),
			 sizeof(reading));
	return reading;
}

ssize_t world_read_result(struct pmuctl_event *event)
{
	u64 values[512];

	return pmuctl_event_read(event, values, sizeof(values));
}

struct pmuctl_cpu_pmu_ctx *world_cpc(int cpu)
{
	return pmuctl_cpus[cpu].pmus[world_pmu.index];
}

u32 world_classes(void)
{
	u32 n;

	mutex_lock(&pmuctl_open_mutex);
	n = pmuctl_class_count(&world_pmu);
	mutex_unlock(&pmuctl_open_mutex);
	return n;
}

bool world_aborts(void (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(2);
		signal(SIGABRT, SIG_DFL);	/* cmocka has its own */
		fn();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

int world_number(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}
