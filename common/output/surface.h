#ifndef OUTPUT_SURFACE_H
#define OUTPUT_SURFACE_H

#include "output/value.h"

/*
 * What text surfaces of this family show (spec/output.md section 1).  Files
 * and pipes get a text as it is; on a terminal control characters but LF and
 * TAB, and those that turn the direction of text, are shown as \u00xx.
 */
void surface_text(struct buf *out, struct str text);

/* A string raw, anything else as compact JSON. */
void surface_value(struct buf *out, const struct value *v);

#endif /* OUTPUT_SURFACE_H */
