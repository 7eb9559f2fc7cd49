# SPDX-License-Identifier: GPL-2.0-only
#
# Walks two megabytes, a load a cache line, two times over: twice what the model's last level
# holds, so that each load misses both levels.
#
#	instructions	1 + 2 * (2 + 4 L + 2) + 3
#	cache references, misses	2 L

	.include "exit.inc"
	.set	L, 32768

	.globl	_start
_start:
	mov	$2, %ebx
1:	lea	area, %rsi
	mov	$L, %ecx
2:	mov	(%rsi), %rax
	add	$64, %rsi
	dec	%ecx
	jnz	2b
	dec	%ebx
	jnz	1b
	exit_program

	.bss
	.balign	4096
area:	.skip	L * 64
	.section .note.GNU-stack, "", @progbits
