# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Makes the initial RAM disks of the guests: busybox and the modules that a root over 9p and the
# output ports need. There is no /init in them: tests/vm/run adds it, so a change needs no setup.
# Sourced inside the toolbox.

# What the guests cannot mount their root or speak without. A kernel that has one built in is fine.
initrd_modules='virtio_pci 9pnet_virtio 9p virtio_console'

# initrd_copy_modules STAGE ROOT RELEASE: the modules in loading order, uncompressed; their names
# go into /modules of the initial RAM disk.
initrd_copy_modules()
{
	for name in $initrd_modules; do
		modprobe --dirname "$2" --set-version "$3" --show-depends "$name"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r path; do
		file=${path##*/}
		file=${file%%.ko*}.ko
		case $path in
		*.xz) xz --decompress --stdout "$path" > "$1/lib/$file" ;;
		*) cp "$path" "$1/lib/$file" ;;
		esac
		echo "$file" >> "$1/modules"
	done
}

# initrd_make FILE ROOT RELEASE
initrd_make()
{
	stage=$(mktemp -d)
	mkdir "$stage/bin" "$stage/lib" "$stage/dev" "$stage/proc" "$stage/sys" "$stage/root"
	: > "$stage/modules"
	cp "$2/usr/bin/busybox" "$stage/bin/busybox"
	ln -s busybox "$stage/bin/sh"
	[ -z "$3" ] || initrd_copy_modules "$stage" "$2" "$3"
	(cd "$stage" && find . | cpio --quiet --create --format=newc --owner=0:0) > "$1"
	rm -rf "$stage"
}
