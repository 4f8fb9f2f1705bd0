#ifndef TRANSCRIPT_CODEX_TEXT_H
#define TRANSCRIPT_CODEX_TEXT_H

#include "transcript/blocks.h"

/* What Codex writes into texts (spec/history.md section 3.4). */

/* The blocks of its messages and outputs. */
extern const struct blocks_form codex_form;

/*
 * Whether a message in the user's name, a response item, is what the host put
 * there; else *empty tells of what the user says.  scratch is overwritten; map
 * as in json_map_iterate().
 */
bool codex_text_is_context(const struct json_map *map, struct str item,
			   bool *empty, struct buf *scratch);

/* The text of such a message: what the user says in it, or all of it. */
void codex_text_of_user(struct str item, struct buf *out);

/* The text of a recorded `output`: a string, an array, or an object. */
void codex_text_of_output(struct str output, struct buf *out);

/* Whether it says that the tool failed. */
bool codex_text_tells_failure(struct str output);

#endif /* TRANSCRIPT_CODEX_TEXT_H */
