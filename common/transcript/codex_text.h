#ifndef TRANSCRIPT_CODEX_TEXT_H
#define TRANSCRIPT_CODEX_TEXT_H

#include "base/json_span.h"

/* What Codex writes into texts (spec/history.md section 3.4). */

/*
 * Whether a user's content is something that the host put there.  scratch is
 * overwritten.
 */
bool codex_text_is_context(struct str content, const char *const types[],
			   struct buf *scratch);

/* The text of a recorded `output`: a string, an array, or an object. */
void codex_output_text(struct str output, const char *const types[],
		       struct buf *out);

/* Whether it tells that the tool failed. */
bool codex_output_failed(struct str output);

#endif /* TRANSCRIPT_CODEX_TEXT_H */
