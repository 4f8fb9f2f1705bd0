#ifndef SANITIZE_H
#define SANITIZE_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Text of a terminal made into text to read (spec/output.md section 6.1):
 * escape sequences and control characters are removed, CR LF is a line's end,
 * and any other CR is one, too, so that the steps of a progress bar stand
 * below each other.  What has been given out is only ever added to.
 */
struct sanitizer {
	enum {
		SANITIZE_PLAIN,
		SANITIZE_ESCAPE,       /* after ESC */
		SANITIZE_CONTROL,      /* after ESC [ */
		SANITIZE_STRING,       /* after ESC ] and its like */
		SANITIZE_STRING_ESCAPE /* in there, after ESC */
	} state;
	bool intermediate; /* after ESC and U+0020 to U+002F */
	bool cr;	   /* it is not known yet what follows it */
};

/* Adds what is shown of the next piece, valid UTF-8 of whole characters. */
void sanitize_add(struct sanitizer *s, struct str text, struct buf *out);

/* A text that is whole. */
void sanitize(struct str text, struct buf *out);

#endif /* SANITIZE_H */
