# ctxtools.  `make help` lists what there is to make.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, DESTDIR and PREFIX are yours to set;
# what the project itself needs is added in variables of its own.  B is the
# build folder: each flavour (plain, asan, coverage, ...) has one of its own.

B       ?= build
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config

PROGRAMS := $(basename $(notdir $(wildcard cmd/*.c)))
# One archive a folder of common/, in the order in which imports run.
ROOMS    := $(filter $(notdir $(wildcard common/*)),context history notes output lessons hosts text tool base)

PACKAGES := libcjson yaml-0.1 libutf8proc libmd libzstd
DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
DEP_LIBS   := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla \
	-Wwrite-strings -Wformat=2 -Wnull-dereference -Wdouble-promotion \
	-Wcast-qual -Wundef -Wimplicit-fallthrough -fno-common -Werror
HARDEN ?= -D_FORTIFY_SOURCE=3 -fstack-protector-strong \
	-fstack-clash-protection -fPIE
HARDEN_LD ?= -pie -Wl,-z,relro,-z,now

STD_CFLAGS := -std=c11 -D_GNU_SOURCE -Icommon -include common/base/banned.h
ALL_CFLAGS = $(STD_CFLAGS) $(DEP_CFLAGS) $(WARN) $(HARDEN) $(CPPFLAGS) $(CFLAGS) -MMD -MP
ALL_LDFLAGS = $(HARDEN_LD) -Wl,--as-needed $(LDFLAGS)

ARCHIVES := $(ROOMS:%=$(B)/lib/lib%.a)
BINARIES := $(PROGRAMS:%=$(B)/bin/%)
UNITS    := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))

.SECONDARY:
.PHONY: all check-unit clean
all: $(BINARIES)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

define archive
$(B)/lib/lib$(1).a: $(patsubst %.c,$(B)/%.o,$(wildcard common/$(1)/*.c))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach room,$(ROOMS),$(eval $(call archive,$(room))))

$(B)/bin/%: $(B)/cmd/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(DEP_LIBS) $(LDLIBS)

$(B)/unit/%: $(B)/tests/unit/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(DEP_LIBS) $(LDLIBS)

check-unit: $(UNITS)
	prove --exec '' $(UNITS)

clean:
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
