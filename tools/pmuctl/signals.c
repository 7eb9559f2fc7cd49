// SPDX-License-Identifier: GPL-2.0-only
/*
 * SIGINT and SIGTERM as a file: no handler, so nothing happens in the middle of anything else.
 * What they mean is for those who wait.
 */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

int signals_watch(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int signals_take(int fd, bool *terminal)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	*terminal = info.ssi_code == SI_KERNEL;
	return (int)info.ssi_signo;
}
