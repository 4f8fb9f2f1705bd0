#ifndef FAMILIES_H
#define FAMILIES_H

#include <stddef.h>
#include <stdint.h>

#include "tool/fail.h"

/*
 * The model tools there are, by family: the one place that names them
 * (spec/hosts.md section 6.1).  Mode, hints and texts are not here; each
 * program says them with --schema.
 *
 * A set of tools or families is a bit each, by index in these tables.
 */
enum family {
	FAMILY_NOTES,
	FAMILY_HISTORY,
	FAMILY_CONTEXT,
	FAMILY_LESSONS,
	FAMILY_COUNT
};

/* FAMILY_COUNT names, then `all`; NULL ends. */
extern const char *const families_names[];
#define FAMILIES_ALL (UINT64_C(1) << FAMILY_COUNT)

/* The tools in the order of lists; NULL ends. */
extern const char *const families_tools[];
#define FAMILIES_TOOLS_MAX 64

enum family families_of(size_t tool);

/*
 * The tools that are chosen by --families and --tools (0: every one of the
 * families).  FAIL_INVALID when a tool is in none of the families.
 */
int families_choose(uint64_t families, uint64_t tools, uint64_t *chosen,
		    struct fail *fail);

/* What a client is told of the families that these tools are of. */
void families_instructions(uint64_t tools, struct buf *out);

#endif /* FAMILIES_H */
