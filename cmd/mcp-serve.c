/* mcp-serve - the model tools over the Model Context Protocol on stdio. */
#include "mcp/parameters.h"
#include "mcp/serve.h"

#define AT(member) offsetof(struct serve_args, member)

static const struct param options[] = {
	{ HOSTS_FAMILIES, .offset = AT(families),
	  .fallback_help = families_unasked_names },
	{ HOSTS_TOOLS, .offset = AT(tools) },
	{ HOSTS_SURFACE, .offset = AT(surface) },
	{ MEMBER(AT, jobs, PARAM_INTEGER), .min = 1, .max = CALLS_RUNNING_MAX,
	  .has_fallback = true, .fallback = 8,
	  .help = "How many tool programs run at once." },
	{ MEMBER(AT, timeout, PARAM_INTEGER), .min = 1, .max = 3600,
	  .has_fallback = true, .fallback = 120, .metavar = "SECONDS",
	  .help = "Limit for one call, from its start." },
	{ MEMBER(AT, roots, PARAM_BOOLEAN), .has_fallback = true, .fallback = 1,
	  .help = "Ask the client for its roots when nothing else gives the "
		  "working directory." },
	{ MEMBER(AT, bin_dir, PARAM_STRING), .min = 1, .metavar = "DIR",
	  .fallback_help = "that of mcp-serve",
	  .help = "Where the tool programs are." },
	PARAM_END
};

static const struct tool tool = {
	.name = "mcp_serve",
	.title = "Serve the model tools",
	.family = "hosts",
	.description =
		"Offers the model tools to a client of the Model Context "
		"Protocol, on standard input and output, until the input "
		"ends. Each call executes one program.",
	.options = options,
	.facts = FACT_BIT(FACT_COUNT) - 1,
	.args_size = sizeof(struct serve_args),
	.serve = serve_run,
};

TOOL_MAIN(tool)
