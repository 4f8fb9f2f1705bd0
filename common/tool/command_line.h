#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include "tool/declare.h"
#include "tool/terminal.h"

/* What a program is asked for by its command line. */
enum request {
	REQUEST_RUN,
	REQUEST_HELP,
	REQUEST_VERSION,
	REQUEST_SCHEMA,
	REQUEST_COMPLETION
};

/* A value that a parameter or option was given. */
struct given {
	const struct param *param;
	struct str value; /* as typed; of a boolean "" */
	bool on;	  /* of a boolean */
};

struct given_list {
	struct given *v;
	size_t n, cap;
};

struct command_line {
	enum request request;
	enum surface surface;
	enum color color;
	const char *shell; /* of REQUEST_COMPLETION */
	struct given_list params, options;
	const struct param *from_stdin; /* given as `-`, or NULL */
	const char *const *command;	/* behind `--`, or NULL */
};

/*
 * Parses argv by the declaration: parameters, the operand, the tool's own
 * options, host facts (stored into facts, over what the environment said),
 * and what every program has.  0, or -1 with FAIL_INVALID.  Nothing is read
 * from stdin here.  c borrows from argv and is to be released in either case.
 */
int command_line_parse(struct command_line *c, const struct tool *tool,
		       int argc, char *argv[], struct facts *facts,
		       struct fail *fail);
void command_line_release(struct command_line *c);

/* Sets the parameter that was given as `-`; text is borrowed. */
void command_line_set_stdin(struct command_line *c, struct str text);

/* Adds the JSON object that the values make. */
void given_object(const struct given_list *list, struct buf *out);

/* Whether a boolean parameter was turned on. */
bool given_on(const struct given_list *list, const struct param *p);

/* Adds the flag of a parameter: foo_bar is --foo-bar. */
void flag_name(struct buf *out, const char *name);

#endif /* COMMAND_LINE_H */
