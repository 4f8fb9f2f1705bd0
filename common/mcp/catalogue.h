#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "base/json_write.h"
#include "mcp/families.h"
#include "mcp/message.h"

/*
 * A tool as its own program defines it with --schema.  The spans are of
 * `text`: JSON values as they were printed.
 */
struct definition {
	size_t tool;	     /* index in families_tools */
	char *path;	     /* of the program, absolute */
	const char *program; /* its name, in path */
	char *text;
	struct str name, title, description, input_schema, output_schema, mode,
		annotations;
	bool sequential;
};

/* A tool that was asked for and cannot be had. */
struct catalogue_gap {
	size_t tool;
	bool absent; /* there is no program of that name */
	struct fail fail;
};

/* The tools on offer, in the order of families_tools. */
struct catalogue {
	struct definition *v;
	size_t n;
	struct catalogue_gap *gap;
	size_t gaps;
};

/*
 * Asks every program of the set `tools` in the folder bin, all at once
 * (spec/hosts.md section 2.1).  What cannot be had is a gap.
 */
void catalogue_load(struct catalogue *c, const char *bin, uint64_t tools);
void catalogue_release(struct catalogue *c);

/* The tool called name, or NULL. */
const struct definition *catalogue_find(const struct catalogue *c,
					struct str name);

/* The set of tools that are on offer. */
uint64_t catalogue_tools(const struct catalogue *c);

/*
 * Whether nothing of the tool's family is installed: such a family is not
 * mentioned, unless it was asked for by name.
 */
bool catalogue_lacks_family(const struct catalogue *c, size_t tool);

/*
 * The folder that the running program is in, added to out: where its
 * siblings are.  -1 with FAIL_ENVIRONMENT when the system does not say.
 */
int catalogue_own_folder(struct buf *out, struct fail *fail);

/* What a result carries; section 6.3. */
enum tool_surface { TOOL_SURFACE_BOTH, TOOL_SURFACE_TEXT, TOOL_SURFACE_JSON };
extern const char *const catalogue_surfaces[]; /* NULL ends */

/* The array of tools that a client of that version is shown (section 6.2). */
void catalogue_write(struct json_writer *w, const struct catalogue *c,
		     enum version version, enum tool_surface surface);

#endif /* CATALOGUE_H */
