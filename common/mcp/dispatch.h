#ifndef DISPATCH_H
#define DISPATCH_H

#include "mcp/server.h"

/*
 * Bytes of the client to what they ask for: lines are taken apart into
 * messages, these are handed to the methods, and anything else is answered with
 * an error (spec/hosts.md sections 2.2, 2.3 and 4).
 */

/* Takes bytes that came, up to the end of a line; see message_lines_next(). */
bool dispatch_take(struct server *s, struct str *input);

/* There will be no more of them. */
void dispatch_end_input(struct server *s);

#endif /* DISPATCH_H */
