#ifndef SHELL_H
#define SHELL_H

#include "base/buf.h"

/* Adds a word of a shell command, in quotes where it needs them. */
void shell_word(struct buf *out, struct str word);

#endif /* SHELL_H */
