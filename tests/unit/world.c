// SPDX-License-Identifier: GPL-2.0-only
/* The simulated PMU, tasks and time. Judges nothing: the tests do. */
#include "world.h"

#include <pmuctl/match.h>

struct hw_counter {
	bool on;
	u64 kind;
	u64 value;
};

static struct hw_counter hw[SHIM_CPUS][64];
static struct task_struct *running[SHIM_CPUS];

struct world_tally world_tally;
struct pmuctl_msg world_msg;
bool world_busy;

/* ---- the PMU ---- */

static int sim_acquire(struct pmuctl_pmu *pmu, struct pmuctl_msg *msg)
{
	if (world_busy)
		return pmuctl_refuse(msg, -EBUSY, "somebody else has it. Wait");
	world_tally.acquired = true;
	return 0;
}

static void sim_release(struct pmuctl_pmu *pmu)
{
	int cpu;

	for_each_possible_cpu(cpu)
		SHIM_RULE(!world_counters_on(cpu), "nothing counts when the PMU is given back");
	world_tally.acquired = false;
}

static int sim_classify(struct pmuctl_pmu *pmu, const struct perf_event_attr *attr,
			struct pmuctl_class_key *key, struct pmuctl_msg *msg)
{
	u64 kind = attr->config & 0xff;

	if (kind >= WORLD_KINDS)
		return pmuctl_refuse(msg, -ENOENT, "there is no such kind");
	key->config = kind | (attr->exclude_user ? 0 : 1ULL << 16) |
		      (attr->exclude_kernel ? 0 : 1ULL << 17);
	key->config1 = attr->config1;
	key->counters = (attr->config1 ?: ~0ULL) & pmu->counters;
	if (kind)
		key->counters &= ~(1ULL << PMUCTL_FIXED);
	return 0;
}

static int sim_place(struct pmuctl_pmu *pmu, struct pmuctl_want *wants, int n)
{
	return pmuctl_match(wants, n);
}

static struct hw_counter *here(int counter)
{
	lockdep_assert_irqs_disabled();
	SHIM_RULE(world_tally.acquired, "hardware is touched only while it is ours");
	return &hw[shim_cpu][counter];
}

static void sim_start(struct pmuctl_pmu *pmu, int counter, const struct pmuctl_class_key *key)
{
	struct hw_counter *c = here(counter);

	SHIM_RULE(!c->on, "a counter is stopped before it counts something else");
	SHIM_RULE(key->counters & 1ULL << counter, "a class is on a counter that can count it");
	*c = (struct hw_counter){ true, key->config & 0xff, pmuctl_pmu_start_value(pmu, counter) };
	world_tally.starts++;
}

static void sim_stop(struct pmuctl_pmu *pmu, int counter)
{
	struct hw_counter *c = here(counter);

	SHIM_RULE(c->on, "a counter is stopped once");
	c->on = false;
	world_tally.stops++;
}

static u64 sim_raw(struct pmuctl_pmu *pmu, int counter)
{
	world_tally.raws++;
	return here(counter)->value & pmuctl_pmu_mask(pmu, counter);
}

static void sim_cpu(struct pmuctl_pmu *pmu)
{
	SHIM_RULE(!world_counters_on(shim_cpu), "nothing counts on a CPU that comes or goes");
}

static const struct pmuctl_pmu_ops sim_ops = {
	.acquire = sim_acquire,
	.release = sim_release,
	.classify = sim_classify,
	.place = sim_place,
	.start = sim_start,
	.stop = sim_stop,
	.raw = sim_raw,
	.cpu_up = sim_cpu,
	.cpu_down = sim_cpu,
};

struct pmuctl_pmu world_pmu = {
	.name = "sim",
	.type = PERF_TYPE_RAW,
	.ops = &sim_ops,
	.nr_gp = WORLD_GP,
	.nr_fixed = 1,
	.width_gp = WORLD_WIDTH,
	.width_fixed = WORLD_WIDTH,
	.counters = ((1ULL << WORLD_GP) - 1) | 1ULL << PMUCTL_FIXED,
};

int world_counters_on(int cpu)
{
	int i, n = 0;

	for (i = 0; i < 64; i++)
		n += hw[cpu][i].on;
	return n;
}

/* ---- fixtures ---- */

static void on_cpu(int cpu, void (*fn)(void))
{
	int from = shim_cpu;

	shim_cpu = cpu;
	fn();
	shim_cpu = from;
}

int world_setup(void **state)
{
	int cpu;

	(void)state;
	memset(pmuctl_cpus, 0, sizeof(pmuctl_cpus));
	memset(hw, 0, sizeof(hw));
	memset(running, 0, sizeof(running));
	memset(&world_tally, 0, sizeof(world_tally));
	world_busy = false;
	shim_fail_after = -1;
	shim_cpu = 0;
	shim_clock = 1000;
	pmuctl_nr_pmus = 0;
	pmuctl_cpu_init_all();
	assert_int_equal(pmuctl_pmu_register(&world_pmu), 0);
	for_each_possible_cpu(cpu) {
		shim_online[cpu] = true;
		on_cpu(cpu, pmuctl_cpu_online);
	}
	return 0;
}

int world_teardown(void **state)
{
	int cpu;

	(void)state;
	for_each_possible_cpu(cpu) {
		world_switch(cpu, NULL);
		assert_int_equal(world_counters_on(cpu), 0);
		assert_int_equal(shim_fold_period[cpu], 0);
		on_cpu(cpu, pmuctl_cpu_offline);
	}
	assert_false(world_tally.acquired);
	assert_int_equal(world_pmu.nr_classes + world_pmu.nr_idle + world_pmu.nr_events, 0);
	assert_int_equal(shim_hook_users, 0);
	assert_int_equal(shim_spinlocks_held, 0);
	shim_grace_period();
	pmuctl_cpu_free_all();
	assert_int_equal(shim_allocated, 0);
	return 0;
}

/* ---- tasks and time ---- */

void world_switch(int cpu, struct task_struct *task)
{
	static struct task_struct idle[SHIM_CPUS];
	int from = shim_cpu;

	if (running[cpu])
		running[cpu]->running = false;
	shim_cpu = cpu;
	shim_irqs_off = true;
	if (task) {
		task->cpu = cpu;
		task->running = true;
	}
	pmuctl_sched_switch(task ?: &idle[cpu]);
	shim_irqs_off = false;
	running[cpu] = task;
	shim_cpu = from;
}

void world_exit(struct task_struct *task)
{
	int from = shim_cpu;

	shim_cpu = task->cpu;
	task->exiting = true;
	pmuctl_sched_exit(task);
	world_switch(task->cpu, NULL);
	shim_cpu = from;
}

void world_exec(struct task_struct *task, bool secure)
{
	int from = shim_cpu;

	shim_cpu = task->cpu;
	pmuctl_sched_exec(task, secure);
	shim_cpu = from;
}

u64 world_amount(int cpu, int kind, u64 n)
{
	return (kind + 1) * n + cpu;
}

static void fold(void)
{
	shim_irqs_off = true;
	pmuctl_cpu_fold();
	shim_irqs_off = false;
}

/* The timer: before half the range of a counter has passed, but no sooner than it must. */
static bool fold_is_due(int cpu, u64 n)
{
	static u64 passed[SHIM_CPUS];

	passed[cpu] += world_amount(cpu, WORLD_KINDS - 1, n);
	if (passed[cpu] < 1ULL << (WORLD_WIDTH - 2))
		return false;
	passed[cpu] = 0;
	return true;
}

void world_pass(u64 ns, u64 n)
{
	int cpu, i;

	shim_clock += ns;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < 64; i++) {
			if (hw[cpu][i].on)
				hw[cpu][i].value += world_amount(cpu, hw[cpu][i].kind, n);
		}
		if (shim_fold_period[cpu] && fold_is_due(cpu, n))
			on_cpu(cpu, fold);
	}
}

/* ---- events ---- */

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

static struct pmuctl_event *try_open(struct task_struct *task, int cpu,
				     struct perf_event_attr *attr, struct pmuctl_event *leader)
{
	struct pmuctl_event_spec spec = {
		.attr = attr, .task = task, .cpu = cpu, .leader = leader,
	};

	memset(&world_msg, 0, sizeof(world_msg));
	return pmuctl_event_open(&spec, &world_msg);
}

struct pmuctl_event *world_open_attr(struct task_struct *task, int cpu,
				     struct perf_event_attr *attr, struct pmuctl_event *leader)
{
	struct pmuctl_event *event = try_open(task, cpu, attr, leader);

	if (IS_ERR(event))
		fail_msg("open: error %ld: %s", PTR_ERR(event), world_msg.text);
	return event;
}

struct pmuctl_event *world_open(struct task_struct *task, int cpu, u64 config,
				struct pmuctl_event *leader)
{
	struct perf_event_attr attr = world_attr(config);

	return world_open_attr(task, cpu, &attr, leader);
}

int world_refused(struct task_struct *task, int cpu, struct perf_event_attr *attr,
		  struct pmuctl_event *leader)
{
	struct pmuctl_event *event = try_open(task, cpu, attr, leader);

	if (!IS_ERR(event)) {
		pmuctl_event_close(event);
		return 0;
	}
	return -PTR_ERR(event);
}

void world_enable(struct pmuctl_event *event)
{
	pmuctl_event_control(event, PMUCTL_EVENT_ENABLE, false);
}

void world_disable(struct pmuctl_event *event)
{
	pmuctl_event_control(event, PMUCTL_EVENT_DISABLE, false);
}

struct world_reading world_read(struct pmuctl_event *event)
{
	struct world_reading reading = {};

	assert_int_equal(pmuctl_event_read(event, &reading.count, sizeof(reading)),
			 sizeof(reading));
	return reading;
}
