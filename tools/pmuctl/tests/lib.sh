# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# For the scripts that test the command: runs it, keeps what it said, counts. Sourced; never
# needs the module, and leaves nothing behind but its directory below /tmp, which it removes.

passed=0
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
: >"$dir/out"
: >"$dir/err"

# Runs a command; its status is in $status, its output in the files $dir/out and $dir/err.
run()
{
	status=0
	"$@" >"$dir/out" 2>"$dir/err" </dev/null || status=$?
	said="$*"
}

pass()
{
	passed=$((passed + 1))
}

fail()
{
	failed=$((failed + 1))
	printf 'FAILED: %s\n  after: %s\n  status %s\n  stdout: %s\n  stderr: %s\n' "$1" "$said" \
		"$status" "$(cat "$dir/out")" "$(cat "$dir/err")" >&2
}

# check WHAT CMD...: CMD must succeed.
check()
{
	what=$1
	shift
	if "$@"; then pass; else fail "$what"; fi
}

expect_status()
{
	check "exit status $1" [ "$status" -eq "$1" ]
}

# expect_text out|err TEXT
expect_text()
{
	text=$(cat "$dir/$1")
	case $text in
	*"$2"*) pass ;;
	*) fail "std$1 holds '$2'" ;;
	esac
}

expect_no_text()
{
	text=$(cat "$dir/$1")
	case $text in
	*"$2"*) fail "std$1 does not hold '$2'" ;;
	*) pass ;;
	esac
}

finish()
{
	printf '%s: %s passed, %s failed\n' "$(basename "$0")" "$passed" "$failed"
	[ "$failed" -eq 0 ]
}
