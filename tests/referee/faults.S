# SPDX-License-Identifier: GPL-2.0-only
#
# Touches 2048 pages for the first time, in the three ways an instruction can be interrupted by a
# page fault and run again: a load, then a load and store in one, then a string instruction that
# faults on each page of its way.
#
#	instructions	load: 2 + 4 P + load and store: 2 + 4 P + string: 4, + 3
#	branches	2 P + 1
#	loads		2 P
#	stores		P + the string's 8-byte words

	.include "exit.inc"
	.set	P, 2048
	.set	WORDS, P * 4096 / 8

	.globl	_start
_start:
	lea	area, %rsi
	mov	$P, %ecx
1:	mov	(%rsi), %rax
	add	$4096, %rsi
	dec	%ecx
	jnz	1b

	lea	area, %rsi
	mov	$P, %ecx
2:	incq	(%rsi)
	add	$4096, %rsi
	dec	%ecx
	jnz	2b

	lea	fresh, %rdi
	mov	$WORDS, %ecx
	xor	%eax, %eax
	rep	stosq
	exit_program

	.bss
	.balign	4096
area:	.skip	P * 4096
fresh:	.skip	P * 4096
	.section .note.GNU-stack, "", @progbits
