#ifndef HISTORY_CODEX_FILES_H
#define HISTORY_CODEX_FILES_H

#include "history/corpus.h"

/* Adds the sessions under Codex's root, archived and compressed ones too. */
void codex_files_list(struct corpus *c);

#endif /* HISTORY_CODEX_FILES_H */
