// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzing what users can ask for: any attr, any order of calls. Judged by the sanitizers, by the
 * rules that the shim checks, and by what is left when all is closed.
 *
 * LLVMFuzzerTestOneInput() is what libFuzzer calls. Without it (FUZZ_ALONE), main() feeds random
 * inputs for PMUCTL_FUZZ_SECONDS and keeps those that reached a new combination of results to vary
 * them. Every input runs in the same world, so that a failure may need those before it: the seed
 * is printed.
 */
#include "world.h"

#include <pmuctl/attr.h>
#include <pmuctl/snapshot.h>
#include <time.h>

#define EVENTS 16
#define TASKS 4

struct input {
	const u8 *data;
	size_t size;
};

static struct pmuctl_event *events[EVENTS];
static struct task_struct tasks[TASKS];
static struct cgroup group = { .parent = &shim_root_cgroup, .id = 2, .refs = 1 };
static u64 results;	/* a bit for each kind of result seen in the present input */

static void note(unsigned int kind)
{
	results |= 1ULL << kind % 64;
}

/* Zeros once the input has ended. */
static u64 take(struct input *input, size_t n)
{
	u64 value = 0;

	n = min(n, input->size);
	memcpy(&value, input->data, n);
	input->data += n;
	input->size -= n;
	return value;
}

static bool runs(const struct task_struct *task)
{
	return shim_current[task->cpu] == task;
}

/* ---- opening ---- */

/* An attr that is mostly right, with some bytes of the input's choice. */
static struct perf_event_attr take_attr(struct input *input)
{
	static const u32 types[] = { PERF_TYPE_RAW, PERF_TYPE_SOFTWARE, PERF_TYPE_HARDWARE, 99 };
	struct perf_event_attr attr = world_attr(take(input, 1) % 8);
	u8 flips = take(input, 1);

	attr.type = types[flips & 3];
	attr.disabled = take(input, 1);
	attr.inherit = flips >> 2;
	attr.pinned = flips >> 3;
	attr.exclusive = (flips >> 4) & (flips >> 5);
	attr.read_format = take(input, 1) & (PERF_FORMAT_MAX - 1);
	attr.config1 = take(input, 1) & 0xf;
	for (flips = (flips >> 6) * 2; flips; flips--)
		((u8 *)&attr)[take(input, 1) % sizeof(attr)] = take(input, 1);
	return attr;
}

static void open_one(struct input *input)
{
	struct perf_event_attr attr = take_attr(input);
	u64 whose = take(input, 1), leader = take(input, 1);
	struct pmuctl_msg msg = {};
	struct pmuctl_event_spec spec = {
		.attr = &attr,
		.task = whose & 4 ? NULL : &tasks[whose % TASKS],
		.cpu = whose & 4 || whose & 8 ? (int)(whose >> 4) % SHIM_CPUS : -1,
		.cgroup = (whose & 6) == 6 ? &group : NULL,
		.leader = leader & 1 ? events[leader / 2 % EVENTS] : NULL,
	};
	struct pmuctl_event **place = &events[leader / 32 % EVENTS], *event;
	int err = pmuctl_attr_check(&attr, &msg);

	if (*place) {
		pmuctl_event_close(*place);
		if (spec.leader == *place)
			spec.leader = NULL;
		*place = NULL;
	}
	event = err ? ERR_PTR(err) : pmuctl_event_open(&spec, &msg);
	note(IS_ERR(event) ? -PTR_ERR(event) : 0);
	if (!IS_ERR(event))
		*place = event;
	/* Only what is not the user's fault may go without a reason. */
	else
		SHIM_RULE(msg.text[0] || PTR_ERR(event) == -ESRCH || PTR_ERR(event) == -ENOMEM,
			  "a refusal says why");
}

/* ---- using ---- */

static void read_one(struct pmuctl_event *event, struct input *input)
{
	size_t size = take(input, 1) * 4;
	u64 *values = malloc(size);
	ssize_t n = pmuctl_event_read(event, values, size);

	note(n < 0 ? 20 - n : 20 + (n > 0));
	SHIM_RULE(n <= (ssize_t)size, "no more is read than there is room for");
	free(values);
}

static void read_many(struct input *input)
{
	struct pmuctl_read_item items[EVENTS];
	size_t size = take(input, 1) * 8;
	u64 *values = malloc(size);

	SHIM_RULE(pmuctl_events_read(events, items, EVENTS, values, size) <= size,
		  "no more is read than there is room for");
	free(values);
}

static void snapshot(struct input *input)
{
	size_t size = take(input, 2) % 8192;
	char *buf = malloc(size);

	SHIM_RULE(pmuctl_snapshot(buf, size) >= 0, "memory is not short");
	free(buf);
}

static void use(struct pmuctl_event **event, u8 op, struct input *input)
{
	u8 arg = take(input, 1);

	if (!*event)
		return;
	switch (op) {
	case 0:
		pmuctl_event_control(*event, arg % 3, arg & 4);
		break;
	case 1:
		read_one(*event, input);
		break;
	case 2:
		pmuctl_event_close(*event);
		*event = NULL;
		break;
	}
	if (*event)
		note(40 + (*event)->state);
}

/* ---- tasks ---- */

static void switch_one(u8 arg)
{
	struct task_struct *task = arg & 16 ? &tasks[arg % TASKS] : NULL;
	int cpu = arg / 4 % SHIM_CPUS;

	if (shim_online[cpu] && !(task && (runs(task) || task->exiting)))
		world_switch(cpu, task);
}

static void live(struct task_struct *task, u8 arg)
{
	struct task_struct *other = &tasks[arg / 8 % TASKS];

	if (arg % 8 == 7)
		world_move(task, arg & 8 ? &group : NULL);
	if (!runs(task))
		return;
	switch (arg % 8) {
	case 0:
		world_exit(task);
		break;
	case 1:
	case 2:
		world_exec(task, arg == 2);
		break;
	case 3:
	case 4:
	case 5:
		if (!other->exiting || other->refs > 1)
			break;
		other->exiting = false;
		world_fork(task, other, arg & 64);
		break;
	}
}

static void hotplug(u8 arg)
{
	int cpu = arg % SHIM_CPUS;

	if (!shim_online[cpu]) {
		world_cpu_up(cpu);
		return;
	}
	world_switch(cpu, NULL);
	world_cpu_down(cpu);
}

/* ---- one input ---- */

static void step(struct input *input)
{
	u8 op = take(input, 1) % 16, arg = take(input, 1);

	shim_cpu = arg % SHIM_CPUS;
	if (op < 4)
		open_one(input);
	else if (op < 9)
		use(&events[arg % EVENTS], op < 7 ? 0 : op - 6, input);
	else if (op == 9)
		read_many(input);
	else if (op < 12)
		switch_one(arg);
	else if (op < 14)
		live(&tasks[arg / 64], arg);
	else if (op == 14)
		world_pass(arg * 10, arg);
	else if (arg & 3)
		snapshot(input);
	else
		hotplug(arg / 4);
}

static void clean_up(void)
{
	int i;

	for (i = 0; i < EVENTS; i++) {
		if (events[i])
			pmuctl_event_close(events[i]);
		events[i] = NULL;
	}
	for_each_possible_cpu(i) {
		if (!shim_online[i])
			world_cpu_up(i);
	}
	world_pass(shim_rotate_ns, 1);
	SHIM_RULE(!pmuctl_ctx_count() && !shim_hook_users, "nothing is left of what was closed");
	SHIM_RULE(!world_hw.acquired && group.refs == 1, "nothing is left of what was taken");
	shim_grace_period();
	for (i = 0; i < TASKS; i++)
		SHIM_RULE(tasks[i].refs == 1, "no task is held");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static bool ready;
	struct input input = { data, size };

	if (!ready) {
		world_setup(NULL);
		shim_rotate_ns = 1000;
		for (size_t i = 0; i < TASKS; i++)
			tasks[i].refs = 1;
	}
	ready = true;
	results = 0;
	while (input.size)
		step(&input);
	clean_up();
	return 0;
}

#ifdef FUZZ_ALONE
#define CORPUS 512
#define INPUT_MAX 2048

static struct {
	u8 data[INPUT_MAX];
	size_t size;
} corpus[CORPUS];

static int nr_corpus;

/* Something new, or some input that is worth it with a few changes. */
static size_t invent(u8 *data)
{
	size_t size = INPUT_MAX / 2 + rand() % (INPUT_MAX / 2), i;

	if (!nr_corpus || rand() % 4 == 0) {
		for (i = 0; i < size; i++)
			data[i] = rand();
		return size;
	}
	memcpy(data, corpus[rand() % nr_corpus].data, INPUT_MAX);
	for (i = 1 + rand() % 32; i; i--)
		data[rand() % size] = rand();
	return size;
}

static bool is_new(u64 seen)
{
	static u64 known[4096];
	static int n;
	int i;

	for (i = 0; i < n; i++) {
		if (known[i] == seen)
			return false;
	}
	if (n < ARRAY_SIZE(known))
		known[n++] = seen;
	return true;
}

int main(void)
{
	int seconds = world_number("PMUCTL_FUZZ_SECONDS", 60);
	unsigned int seed = world_number("PMUCTL_SEED", time(NULL));
	time_t end = time(NULL) + seconds;
	long inputs = 0, fresh = 0;
	u8 data[INPUT_MAX];

	printf("fuzz: seed %u, %d seconds\n", seed, seconds);
	fflush(stdout);
	srand(seed);
	for (; time(NULL) < end; inputs++) {
		size_t size = invent(data);

		LLVMFuzzerTestOneInput(data, size);
		if (!is_new(results))
			continue;
		fresh++;
		memcpy(corpus[nr_corpus % CORPUS].data, data, INPUT_MAX);
		nr_corpus = min(nr_corpus + 1, CORPUS);
	}
	world_teardown(NULL);
	printf("fuzz: %ld inputs, %ld of them new, nothing found\n", inputs, fresh);
	return 0;
}
#endif
