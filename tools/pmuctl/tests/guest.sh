#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The command on the real module: run it in a guest whose PMU is modelled, with the module loaded,
# as in `tests/vm/run --model intel -- tools/pmuctl/tests/guest.sh`. Needs a compiler and perf
# there. Counts are compared to the last digit: the model counts exactly.

set -eu

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# A program that takes exactly one branch more for each turn of its loop.
cat >"$dir/turns.c" <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	long turns = argc > 1 ? atol(argv[1]) : 0;

	__asm__ volatile("1: dec %0\n jnz 1b\n" : "+r"(turns));
	return 0;
}
C
gcc -O1 -static -o "$dir/turns" "$dir/turns.c"
chmod 755 "$dir" "$dir/turns"

# The first column of the CSV line whose event is $1.
count_of()
{
	awk -F, -v event="$1" '$3 == event { print $1; exit }' "$dir/err"
}

# What is tested below must be there: a module without it fails here, and is not passed over.
run pmuctl info
for feature in count-task count-cpu groups multiplex inherit cgroup software read-vector snapshot; do
	check "the module has $feature" grep -q "^  features .* $feature\( \|\$\)" "$dir/out"
done

run pmuctl info
expect_status 0
expect_text out 'PMU cpu'
expect_text out 'held by            nobody'
run pmuctl info --json
expect_status 0
expect_text out '"holder": "nobody"'
run pmuctl doctor
expect_status 0
expect_text out 'Nothing stands in the way.'

# Addresses chosen by chance would change what the C library does before main().
count_turns()
{
	run setarch -R pmuctl stat -x, -e '{instructions:u,branches:u}' -e r00c4:u \
		"$dir/turns" "$1"
	expect_status 0
}

# A million turns more are two million instructions and a million branches more, no others.
count_turns 1000000
instructions=$(count_of instructions:u) branches=$(count_of branches:u) raw=$(count_of r00c4:u)
count_turns 2000000
check 'exact instructions' [ $(($(count_of instructions:u) - instructions)) -eq 2000000 ]
check 'exact branches' [ $(($(count_of branches:u) - branches)) -eq 1000000 ]
check 'exact raw branches' [ $(($(count_of r00c4:u) - raw)) -eq 1000000 ]

# The same through terms in sysfs and the names of libpfm4.
run pmuctl stat -x, -e branches:u,cpu/event=0xc4,name=terms/u,BRANCH_INSTRUCTIONS_RETIRED:u \
	"$dir/turns" 1000
expect_status 0
check 'terms' [ "$(count_of terms)" -eq "$(count_of branches:u)" ]
check 'libpfm4' [ "$(count_of BRANCH_INSTRUCTIONS_RETIRED:u)" -eq "$(count_of branches:u)" ]

run pmuctl stat "$dir/turns" 1000
expect_status 0
expect_text err 'insn per cycle'
expect_text err 'of all branches'
run pmuctl stat sh -c 'exit 9'
expect_status 9

# A running process, and whole CPUs beside it.
"$dir/turns" 100000000000 &
busy=$!
run pmuctl stat -x, -e cycles:u -p "$busy" --timeout 500
expect_status 0
check 'cycles of a process' [ "$(count_of cycles:u)" -gt 1000000 ]
run pmuctl stat -a -A -x, -e cycles sleep 0.5
expect_status 0
expect_text err 'CPU0,'
expect_text err 'CPU1,'
kill "$busy"
wait "$busy" 2>/dev/null || :

# An ordinary user gets the user part of his own tasks, and a reason for the rest.
as_user()
{
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
as_user pmuctl stat -e cycles "$dir/turns" 1000
expect_status 0
expect_text err 'cycles:u'
as_user pmuctl stat -e cycles:k "$dir/turns" 1000
expect_status 1
expect_text err "pmuctl: event 'cycles:k': module parameter paranoid is 2"
as_user pmuctl stat -a -e cycles true
expect_status 1
expect_text err "pmuctl: event 'cycles': module parameter paranoid is 2"

# In-tree perf has the PMU: refused, with its name. And the other way round.
perf stat -e cycles sleep 30 2>/dev/null &
perf=$!
tries=0
until pmuctl info | grep -q 'held by *other' || [ "$tries" -eq 30 ]; do
	tries=$((tries + 1))
	sleep 1
done
run pmuctl stat -e cycles touch "$dir/ran"
expect_status 1
expect_text err "pmuctl: event 'cycles': in-tree perf holds the counters"
check 'the command was not run' [ ! -e "$dir/ran" ]
run pmuctl doctor
expect_status 1
expect_text out "perf ($perf)"
kill -INT "$perf"
wait "$perf" 2>/dev/null || :
run pmuctl stat -e cycles -- perf stat -e cycles true
expect_text err 'Device or resource busy'
run pmuctl info
expect_text out 'held by            nobody'

# shellcheck source-path=SCRIPTDIR source=guest-stat.sh
. "$(dirname "$0")/guest-stat.sh"
# shellcheck source-path=SCRIPTDIR source=guest-inspect.sh
. "$(dirname "$0")/guest-inspect.sh"

finish
