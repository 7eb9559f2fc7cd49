# SPDX-License-Identifier: GPL-2.0-only
#
# String instructions: long ones that interrupts cut into pieces, one that ends early, and one
# that has nothing to do. Each counts once, whatever becomes of it; its accesses count one by one.
#
#	instructions	1 + R * (4 + 4 + 4 + 3 + 2) + 3
#	branches	R + 1
#	loads		R * (B + 2 * (FIRST + 1) + 0)
#	stores		R * (B + B)

	.include "exit.inc"
	.set	R, 4
	.set	B, 1 << 20
	.set	FIRST, 1000		# where the two areas differ

	.globl	_start
_start:
	mov	$R, %ebx
again:
	lea	from, %rsi
	lea	to, %rdi
	mov	$B, %ecx
	rep	movsb

	lea	to, %rdi
	mov	$B, %ecx
	mov	$1, %al
	rep	stosb

	lea	same, %rsi
	lea	differs, %rdi
	mov	$B, %ecx
	repe	cmpsb

	lea	from, %rsi
	xor	%ecx, %ecx
	rep	lodsb

	dec	%ebx
	jnz	again
	exit_program

	.bss
	.balign	4096
from:	.skip	B
to:	.skip	B
	.data
	.balign	4096
same:	.skip	FIRST + 1
differs:
	.skip	FIRST
	.byte	1
	.section .note.GNU-stack, "", @progbits
