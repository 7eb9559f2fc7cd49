# SPDX-License-Identifier: GPL-2.0-only
#
# One round of branches of every kind, over and over, with a symbol at each branch and at each
# target, so that a branch record can be told by its names. In the order of running:
#
#	b_call -> t_direct, b_ret -> t_after_call, b_icall -> t_indirect, b_iret -> t_after_icall,
#	b_ijmp -> t_ijmp, b_jmp -> t_jmp, b_jcc -> t_round
#
# and b_never, between t_jmp and b_jcc, which is never taken.
#
#	instructions	4 + 16 N + 3
#	branches	8 N + 2, of these 2 N conditional, 2 N calls, 2 N returns, 2 N indirect
#	taken		7 N and, far, syscall
#	mispredicted	3: the last b_jcc, the first b_icall and b_ijmp

	.include "exit.inc"
	.set	N, 200000

	.macro	symbol name
	.type	\name, @function
\name:
	.endm

	.globl	_start
symbol _start
	mov	$N, %ebx
	lea	t_indirect, %r12
	lea	t_ijmp, %r13
	jmp	t_round
	.balign 64
symbol t_round
	nop
symbol b_call
	call	t_direct
symbol t_after_call
	nop
symbol b_icall
	call	*%r12
symbol t_after_icall
	nop
symbol b_ijmp
	jmp	*%r13
	.balign	64
symbol t_ijmp
	nop
symbol b_jmp
	jmp	t_jmp
	.balign	64
symbol t_jmp
	cmp	$0, %ebx
symbol b_never
	je	t_never
symbol t_count
	dec	%ebx
symbol b_jcc
	jnz	t_round
symbol t_never
	exit_program
	.balign	64
symbol t_direct
	nop
symbol b_ret
	ret
	.balign	64
symbol t_indirect
	nop
symbol b_iret
	ret
	.section .note.GNU-stack, "", @progbits
