# SPDX-License-Identifier: GPL-2.0-only
#
# A million rounds of five instructions: two loads, a store, a branch.
#
#	instructions	1 + 5 N + 3
#	branches	N + 1: the conditional one, and syscall at the end
#	taken		N - 1, and syscall
#	loads, stores	2 N, N
#	mispredicted	1: the last round leaves a backward branch not taken

	.include "exit.inc"
	.set	N, 1000000

	.globl	_start
	.type	_start, @function
_start:
	mov	$N, %ecx
round:
	mov	(%rsp), %rax
	mov	8(%rsp), %rdx
	mov	%rax, -8(%rsp)
	dec	%ecx
	jnz	round
	exit_program
	.size	_start, . - _start
	.section .note.GNU-stack, "", @progbits
