#ifndef FRONT_MATTER_H
#define FRONT_MATTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * The YAML block at the head of a note (spec/notes.md section 3): finding it,
 * reading the keys that mean something to us, and changing them without
 * touching any other byte.  Time is linear in the block, which is at most
 * FRONT_MATTER_BYTES; hostile blocks are given up early.
 */
#define FRONT_MATTER_BYTES ((size_t)262144)

/*
 * A caller that only wants the block need not read more of a file than this:
 * a block that is not closed by then is too large, or none.
 */
#define FRONT_MATTER_HEAD (FRONT_MATTER_BYTES + 4096)

enum note_origin { NOTE_ORIGIN_USER, NOTE_ORIGIN_SELF, NOTE_ORIGIN_EXTERNAL };

/* The words of enum note_origin, NULL-terminated: values of a PARAM_ENUM. */
extern const char *const note_origins[];

/* The keys we know, in the order of a new block. */
enum front_matter_key {
	FRONT_MATTER_ORIGIN,
	FRONT_MATTER_CREATED_AT,
	FRONT_MATTER_UPDATED_AT,
	FRONT_MATTER_CRUMPLED_AT,
	FRONT_MATTER_LAST_ACCESSED,
	FRONT_MATTER_ACCESS_COUNT,
	FRONT_MATTER_PROJECT,
	FRONT_MATTER_KEYS
};

#define FRONT_MATTER_BIT(key) (UINT32_C(1) << (key))

/* Values of the known keys.  Times are milliseconds since 1970. */
struct note_meta {
	enum note_origin origin;
	int64_t created_at, updated_at, last_accessed;
	bool crumpled;
	int64_t crumpled_at; /* when crumpled */
	int64_t access_count;
	bool has_project;
	struct str project; /* when has_project; borrowed */
};

enum front_matter_kind {
	FRONT_MATTER_NONE, /* a bare note: the whole file is the body */
	FRONT_MATTER_BLOCK,
	FRONT_MATTER_BROKEN /* shown like a bare note, see section 3.1 */
};

/* Where a known key stands; byte offsets in the file. */
struct front_matter_entry {
	enum front_matter_key key;
	size_t key_start, key_end;
	size_t start, end; /* its value; equal when the value is empty */
	bool plain;	   /* a plain scalar on the line of its key */
	bool block;	   /* a block scalar or block collection */
};

struct front_matter {
	enum front_matter_kind kind;
	size_t body; /* byte offset of the body in the file */

	/* BROKEN: why, and the line in the file, from 1. */
	char reason[200];
	size_t line;

	/* BLOCK: where the lines of the block start and its closing line. */
	size_t start, close;
	size_t close_end; /* after the closing line, its newline included */

	uint32_t present;     /* FRONT_MATTER_BIT()s: the key is there ... */
	uint32_t readable;    /* ... with a value that means something */
	struct note_meta raw; /* the readable ones */

	struct front_matter_entry *entries; /* all occurrences, in order */
	size_t n, cap;
	size_t first_key; /* of any key: byte offset; close when none */

	struct buf extra; /* with FRONT_MATTER_EXTRA: a JSON object */
	struct buf text;  /* what raw.project points to */
};

#define FRONT_MATTER_INIT                           \
	{                                           \
		.extra = BUF_INIT, .text = BUF_INIT \
	}

enum front_matter_flags {
	FRONT_MATTER_EXTRA = 1 << 0 /* fill in extra (section 5.3) */
};

/*
 * Reads the front matter of a note.  file is the file, or at least its first
 * FRONT_MATTER_HEAD bytes, or so much of it that front_matter_closed().  fm
 * must be FRONT_MATTER_INIT or released, and does not point into file.
 * Never fails: a fault is FRONT_MATTER_BROKEN.
 */
void front_matter_parse(struct front_matter *fm, struct str file,
			unsigned flags);
void front_matter_release(struct front_matter *fm);

/*
 * Whether these first bytes of a file, at least six of them, are enough for
 * front_matter_parse(): it has no opening line, or the block is closed in
 * them.  (What is the whole file is enough anyway.)
 */
bool front_matter_closed(struct str head);

/*
 * A cheap look at a whole file: false when its block certainly has no such
 * key, true when only front_matter_parse() can tell.
 */
bool front_matter_may_have(struct str file, enum front_matter_key key);

/*
 * The values in force: those recorded, else the defaults of section 3, for a
 * file whose modification time is mtime_ms.  meta->project is borrowed from
 * fm.
 */
void front_matter_meta(const struct front_matter *fm, int64_t mtime_ms,
		       struct note_meta *meta);

/* ---- writing ----------------------------------------------------------- */

/*
 * A new note: the block of section 3, a blank line, the body.  crumpledAt
 * and project are there when meta has them.
 */
void front_matter_compose(struct buf *out, const struct note_meta *meta,
			  struct str body);

/*
 * Adds text as a YAML scalar that is read back as that string: bare where
 * section 3 allows it, else as a JSON string.
 */
void front_matter_scalar(struct buf *out, struct str text);

/* ---- for rewriting ----------------------------------------------------- */

/* As they stand in files. */
extern const char *const front_matter_names[FRONT_MATTER_KEYS];

/* FRONT_MATTER_KEYS for a key that is none of ours. */
enum front_matter_key front_matter_key_of(struct str name);

/* The occurrence that counts, or NULL. */
const struct front_matter_entry *front_matter_last(
	const struct front_matter *fm, enum front_matter_key key);

/* Adds the value that meta has for key, as a block has it. */
void front_matter_value(struct buf *out, enum front_matter_key key,
			const struct note_meta *meta);

/* Bytes of the one empty line that rest begins with: 0, 1 or 2. */
size_t front_matter_separator(struct str rest);

/* The line, from 1, that byte `at` of the file is on. */
size_t front_matter_line(struct str file, size_t at);

#endif /* FRONT_MATTER_H */
