// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction decoding: as much as telling the kinds of enum insn_kind apart takes. QEMU has
 * found the instruction's length already, so this must never look beyond it, and what it does not
 * know is plain.
 *
 * Opcodes: SDM vol. 2D, appendix A.
 */
#include "insn.h"

/* A window on the bytes that are left. */
struct cursor {
	const u8 *at;
	const u8 *end;
};

static bool is_legacy_prefix(u8 byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	}
	return false;
}

static bool is_rex(u8 byte)
{
	return (byte & 0xf0) == 0x40;
}

/* Skips the prefixes. True when one of them was REP, REPE or REPNE. */
static bool skip_prefixes(struct cursor *c)
{
	bool repeat = false;

	for (; c->at < c->end && is_legacy_prefix(*c->at); c->at++)
		repeat |= *c->at == 0xf2 || *c->at == 0xf3;
	/* Outside 64-bit mode these are inc and dec, and nothing follows them. */
	if (c->at + 1 < c->end && is_rex(*c->at))
		c->at++;
	return repeat;
}

/* Loads and stores of one round; none for what is no string instruction. */
static bool decode_string(u8 opcode, struct insn *insn)
{
	switch (opcode) {
	case 0xa4:	/* movs */
	case 0xa5:
		insn->loads = 1;
		insn->stores = 1;
		return true;
	case 0xa6:	/* cmps */
	case 0xa7:
		insn->loads = 2;
		return true;
	case 0xac:	/* lods */
	case 0xad:
	case 0xae:	/* scas */
	case 0xaf:
	case 0x6e:	/* outs */
	case 0x6f:
		insn->loads = 1;
		return true;
	case 0xaa:	/* stos */
	case 0xab:
	case 0x6c:	/* ins */
	case 0x6d:
		insn->stores = 1;
		return true;
	}
	return false;
}

/* Opcode 0xff is told apart by the ModRM byte's middle field. */
static enum insn_kind decode_group5(const struct cursor *c)
{
	if (c->at >= c->end)
		return INSN_PLAIN;
	switch (*c->at >> 3 & 7) {
	case 2:
		return INSN_CALL_IND;
	case 3:
	case 5:
		return INSN_FAR;
	case 4:
		return INSN_JMP_IND;
	}
	return INSN_PLAIN;
}

static enum insn_kind decode_two_byte(const struct cursor *c)
{
	if (c->at >= c->end)
		return INSN_PLAIN;
	if ((*c->at & 0xf0) == 0x80)
		return INSN_COND;
	switch (*c->at) {
	case 0x05:	/* syscall */
	case 0x07:	/* sysret */
	case 0x34:	/* sysenter */
	case 0x35:	/* sysexit */
	case 0xaa:	/* rsm */
		return INSN_FAR;
	case 0x30:
		return INSN_WRMSR;
	case 0x32:
		return INSN_RDMSR;
	case 0x33:
		return INSN_RDPMC;
	case 0xa2:
		return INSN_CPUID;
	}
	return INSN_PLAIN;
}

static enum insn_kind decode_one_byte(u8 opcode, const struct cursor *rest)
{
	if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
		return INSN_COND;
	switch (opcode) {
	case 0x0f:
		return decode_two_byte(rest);
	case 0xff:
		return decode_group5(rest);
	case 0xe8:
		return INSN_CALL;
	case 0xe9:
	case 0xeb:
		return INSN_JMP;
	case 0xc2:
	case 0xc3:
		return INSN_RET;
	case 0x9a:	/* call, jump and return far, iret */
	case 0xea:
	case 0xca:
	case 0xcb:
	case 0xcf:
		return INSN_FAR;
	case 0xcc:	/* int3, int n, into, int1 */
	case 0xcd:
	case 0xce:
	case 0xf1:
		return INSN_SOFT_INT;
	}
	return INSN_PLAIN;
}

struct insn insn_decode(const u8 *bytes, size_t len)
{
	struct cursor c = { bytes, bytes + len };
	struct insn insn = { .kind = INSN_PLAIN };
	bool repeat = skip_prefixes(&c);
	u8 opcode;

	if (c.at >= c.end)
		return insn;
	opcode = *c.at++;
	if (repeat && decode_string(opcode, &insn)) {
		insn.kind = INSN_STRING;
		return insn;
	}
	insn.kind = decode_one_byte(opcode, &c);
	/* The displacement is the last field, so its sign is the last byte's top bit. */
	if (insn.kind == INSN_COND || insn.kind == INSN_JMP || insn.kind == INSN_CALL)
		insn.backward = c.end[-1] & 0x80;
	return insn;
}
