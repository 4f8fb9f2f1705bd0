#ifndef MCP_PARAMETERS_H
#define MCP_PARAMETERS_H

#include "mcp/catalogue.h"

/* Options that mcp-serve and tool-schemas share. */
#define HOSTS_FAMILIES                                                         \
	.name = "families", .type = PARAM_ENUM_LIST, .values = families_names, \
	.commas = true, .help = "A comma list, or repeated."
#define HOSTS_TOOLS                                                         \
	.name = "tools", .type = PARAM_ENUM_LIST, .values = families_tools, \
	.commas = true, .metavar = "LIST",                                  \
	.help = "Only these tools of the families, a comma list of names."
#define HOSTS_SURFACE                                                        \
	.name = "surface", .type = PARAM_ENUM, .values = catalogue_surfaces, \
	.has_fallback = true, .fallback = TOOL_SURFACE_BOTH,                 \
	.help = "What the result of a call carries for the client."

#endif /* MCP_PARAMETERS_H */
