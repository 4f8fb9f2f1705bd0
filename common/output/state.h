#ifndef OUTPUT_STATE_H
#define OUTPUT_STATE_H

#include "output/value.h"
#include "text/truncate.h"

/*
 * A tool's output as a value (spec/output.md section 7.1).  The functions make
 * *state the caller's own where it is shared: what was published before stays
 * as it is.
 */

/* Without any output; t accounts for an empty text. */
struct value *state_new(const struct truncation *t);

/* Whether a value has the shape of one. */
bool state_is(const struct value *v);

/* Sets a member; v NULL takes it out.  v is taken over. */
void state_set(struct value **state, const char *key, struct value *v);

/* content[0].text, when it is another one. */
void state_set_text(struct value **state, struct str text);
struct str state_text(const struct value *state);

/* Adds {"type":"image","data":...,"mimeType":...} to content. */
void state_add_image(struct value **state, struct str data,
		     struct str mime_type);
size_t state_images(const struct value *state);

/* truncation, lastLineBytes, and spillPath, which may be empty. */
void state_set_account(struct value **state, const struct truncation *t,
		       struct str spill_path);

/* The same out of a state: false when any of it is not as it must be. */
bool state_account(const struct value *truncation,
		   const struct value *last_line_bytes, struct truncation *t);

#endif /* OUTPUT_STATE_H */
