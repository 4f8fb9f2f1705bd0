#ifndef FAMILIES_H
#define FAMILIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/fail.h"

/*
 * The model tools there are, by family (spec/hosts.md section 6.1).  The
 * tables are made when the programs are built, by families.awk, from their
 * declarations in cmd/: nothing else lists them.  Mode, hints and texts are
 * not here; each program says them with --schema.
 *
 * A set of tools or families is a bit each, by index in these tables.
 */
struct family {
	const char *name;
	const char *purpose; /* what a client is told of it */
};

/* Those that have a tool, in the order of lists. */
extern const struct family families[];
extern const size_t families_count;

/* Those that mcp-serve offers when none is named, as a set and as a list. */
extern const uint64_t families_unasked;
extern const char families_unasked_names[];

/* Their names, then `all`; NULL ends. */
extern const char *const families_names[];

struct family_tool {
	size_t family;
	size_t input_max; /* bytes of its arguments */
};
#define FAMILIES_TOOLS_MAX 64

/* Names of the tools in the order of lists, NULL ends; and more of each. */
extern const char *const families_tools[];
extern const struct family_tool families_facts[];

/*
 * The tools that are chosen by --families and --tools (0: every one of the
 * families).  FAIL_INVALID when a tool is in none of the families.
 */
int families_choose(uint64_t chosen_families, uint64_t tools, uint64_t *chosen,
		    struct fail *fail);

/* Whether a family was named, or one of its tools, and not only `all`. */
bool families_named(uint64_t chosen_families, uint64_t tools, size_t tool);

/*
 * What a client is told of these tools: one line, most telling words first,
 * since a host may show only its beginning (section 3.1).
 */
void families_instructions(uint64_t tools, struct buf *out);

#endif /* FAMILIES_H */
