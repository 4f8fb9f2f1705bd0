#ifndef TRANSCRIPT_CODEX_TEXT_H
#define TRANSCRIPT_CODEX_TEXT_H

#include "transcript/blocks.h"

/* What Codex writes into texts (spec/history.md section 3.4). */

/* The blocks of its messages and outputs. */
extern const struct blocks_form codex_form;

/*
 * Whether a user's content is something that the host put there.  scratch is
 * overwritten.
 */
bool codex_text_is_context(struct str content, const struct blocks_form *form,
			   struct buf *scratch);

/* The text of a recorded `output`: a string, an array, or an object. */
void codex_output_text(struct str output, const struct blocks_form *form,
		       struct buf *out);

/* Whether it tells that the tool failed. */
bool codex_output_failed(struct str output);

#endif /* TRANSCRIPT_CODEX_TEXT_H */
