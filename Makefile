# The front door. CMake and Ninja do the work; every goal is a line or two on top of CMakePresets.json.
# Build folders: build/<preset>.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
GATES ?= structure format headers instructions tidy clang asan tsan fuzz golden mutants formal
ROUNDS ?= 5

ccache := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
configure = cmake --preset $(1) $(ccache) $(if $(WERROR),-DHALFSPACE_WERROR=$(WERROR))
build = cmake --build --preset $(1) --parallel $(JOBS)
test = ctest --test-dir build/$(1) --output-on-failure --parallel 2
sources = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cc')

.PHONY: help run test coverage bench python python-test python-matrix mpi r web site deb portable source-test arm64-test sums packages-test install format gates headers instructions tidy clang asan tsan fuzz golden mutants formal clean
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## */  make \1\t/p' Makefile | expand -t 16

run:  ## install what is missing, build, and learn the sample in build/demo: check, train, predict, certify, verify
	@tools/install-packages
	@mkdir -p build
	@rm -rf build/demo
	@$(call configure,release) >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@$(call build,release) --target halfspace_cli
	@build/release/halfspace demo -o build/demo

PRESET ?= release
ifdef ROOM
room_tests = $(if $(wildcard tests/$(ROOM)/*_test.cc),$(ROOM)_tests) $(if $(filter fuzz,$(ROOM)),fuzz_targets) $(if $(filter c,$(ROOM)),c_interface)
test:
	$(call configure,$(PRESET))
	$(call build,$(PRESET)) --target halfspace_cli halfspace_c fault_injector $(room_tests)
	$(call test,$(PRESET)) --no-tests=error --tests-regex '^$(ROOM)[.]'
else
test:  ## install what is missing, build, and run every test: half an hour on two cores (WERROR=ON as in CI; ROOM=rules: those of one room)
	@tools/install-packages test
	$(call configure,release) -DHALFSPACE_BUILD_MPI=ON
	$(call build,release)
	$(call test,release)
endif

coverage:  ## build for coverage, run every test, and print the share of lines and branches that ran, room by room
	@tools/install-packages test
	$(call configure,coverage)
	$(call build,coverage)
	@find build/coverage -name '*.gcda' -delete
	-$(call test,coverage)
	@tools/coverage build/coverage

SUITES ?= compare accuracy rules python minimum certify micro
bench:  ## measure beside peers (ROUNDS=5; SUITES="compare rules", by default all that need no other machine); bench/README.md
	@tools/install-packages bench
	$(call configure,release) -DHALFSPACE_BUILD_BENCH=ON
	$(call build,release) --target bench halfspace_cli halfspace_c
	for suite in $(SUITES); do bench/run $$suite --rounds $(ROUNDS) || exit; done

python:  ## build the wheel of the Python package, build/python/halfspace-*.whl, with its type stubs
	@tools/install-packages python
	$(call configure,release)
	$(call build,release) --target halfspace_c halfspace_cli
	@rm -rf build/python
	@/usr/bin/python3 tools/make-wheel build/release build/python

python-test: python  ## install the wheel into a fresh virtual environment, and run every test of it
	@tools/install-packages python-test
	/usr/bin/python3 -m venv --system-site-packages --clear build/python/venv
	build/python/venv/bin/pip install --quiet --no-index --no-deps build/python/halfspace-*.whl
	cd python/tests && ../../build/python/venv/bin/python -B -m pytest -q -p no:cacheprovider

SUITE ?= trixie
python-matrix: portable  ## run the tests of the portable wheel on another Debian (SUITE=trixie, bullseye, sid), in a root of its own
	tools/python-matrix $(SUITE)

MPI ?= openmpi
mpi:  ## install an MPI (MPI=openmpi or mpich) and build halfspace-mpi, which trains on several machines
	@tools/install-packages
	@tools/install-packages $(MPI)
	$(call configure,release) -DHALFSPACE_BUILD_MPI=ON -DMPI_CXX_COMPILER=mpicxx.$(MPI) -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.$(MPI)
	$(call build,release) --target halfspace_mpi

r:  ## build the R package, build/r/halfspace_*.tar.gz, and run R CMD check on it
	@tools/install-packages
	@tools/install-packages r
	$(call configure,release)
	$(call build,release) --target halfspace_c
	@tools/make-r build/release build/r

web:  ## build the playground, build/web/index.html: the library as WebAssembly, on a page that needs no network
	@tools/install-packages
	@tools/install-packages web
	web/wasm/build -j $(JOBS)

site:  ## build the documentation site, build/site/index.html: guides, and references made of the tables and headers
	@tools/install-packages
	@tools/install-packages site
	@$(call configure,release)
	$(call build,release) --target halfspace_c halfspace_cli
	@/usr/bin/python3 -B tools/make-site build/release build

deb:  ## build the Debian package, build/packages/halfspace_*.deb
	@tools/install-packages
	@tools/install-packages deb
	@$(call configure,release)
	$(call build,release)
	@tools/make-deb build/release build/packages

# For another processor, the library of build/release is built too: tools/make-wheel loads it to write type stubs.
PROCESSOR ?= $(shell uname -m)
portable:  ## build a tarball and a wheel for any Linux with glibc 2.28, in build/packages (PROCESSOR=aarch64: cross-compiled)
	@tools/install-packages
	@tools/install-packages python
	@tools/portable-sysroot "$(PROCESSOR)" build/roots/portable-$(PROCESSOR)
	@[ $(PROCESSOR) = $$(uname -m) ] || tools/install-packages cross
	@[ $(PROCESSOR) = $$(uname -m) ] || { $(call configure,release) && $(call build,release) --target halfspace_c; }
	@cmake --preset portable $(ccache) -B build/portable-$(PROCESSOR) -DPORTABLE_PROCESSOR=$(PROCESSOR) \
	  -DCMAKE_SYSROOT=$(CURDIR)/build/roots/portable-$(PROCESSOR)
	cmake --build build/portable-$(PROCESSOR) --parallel $(JOBS) --target halfspace_c halfspace_cli
	@tools/make-tarball build/portable-$(PROCESSOR) build/packages
	@/usr/bin/python3 tools/make-wheel build/portable-$(PROCESSOR) build/packages

source-test:  ## try `make run` and `make test` on bare roots of Debian 12 and 13: an hour each on two cores
	tools/try-source

arm64-test:  ## cross-compile for 64-bit Arm, and compare its results under qemu-user with those of x86-64, bit for bit
	@$(MAKE) portable PROCESSOR=aarch64
	tools/try-arm64

sums:  ## write the SHA-256 of the packages that were made, build/packages/SHA256SUMS
	@[ -z "$$(git status --porcelain)" ] || { echo "sums: files differ from the last commit, so that nobody could make these packages again; commit, and make them anew" >&2; exit 1; }
	@mkdir -p build/packages
	@cd build/packages && rm -f SHA256SUMS && sha256sum halfspace[_-]* >SHA256SUMS && cat SHA256SUMS

packages-test: deb portable  ## try both on bare roots of Debian 11 (the tarball), 12 and 13
	tools/try-packages

install:  ## build, and install library, headers and command below PREFIX=/usr/local
	@tools/install-packages
	$(call configure,release)
	$(call build,release) --target halfspace halfspace_c halfspace_cli
	cmake --install build/release --prefix $(PREFIX)

format:  ## format every C++ and Python file in place
	@tools/install-packages format
	clang-format -i $(sources)
	/usr/bin/autopep8 -i $$(tools/python-files)

gates:  ## what every change must pass: all of GATES="structure format headers instructions tidy clang asan tsan fuzz golden mutants formal"
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/gates $(GATES)

# One gate alone; fuzz runs every target for FUZZ_SECONDS=60 from its corpus.
headers instructions tidy clang asan tsan fuzz golden mutants:
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/gates $@

formal:  ## check the proofs of formal/ with Coq, and build the proved checker, build/formal/halfspace-check
	@tools/install-packages formal
	formal/build

clean:  ## remove build/
	rm -rf build
