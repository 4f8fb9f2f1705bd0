#ifndef HELP_H
#define HELP_H

#include "tool/declare.h"

/* The usage text of --help, from the declaration, with a final newline. */
void help_print(const struct tool *tool, struct buf *out);

/* The program's name: the tool's, with dashes. */
void program_name(struct buf *out, const struct tool *tool);

#endif /* HELP_H */
