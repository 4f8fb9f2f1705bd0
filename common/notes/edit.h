#ifndef NOTES_EDIT_H
#define NOTES_EDIT_H

#include "tool/declare.h"

/* Exact replacements in a text (spec/notes.md section 4.5). */

/* One replacement; a PARAM_OBJECT_LIST is bound to these. */
struct edit {
	struct arg_string old_text, new_text;
};

#define EDIT_LINES_SHOWN 20

/*
 * Applies n edits in order, each to what the one before left, and adds the
 * outcome to out.  Every old_text must occur exactly once, or with `all` at
 * least once; occurrences are counted byte for byte, left to right, without
 * overlap.  *applied counts the edits whose two texts differ.
 *
 * -1 with no_match or ambiguous_edit, or with too_large when the text would
 * pass max bytes on the way, which is found out before it is built.  Linear
 * in the text for each edit.
 */
int edit_apply(struct str text, const struct edit *edits, size_t n, bool all,
	       size_t max, struct buf *out, int64_t *applied,
	       struct fail *fail);

#endif /* NOTES_EDIT_H */
