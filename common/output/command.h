#ifndef OUTPUT_COMMAND_H
#define OUTPUT_COMMAND_H

#include "tool/declare.h"

/* What is to be run, and where (spec/output.md section 6.3). */
struct command {
	const char **argv;  /* NULL-terminated, as the next */
	char **environment; /* ours, and then `made` and NULL */
	char **made;
	struct buf cwd; /* absolute */
};

/*
 * words: what follows `--`, or NULL, and argv is it.  cwd may be absent.
 * 0, or -1: not_found, not_file, or FAIL_INVALID.  It is released either way.
 */
int command_init(struct command *c, const struct facts *facts,
		 const char *const *words, const struct arg_list *argv,
		 const struct arg_map *env, const struct arg_string *cwd,
		 struct fail *fail);
void command_release(struct command *c);

#endif /* OUTPUT_COMMAND_H */
