#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# pmuctl stat from outside: exit statuses, signals, targets, outputs. Runs the whole command on a
# device made of perf_event_open(2), with software events, which need no PMU.
#
# usage: stat.sh PMUCTL-ON-PERF

set -eu

# Who was started in the background has interrupts ignored for good; they are tested here.
if [ -z "${INTERRUPTIBLE:-}" ]; then
	INTERRUPTIBLE=yes exec env --default-signal=INT,TERM "$0" "$@"
fi

pmuctl=$1
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Count page faults: every process has some, and they need no PMU.
stat()
{
	run "$pmuctl" stat -e page-faults "$@"
}

# The CSV on stderr must hold a number above zero.
expect_count()
{
	check 'a count' [ "$(awk -F, '$3 ~ /page-faults/ { print $1 + 0; exit }' "$dir/err")" -gt 0 ]
}

run "$pmuctl" stat -e page-faults true
if [ "$status" -eq 1 ]; then
	echo "stat.sh: skipped: this machine does not let us count software events." >&2
	exit 0
fi

# The command's own status, output and input.
stat true
expect_status 0
expect_text err "Performance counter stats for 'true':"
expect_text err 'seconds time elapsed'
expect_text err 'seconds user'
expect_text err 'threads and children of the command are not counted'
stat sh -c 'echo to-out; echo to-err >&2; exit 7'
expect_status 7
expect_text out 'to-out'
expect_text err 'to-err'
expect_text err 'page-faults'
stat sh -c 'kill -9 $$'
expect_status 137
stat sh -c 'kill -TERM $$'
expect_status 143

# A command that cannot be run.
stat /nonexistent/command
expect_status 127
expect_text err "pmuctl: command '/nonexistent/command': it cannot be run: No such file or directory."
expect_no_text err 'Performance counter stats'
stat no-such-command-anywhere
expect_status 127
: >"$dir/plain"
stat "$dir/plain"
expect_status 126
stat "$dir"
expect_status 126

# Options end where the command begins.
stat sh -c 'exit $#' sh -a -C 3
expect_status 3
stat -- true --json
expect_status 0
expect_text err "'true --json'"

# CSV.
stat -x, true
expect_status 0
expect_count
expect_no_text err 'Performance'
expect_no_text err 'Note'
run "$pmuctl" stat -x ';' -e task-clock true
expect_text err ';msec;task-clock;'

# JSON is one object.
run "$pmuctl" stat --json -e page-faults sh -c 'exit 4'
expect_status 4
expect_text err '"status": "counted"'
expect_text err '"exit_status": 4'
case $(cat "$dir/err") in
'{'*'}') pass ;;
*) fail 'one JSON object' ;;
esac

# A file, whole and continued.
stat -x, -o "$dir/file" true
expect_status 0
expect_no_text err 'page-faults'
stat -x, -o "$dir/file" --append true
check 'two reports in the file' [ "$(grep -c page-faults "$dir/file")" -eq 2 ]
stat -x, -o "$dir/file" true
check 'one report in the file' [ "$(grep -c page-faults "$dir/file")" -eq 1 ]
stat -o "$dir/none/file" touch "$dir/ran"
expect_status 1
expect_text err "pmuctl: output '$dir/none/file': No such file or directory."
check 'nothing was run' [ ! -e "$dir/ran" ]

# What nobody asked for by name may be missing; what was named may not.
run "$pmuctl" stat -e cycles touch "$dir/ran"
if [ "$status" -eq 1 ]; then
	expect_text err "pmuctl: event 'cycles': the test device has no hardware events. See 'pmuctl list'"
	check 'nothing was run' [ ! -e "$dir/ran" ]
	run "$pmuctl" stat touch "$dir/ran"
	expect_status 1
	check 'nothing was run' [ ! -e "$dir/ran" ]
	# Bit 7: PMUCTL_FEATURE_SOFTWARE adds the software events to the usual ones.
	run env TEST_FEATURES=0x80 "$pmuctl" stat true
	expect_status 0
	expect_text err '<not supported>'
	expect_text err 'msec task-clock'
	expect_no_text err 'no hardware events'
	run env TEST_FEATURES=0x80 "$pmuctl" stat -v true
	expect_text err "pmuctl: event 'cycles': the test device has no hardware events."
fi

# Children: counted only if the module can follow them. The shell's child has the faults.
faults_of()
{
	TEST_FEATURES=$1
	export TEST_FEATURES
	shift
	run "$pmuctl" stat -x, -e page-faults "$@" sh -c \
		'dd if=/dev/zero of=/dev/null bs=16M count=1 2>/dev/null; :'
	unset TEST_FEATURES
	faults=$(cut -d, -f1 "$dir/err")
}
faults_of 0
without=$faults
faults_of 0x10
with=$faults
faults_of 0x10 -i
refused=$faults
said="counting faults: $without, with children $with, with -i $refused"
check 'inherit counts the child' [ "$with" -gt $((without + 1000)) ]
check '-i does not' [ "$refused" -lt $((without + 1000)) ]
run env TEST_FEATURES=0x10 "$pmuctl" stat -e page-faults true
expect_no_text err 'Note'

# Repeated: means, their spread, and how often the command really ran.
stat -r 3 sh -c "echo x >>'$dir/times'; exit 4"
expect_status 4
expect_text err '(3 runs):'
expect_text err '( +-'
expect_text err 'seconds time elapsed'
check 'three runs' [ "$(wc -l <"$dir/times")" -eq 3 ]
stat -x, -r 2 true
check 'the spread has a column' grep -q '^[0-9]*,,page-faults[:u]*,[0-9.]*%,[0-9]*,100.00,' "$dir/err"
run "$pmuctl" stat --json -r 2 -e page-faults true
expect_text err '"runs": 2'
expect_text err '"spread_percent"'
stat -r 1 true
expect_no_text err 'runs)'
# Each run is a child with the signals and limits of a shell's.
stat -r 2 sh -c 'kill -TERM $$'
expect_status 143
limit=$(bash -c 'ulimit -n')
stat -r 2 bash -c "[ \$(ulimit -n) -eq $limit ]"
expect_status 0
stat -r 2 /nonexistent/command
expect_status 127

# Intervals: as many lines as intervals, and one for the rest; their sum is the whole.
stat -x, -I 100 sleep 0.45
expect_status 0
check 'a line for each interval' [ "$(grep -c page-faults "$dir/err")" -ge 3 ]
check 'a time stamp' grep -q '^ *0\.[1-4][0-9]*,' "$dir/err"
expect_no_text err 'visible share'
stat -I 20 --interval-count 2 sleep 1
expect_status 0
expect_text err '#           time             counts unit events'
expect_text err "pmuctl: option '-I': at less than 100 ms"
check 'two intervals' [ "$(grep -c page-faults "$dir/err")" -eq 2 ]
stat -I 100 --interval-count 2 -a
expect_status 0
check 'two intervals without a command' [ "$(grep -c page-faults "$dir/err")" -eq 2 ]
run "$pmuctl" stat --json -e page-faults -I 100 sleep 0.45
check 'an object a line' [ "$(grep -c '^{"interval": .*}$' "$dir/err")" -ge 3 ]
cat >"$dir/loop" <<'SH'
#!/bin/sh
i=0
while [ $i -lt "$1" ]; do
	i=$((i + 1))
done
SH
chmod 755 "$dir/loop"
run "$pmuctl" stat -x, -e task-clock -I 100 "$dir/loop" 300000
sum=$(awk -F, '{ sum += $2 } END { print int(sum) }' "$dir/err")
last=$(awk -F, 'END { print int($1 * 1000) }' "$dir/err")
said="intervals of task-clock sum up to $sum of $last ms"
check 'deltas sum up' [ "$sum" -le "$((last + 10))" ]
check 'deltas sum up to something' [ "$sum" -gt 0 ]

# Counting begins later, or never.
run "$pmuctl" stat -x, -e task-clock -D 300 sh -c "$dir/loop 1000; exec sleep 0.5"
expect_status 0
said="$said, -D 300"
check 'what came before the delay is not counted' \
	[ "$(awk -F, '/task-clock/ { print int($1) }' "$dir/err")" -lt 100 ]
stat -D 5000 true
expect_status 0
expect_text err '<not counted>'
stat -D -1 true
expect_status 0
expect_text err '<not counted>'
expect_text err 'never starts the events'

# All at once or not at all: software events always are.
stat --no-multiplex true
expect_status 0
expect_no_text err '+-'

# The same counts through one call for all files as through read(2). Bit 8 is the vector read.
vector()
{
	run env TEST_FEATURES="$1" "$pmuctl" stat -x, -e page-faults,minor-faults,major-faults true
	faults=$(awk -F, '/page-faults/ { print $1 }' "$dir/err")
}
vector 0
expect_status 0
without=$faults
vector 0x100
expect_status 0
said="page faults by read(2) $without, by vector read $faults"
check 'as many page faults' [ "$faults" -gt $((without / 2)) ]

# cgroups: the root of the hierarchy holds everything that runs.
if awk '$3 == "cgroup2" { found = 1 } END { exit !found }' /proc/mounts; then
	run "$pmuctl" stat -x, -e task-clock,page-faults --for-each-cgroup / sleep 0.2
	if [ "$status" -eq 0 ]; then
		check 'the cgroup has a column' grep -q ',task-clock,/,' "$dir/err"
		run "$pmuctl" stat --json -e task-clock -G / sleep 0.1
		expect_text err '"cgroup": "/"'
	else
		echo 'stat.sh: this machine does not let us count cgroups.' >&2
	fi
	run "$pmuctl" stat -e task-clock -G /no-such-cgroup touch "$dir/ran"
	expect_status 1
	expect_text err "pmuctl: option '-G': there is no cgroup '/no-such-cgroup' below"
	check 'nothing was run' [ ! -e "$dir/ran" ]
	run "$pmuctl" stat -e task-clock,page-faults,cs -G /,/ true
	expect_status 1
	expect_text err "pmuctl: option '-G': 2 cgroups for 3 events"
fi

# Running processes and threads: until they end, the command ends, the time is up, or a signal.
sh -c 'while :; do :; done' &
busy=$!
started=$(date +%s)
stat -x, -p "$busy" --timeout 300
expect_status 0
stat -p "$busy" sleep 0.2
expect_status 0
expect_text err "Performance counter stats for process id '$busy'"
stat -t "$busy" --timeout 100
expect_status 0
expect_text err 'thread id'
stat -p "$busy" --per-thread --timeout 100
expect_status 0
expect_text err " sh-$busy "
stat -x, -t "$busy" --per-thread --timeout 100
expect_text err "sh-$busy,"
stat -r 2 -p "$busy" sleep 0.1
expect_status 0
expect_text err '(2 runs):'
run "$pmuctl" stat -x, -e task-clock -p "$busy" --timeout 300
expect_text err ',msec,task-clock,'
expect_no_text err '<not counted>'
check 'timeouts are kept' [ $(($(date +%s) - started)) -lt 20 ]
kill "$busy"
wait "$busy" 2>/dev/null || :

sleep 1 &
stat -p $!
expect_status 0
stat -p 999999999
expect_status 1
expect_text err 'there is no process 999999999'
stat -t 999999999
expect_status 1
expect_text err 'there is no thread 999999999'

# Whole CPUs.
stat -x, -a sleep 0.2
expect_status 0
expect_count
stat -a --timeout 100
expect_status 0
expect_text err "'system wide'"
stat -x, -A -C 0 sleep 0.1
expect_status 0
expect_text err 'CPU0,'

# The time is up for a command as well.
stat --timeout 200 sleep 30
expect_status 143
expect_text err 'page-faults'

# Signals: what was counted is printed; a command gets what kill(1) sent to pmuctl.
interrupted()
{
	signal=$1
	shift
	status=0
	"$pmuctl" stat -e page-faults "$@" >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
	sleep 1
	kill "-$signal" "$pid"
	wait "$pid" || status=$?
	said="$signal: $*"
}
interrupted TERM -a
expect_status 0
expect_text err "'system wide'"
interrupted TERM sleep 30
expect_status 143
expect_text err 'seconds time elapsed'
interrupted TERM sh -c 'trap "exit 5" TERM; sleep 30 & wait'
expect_status 5

# Intervals end with what came after the last one; repeating ends with whole runs.
interrupted TERM -I 400 -a
expect_status 0
check 'the rest is printed' [ "$(grep -c page-faults "$dir/err")" -ge 2 ]
interrupted TERM -r 0 sleep 0.3
expect_status 143
check 'each run by itself' [ "$(grep -c "stats for 'sleep 0.3':" "$dir/err")" -ge 1 ]
interrupted TERM -r 100 sleep 0.3
expect_status 143
expect_text err 'runs):'

# Ctrl-C on a terminal reaches the command by itself.
status=0
(sleep 1; printf '\003'; sleep 1) | script -qec "$pmuctl stat -e page-faults sleep 30" /dev/null \
	>"$dir/out" 2>"$dir/err" || status=$?
said='Ctrl-C on a terminal'
expect_status 130
expect_text out 'seconds time elapsed'

finish
