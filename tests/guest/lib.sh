# SPDX-License-Identifier: GPL-2.0-only
#
# For the tests that run inside a guest: counting of checks, and the few things they share.

passed=0
failed=0
work=$(mktemp -d)
module=/pmuctl/build/module/amd64-${KERNEL:?the short name of the kernel, as tests/run-vm sets it}/pmuctl.ko

# check WHAT CMD...: one check, passed if CMD succeeds.
check()
{
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $what: $*"
	fi
}

# The opposite of a command, for check.
not()
{
	! "$@"
}

# equal A B: the same text, both shown if not.
equal()
{
	[ "$1" = "$2" ] && return 0
	echo "  '$1' is not '$2'"
	return 1
}

# says FILE TEXT: the file holds the text; the file is shown if not.
says()
{
	grep -q -F -e "$2" "$1" && return 0
	echo "  no '$2' in:"
	sed 's/^/  | /' "$1"
	return 1
}

# wait_until CMD...: until it succeeds, half a minute at most.
wait_until()
{
	for _ in $(seq 150); do
		"$@" && return 0
		sleep 0.2
	done
	echo "  never: $*"
	return 1
}

# The value of one event as `perf stat -x,` and `pmuctl stat -x,` print it: csv FILE EVENT.
csv()
{
	awk -F, -v "event=$2" '$3 == event { print $1 }' "$1"
}

load()
{
	insmod "$module"
}

# finish NAME: the closing line and the status.
finish()
{
	rm -rf "$work"
	echo "$1: $passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
