# ctxtools.  `make help` lists what there is to make.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, DESTDIR and PREFIX are yours to set;
# what the project itself needs is added in variables of its own.  B is the
# build folder: each flavour (plain, asan, coverage, ...) has one of its own.
#
# Nothing here names a program: a file in cmd/ is one.

B          ?= build
CFLAGS     ?= -O2 -g
PREFIX     ?= /usr/local
PKG_CONFIG ?= pkg-config
CLANG      ?= clang
INSTALL    ?= install
JOBS       ?= $(shell nproc)

# ---- what there is ---------------------------------------------------------

PROGRAMS := $(basename $(notdir $(wildcard cmd/*.c)))
# The table of model tools is made from their declarations.
GENERATED_mcp := $(B)/generated/families.c
# One archive a folder of common/, in the order in which imports run.
ROOMS := $(filter $(notdir $(wildcard common/*)),\
	boot context history notes output lessons mcp sessions transcript tool text base)
MODULES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
SOURCES := $(wildcard cmd/*.c common/*/*.c tests/*/*.c)
HEADERS := $(wildcard common/*/*.h tests/*/*.h)
SCRIPTS := .ci/run .ci/need samples/demo $(wildcard tests/run tests/*/run \
	tests/lint/* tests/perf/instructions tests/perf/shapes \
	tests/*.bash tests/*.bats)

# Debian packages, by what they are needed for.
NEED_BUILD := libc6-dev pkg-config libcjson-dev libyaml-dev libmd-dev \
	libsqlite3-dev libutf8proc-dev libzstd-dev
NEED_TEST  := bats bats-assert bats-support jq patch perl zstd zsh fish
NEED_LINT  := clang-format clang-tidy shellcheck mandoc
NEED_FUZZ  := clang libclang-rt-14-dev llvm
NEED_BENCH := ripgrep valgrind
NEED_DEB   := build-essential debhelper

# ---- flags -----------------------------------------------------------------

PACKAGES := libcjson yaml-0.1 libmd libzstd sqlite3 libutf8proc
DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
DEP_LIBS   := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)

WERROR ?= -Werror
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla \
	-Wwrite-strings -Wformat=2 -Wnull-dereference -Wdouble-promotion \
	-Wcast-qual -Wundef -Wimplicit-fallthrough -fno-common $(WERROR)
# Fortified functions need an optimizing compiler.
FORTIFY = $(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),\
	-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
HARDEN ?= $(FORTIFY) -fstack-protector-strong -fstack-clash-protection -fPIE
HARDEN_LD ?= -pie -Wl,-z,relro,-z,now

STD_CFLAGS := -std=c11 -D_GNU_SOURCE -Icommon -include common/base/banned.h
ALL_CFLAGS = $(STD_CFLAGS) $(DEP_CFLAGS) $(WARN) $(HARDEN) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(HARDEN_LD) -Wl,--as-needed $(LDFLAGS)

SANITIZE := -fsanitize=address,undefined
ASAN_FLAGS := B=build/asan HARDEN= HARDEN_LD= \
	CFLAGS='-g -O1 $(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer' \
	LDFLAGS='$(SANITIZE) -static-libasan'
FUZZ_FLAGS := B=build/fuzz CC=$(CLANG) HARDEN= HARDEN_LD= \
	CFLAGS='-g -O1 $(SANITIZE),fuzzer-no-link -fno-sanitize-recover=all' \
	LDFLAGS='$(SANITIZE)'
COVERAGE_FLAGS := B=build/coverage HARDEN= HARDEN_LD= \
	CFLAGS='-g -O0 --coverage -fprofile-abs-path' LDFLAGS=--coverage

# ---- building --------------------------------------------------------------

ARCHIVES := $(ROOMS:%=$(B)/lib/lib%.a)
BINARIES := $(PROGRAMS:%=$(B)/bin/%)
STALE    := $(filter-out $(BINARIES),$(wildcard $(B)/bin/*))
UNITS    := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
REPLAYS  := $(MODULES:%=$(B)/replay/fuzz_%)
FUZZERS  := $(MODULES:%=$(B)/fuzz/fuzz_%)
SHIMS    := $(patsubst tests/fault/%.c,$(B)/fault/%.so,$(wildcard tests/fault/*.c))
PERF     := $(patsubst tests/perf/%.c,$(B)/perf/%,$(wildcard tests/perf/*.c))
LINK      = $(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(DEP_LIBS) $(LDLIBS)

.SECONDARY:
.DELETE_ON_ERROR:
.PHONY: all force

all: $(BINARIES) ## build every program (the default)
	@$(if $(STALE),rm -f $(STALE),:)

quote = '$(subst ','\'',$(1))'

# Objects are made anew when the flags change.
$(B)/flags: force
	@mkdir -p $(@D)
	@echo $(call quote,$(CC) $(ALL_CFLAGS)) | cmp -s - $@ || \
		echo $(call quote,$(CC) $(ALL_CFLAGS)) >$@

$(B)/%.o: %.c $(B)/flags
	@$(if $(DEP_LIBS),mkdir -p $(@D),\
		$(error the libraries are missing; `make deps` installs them))
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Is looked at always, so that a program that is gone is seen.
$(GENERATED_mcp): force
	@mkdir -p $(@D)
	@awk -f common/mcp/families.awk common/mcp/families.txt cmd/*.c >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/generated/%.o: $(B)/generated/%.c $(B)/flags
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The folder is a prerequisite, so that a deleted file leaves its archive.
define archive
$(B)/lib/lib$(1).a: $(patsubst %.c,$(B)/%.o,$(wildcard common/$(1)/*.c)) \
	$(GENERATED_$(1):%.c=%.o) common/$(1)
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcsD $$@ $$(filter %.o,$$^)
endef
$(foreach room,$(ROOMS),$(eval $(call archive,$(room))))

$(B)/bin/%: $(B)/cmd/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(LINK)

$(B)/unit/%: $(B)/tests/unit/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(LINK)

$(B)/replay/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/main.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(LINK)

$(B)/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(LINK) -fsanitize=fuzzer

# Plain flags: a shim is loaded into programs of any flavour.
$(B)/fault/%.so: tests/fault/%.c
	@mkdir -p $(@D)
	$(CC) $(STD_CFLAGS) $(WARN) -O1 -g -fPIC -shared -o $@ $< -ldl

$(B)/perf/%: tests/perf/%.c
	@mkdir -p $(@D)
	$(CC) $(STD_CFLAGS) $(WARN) -O2 -o $@ $<

# Measured within the process.
$(B)/perf/flush: tests/perf/flush.c $(ARCHIVES)
	@mkdir -p $(@D)
	$(CC) $(STD_CFLAGS) $(WARN) -O2 -o $@ $< $(filter %.a,$^) $(DEP_LIBS)

-include $(patsubst %.c,$(B)/%.d,$(SOURCES)) $(GENERATED_mcp:%.c=%.d)

# ---- what it needs ---------------------------------------------------------

.PHONY: deps deps-test deps-lint deps-fuzz deps-bench deps-deb
deps: ## install the libraries that are missing (apt)
	@.ci/need $(NEED_BUILD)
deps-test:
	@.ci/need $(NEED_BUILD) $(NEED_TEST)
deps-lint:
	@.ci/need $(NEED_BUILD) $(NEED_LINT)
deps-fuzz:
	@.ci/need $(NEED_BUILD) $(NEED_FUZZ)
deps-bench:
	@.ci/need $(NEED_BUILD) $(NEED_BENCH)
deps-deb:
	@.ci/need $(NEED_BUILD) $(NEED_DEB)

# What was just installed is seen by a make that starts after it.  A -j that was
# given is inherited.
AFTER = +@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j $(JOBS))

# ---- trying it out ---------------------------------------------------------

.PHONY: demo
demo: deps ## show the main job on a home that is thrown away
	$(AFTER) -s all
	@samples/demo $(B)/bin

# ---- testing ---------------------------------------------------------------

# CTX_BIN: the programs under test, for tests/common.bash.
PROVE := CTX_BIN=$(abspath $(B)/bin) CTX_BUILD=$(abspath $(B)) \
	ASAN_OPTIONS=exitcode=99:detect_leaks=1:allocator_may_return_null=1 \
	UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 \
	prove --timer -j $(JOBS) --exec tests/run
# The longest come first, so that nothing waits for them at the end.
LONG := $(wildcard tests/contract-*.bats) tests/context-fault.bats tests/fault.bats \
	tests/lessons-crash.bats
BATS ?= $(LONG) $(filter-out $(LONG),$(wildcard tests/*.bats))

.PHONY: test check units check-unit check-bats check-asan check-valgrind \
	check-results test-hosts test-clients
test: deps-test ## run every test
	$(AFTER) check
units: $(UNITS) $(REPLAYS) $(SHIMS)
check: all units
	@$(PROVE) $(BATS) $(UNITS) $(REPLAYS)
check-unit: $(UNITS) $(REPLAYS) ## only the unit tests and the fuzz corpus
	@$(PROVE) $^
check-bats: all $(SHIMS) ## only the programs (BATS=tests/x.bats for one)
	@$(PROVE) $(BATS)
check-asan: deps-test ## every test under address and undefined sanitizers
	$(AFTER) $(ASAN_FLAGS) check
check-valgrind: deps-test ## unit tests and manual examples under valgrind
	@.ci/need valgrind
	$(AFTER) B=build/valgrind CFLAGS='-g -O1' HARDEN= HARDEN_LD= valgrind
check-results: deps-test ## every result of every test against its outputSchema
	$(AFTER) -s all
	@tests/results/run $(B)
test-hosts: deps ## install real hosts from the npm registry, and run under them
	$(AFTER) -s all
	@tests/hosts/run $(B)
test-clients: deps ## install the agents, and read what they write
	@.ci/need tmux
	$(AFTER) -s all
	@tests/hosts/run $(B) clients
.PHONY: check-more
check-more: check-results bench-shapes fuzz-smoke check-valgrind ## what takes too long for each change
.PHONY: valgrind
valgrind: all $(UNITS)
	@tests/valgrind/run $(B) $(UNITS) tests/man.bats

# ---- linting ---------------------------------------------------------------

TIDY := $(patsubst %.c,$(B)/lint/%.tidy,$(wildcard cmd/*.c common/*/*.c))
ALONE := $(patsubst %.h,$(B)/lint/%.alone,$(wildcard common/*/*.h))

.PHONY: lint lint-c lint-style lint-scripts lint-man lint-house analyze format
lint: deps-lint ## check style, headers, imports, scripts and manuals
	$(AFTER) lint-style lint-house lint-scripts lint-man lint-c
lint-style:
	@clang-format --dry-run -Werror $(SOURCES) $(HEADERS)
lint-house:
	@tests/lint/imports
	@tests/lint/house
lint-scripts:
	@shellcheck -x -S warning $(wildcard $(SCRIPTS))
lint-man:
	@tests/lint/man $(wildcard man/*/*)
lint-c: $(ALONE) $(TIDY)
analyze: deps-lint ## clang's analyzer (slow; some of what it finds is none)
	$(AFTER) -s analyze-c
.PHONY: analyze-c
analyze-c: $(TIDY:.tidy=.analyzed)
format: ## lay the C sources out as .clang-format says
	@clang-format -i $(SOURCES) $(HEADERS)

# Off: struct padding is not what size is lost to, and Annex K is not in glibc.
ANALYZER := -*,clang-analyzer-*,-clang-analyzer-optin.performance.Padding,$(strip \
	)-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling

# An object is as new as all that it includes, so its check is, too.
$(B)/lint/%.tidy: $(B)/%.o .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $*.c -- $(STD_CFLAGS) $(DEP_CFLAGS) 2>/dev/null
	@touch $@
$(B)/lint/%.analyzed: $(B)/%.o
	@mkdir -p $(@D)
	@clang-tidy --quiet --checks='$(ANALYZER)' $*.c -- $(STD_CFLAGS) $(DEP_CFLAGS) \
		2>/dev/null
	@touch $@
$(B)/lint/%.alone: %.h
	@mkdir -p $(@D)
	@$(CC) $(STD_CFLAGS) $(DEP_CFLAGS) $(WARN) -fsyntax-only -x c $<
	@touch $@

# ---- measuring -------------------------------------------------------------

FUZZ_SECONDS ?= 600

.PHONY: bench fuzz fuzz-smoke fuzzers coverage
bench: deps-bench ## measure speed and memory, as ratios within one run
	$(AFTER) -s all perf
	@tests/perf/run $(B)
bench-instructions: deps-bench ## count instructions, beside the committed figures
	$(AFTER) -s all perf
	@tests/perf/instructions $(B)
bench-shapes: deps-bench ## count instructions of awkward shapes, 10 times the lines
	$(AFTER) -s all perf
	@tests/perf/shapes $(B)
.PHONY: perf bench-instructions bench-shapes
perf: $(PERF)
fuzz-smoke: ## fuzz every target, 30 seconds in all
	$(AFTER) fuzz FUZZ_SECONDS=30
fuzz: deps-fuzz ## fuzz every target, FUZZ_SECONDS in all
	$(AFTER) -s $(FUZZ_FLAGS) fuzzers
	@tests/fuzz/run build/fuzz $(FUZZ_SECONDS) $(MODULES)
	@[ $(FUZZ_SECONDS) -le 30 ] || { $(AFTER) -s $(B)/unit/test_wildcard && \
		echo 'prefilter: 20,400 pairs' && $(B)/unit/test_wildcard 170 | { ! grep -A4 '^not ok'; }; }
fuzzers: $(FUZZERS)
coverage: deps-test ## lines and branches that the tests reach
	@.ci/need lcov
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || :
	@rc=0; $(MAKE) --no-print-directory $(COVERAGE_FLAGS) check || rc=1; \
		tests/coverage/run build/coverage && exit $$rc

# ---- installing ------------------------------------------------------------

BINDIR  ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR  ?= $(DATADIR)/man
BASH_COMPLETIONS ?= $(DATADIR)/bash-completion/completions
ZSH_COMPLETIONS  ?= $(DATADIR)/zsh/site-functions
FISH_COMPLETIONS ?= $(DATADIR)/fish/vendor_completions.d
BASH_FILES := $(PROGRAMS:%=$(B)/completions/bash/%)
ZSH_FILES  := $(PROGRAMS:%=$(B)/completions/zsh/_%)
FISH_FILES := $(PROGRAMS:%=$(B)/completions/fish/%.fish)
MAN1 := $(wildcard man/man1/*.1)
MAN7 := $(wildcard man/man7/*.7)
INSTALLED = $(PROGRAMS:%=$(BINDIR)/%) \
	$(MAN1:man/%=$(MANDIR)/%) $(MAN7:man/%=$(MANDIR)/%) \
	$(PROGRAMS:%=$(BASH_COMPLETIONS)/%) $(PROGRAMS:%=$(ZSH_COMPLETIONS)/_%) \
	$(PROGRAMS:%=$(FISH_COMPLETIONS)/%.fish)

# The shells' own code stands in completions/, what the declarations know is
# generated behind it; the first line of a script of zsh has to stay the first.
$(B)/completions/bash/%: $(B)/bin/% completions/values.bash
	@mkdir -p $(@D)
	@{ cat completions/values.bash; $< --completion bash; } >$@
$(B)/completions/zsh/_%: $(B)/bin/% completions/values.zsh
	@mkdir -p $(@D)
	@{ $< --completion zsh | head -n 1; cat completions/values.zsh; \
		$< --completion zsh | tail -n +2; } >$@
$(B)/completions/fish/%.fish: $(B)/bin/% completions/values.fish
	@mkdir -p $(@D)
	@{ cat completions/values.fish; $< --completion fish; } >$@

.PHONY: completions install uninstall deb build-deb test-deb
completions: $(BASH_FILES) $(ZSH_FILES) $(FISH_FILES)
# Says what it does in a line for each folder.
put = @$(INSTALL) -d '$(DESTDIR)$(2)' && \
	$(INSTALL) -m $(1) $(3) '$(DESTDIR)$(2)' && \
	echo '$(words $(3)) files in $(DESTDIR)$(2)'
install: all completions ## install under DESTDIR and PREFIX
	$(call put,755,$(BINDIR),$(BINARIES))
	$(call put,644,$(MANDIR)/man1,$(MAN1))
	$(call put,644,$(MANDIR)/man7,$(MAN7))
	$(call put,644,$(BASH_COMPLETIONS),$(BASH_FILES))
	$(call put,644,$(ZSH_COMPLETIONS),$(ZSH_FILES))
	$(call put,644,$(FISH_COMPLETIONS),$(FISH_FILES))
# Leaves the folders: others have files there.
uninstall: ## remove what install put there
	@rm -f $(INSTALLED:%='$(DESTDIR)%')
	@echo '$(words $(INSTALLED)) files removed from $(DESTDIR)$(PREFIX)'
deb: deps-deb ## build a Debian package in build/deb
	$(AFTER) build-deb
# In a copy, so that nothing is left beside the sources.
build-deb:
	rm -rf build/deb
	mkdir -p build/deb/source
	tar -c --exclude=./build --exclude=./.git . | tar -x -C build/deb/source
	cd build/deb/source && dpkg-buildpackage -us -uc -b
	@ls build/deb/*.deb
test-deb: deb ## install the package in a fresh Debian (root, debootstrap)
	@tests/deb/run
clean: ## remove everything that was built
	rm -rf build

.PHONY: clean help
help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' \
		$(MAKEFILE_LIST)
