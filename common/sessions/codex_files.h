#ifndef SESSIONS_CODEX_FILES_H
#define SESSIONS_CODEX_FILES_H

#include "sessions/corpus.h"

/* Adds the sessions under Codex's root, archived and compressed ones too. */
void codex_files_list(struct corpus *c);

#endif /* SESSIONS_CODEX_FILES_H */
