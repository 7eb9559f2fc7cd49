# SPDX-License-Identifier: GPL-2.0-only
#
# bash completion for pmuctl: commands, options, event names, processes. tests/docs.sh compares
# the options with those of --help.

_pmuctl_events()
{
	# Only what follows the last comma or brace is still being written.
	local before=${1%"${1##*[,\{]}"} names
	names=$(pmuctl list 2>/dev/null | sed -n 's/^  \([^ ]*\).*/\1/p')
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$names" -- "${1##*[,\{]}")
	compopt -o nospace 2>/dev/null
}

# Directories below the mount of cgroup2, a level at a time.
_pmuctl_cgroups()
{
	local before=${1%"${1##*,}"} last=${1##*,} mount names
	mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	names=$(cd "$mount" 2>/dev/null && compgen -d -- "${last#/}")
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$names" -- "${last#/}")
	compopt -o nospace 2>/dev/null
}

_pmuctl()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} options=''

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W 'info list stat inspect doctor help --help --version' -- "$word")
		return
	fi
	case $command in
	info) options='--json --help' ;;
	list) options='--json --help' ;;
	doctor) options='--json --help' ;;
	stat) options='--event --pid --tid --all-cpus --cpu --cgroup --for-each-cgroup --no-aggr --per-thread --no-inherit --repeat --interval-print --interval-count --delay --no-multiplex --field-separator --json --output --append --timeout --verbose --help' ;;
	inspect) options='--refresh --number --cpu --events --json --help' ;;
	help) options='info list stat inspect doctor' ;;
	esac
	case $command/$previous in
	stat/-e | stat/--event)
		_pmuctl_events "$word"
		return ;;
	stat/-p | stat/--pid | stat/-t | stat/--tid)
		mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word")
		return ;;
	stat/-G | stat/--cgroup | stat/--for-each-cgroup)
		_pmuctl_cgroups "$word"
		return ;;
	stat/-o | stat/--output)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	*/-C | */--cpu | stat/-x | stat/--field-separator | stat/--timeout | */-I | stat/-r | stat/-D | \
		stat/--repeat | stat/--interval-* | stat/--delay | inspect/-n | inspect/--number | \
		inspect/--refresh)
		return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	if [ "$command" = stat ] && [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
	fi
}

complete -o bashdefault -F _pmuctl pmuctl
