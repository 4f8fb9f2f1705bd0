#ifndef SESSIONS_CLAUDE_FILES_H
#define SESSIONS_CLAUDE_FILES_H

#include "sessions/corpus.h"

/* Adds the sessions under the roots of Claude Code. */
void claude_files_list(struct corpus *c);

#endif /* SESSIONS_CLAUDE_FILES_H */
