#ifndef SESSIONS_PI_FILES_H
#define SESSIONS_PI_FILES_H

#include "sessions/corpus.h"

/* Adds the sessions under Pi's root. */
void pi_files_list(struct corpus *c);

/*
 * The id in YYYY-MM-DDTHH-MM-SS-mmmZ_<id>.jsonl; s is NULL when the name is
 * of another form.
 */
struct str pi_files_id(struct str name);

#endif /* SESSIONS_PI_FILES_H */
