#ifndef TRANSCRIPT_CLAUDE_ROLE_H
#define TRANSCRIPT_CLAUDE_ROLE_H

#include <stdbool.h>

#include "base/str.h"

/*
 * Claude Code records what a host puts into the conversation as messages of
 * the user (spec/history.md section 3.4).  Whether a text is such a one:
 * decoded, of the whole message.  Linear.
 */
bool claude_role_is_context(struct str text);

/*
 * Whether it cannot be, as the first text of the message tells: raw, with its
 * quotes.  False: it must be decoded to know.
 */
bool claude_role_is_plain(struct str raw);

#endif /* TRANSCRIPT_CLAUDE_ROLE_H */
