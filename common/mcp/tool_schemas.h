#ifndef TOOL_SCHEMAS_H
#define TOOL_SCHEMAS_H

#include "mcp/catalogue.h"
#include "tool/declare.h"

/* What every model tool is, for people and hosts; spec/hosts.md section 8. */
struct tool_schemas_args {
	struct arg_set families, tools;
	struct arg_boolean mcp;
	struct arg_enum protocol, surface; /* with mcp */
};

struct tool_schemas {
	struct catalogue catalogue;
	struct buf list;  /* the JSON of the tools, as asked for */
	struct str tools; /* which is that */
};

int tool_schemas_run(const struct tool_call *call, void *result,
		     struct fail *fail);
void tool_schemas_text(const void *result, struct buf *out);
void tool_schemas_release(void *result);

#endif /* TOOL_SCHEMAS_H */
