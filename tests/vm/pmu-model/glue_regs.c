// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers and memory of the emulated processor, as QEMU's debugger interface names them. It must
 * only be used on the processor's own thread, from callbacks that said they would.
 */
#include <string.h>

#include "glue.h"

#define PAGE_OFFSET	0xfffULL

static const char *const reg_names[REGS] = {
	"rax", "rbx", "rcx", "rdx", "rip", "cs", "cr2", "cr4",
};

static struct qemu_plugin_register *regs[REGS];

static GByteArray *scratch(void)
{
	static __thread GByteArray *bytes;

	if (!bytes)
		bytes = g_byte_array_new();
	g_byte_array_set_size(bytes, 0);
	return bytes;
}

u64 read_reg(enum reg reg)
{
	GByteArray *bytes = scratch();
	u64 value = 0;

	qemu_plugin_read_register(regs[reg], bytes);
	memcpy(&value, bytes->data, bytes->len < sizeof(value) ? bytes->len : sizeof(value));
	return value;
}

void write_reg(enum reg reg, u64 value)
{
	GByteArray *bytes = scratch();

	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
	qemu_plugin_write_register(regs[reg], bytes);
}

static u32 read_phys(u64 address)
{
	GByteArray *bytes = scratch();
	u32 value = 0;

	if (!qemu_plugin_read_memory_hwaddr(address, bytes, sizeof(value)))
		memcpy(&value, bytes->data, sizeof(value));
	return value;
}

static void write_phys(u64 address, u32 value)
{
	GByteArray *bytes = scratch();

	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
	qemu_plugin_write_memory_hwaddr(address, bytes);
}

static u64 fault_address(void)
{
	return read_reg(CR2);
}

const struct host host = { read_phys, write_phys, fault_address };

/*
 * A translation may run at another address than the one it was made for. At the start of a block
 * the instruction pointer is in the right page, and the address in the page never differs.
 */
u64 real_pc(u64 translated)
{
	u64 rip = read_reg(RIP);

	return rip + ((translated - rip) & PAGE_OFFSET);
}

void find_registers(void)
{
	GArray *all = qemu_plugin_get_registers();
	guint i;
	int reg;

	for (i = 0; i < all->len; i++) {
		qemu_plugin_reg_descriptor *d = &g_array_index(all, qemu_plugin_reg_descriptor, i);

		for (reg = 0; reg < REGS; reg++)
			if (!strcmp(d->name, reg_names[reg]))
				regs[reg] = d->handle;
	}
	g_array_free(all, TRUE);
}

void plant_fault(struct vcpu *vcpu, enum reg reg, u64 value)
{
	vcpu->plant = (struct plant){ true, reg, read_reg(reg) };
	write_reg(reg, value);
}

void remove_plant(struct vcpu *vcpu)
{
	if (vcpu->plant.planted)
		write_reg(vcpu->plant.reg, vcpu->plant.saved);
	vcpu->plant.planted = false;
}
