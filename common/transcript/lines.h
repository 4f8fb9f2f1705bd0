#ifndef TRANSCRIPT_LINES_H
#define TRANSCRIPT_LINES_H

#include "base/json_map.h"
#include "transcript/allowance.h"
#include "transcript/source.h"

/*
 * A source cut into lines (spec/history.md section 3.1), read in large
 * blocks: memory is the longest line and a block.  The last line counts
 * without its line feed.  Neither NULs in front of a line nor a byte order
 * mark at the very start of the source are of a line's text.
 */
#define LINES_LONGEST 268435456u

struct line {
	struct str text;  /* without its LF; valid until the next one */
	struct str ahead; /* it and what has been read behind it */
	uint64_t offset;  /* of the text in the source */
	uint64_t number;  /* from 1 */
	bool blank;	  /* nothing but space, tab and CR */
	bool too_long;	  /* longer than `longest`; text is empty */
	bool nuls;	  /* NULs stood before it: what a power cut leaves */
};

struct lines {
	struct source *source; /* borrowed */
	size_t longest;
	char *data; /* data[start .. end) is read and not given */
	size_t start, end, cap;
	uint64_t offset; /* of data[start] in the source */
	uint64_t number; /* of the line given last */
	bool ended;	 /* the source has no more */
	struct allowance
		*allowance; /* for large lines; the caller may set it */
	bool holds;
};

/* longest: LINES_LONGEST, or less in tests. */
void lines_init(struct lines *l, struct source *source, size_t longest);
void lines_release(struct lines *l);

/* 1 with *line; 0 at the end; -1 with errno. */
int lines_next(struct lines *l, struct line *line);

/*
 * Whether a line is a well-formed record; its object then, without white
 * space around it.
 */
bool lines_parse(struct str line, struct str *object);
/* The same, with its map. */
bool lines_map(struct json_map *map, struct str line, struct str *object);

/*
 * The first well-formed record of a source, which says whose transcript it is
 * (section 2.3).  l is initialised here and released by the caller, from whom
 * *record borrows.  False when there is none, or on an I/O error.
 */
bool lines_first(struct lines *l, struct source *source, struct str *record);

#endif /* TRANSCRIPT_LINES_H */
