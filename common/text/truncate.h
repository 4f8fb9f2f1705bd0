#ifndef TRUNCATE_H
#define TRUNCATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The bounded view of a text that may be much larger: its end or its start
 * (spec/output.md section 6.1).  Text is valid UTF-8; lines end with LF.
 */
enum truncate_retain { TRUNCATE_TAIL, TRUNCATE_HEAD };
enum truncate_by { TRUNCATE_BY_LINES, TRUNCATE_BY_BYTES };

#define TRUNCATE_BYTES 51200
#define TRUNCATE_LINES 2000
#define TRUNCATE_BYTES_MAX 1048576
#define TRUNCATE_LINES_MAX 1000000

/* What is to be seen, and what was left out. */
struct truncation {
	bool truncated;
	int by; /* enum truncate_by; -1 when it is not truncated */
	int64_t total_lines, total_bytes;
	int64_t output_lines, output_bytes; /* before sanitising */
	bool last_line_partial, first_line_exceeds;
	int64_t max_lines, max_bytes;
	int64_t last_line_bytes; /* of the whole line, if it is partial; -1 */
	int64_t first_line_bytes;
};

/*
 * A text that comes in pieces, of which only a window is kept: up to 4 times
 * max_bytes of its end, or max_bytes of its start; all else is counted.
 */
struct window_text {
	enum truncate_retain retain;
	size_t max_bytes, max_lines;
	struct buf kept;
	uint64_t bytes, breaks;	    /* of the whole text; LFs in it */
	uint64_t first, last, open; /* bytes of the first line; of the last one
				       that ended; of the one that has not */
	uint64_t past; /* head: from byte max_bytes to the end of that line */
	bool first_done, past_done;
	bool cut; /* tail: what is kept begins within a line, too long to show */
};

void window_text_init(struct window_text *w, enum truncate_retain retain,
		      size_t max_bytes, size_t max_lines);
void window_text_release(struct window_text *w);
void window_text_add(struct window_text *w, struct str text);

/*
 * Goes on, in an empty window, from what one showed and how it accounted for
 * it; it was truncated.  complete: the last line had ended with LF.
 */
void window_text_resume(struct window_text *w, struct str shown,
			const struct truncation *t, bool complete);

/* Whether a limit would be crossed by more text. */
bool window_text_crosses(const struct window_text *w, struct str text);

/* Whether a limit is crossed. */
bool window_text_truncated(const struct window_text *w);

/*
 * What is shown now, borrowed, and the account of it in t.  whole_lines: a
 * head ends at the end of a line.
 */
struct str window_text_view(const struct window_text *w, bool whole_lines,
			    struct truncation *t);

/*
 * What is to be read below a truncated text.  path: where the whole text lies;
 * empty for nowhere.  whole_lines: as for the view; such a head can be
 * continued.
 */
void truncate_footer(struct buf *out, enum truncate_retain retain,
		     bool whole_lines, const struct truncation *t,
		     struct str path);

/*
 * Notes stand below the text, one empty line between, and are not part of it:
 * adds what is needed between, and the note, cut to TRUNCATE_NOTE_BYTES.
 */
#define TRUNCATE_NOTE_BYTES 8192
void truncate_join(struct buf *out, struct str note);

#endif /* TRUNCATE_H */
