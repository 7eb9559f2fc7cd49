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

_pmuctl()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} options=''

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W 'info list stat doctor help --help --version' -- "$word")
		return
	fi
	case $command in
	info) options='--json --help' ;;
	list) options='--json --help' ;;
	doctor) options='--json --help' ;;
	stat) options='--event --pid --tid --all-cpus --cpu --no-aggr --no-inherit --field-separator --json --output --append --timeout --verbose --help' ;;
	help) options='info list stat doctor' ;;
	esac
	case $command/$previous in
	stat/-e | stat/--event)
		_pmuctl_events "$word"
		return ;;
	stat/-p | stat/--pid | stat/-t | stat/--tid)
		mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word")
		return ;;
	stat/-o | stat/--output)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	stat/-C | stat/--cpu | stat/-x | stat/--field-separator | stat/--timeout)
		return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	if [ "$command" = stat ] && [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word")
	fi
}

complete -o bashdefault -F _pmuctl pmuctl
