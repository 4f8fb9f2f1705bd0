#ifndef TOOL_LIST_H
#define TOOL_LIST_H

#include "base/json_write.h"
#include "mcp/catalogue.h"
#include "mcp/versions.h"

/* What a result carries; spec/hosts.md section 6.3. */
enum tool_surface { TOOL_SURFACE_BOTH, TOOL_SURFACE_TEXT, TOOL_SURFACE_JSON };
extern const char *const tool_list_surfaces[]; /* NULL ends */

/* The array of tools that a client of that version is shown (section 6.2). */
void tool_list_write(struct json_writer *w, const struct catalogue *c,
		     enum version version, enum tool_surface surface);

#endif /* TOOL_LIST_H */
