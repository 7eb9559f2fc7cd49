# SPDX-License-Identifier: GPL-2.0-only
#
# Twenty thousand system calls: the kernel runs in between, and must not be counted as the user.
#
#	instructions	1 + 4 N + 3
#	branches	2 N + 1: syscall and the conditional one
#	far		N + 1

	.include "exit.inc"
	.set	N, 20000

	.globl	_start
_start:
	mov	$N, %ebx
1:	mov	$110, %eax		# getppid
	syscall
	dec	%ebx
	jnz	1b
	exit_program
	.section .note.GNU-stack, "", @progbits
