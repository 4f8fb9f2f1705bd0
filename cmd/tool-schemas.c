/* tool-schemas - what every model tool is, for people and hosts. */
#include "mcp/parameters.h"
#include "mcp/tool_schemas.h"

#define AT(member) offsetof(struct tool_schemas_args, member)

static const struct param params[] = {
	{ HOSTS_FAMILIES, .offset = AT(families), .fallback_help = "all" },
	{ HOSTS_TOOLS, .offset = AT(tools) },
	{ MEMBER(AT, mcp, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "List the tools as mcp-serve does." },
	{ MEMBER(AT, protocol, PARAM_ENUM), .values = message_versions,
	  .has_fallback = true, .fallback = VERSION_2026_07_28,
	  .metavar = "VERSION",
	  .help = "Revision of the protocol that the list of --mcp is for." },
	{ HOSTS_SURFACE, .offset = AT(surface) },
	PARAM_END
};

static const struct field hints[] = {
	{ .name = "readOnlyHint", .type = FIELD_BOOLEAN },
	{ .name = "destructiveHint", .type = FIELD_BOOLEAN },
	{ .name = "idempotentHint", .type = FIELD_BOOLEAN },
	{ .name = "openWorldHint", .type = FIELD_BOOLEAN },
	FIELD_END
};

static const char *const modes[] = { "parallel", "sequential", NULL };

static const struct field one[] = {
	{ .name = "name", .type = FIELD_STRING },
	{ .name = "title", .type = FIELD_STRING, .optional = true },
	{ .name = "family", .type = FIELD_STRING, .optional = true },
	{ .name = "program", .type = FIELD_STRING, .optional = true },
	{ .name = "description", .type = FIELD_STRING },
	{ .name = "inputSchema", .type = FIELD_OPEN_OBJECT },
	{ .name = "outputSchema", .type = FIELD_OPEN_OBJECT, .optional = true },
	{ .name = "executionMode",
	  .type = FIELD_ENUM,
	  .values = modes,
	  .optional = true },
	{ .name = "annotations",
	  .type = FIELD_OBJECT,
	  .fields = hints,
	  .optional = true },
	FIELD_END
};

static const struct field fields[] = { { .name = "tools",
					 .type = FIELD_OPEN_OBJECTS,
					 .offset = offsetof(struct tool_schemas,
							    tools),
					 .fields = one },
				       FIELD_END };

static const struct tool tool = {
	.name = "tool_schemas",
	.title = "Tool definitions",
	.family = "hosts",
	.description =
		"What every model tool is: name, descriptions, schemas of "
		"arguments and result, whether calls may run side by side, "
		"and hints. Each program is asked for its own definition.",
	.params = params,
	.args_size = sizeof(struct tool_schemas_args),
	.result = fields,
	.result_size = sizeof(struct tool_schemas),
	.run = tool_schemas_run,
	.text = tool_schemas_text,
	.release = tool_schemas_release,
};

TOOL_MAIN(tool)
