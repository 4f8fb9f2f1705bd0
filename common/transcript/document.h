#ifndef TRANSCRIPT_DOCUMENT_H
#define TRANSCRIPT_DOCUMENT_H

#include <stdint.h>

#include "base/buf.h"

/*
 * The document of a tool event, section by section (spec/history.md section
 * 4): what queries search, previews show and reads page.
 */

/* What stands for a name that is not recorded. */
#define DOCUMENT_UNKNOWN "unknown"

/*
 * All that is written into a document besides what is recorded, and the words
 * of decoders: in lower case, NULL last.  What a prefilter must not look for.
 */
extern const char *const document_texts[];

/* The name, and the arguments as canonical JSON, or empty: not recorded. */
void document_call(struct buf *out, struct str name, struct str arguments);

/* The same of arguments that are recorded, which are moved to out, empty. */
void document_take_call(struct buf *out, struct str name,
			struct buf *arguments);

/*
 * The output section: the caller adds the text between these two, and the
 * section goes again when there was none.  The mark is begin's.
 */
size_t document_output_begin(struct buf *out);
void document_output_end(struct buf *out, size_t mark);

/* The nested section; `nested` as in struct result_facts, empty for none. */
void document_nested(struct buf *out, struct str nested);

/* How many calls a nested record holds, and whether it says it is complete. */
uint64_t document_nested_count(struct str nested);
bool document_nested_complete(struct str nested);

#endif /* TRANSCRIPT_DOCUMENT_H */
