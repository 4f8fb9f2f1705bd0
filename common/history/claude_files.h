#ifndef HISTORY_CLAUDE_FILES_H
#define HISTORY_CLAUDE_FILES_H

#include "history/corpus.h"

/* Adds the sessions under the roots of Claude Code. */
void claude_files_list(struct corpus *c);

#endif /* HISTORY_CLAUDE_FILES_H */
