#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What a user sees of the built command where there is no module: exit statuses, messages, help.
#
# usage: cli.sh PMUCTL

set -eu

pmuctl=$1
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ -e /dev/pmuctl ]; then
	echo 'cli.sh: this machine has /dev/pmuctl; the messages tested here are those without.' >&2
	exit 1
fi

run "$pmuctl"
expect_status 2
expect_text err "pmuctl: command: none given. See 'pmuctl help'."

run "$pmuctl" help
expect_status 0
for command in info list stat inspect doctor; do
	expect_text out "$command"
done

run "$pmuctl" --help
expect_status 0
run "$pmuctl" --version
expect_status 0
expect_text out 'pmuctl '

run "$pmuctl" inof
expect_status 2
expect_text err "pmuctl: command 'inof': there is none of that name. Did you mean 'info'?"

run "$pmuctl" help stta
expect_status 2
expect_text err "'stat'"

for command in info list stat inspect doctor; do
	run "$pmuctl" "$command" --help
	expect_status 0
	expect_text out "Usage: pmuctl $command"
	expect_text out 'Examples:'
	expect_text out 'Exit status:'
	check 'help fits in 100 columns' awk 'length > 100 { exit 1 }' "$dir/out"
	mv "$dir/out" "$dir/by-option"
	run "$pmuctl" help "$command"
	check 'the same help twice' cmp -s "$dir/out" "$dir/by-option"

	run "$pmuctl" "$command" --nonsense
	expect_status 2
	expect_text err "pmuctl: option '--nonsense': unknown to 'pmuctl $command'."
	run "$pmuctl" "$command" --hlep
	expect_status 2
	expect_text err "Did you mean '--help'?"
	run "$pmuctl" "$command" -Z
	expect_status 2
	expect_text err "pmuctl: option '-Z': unknown"
	run "$pmuctl" "$command" --json=yes
	expect_status 2
	expect_text err 'it takes no value'
done

for command in info doctor inspect; do
	run "$pmuctl" "$command" extra
	expect_status 2
	expect_text err "argument 'extra': 'pmuctl $command' takes none"
done

# info: what can be told without the module, and a sentence.
run "$pmuctl" info
expect_status 1
expect_text out "$(uname -r)"
expect_text err 'pmuctl: /dev/pmuctl: there is no such file, so the module is not loaded. Run'
run "$pmuctl" info --json
expect_status 1
expect_text out '"loaded": false'

# doctor: fails, and says how to mend it.
run "$pmuctl" doctor
expect_status 1
expect_text out 'FAIL  module'
expect_text out '-> '
expect_text out 'in the way.'
esc=$(printf '\033')
expect_no_text out "$esc"
run "$pmuctl" doctor --json
expect_status 1
expect_text out '"ready": false'

# list.
run "$pmuctl" list
expect_status 0
expect_text out 'branch-misses'
expect_text out 'L1-dcache-load-misses'
run "$pmuctl" list cyc
expect_status 0
expect_text out 'ref-cycles'
expect_no_text out 'branch-misses'
run "$pmuctl" list 'L1-*' page-faults
expect_status 0
expect_text out 'L1-icache-loads'
expect_text out 'page-faults'
expect_no_text out 'LLC'
run "$pmuctl" list cyclse
expect_status 1
expect_text err "pattern 'cyclse': no event of this machine matches. Did you mean 'cycles'?"
run env LIBPFM_FORCE_PMU=spr "$pmuctl" list br_inst_retired
expect_status 0
expect_text out 'BR_INST_RETIRED:COND'

# stat: wrong usage is found before anything is run.
expect_usage()
{
	text=$1
	shift
	run "$pmuctl" stat "$@"
	expect_status 2
	expect_text err "$text"
}
expect_usage 'pmuctl: command: none given'
expect_usage "event 'cyclse': no such event on this machine. Did you mean 'cycles'?" \
	-e cyclse touch "$dir/ran"
expect_usage "option '-e': its value is missing" -e
expect_usage "option '--timeout': its value is missing" --timeout
expect_usage "option '--timeout'" --timeout 0 true
expect_usage "option '--timeout'" --timeout soon true
expect_usage 'only one of them' -p 1 -a
expect_usage 'only one of them' -p 1 -t 1
expect_usage 'only one of them' --json -x, true
expect_usage 'needs -a or -C' -A true
expect_usage 'needs -o FILE' --append true
expect_usage 'the separator is empty' -x '' true
expect_usage "option '-r'" -r x true
expect_usage "option '-r': it needs a command" -r 3 -a
expect_usage 'options -r and -I: only one' -r 3 -I 100 true
expect_usage 'options -r and --per-thread: only one' -r 3 --per-thread -p 1 true
expect_usage "option '-I': its value is a number of milliseconds, 10 or more" -I 9 true
expect_usage "option '--interval-count': it needs -I" --interval-count 3 true
expect_usage "option '--interval-count': its value" -I 100 --interval-count 0 true
expect_usage "option '-D'" -D -2 true
expect_usage "option '--per-thread': it needs -p or -t" --per-thread true
expect_usage "option '--per-thread': it needs -p or -t" --per-thread -a
expect_usage 'options -G and --for-each-cgroup: only one' -G a --for-each-cgroup b
expect_usage 'cgroups are counted on CPUs' -G a -p 1
expect_usage "'x' is not a number of a process or thread" -p x
expect_usage "'0' is not a number" -p 1,0
expect_usage "option '-C': not a list of CPU numbers" -C a true
expect_usage "option '-C': CPU 9999 is not online" -C 9999 true
run "$pmuctl" stat -- touch "$dir/ran"
expect_status 1
expect_text err 'pmuctl: /dev/pmuctl: there is no such file'
check 'the command was not run' [ ! -e "$dir/ran" ]

# inspect.
run "$pmuctl" inspect
expect_status 1
expect_text err 'pmuctl: /dev/pmuctl: there is no such file'
run "$pmuctl" inspect -n 3
expect_status 2
expect_text err "pmuctl: option '-n': it needs -I MS."
run "$pmuctl" inspect -I 0
expect_status 2
expect_text err "pmuctl: option '-I': its value is a number above 0."
run "$pmuctl" inspect -C 1-a
expect_status 2
expect_text err "pmuctl: option '-C': not a list of CPU numbers"

# A pipe or disk that takes no more is an error.
if [ -e /dev/full ]; then
	status=0
	"$pmuctl" list >/dev/full 2>"$dir/err" || status=$?
	said='pmuctl list >/dev/full'
	expect_status 1
	expect_text err 'pmuctl: output: No space left on device.'
fi

finish
