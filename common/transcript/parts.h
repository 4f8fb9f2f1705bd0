#ifndef TRANSCRIPT_PARTS_H
#define TRANSCRIPT_PARTS_H

#include "base/json_span.h"
#include "transcript/decoder.h"
#include "transcript/elements.h"

/*
 * Message content as the hosts with Google's interface record it: a string, or
 * an array of parts (spec/more-hosts.md section 3.4).
 */

/* What hooks put into a text, in elements, which is not said in it. */
struct parts_hooks {
	struct elements alone; /* where it is nothing else */
	struct elements first; /* at its start, an empty line behind each */
};

/*
 * Adds the block text: texts, but for thoughts and what was read for a file
 * that a text names, and marks of pictures and documents.  hooks may be NULL:
 * there are none.  False when nothing at all was added because of them.
 */
bool parts_text(struct str content, const struct parts_hooks *hooks,
		struct buf *out);

/* Whether the array has a text, a picture or a document. */
bool parts_has_any(struct str content);

/*
 * Adds marks of the pictures and documents in an array to a text, which begins
 * at `from` in out.
 */
void parts_add_marks(struct str array, size_t from, struct buf *out);

/*
 * Adds what a `functionResponse` says: its output, else its error, and marks of
 * its parts.
 */
void parts_response_text(struct str response, struct buf *out);

/*
 * Reads what the text of a result tells: that the shell command in it failed,
 * and where the whole text lies, which follows a beginning that the host
 * writes.  In it # stands for digits; the path ends the line.
 */
void parts_read_result(struct str text, struct str tool, const char *beginning,
		       struct result_facts *out);

#endif /* TRANSCRIPT_PARTS_H */
