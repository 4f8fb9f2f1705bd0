#ifndef TALK_H
#define TALK_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * What the server says to people, on stderr, line by line.  A reader that
 * does not read loses lines; it never stops the server.
 */
struct talk {
	struct buf pending;
};
#define TALK_INIT        \
	{                \
		BUF_INIT \
	}

/*
 * Adds `mcp-serve: <about>: <text>` (about may be NULL).  The text may hold
 * any bytes; control characters are escaped.
 */
void talk_say(struct talk *t, const char *about, struct str text);

/* Writes what stderr takes without waiting. */
void talk_flush(struct talk *t);
void talk_release(struct talk *t);

#endif /* TALK_H */
