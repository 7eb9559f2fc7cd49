// SPDX-License-Identifier: GPL-2.0-only
/*
 * The measured command: started, held on a pipe until its events are open, let go, waited for.
 * The child must not differ from one started by a shell: signals and limits are as they were when
 * pmuctl began.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

void workload_remember(struct workload_ways *ways)
{
	sigprocmask(SIG_SETMASK, NULL, &ways->signals);
	getrlimit(RLIMIT_NOFILE, &ways->files);
}

/* In the child. An end of file instead of a byte means that pmuctl gave up. */
static void child(int go_fd, int failed_fd, char *const argv[])
{
	ssize_t nr;
	char byte;
	int err;

	do {
		nr = read(go_fd, &byte, 1);
	} while (nr < 0 && errno == EINTR);
	if (nr == 1) {
		execvp(argv[0], argv);
		err = errno;
		if (write(failed_fd, &err, sizeof(err)) < 0)
			_exit(WORKLOAD_NOT_EXECUTABLE);
	}
	_exit(WORKLOAD_NOT_FOUND);
}

static void close_both(const int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

int workload_start(struct workload *work, char *const argv[], const struct workload_ways *ways)
{
	int go[2], failed[2], err;

	memset(work, 0, sizeof(*work));
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto err_go;
	}
	work->pid = fork();
	if (work->pid < 0) {
		err = -errno;
		goto err_failed;
	}
	if (!work->pid) {
		/* Else the child itself would keep the pipe open, and never see pmuctl give up. */
		close(go[1]);
		sigprocmask(SIG_SETMASK, &ways->signals, NULL);
		setrlimit(RLIMIT_NOFILE, &ways->files);
		child(go[0], failed[1], argv);
	}
	close(go[0]);
	close(failed[1]);
	work->go_fd = go[1];
	work->failed_fd = failed[0];
	work->pidfd = (int)syscall(SYS_pidfd_open, work->pid, 0);
	if (work->pidfd < 0) {
		err = -errno;
		workload_cancel(work);
		return err;
	}
	return 0;

err_failed:
	close_both(failed);
err_go:
	close_both(go);
	return err;
}

int workload_go(struct workload *work)
{
	ssize_t nr;
	int err;

	nr = write(work->go_fd, "", 1);
	close(work->go_fd);
	if (nr < 0) {
		err = errno;
	} else {
		/* The exec closes the other end: nothing to read means success. */
		do {
			nr = read(work->failed_fd, &err, sizeof(err));
		} while (nr < 0 && errno == EINTR);
		if (nr != sizeof(err))
			err = 0;
	}
	close(work->failed_fd);
	if (err)
		workload_reap(work);
	return -err;
}

void workload_reap(struct workload *work)
{
	while (wait4(work->pid, &work->status, 0, &work->usage) < 0 && errno == EINTR)
		;
	if (work->pidfd >= 0)
		close(work->pidfd);
	work->pidfd = -1;
}

void workload_cancel(struct workload *work)
{
	close(work->go_fd);
	close(work->failed_fd);
	workload_reap(work);
}

int workload_exit_status(const struct workload *work)
{
	if (WIFSIGNALED(work->status))
		return 128 + WTERMSIG(work->status);
	return WEXITSTATUS(work->status);
}
