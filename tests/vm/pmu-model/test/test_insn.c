// SPDX-License-Identifier: GPL-2.0-only
/* Decoding: bytes as an assembler makes them, and what they must be taken for. */
#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct encoding {
	const char *text;
	struct insn insn;
	u8 len;
	u8 bytes[INSN_MAX_BYTES];
};

#define BYTES(...) sizeof((u8[]){ __VA_ARGS__ }), { __VA_ARGS__ }

static void check(const struct encoding *e)
{
	/* As long as the instruction and no longer: the sanitizer sees a look beyond it. */
	u8 *bytes = malloc(e->len);
	struct insn insn;

	memcpy(bytes, e->bytes, e->len);
	insn = insn_decode(bytes, e->len);
	free(bytes);
	if (insn.kind != e->insn.kind || insn.backward != e->insn.backward ||
	    insn.loads != e->insn.loads || insn.stores != e->insn.stores)
		fail_msg("%s: kind %d backward %d loads %d stores %d", e->text, insn.kind,
			 insn.backward, insn.loads, insn.stores);
}

#define CHECK_ALL(table)						\
	do {								\
		size_t i_;						\
									\
		for (i_ = 0; i_ < ARRAY_SIZE(table); i_++)		\
			check(&(table)[i_]);				\
	} while (0)

static void conditional_branches_are_told_with_their_direction(void **state)
{
	static const struct encoding table[] = {
		{ "je +5", { .kind = INSN_COND }, BYTES(0x74, 0x05) },
		{ "jne -10", { .kind = INSN_COND, .backward = true }, BYTES(0x75, 0xf6) },
		{ "jo +127", { .kind = INSN_COND }, BYTES(0x70, 0x7f) },
		{ "jg -128", { .kind = INSN_COND, .backward = true }, BYTES(0x7f, 0x80) },
		{ "je rel32 forward", { .kind = INSN_COND }, BYTES(0x0f, 0x84, 0xff, 0xff, 0, 0) },
		{ "jge rel32 backward", { .kind = INSN_COND, .backward = true },
		  BYTES(0x0f, 0x8d, 0x10, 0xff, 0xff, 0xff) },
		{ "jne,pt (3e)", { .kind = INSN_COND, .backward = true }, BYTES(0x3e, 0x75, 0xf6) },
		{ "bnd je", { .kind = INSN_COND }, BYTES(0xf2, 0x74, 0x05) },
		{ "loopne", { .kind = INSN_COND, .backward = true }, BYTES(0xe0, 0xfe) },
		{ "loope", { .kind = INSN_COND }, BYTES(0xe1, 0x02) },
		{ "loop", { .kind = INSN_COND, .backward = true }, BYTES(0xe2, 0xfc) },
		{ "jrcxz", { .kind = INSN_COND }, BYTES(0xe3, 0x02) },
		{ "jecxz", { .kind = INSN_COND, .backward = true }, BYTES(0x67, 0xe3, 0xf0) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void jumps_and_calls_are_told_direct_from_indirect(void **state)
{
	static const struct encoding table[] = {
		{ "jmp rel8", { .kind = INSN_JMP }, BYTES(0xeb, 0x10) },
		{ "jmp .", { .kind = INSN_JMP, .backward = true }, BYTES(0xeb, 0xfe) },
		{ "jmp rel32", { .kind = INSN_JMP }, BYTES(0xe9, 0, 1, 0, 0) },
		{ "jmp rel32 backward", { .kind = INSN_JMP, .backward = true },
		  BYTES(0xe9, 0, 0xff, 0xff, 0xff) },
		{ "call rel32", { .kind = INSN_CALL }, BYTES(0xe8, 1, 2, 3, 0) },
		{ "call rel32 backward", { .kind = INSN_CALL, .backward = true },
		  BYTES(0xe8, 1, 2, 3, 0xff) },
		{ "bnd call", { .kind = INSN_CALL }, BYTES(0xf2, 0xe8, 1, 2, 3, 0) },
		{ "jmp *rax", { .kind = INSN_JMP_IND }, BYTES(0xff, 0xe0) },
		{ "jmp *r11", { .kind = INSN_JMP_IND }, BYTES(0x41, 0xff, 0xe3) },
		{ "notrack jmp *rax", { .kind = INSN_JMP_IND }, BYTES(0x3e, 0xff, 0xe0) },
		{ "jmp *rel(rip)", { .kind = INSN_JMP_IND }, BYTES(0xff, 0x25, 0, 0, 0, 0xff) },
		{ "call *rdx", { .kind = INSN_CALL_IND }, BYTES(0xff, 0xd2) },
		{ "call *r12", { .kind = INSN_CALL_IND }, BYTES(0x41, 0xff, 0xd4) },
		{ "call *rel(rip)", { .kind = INSN_CALL_IND }, BYTES(0xff, 0x15, 0, 0, 0, 0) },
		{ "call *gs:8", { .kind = INSN_CALL_IND },
		  BYTES(0x65, 0xff, 0x14, 0x25, 8, 0, 0, 0) },
		{ "ret", { .kind = INSN_RET }, BYTES(0xc3) },
		{ "repz ret", { .kind = INSN_RET }, BYTES(0xf3, 0xc3) },
		{ "ret 16", { .kind = INSN_RET }, BYTES(0xc2, 0x10, 0) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void far_transfers_are_far(void **state)
{
	static const struct encoding table[] = {
		{ "syscall", { .kind = INSN_FAR }, BYTES(0x0f, 0x05) },
		{ "sysretl", { .kind = INSN_FAR }, BYTES(0x0f, 0x07) },
		{ "sysretq", { .kind = INSN_FAR }, BYTES(0x48, 0x0f, 0x07) },
		{ "sysenter", { .kind = INSN_FAR }, BYTES(0x0f, 0x34) },
		{ "sysexit", { .kind = INSN_FAR }, BYTES(0x0f, 0x35) },
		{ "rsm", { .kind = INSN_FAR }, BYTES(0x0f, 0xaa) },
		{ "iret", { .kind = INSN_FAR }, BYTES(0xcf) },
		{ "iretq", { .kind = INSN_FAR }, BYTES(0x48, 0xcf) },
		{ "lret", { .kind = INSN_FAR }, BYTES(0xcb) },
		{ "lretq", { .kind = INSN_FAR }, BYTES(0x48, 0xcb) },
		{ "lret 8", { .kind = INSN_FAR }, BYTES(0xca, 8, 0) },
		{ "lcall *(rdi)", { .kind = INSN_FAR }, BYTES(0xff, 0x1f) },
		{ "ljmp *(rdi)", { .kind = INSN_FAR }, BYTES(0x48, 0xff, 0x2f) },
		{ "ljmp ptr16:32", { .kind = INSN_FAR }, BYTES(0xea, 0, 0, 0, 0, 8, 0) },
		{ "lcall ptr16:32", { .kind = INSN_FAR }, BYTES(0x9a, 0, 0, 0, 0, 8, 0) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void software_interrupts_are_told_from_other_far_transfers(void **state)
{
	static const struct encoding table[] = {
		{ "int3", { .kind = INSN_SOFT_INT }, BYTES(0xcc) },
		{ "int 0x80", { .kind = INSN_SOFT_INT }, BYTES(0xcd, 0x80) },
		{ "into", { .kind = INSN_SOFT_INT }, BYTES(0xce) },
		{ "int1", { .kind = INSN_SOFT_INT }, BYTES(0xf1) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void instructions_of_the_pmu_are_found(void **state)
{
	static const struct encoding table[] = {
		{ "wrmsr", { .kind = INSN_WRMSR }, BYTES(0x0f, 0x30) },
		{ "rdmsr", { .kind = INSN_RDMSR }, BYTES(0x0f, 0x32) },
		{ "rdpmc", { .kind = INSN_RDPMC }, BYTES(0x0f, 0x33) },
		{ "cpuid", { .kind = INSN_CPUID }, BYTES(0x0f, 0xa2) },
		{ "rex rdpmc", { .kind = INSN_RDPMC }, BYTES(0x48, 0x0f, 0x33) },
		{ "ds wrmsr", { .kind = INSN_WRMSR }, BYTES(0x3e, 0x0f, 0x30) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void repeated_strings_know_what_one_round_accesses(void **state)
{
	static const struct encoding table[] = {
		{ "rep movsb", { .kind = INSN_STRING, .loads = 1, .stores = 1 },
		  BYTES(0xf3, 0xa4) },
		{ "rep movsq", { .kind = INSN_STRING, .loads = 1, .stores = 1 },
		  BYTES(0xf3, 0x48, 0xa5) },
		{ "repz cmpsb", { .kind = INSN_STRING, .loads = 2 }, BYTES(0xf3, 0xa6) },
		{ "repnz cmpsl", { .kind = INSN_STRING, .loads = 2 }, BYTES(0xf2, 0xa7) },
		{ "rep stosb", { .kind = INSN_STRING, .stores = 1 }, BYTES(0xf3, 0xaa) },
		{ "rep stosw", { .kind = INSN_STRING, .stores = 1 }, BYTES(0x66, 0xf3, 0xab) },
		{ "rep stosw, too", { .kind = INSN_STRING, .stores = 1 }, BYTES(0xf3, 0x66, 0xab) },
		{ "rep lodsb", { .kind = INSN_STRING, .loads = 1 }, BYTES(0xf3, 0xac) },
		{ "rep lodsl", { .kind = INSN_STRING, .loads = 1 }, BYTES(0xf3, 0xad) },
		{ "repnz scasb", { .kind = INSN_STRING, .loads = 1 }, BYTES(0xf2, 0xae) },
		{ "repz scasq", { .kind = INSN_STRING, .loads = 1 }, BYTES(0xf3, 0x48, 0xaf) },
		{ "rep insb", { .kind = INSN_STRING, .stores = 1 }, BYTES(0xf3, 0x6c) },
		{ "rep outsl", { .kind = INSN_STRING, .loads = 1 }, BYTES(0xf3, 0x6f) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void all_else_is_plain(void **state)
{
	static const struct encoding table[] = {
		{ "nop", { .kind = INSN_PLAIN }, BYTES(0x90) },
		{ "pause", { .kind = INSN_PLAIN }, BYTES(0xf3, 0x90) },
		{ "movsb", { .kind = INSN_PLAIN }, BYTES(0xa4) },
		{ "stosq", { .kind = INSN_PLAIN }, BYTES(0x48, 0xab) },
		{ "endbr64", { .kind = INSN_PLAIN }, BYTES(0xf3, 0x0f, 0x1e, 0xfa) },
		{ "ud2", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x0b) },
		{ "hlt", { .kind = INSN_PLAIN }, BYTES(0xf4) },
		{ "incl (rax)", { .kind = INSN_PLAIN }, BYTES(0xff, 0x00) },
		{ "push (rax)", { .kind = INSN_PLAIN }, BYTES(0xff, 0x30) },
		{ "rdtsc", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x31) },
		{ "rdtscp", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x01, 0xf9) },
		{ "sete al", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x94, 0xc0) },
		{ "cmove", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x44, 0xc1) },
		{ "mov $0xcc, al", { .kind = INSN_PLAIN }, BYTES(0xb0, 0xcc) },
		{ "mov $0xe8e8e8e8, eax", { .kind = INSN_PLAIN },
		  BYTES(0xb8, 0xe8, 0xe8, 0xe8, 0xe8) },
		{ "vzeroupper", { .kind = INSN_PLAIN }, BYTES(0xc5, 0xf8, 0x77) },
		{ "vpxor (c4)", { .kind = INSN_PLAIN }, BYTES(0xc4, 0xe2, 0x7d, 0x17, 0xc0) },
		{ "crc32 (f2)", { .kind = INSN_PLAIN }, BYTES(0xf2, 0x0f, 0x38, 0xf0, 0xc0) },
		{ "lock cmpxchg", { .kind = INSN_PLAIN }, BYTES(0xf0, 0x0f, 0xb1, 0x0f) },
		{ "movups", { .kind = INSN_PLAIN }, BYTES(0x0f, 0x10, 0x07) },
	};

	(void)state;
	CHECK_ALL(table);
}

static void truncated_instructions_are_plain_and_not_read_beyond(void **state)
{
	static const struct encoding table[] = {
		{ "0f", { .kind = INSN_PLAIN }, BYTES(0x0f) },
		{ "ff", { .kind = INSN_PLAIN }, BYTES(0xff) },
		{ "a prefix", { .kind = INSN_PLAIN }, BYTES(0x66) },
		{ "rex, or inc", { .kind = INSN_PLAIN }, BYTES(0x48) },
		{ "prefix, rex", { .kind = INSN_PLAIN }, BYTES(0xf3, 0x48) },
	};

	(void)state;
	CHECK_ALL(table);
	assert_int_equal(insn_decode(NULL, 0).kind, INSN_PLAIN);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditional_branches_are_told_with_their_direction),
		cmocka_unit_test(jumps_and_calls_are_told_direct_from_indirect),
		cmocka_unit_test(far_transfers_are_far),
		cmocka_unit_test(software_interrupts_are_told_from_other_far_transfers),
		cmocka_unit_test(instructions_of_the_pmu_are_found),
		cmocka_unit_test(repeated_strings_know_what_one_round_accesses),
		cmocka_unit_test(all_else_is_plain),
		cmocka_unit_test(truncated_instructions_are_plain_and_not_read_beyond),
	};

	return cmocka_run_group_tests_name("pmu-model/insn", tests, NULL, NULL);
}
