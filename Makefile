# SPDX-License-Identifier: GPL-2.0-only
# Everything a person types. `make help` lists it. Builds happen in the toolbox that
# tests/vm/setup makes, so the machine itself needs nothing but make and root; only `make host`
# and `make install` build for, and touch, the machine they run on.

KERNELS := amd64-6.1 amd64-6.12 amd64-7.3 arm64-6.12 arm64-7.3
ARCHES  := amd64 arm64
ENTER   := tests/vm/enter
VERSION := $(shell sed -n 's/^MODULE_VERSION("\(.*\)").*/\1/p' src/kern/main.c)

.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo 'pmuctl $(VERSION)'
	@echo
	@echo 'In a virtual machine whose PMU is modelled (needs root, sets up what is missing):'
	@echo '  make demo          count a real program on a stock kernel, beside in-tree perf'
	@echo '  make check         all tests'
	@echo '  make bench         what counting costs, beside in-tree perf'
	@echo '  make debug-kernel  build the KASAN and lockdep kernel (optional, cached)'
	@echo '  make check-brs     AMD BRS refereed on that kernel'
	@echo
	@echo 'Parts of these:'
	@echo '  make setup module tools model unit vm-tests dkms-test lint'
	@echo
	@echo 'On this machine:'
	@echo '  make host          build module and command for the running kernel'
	@echo '  make install       hand the module to dkms, install the command (root; KVER=release for another kernel)'
	@echo '  make uninstall     undo that'
	@echo '  make clean         remove build/'

.PHONY: setup
setup:
	@tests/vm/setup

# ---- in the toolbox ----

.PHONY: module
module: setup $(KERNELS:%=module-%)

# The tree is mirrored as symbolic links, so that five kernels can build it without meeting.
.PHONY: module-%
module-%:
	@$(ENTER) tests/build-module $*

.PHONY: tools
tools: setup $(ARCHES:%=tools-%)

.PHONY: tools-amd64 tools-arm64
tools-amd64:
	@$(ENTER) $(MAKE) -s -C tools/pmuctl B=/pmuctl/build
tools-arm64:
	@$(ENTER) $(MAKE) -s -C tools/pmuctl B=/pmuctl/build \
		CC=aarch64-linux-gnu-gcc SYSROOT=/cache/guest-arm64

.PHONY: model
model: setup
	@$(ENTER) $(MAKE) -s -C tests/vm/pmu-model B=/pmuctl/build

.PHONY: programs
programs: setup
	@$(ENTER) $(MAKE) -s -C tests/referee B=/pmuctl/build
	@$(ENTER) $(MAKE) -s -C tests/abi B=/pmuctl/build
	@$(ENTER) $(MAKE) -s -C tests/bench B=/pmuctl/build

.PHONY: build
build: module tools model programs

.PHONY: unit
unit: setup
	@$(ENTER) tests/run-unit

.PHONY: lint
lint: setup
	@$(ENTER) tests/lint

.PHONY: dkms-test
dkms-test: setup
	@$(ENTER) --scratch tests/dkms

# ---- in guests ----

.PHONY: demo
demo: setup module-amd64-6.12 tools-amd64 model
	@tests/demo

.PHONY: vm-tests
vm-tests: build
	@tests/run-vm

.PHONY: check
check: setup
	@tests/check

# What work costs beside in-tree perf. BENCH="--only 'read*' --strict"
.PHONY: bench
bench: setup module-amd64-6.12 model programs
	@tests/vm/run --kernel 6.12 --model intel --cpus 1 --no-module --timeout 1500 -- \
		env KERNEL=6.12 tests/bench/run $(BENCH)

.PHONY: debug-kernel
debug-kernel: setup
	@tests/vm/debug-kernel

.PHONY: check-brs
check-brs: debug-kernel model programs
	@tests/vm/run --kernel debug --model amd --cpus 1 --no-module -- \
		tests/referee/run driver branch_sampling

# ---- on this machine ----

KVER   ?= $(shell uname -r)
KDIR   ?= /lib/modules/$(KVER)/build
PREFIX ?= /usr/local
DKMS_SRC := $(DESTDIR)/usr/src/pmuctl-$(VERSION)

.PHONY: host
host:
	@tests/build-module host $(KDIR)
	@$(MAKE) -s -C tools/pmuctl B=$(CURDIR)/build/host

.PHONY: install
install: host
	rm -rf $(DKMS_SRC)
	mkdir -p $(DKMS_SRC)
	cp -r Kbuild dkms.conf COPYING src include uapi arch $(DKMS_SRC)
	dkms add pmuctl/$(VERSION)
	dkms install pmuctl/$(VERSION) -k $(KVER)
	$(MAKE) -s -C tools/pmuctl B=$(CURDIR)/build/host PREFIX=$(PREFIX) install

.PHONY: uninstall
uninstall:
	-dkms remove pmuctl/$(VERSION) --all
	rm -rf $(DKMS_SRC)
	$(MAKE) -s -C tools/pmuctl PREFIX=$(PREFIX) uninstall

.PHONY: clean
clean:
	rm -rf build
