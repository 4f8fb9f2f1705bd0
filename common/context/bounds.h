#ifndef CONTEXT_BOUNDS_H
#define CONTEXT_BOUNDS_H

#include "tool/declare.h"

/* What fits, and how it is shown (spec/context.md sections 1.3 and 6). */

/*
 * Adds text as text surfaces show it: C0 controls but LF and TAB, DEL and C1
 * as \u00xx.
 */
void bounds_show(struct buf *out, struct str text);

/*
 * How many bytes a text takes on whichever surface it takes more: its UTF-8,
 * but what JSON or text escapes counts as long as that.
 */
size_t bounds_escaped_size(struct str text);

/* The refusal for a result of which not even the least fits. */
int bounds_refuse(const char *what, struct fail *fail);

/* Adds a query as messages show it: up to 200 code points, then an ellipsis. */
void bounds_show_query(struct buf *out, struct str query);

#endif /* CONTEXT_BOUNDS_H */
