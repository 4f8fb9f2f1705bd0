#ifndef COMPLETION_H
#define COMPLETION_H

#include "tool/declare.h"

/*
 * The completion script of a program for bash, zsh or fish, from its
 * declaration.  0, or -1 with FAIL_INVALID for another shell.
 */
int completion_print(const struct tool *tool, const char *shell,
		     struct buf *out, struct fail *fail);

#endif /* COMPLETION_H */
