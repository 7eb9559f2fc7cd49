# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Part of guest.sh: what inspect shows while others count. Needs $dir/turns and as_user() of
# guest.sh.

run pmuctl inspect
expect_status 0
expect_text out 'CPU 0, cpu: 0 of 11 counters in use'
expect_text out 'CPU 1, software: 0 of'
expect_text out '0 contexts, 0 events.'

# Start stat in the background and wait for its events.
watched=
watch_with()
{
	pmuctl stat -x, "$@" 2>/dev/null &
	watched="$watched $!"
}
until_events()
{
	for _ in $(seq 100); do
		pmuctl inspect >"$dir/out"
		! grep -q "contexts, $1 events" "$dir/out" || return 0
		sleep 0.2
	done
	return 1
}
end_watched()
{
	# shellcheck disable=SC2086
	kill $watched
	# shellcheck disable=SC2086
	wait $watched 2>/dev/null || :
	watched=
}

# Two tools count the same of one task: one counter, two events, one context.
"$dir/turns" 100000000000 &
busy=$!
watch_with -e instructions:u,branches:u -p "$busy"
watch_with -e instructions:u -p "$busy"
check 'three events' until_events 3
run pmuctl inspect --events
expect_status 0
check 'one counter for both' [ "$(grep -c "^  fixed0 .* instructions:u .*  turns-$busy\$" "$dir/out")" -eq 1 ]
check 'two events of it' [ "$(grep -c "^ *[0-9]* counts .* instructions:u .*turns-$busy" "$dir/out")" -eq 2 ]
check 'the context' grep -q "^  turns-$busy .*on CPU [01] .* 3 events" "$dir/out"
expect_no_text out 'Waiting for a counter'

# Again and again: sums grow, JSON is a line each.
run pmuctl inspect -I 200 -n 3
expect_status 0
check 'three pictures' [ "$(grep -c ' contexts, ' "$dir/out")" -eq 3 ]
expect_text out 'passes'
expect_text out '(+'
run pmuctl inspect --json -I 200 -n 3
expect_status 0
check 'a line each' [ "$(grep -c '^{"sums": .*}$' "$dir/out")" -eq 3 ]
expect_text out '"counted_by": ["turns-'
run pmuctl inspect -C 1
expect_no_text out 'CPU 0'
expect_text out 'CPU 1, cpu'
end_watched

# Counters nobody uses run on while the PMU is ours: the next event finds them.
watch_with -e cycles:u -p "$busy"
watch_with -e branches:u -p "$busy"
check 'two events' until_events 2
kill "${watched##* }"
wait "${watched##* }" 2>/dev/null || :
watched=${watched% *}
check 'one event' until_events 1
expect_text out '  idle'
end_watched

# More than there are counters: somebody waits.
watch_with -e "$many" -p "$busy"
check 'fourteen events' until_events 14
run pmuctl inspect
expect_text out 'Waiting for a counter'
expect_text out "turns-$busy, flexible"
expect_text out 'groups take turns'
end_watched
kill "$busy"
wait "$busy" 2>/dev/null || :

# On a terminal: in place, in colour, and nothing left behind after Ctrl-C.
status=0
(sleep 5; printf '\003'; sleep 2) | TERM=xterm script -qec "exec pmuctl inspect -I 300" /dev/null \
	>"$dir/out" 2>"$dir/err" || status=$?
said='Ctrl-C on a terminal'
expect_status 0
esc=$(printf '\033')
expect_text out "${esc}[?7l${esc}[H"
check 'modes are put back as often as changed' \
	[ "$(grep -c -F "${esc}[?7l" "$dir/out")" -eq "$(grep -c -F "${esc}[?7h" "$dir/out")" ]

as_user pmuctl inspect
expect_status 1
expect_text err "pmuctl: snapshot: not allowed for this user, for it shows everybody's events"
