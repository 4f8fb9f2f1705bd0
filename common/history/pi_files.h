#ifndef HISTORY_PI_FILES_H
#define HISTORY_PI_FILES_H

#include "history/corpus.h"

/* Adds the sessions under Pi's root. */
void pi_files_list(struct corpus *c);

#endif /* HISTORY_PI_FILES_H */
