# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Part of guest.sh: what stat does beside plain counting. Needs $dir/turns, count_of() and
# as_user() of guest.sh.

# The usual events begin with those of software.
run pmuctl stat "$dir/turns" 1000
expect_status 0
expect_text err 'msec task-clock'
expect_text err 'CPUs utilized'
expect_text err 'page-faults'
expect_no_text err 'not supported'
expect_no_text err 'Note'

# Children: two of a million turns each.
children()
{
	run pmuctl stat -x, -e branches:u "$@" sh -c \
		"$dir/turns 1000000 & $dir/turns 1000000 & wait"
	expect_status 0
}
children
check 'children are counted' [ "$(count_of branches:u)" -gt 2000000 ]
children -i
check 'with -i they are not' [ "$(count_of branches:u)" -lt 1000000 ]
as_user pmuctl stat -x, -e instructions:u sh -c "$dir/turns 1000000; :"
expect_status 0
check 'children of an ordinary user' [ "$(count_of instructions:u)" -gt 2000000 ]

# Runs that do the same count the same.
run setarch -R pmuctl stat -x, -r 3 -e instructions:u "$dir/turns" 100000
expect_status 0
check 'no spread' grep -q '^[0-9]*,,instructions:u,0.00%,' "$dir/err"
run pmuctl stat -r 2 "$dir/turns" 1000
expect_text err '(2 runs):'
expect_text err '( +-'

# Intervals sum up to the whole, to the last digit.
run setarch -R pmuctl stat -x, -e branches:u "$dir/turns" 30000000
whole=$(count_of branches:u)
run setarch -R pmuctl stat -x, -I 100 -e branches:u "$dir/turns" 30000000
expect_status 0
sum=$(awk -F, '{ sum += $2 } END { printf "%.0f", sum }' "$dir/err")
said="$said: sum $sum, whole $whole"
check 'more than one interval' [ "$(wc -l <"$dir/err")" -gt 1 ]
check 'intervals sum up' [ "$sum" -eq "$whole" ]

# A delay leaves out what comes before it.
run pmuctl stat -x, -e branches:u -D 100000 "$dir/turns" 1000000
expect_text err '<not counted>'
run pmuctl stat -x, -e branches:u -D 3000 sh -c "$dir/turns 1000000; sleep 5; $dir/turns 2000000"
expect_status 0
check 'counted after the delay' [ "$(count_of branches:u)" -gt 2000000 ]
check 'not counted before it' [ "$(count_of branches:u)" -lt 3000000 ]

# Threads of a running process.
"$dir/turns" 100000000000 &
busy=$!
run pmuctl stat -x, -e instructions:u,task-clock -p "$busy" --per-thread --timeout 500
expect_status 0
check 'a line for the thread' grep -q "^turns-$busy,[0-9]*,,instructions:u," "$dir/err"
run pmuctl stat -x, -e instructions:u -p "$busy" -r 2 sleep 0.2
expect_status 0
kill "$busy"
wait "$busy" 2>/dev/null || :

# Fourteen things on eight counters: each is scaled, and its bound holds.
many=r00c4:u,r01c4:u,r02c4:u,r04c4:u,r08c4:u,r10c4:u,r20c4:u,r40c4:u,r80c4:u,r00c5:u,r012e:u,r0100:u,r0200:u,r0300:u
run setarch -R pmuctl stat -x, -e r00c4:u "$dir/turns" 20000000
true=$(count_of r00c4:u)
run setarch -R pmuctl stat -x, -e "$many" "$dir/turns" 20000000
expect_status 0
said="$said: true $true"
value=$(count_of r00c4:u)
percent=$(awk -F, '$3 == "r00c4:u" { print int($5) }' "$dir/err")
off=$(awk -F, '$3 == "r00c4:u" { print int($1 * $8 / 100) + 1 }' "$dir/err")
error=$(awk -F, '$3 == "r00c4:u" { print int($8 + 0.5) }' "$dir/err")
check 'on a counter for a part of the time' [ "$percent" -gt 10 ]
check 'but not all the time' [ "$percent" -lt 100 ]
check 'the truth is not below the bound' [ "$true" -ge $((value - off)) ]
check 'the truth is not above the bound' [ "$true" -le $((value + off)) ]
check 'the bound is what was not counted' [ $((error + percent)) -ge 99 ]
check 'and no more' [ $((error + percent)) -le 101 ]
run pmuctl stat -e "$many" "$dir/turns" 20000000
expect_text err '%)  +- '
run pmuctl stat --no-multiplex -e "$many" touch "$dir/ran"
expect_status 1
expect_text err 'and --no-multiplex allows no scaling'
expect_no_text err 'Performance counter stats'
check 'the command was not run' [ ! -e "$dir/ran" ]
run pmuctl stat --no-multiplex -a -e "$many" touch "$dir/ran"
expect_status 1
check 'the command was not run' [ ! -e "$dir/ran" ]
run pmuctl stat --no-multiplex -e instructions:u,branches:u "$dir/turns" 1000
expect_status 0

# cgroups: exact, side by side, and named.
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
mkdir "$mount/pmuctl-a" "$mount/pmuctl-b"
# Without any other program between: only turns are in the cgroup but for a few instructions of sh.
cat >"$dir/in" <<'SH'
#!/bin/sh
echo $$ >"$1/cgroup.procs"
shift
exec "$@"
SH
chmod 755 "$dir/in"
run setarch -R pmuctl stat -x, -e branches:u,task-clock --for-each-cgroup pmuctl-a,pmuctl-b \
	sh -c "'$dir/in' '$mount/pmuctl-a' '$dir/turns' 1000000
		'$dir/in' '$mount/pmuctl-b' '$dir/turns' 2000000"
expect_status 0
in_cgroup()
{
	awk -F, -v name="$1" '$3 == "branches:u" && $4 == name { print $1 }' "$dir/err"
}
check 'exact in each cgroup' [ $(($(in_cgroup pmuctl-b) - $(in_cgroup pmuctl-a))) -eq 1000000 ]
run pmuctl stat -x, -e branches:u,branches:u -G pmuctl-a,/ "$dir/turns" 1000000
expect_status 0
check 'an empty cgroup counts nothing' grep -q '^\(0\|<not counted>\),,branches:u,pmuctl-a,' "$dir/err"
check 'the root counts all' [ "$(in_cgroup /)" -gt 1000000 ]
run pmuctl stat -e branches:u -G pmuctl-nix touch "$dir/ran"
expect_status 1
expect_text err "there is no cgroup 'pmuctl-nix' below $mount"
rmdir "$mount/pmuctl-a" "$mount/pmuctl-b"
