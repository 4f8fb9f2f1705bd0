#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include <cjson/cJSON.h>

#include "tool/declare.h"

/* What a program is asked for by its command line. */
enum request {
	REQUEST_RUN,
	REQUEST_HELP,
	REQUEST_VERSION,
	REQUEST_SCHEMA,
	REQUEST_COMPLETION
};

enum surface {
	SURFACE_DEFAULT, /* both; text only when a person typed parameters */
	SURFACE_JSON,
	SURFACE_TEXT
};

struct command_line {
	enum request request;
	enum surface surface;
	const char *shell;	/* of REQUEST_COMPLETION */
	bool has_params;	/* any parameter came as flag or operand */
	cJSON *params;		/* the object that they make */
	cJSON *options;		/* tool->options likewise */
	const char *from_stdin; /* the parameter given as `-`, or NULL */
};

/*
 * Parses argv by the declaration: parameters, the operand, the tool's own
 * options, host facts (stored into facts, over what the environment said),
 * and what every program has.  0, or -1 with FAIL_INVALID.  Nothing is read
 * from stdin here.  c is to be released in either case.
 */
int command_line_parse(struct command_line *c, const struct tool *tool,
		       int argc, char *argv[], struct facts *facts,
		       struct fail *fail);
void command_line_release(struct command_line *c);

/* Sets the string parameter that was given as `-`. */
void command_line_set_stdin(struct command_line *c, const char *text);

/* Adds the flag of a parameter: foo_bar is --foo-bar. */
void flag_name(struct buf *out, const char *name);

#endif /* COMMAND_LINE_H */
