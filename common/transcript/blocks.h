#ifndef TRANSCRIPT_BLOCKS_H
#define TRANSCRIPT_BLOCKS_H

#include "base/json_span.h"

/*
 * Message content as the hosts record it: a string, or an array of blocks
 * (spec/history.md section 3.4).
 */
struct blocks_form {
	const char *const *texts; /* types of its text blocks, NULL last */
	/* Types of the blocks that a text has a mark for; may be NULL. */
	const char *image, *document;
	/* What such a block says it is, as it is recorded; or empty. */
	struct str (*media_type)(struct str block, struct buf *scratch);
};

/* What is written for pictures and documents: as document_texts is. */
extern const char *const blocks_marks[];

/* Adds the block text. */
void blocks_text(struct str content, const struct blocks_form *form,
		 struct buf *out);

/*
 * A string, raw, that the block text begins with, or the mark that it begins
 * with; s is NULL: it is empty.  map as in json_map_iterate().
 */
struct str blocks_first(const struct json_map *map, struct str content,
			const struct blocks_form *form);

/* Whether the block text is empty, without decoding it. */
bool blocks_empty(const struct json_map *map, struct str content,
		  const struct blocks_form *form);

/*
 * Adds what one block adds to a text, a line feed in front of it when *any is
 * true; which becomes true when it adds something.
 */
void blocks_add(struct str block, const struct blocks_form *form, bool *any,
		struct buf *out);

/*
 * Adds the mark of a picture, or of a document, as its media type tells, a raw
 * JSON string; only what has the form of one is named in it.  after: a line
 * feed goes in front of it.
 */
void blocks_add_mark(struct str type, bool after, struct buf *out);

/* The next block of a type in an array; false at the end. */
bool blocks_next(struct json_iter *it, const char *type, struct str *block);

#endif /* TRANSCRIPT_BLOCKS_H */
