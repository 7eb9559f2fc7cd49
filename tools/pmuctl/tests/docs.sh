#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The manual pages and the completion know every option that --help knows, and mandoc and man
# find nothing wrong with the pages.
#
# usage: docs.sh PMUCTL

set -eu

pmuctl=$1
here=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
man=$here/../man
completion=$here/../completion/pmuctl.bash

# "-e --event" for each line of the help's options.
options_of()
{
	"$pmuctl" "$1" --help | sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1 \2/p
		s/^      \(--[a-z-]*\).*/\1/p'
}

for command in info list stat inspect doctor; do
	run "$pmuctl" "$command" --help
	check 'some options' [ -n "$(options_of "$command")" ]
	for option in $(options_of "$command"); do
		# mdoc writes -e as "Fl e" and --event as "Fl -event".
		check "$option in pmuctl-$command.1" \
			grep -q "Fl ${option#-}\( \|\$\)" "$man/pmuctl-$command.1"
		case $option in
		--*) words=$(sed -n "s/^[[:space:]]*$command) options='\(.*\)'.*/\1/p" "$completion") ;;
		*) continue ;;
		esac
		case " $words " in
		*" $option "*) pass ;;
		*) fail "$option of $command in the completion" ;;
		esac
	done
	check "pmuctl.1 names $command" grep -q "pmuctl-$command 1" "$man/pmuctl.1"
done

for page in "$man"/*.1; do
	run mandoc -T lint -W warning "$page"
	expect_status 0
	run env LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page"
	expect_status 0
	check "man has no complaint about $page" [ ! -s "$dir/err" ]
done

# What bash would offer after these words.
offer()
{
	run bash -c '. "$1"; PATH=$(dirname "$2"):$PATH; shift 2; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _pmuctl; echo "${COMPREPLY[@]}"' \
		bash "$completion" "$pmuctl" "$@"
}
offer pmuctl st
expect_text out 'stat'
offer pmuctl stat --time
expect_text out '--timeout'
offer pmuctl stat --inter
expect_text out '--interval-print --interval-count'
offer pmuctl inspect --ev
expect_text out '--events'
offer pmuctl stat -e cyc
expect_text out 'cycles'
offer pmuctl stat -e '{cycles,instr'
expect_text out '{cycles,instructions'

finish
