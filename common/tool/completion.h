#ifndef COMPLETION_H
#define COMPLETION_H

#include "tool/declare.h"

/*
 * The completion script of a program for bash, zsh or fish, from its
 * declaration; `values` for a shell: what such scripts ask the program for,
 * where it has an offer.  0, or -1 with FAIL_INVALID for another shell.
 */
int completion_print(const struct tool *tool, const char *shell,
		     const struct facts *facts, struct buf *out,
		     struct fail *fail);

#endif /* COMPLETION_H */
