// SPDX-License-Identifier: GPL-2.0-only
/* Pulls a puppet's strings: see stage.h. Every failure here ends the calling process. */
#include "stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 60000

static void fail(const char *what)
{
	fprintf(stderr, "stage: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* The puppet lies beside the program that uses it. */
static int open_puppet(void)
{
	char path[PATH_MAX] = "";
	char program[PATH_MAX + 16];
	int fd;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		fail("readlink");
	snprintf(program, sizeof(program), "%s/puppet", dirname(path));
	fd = open(program, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(program);
	return fd;
}

/*
 * A copy of the puppet with another mode; its file has no name any more when this returns. Even the
 * plain one is a copy: to execute it from the host's file system takes ten times as long.
 */
static int copy_puppet(int puppet, mode_t mode)
{
	char name[] = "/tmp/puppet.XXXXXX";
	int copy = mkostemp(name, O_CLOEXEC), fd;
	off_t offset = 0;
	struct stat st;

	if (copy < 0 || fstat(puppet, &st) || sendfile(copy, puppet, &offset, st.st_size) != st.st_size)
		fail("copy of the puppet");
	if (fchmod(copy, mode))
		fail("fchmod");
	close(copy);	/* a file that is open for writing cannot be executed */
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(name);
	unlink(name);
	return fd;
}

struct programs {
	int self, suid, unreadable, nothing;
};

static struct programs *programs(void)
{
	static struct programs p;

	if (!p.self) {
		int puppet = open_puppet();

		p.self = copy_puppet(puppet, 0755);
		p.suid = copy_puppet(puppet, 04755);
		p.unreadable = copy_puppet(puppet, 0711);
		p.nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
		close(puppet);
	}
	return &p;
}

int stage_puppet(void)
{
	return programs()->self;
}

static void place(int fd, int target)
{
	if (dup2(fd, target) < 0)
		_exit(1);
}

static void become_puppet(const struct programs *p, int (*pipes)[2], const char *script)
{
	char *argv[] = { "puppet", (char *)script, NULL };
	char *envp[] = { NULL };
	int i;

	/* All who come from it are in its group; and it does not outlive us. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	place(p->self, PUPPET_FD_SELF);
	place(p->suid, PUPPET_FD_SETUID);
	place(p->unreadable, PUPPET_FD_UNREADABLE);
	place(p->nothing, PUPPET_FD_NOTHING);
	for (i = 0; i < PUPPET_CHANNELS; i++) {
		place(pipes[i][0], PUPPET_FD_CUE + i);
		place(pipes[PUPPET_CHANNELS + i][1], PUPPET_FD_TELL + i);
	}
	fexecve(PUPPET_FD_SELF, argv, envp);
	_exit(1);
}

/* Above all numbers that a puppet uses, so that placing one never overwrites another. */
static void make_pipe(int *ends)
{
	int low[2], i;

	if (pipe2(low, O_CLOEXEC))
		fail("pipe");
	for (i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 64);
		if (ends[i] < 0)
			fail("fcntl");
		close(low[i]);
	}
}

static void raise_programs(struct programs *p)
{
	int *fds[] = { &p->self, &p->suid, &p->unreadable, &p->nothing };
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		int fd;

		if (*fds[i] >= 64)
			continue;
		fd = fcntl(*fds[i], F_DUPFD_CLOEXEC, 64);
		if (fd < 0)
			fail("fcntl");
		close(*fds[i]);
		*fds[i] = fd;
	}
}

void stage_open(struct stage *s, const char *script)
{
	int pipes[2 * PUPPET_CHANNELS][2], i;
	struct programs *p = programs();

	raise_programs(p);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (i = 0; i < 2 * PUPPET_CHANNELS; i++)
		make_pipe(pipes[i]);
	s->pid = fork();
	if (s->pid < 0)
		fail("fork");
	if (!s->pid)
		become_puppet(p, pipes, script);
	for (i = 0; i < PUPPET_CHANNELS; i++) {
		close(pipes[i][0]);
		s->cue[i] = pipes[i][1];
		close(pipes[PUPPET_CHANNELS + i][1]);
		s->told[i] = pipes[PUPPET_CHANNELS + i][0];
	}
	stage_wait(s, 0);
}

/* The state letter of /proc/TID/stat; 0 if there is no such task. */
static char state_of(pid_t tid)
{
	char path[64], text[512], *end;
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	size = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (size <= 0)
		return 0;
	text[size] = '\0';
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

/*
 * Off its CPU and inside read(2)? Its state letter says so too early, before it has been switched
 * out: an event that is opened then begins to run. /proc/TID/syscall waits for that to be over.
 */
static bool sleeps_in_read(pid_t tid)
{
	char path[64], text[2] = "";
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail(path);
	size = read(fd, text, sizeof(text));
	close(fd);
	return size == sizeof(text) && text[0] == '0' + SYS_read && text[1] == ' ';
}

pid_t stage_wait(struct stage *s, int channel)
{
	struct pollfd poller = { .fd = s->told[channel], .events = POLLIN };
	int tid, tries;

	if (poll(&poller, 1, PATIENCE_MS) != 1 || read(s->told[channel], &tid, sizeof(tid)) != sizeof(tid))
		fail("the puppet does not come");
	/* It told and goes to sleep: between the two it still executes. */
	for (tries = 0; !sleeps_in_read(tid); tries++) {
		if (tries > PATIENCE_MS)
			fail("the puppet does not sleep");
		usleep(1000);
	}
	return tid;
}

void stage_cue(struct stage *s, int channel)
{
	if (write(s->cue[channel], "x", 1) != 1)
		fail("cue");
}

pid_t stage_step(struct stage *s, int channel)
{
	stage_cue(s, channel);
	return stage_wait(s, channel);
}

void stage_wait_gone(pid_t tid)
{
	int tries;

	for (tries = 0; state_of(tid) && state_of(tid) != 'Z'; tries++) {
		if (tries > PATIENCE_MS)
			fail("a task does not end");
		usleep(1000);
	}
}

static int threads_of(pid_t pid)
{
	struct dirent *entry;
	char path[64];
	int n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		fail(path);
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

void stage_wait_threads(pid_t pid, int n)
{
	int tries;

	for (tries = 0; threads_of(pid) > n; tries++) {
		if (tries > PATIENCE_MS)
			fail("threads do not end");
		usleep(1000);
	}
}

void stage_close(struct stage *s)
{
	int i;

	for (i = 0; i < PUPPET_CHANNELS; i++) {
		close(s->cue[i]);
		close(s->told[i]);
	}
	while (waitpid(-s->pid, NULL, 0) > 0)
		;
}

void stage_kill(struct stage *s)
{
	kill(-s->pid, SIGKILL);
	stage_close(s);
}
