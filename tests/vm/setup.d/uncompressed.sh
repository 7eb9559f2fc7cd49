# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Takes the kernel proper out of an x86 bzImage. QEMU starts it through its PVH entry: the same
# code, but the emulator need not run the decompressor, which takes longer than the rest of the
# boot. Sourced inside the toolbox.

# image_field FILE OFFSET SIZE: a little-endian number of the boot header (Documentation/arch/x86/boot.rst).
image_field()
{
	od -An -v -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# image_payload FILE: the compressed kernel. The last four bytes of it are its size.
image_payload()
{
	sectors=$(image_field "$1" 497 1)
	offset=$(((sectors + 1) * 512 + $(image_field "$1" 584 4)))
	length=$(($(image_field "$1" 588 4) - 4))
	tail -c "+$((offset + 1))" "$1" | head -c "$length"
}

# image_uncompress FILE: the ELF file in it, on stdout.
image_uncompress()
{
	case $(image_payload "$1" | od -An -t x1 -N 4 | tr -d ' ') in
	fd377a58) image_payload "$1" | xz --decompress --stdout ;;
	28b52ffd) image_payload "$1" | zstd --decompress --stdout --quiet ;;
	1f8b*) image_payload "$1" | gzip --decompress --stdout ;;
	*) return 1 ;;
	esac
}
