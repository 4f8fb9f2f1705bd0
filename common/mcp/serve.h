#ifndef SERVE_H
#define SERVE_H

#include "mcp/server.h"
#include "tool/declare.h"

/* The options of mcp-serve; spec/hosts.md section 2. */
struct serve_args {
	struct arg_set families, tools;
	struct arg_enum surface;
	struct arg_integer jobs, timeout;
	struct arg_boolean roots;
	struct arg_string bin_dir;
};

/*
 * Serves the Model Context Protocol on stdin and stdout until the input ends.
 * Ends the process by the signal when SIGTERM, SIGINT or SIGHUP comes.
 */
int serve_run(const struct tool_call *call, struct fail *fail);

#endif /* SERVE_H */
