# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Judges a finished guest by what it left: its report, the kernel's log and how QEMU ended. What
# counts as an error in the log is data: log.errors, less what log.allowed excuses. Sourced by
# tests/vm/run; it prints only when something is wrong, and never guesses in favour of success.

# here and me are the sourcing script's.
# shellcheck disable=SC2154

# The patterns of a file: one extended regular expression a line; '#' opens a comment line.
log_patterns()
{
	grep -Ev '^(#|$)' "$here/$1" || :
}

# log_errors FILE: the numbered lines of a kernel log that are errors.
log_errors()
{
	log_patterns log.errors > "$1.errors"
	log_patterns log.allowed > "$1.allowed"
	tr -d '\r' < "$1" | grep -naE -f "$1.errors" | grep -avE -f "$1.allowed" || :
}

# log_part FILE: where the first error is, with what surrounds it.
log_part()
{
	line=$(log_errors "$1" | head -n 1 | cut -d: -f1)
	tr -d '\r' < "$1" | tail -n "+$((line > 5 ? line - 5 : 1))" | head -n 60 >&2
}

log_tail()
{
	echo '--- the end of the kernel log:' >&2
	tr -d '\r' < "$1" | tail -n 30 >&2
}

# What the monitor said of a guest that hung.
registers_of()
{
	echo '--- where its processors were:' >&2
	tr -d '\r' < "$1/monitor.out" | grep -aE '^(CPU#|RIP=| ?PC=)' >&2 || :
}

# The guest's last word, if it is this run's: "status=N module=WORD".
report_of()
{
	sed -n "s/^done $2 //p" "$1/report"
}

# A hung guest was asked where it is, and says so by a panic: its errors are those from before.
fail_hung()
{
	echo '--- the kernel log around the hang:' >&2
	tr -d '\r' < "$1/console" | tail -n 150 >&2
	registers_of "$1"
	die "$me" "no end after $2 seconds" "Look for a hang in the log above" 124
}

fail_without_report()
{
	[ "$2" != 124 ] || fail_hung "$1" "$3"
	log_tail "$1/console"
	[ ! -s "$1/qemu-errors" ] || cat "$1/qemu-errors" >&2
	die "$me" "the guest stopped (QEMU's status $2) before its report" \
		"Look for a panic in the log above" 125
}

# judge_run DIR NONCE QEMU-STATUS TIMEOUT: exits with the run's status.
judge_run()
{
	report=$(report_of "$1" "$2")
	status=${report#status=}
	status=${status%% *}
	ended=$3
	log=$1/console
	if [ -z "$report" ] && [ -e "$log.unasked" ]; then
		log=$log.unasked
		ended=124
	fi
	if [ -n "$(log_errors "$log")" ]; then
		log_part "$log"
		die "$me" "the kernel reported an error (the command's status: ${status:-none})" \
			"See the log above, or all of it with --keep-log" 125
	fi
	[ -n "$report" ] || fail_without_report "$1" "$ended" "$4"
	case $report in
	*module=failed) die "$me" 'the module could not be loaded' \
		'Its reason is above or, with --keep-log, in the kernel log' 125 ;;
	*module=stuck) die "$me" "the module could not be unloaded (the command's status: $status)" \
		'Something still holds it; --keep-module skips this check' 125 ;;
	esac
	exit "$status"
}
