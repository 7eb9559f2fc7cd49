# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What every script in this directory shares: where things are, and how a user is spoken to.
# Sourced, never run; it must not touch anything on disk. The caller sets `here` (this directory)
# and `me` (its own name, for messages).

# The caller's scripts use these.
# shellcheck disable=SC2034,SC2154
{
	top=$(cd "$here/../.." && pwd)
	cache=${PMUCTL_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/pmuctl}
	toolbox=$cache/toolbox
	mirror=${PMUCTL_MIRROR:-http://deb.debian.org/debian}
	mirror=${mirror%/}
	security=${PMUCTL_SECURITY_MIRROR:-$mirror-security}
	# Every guest kernel: Debian architecture, a dash, the short version.
	targets='amd64-6.1 amd64-6.12 amd64-7.3 arm64-6.12 arm64-7.3'
}

# die WHAT WHY [WHAT-TO-DO] [STATUS]
die()
{
	printf 'pmuctl: %s: %s.%s\n' "$1" "$2" "${3:+ $3.}" >&2
	exit "${4:-1}"
}

usage_error()
{
	die "$me" "$1" "Try '$me --help'" 2
}

# The text between a script's "# usage:" line and the next empty line, without the comment marks.
print_usage()
{
	sed -n '/^# usage:/,/^$/s/^# \{0,1\}//p' "$1"
}

need_toolbox()
{
	[ -e "$toolbox/.complete" ] ||
		die "$me" "no toolbox in $cache" "Run tests/vm/setup as root (it takes about ten minutes)"
}

# Whoever uses the cache locks it so that setup cannot take it away meanwhile. The lock is the
# cache directory itself, held by descriptor 8 until the last process that inherited it is gone.
lock_cache_shared()
{
	[ -n "${PMUCTL_SETUP_AT_WORK:-}" ] || lock_cache --shared 'tests/vm/setup is at work'
}

lock_cache_alone()
{
	lock_cache --exclusive 'a guest or a build is using the cache'
	export PMUCTL_SETUP_AT_WORK=yes
}

# lock_cache HOW WHO-HAS-IT
lock_cache()
{
	exec 8< "$cache"
	! flock "$1" --nonblock 8 || return 0
	printf 'pmuctl: %s: %s: waiting for it to end\n' "$me" "$2" >&2
	flock "$1" --timeout 1800 8 || die "$me" "$2, for half an hour" 'Look what hangs'
}
