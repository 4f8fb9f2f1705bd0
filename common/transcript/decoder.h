#ifndef TRANSCRIPT_DECODER_H
#define TRANSCRIPT_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/*
 * The seam between the hosts' transcript formats and everything above them.
 * One file a host fills in a struct decoder; the layers above (branch,
 * pairing, events, documents, pages) know no host.  Every record handed to a
 * decoder is a checked JSON object; a field of the wrong type reads as absent.
 */
struct transcript;

struct boundary;

enum role { ROLE_USER, ROLE_ASSISTANT, ROLE_TOOL, ROLE_CONTEXT };

enum slot_kind {
	SLOT_TEXT,   /* a message or a summary: role and text */
	SLOT_CALL,   /* a tool call, which a result may complete */
	SLOT_RESULT, /* what came back of one */
	SLOT_LONE    /* call and result in one: never paired */
};

enum tool_status { TOOL_OK, TOOL_ERROR, TOOL_UNFINISHED };

/* The names of both, in that order, NULL last: values of enum parameters. */
extern const char *const decoder_role_names[];
extern const char *const decoder_status_names[];

/* The kinds of a host's records by a name in them; name NULL is last. */
struct decoder_kind {
	const char *name;
	unsigned kind; /* the decoder's own */
};

/* The kind of that name, a raw JSON value; else the last one's. */
unsigned decoder_find_kind(const struct decoder_kind known[], struct str name);

/* What a call tells.  The bufs come empty. */
struct call_facts {
	struct buf name;	 /* left empty: unknown */
	struct buf arguments;	 /* canonical JSON; left empty: not recorded */
	enum tool_status status; /* of a SLOT_CALL that got no result; comes as
				    TOOL_UNFINISHED */
};

/* What a result tells, but for its text.  The bufs come empty. */
struct result_facts {
	struct buf name; /* of the tool, for a result without its call */
	enum tool_status status; /* comes as TOOL_OK */
	bool truncated;
	struct buf path;   /* of the full output, as recorded; or empty */
	struct str nested; /* an object with an array `calls`, or empty;
			      borrowed from the record */
};

/*
 * How a decoder gives what a slot is decoded from, with its time, raw, where
 * that is not the record's `timestamp`; else empty.
 */
typedef void decoder_add_part(void *ctx, struct str span, struct str time);

struct span {
	struct str at, time;
};

/* Where the facts of a slot stand: a record's number and which part of it. */
struct slot_place {
	uint32_t record;
	size_t part;
};

/*
 * What a slot is decoded from.  A record may have very many slots, so nothing
 * that is asked about one of them walks the record.
 */
struct part {
	struct str record;
	struct str timestamp; /* when it was made, raw; or empty */
	struct str span;      /* the record, its message or the content for an
				 own slot, the content block for a call or a
				 result */
	unsigned known;	      /* what parts() gave for the record */
	size_t number;	      /* which of its parts it is */
};

/* Reads a call that has its name and its arguments under these keys. */
void decoder_read_call(struct str call, const char *name, const char *arguments,
		       struct call_facts *out);

/* What a file's path tells of the session in it (2.2, 2.5); borrowed. */
struct file_name {
	struct str id;	    /* s NULL: the first record tells */
	struct str segment; /* which of a session's files; or empty */
};

/* The last name of a path less .jsonl, .jsonl.zst or another suffix. */
struct str decoder_stem(struct str path);

/* Whether s begins in a form: a digit for each 0, the rest as it stands. */
bool decoder_has_form(struct str s, const char *form);

struct decoder {
	bool has_ids; /* records have ids, so that CTX_LEAF means something */

	/*
	 * What it adds to documents besides what is recorded (document.h):
	 * words in lower case, NULL last; may be NULL.
	 */
	const char *const *words;
	/*
	 * Keys of records that are written into documents as several recorded
	 * texts with only a blank between them (document_nested()), NULL last;
	 * may be NULL.
	 */
	const char *const *joined;

	/*
	 * Whether this can be the first record of a transcript (2.3).  any:
	 * unless it can be that of another host, which is not looked at here.
	 */
	bool (*recognises)(struct str first);
	bool any;

	/* What a file's path tells.  May be NULL: the stem is the id. */
	struct file_name (*file_name)(struct str path);

	/*
	 * Whether the file of that name, without its extension, may be of a
	 * session whose id begins so, in any case.  May be NULL: every one may.
	 */
	bool (*may_name)(struct str stem, struct str id);

	/*
	 * Whether the session goes on from a place in another file, as the
	 * first record tells: from the end of its first *bytes bytes, and it
	 * is the file whose name ends in an id, raw.  May be NULL: no session
	 * does, and each is one file.
	 */
	bool (*base)(struct str first, struct str *id, uint64_t *bytes);

	/*
	 * The session id that the first record tells, decoded into scratch or
	 * borrowed.  May be NULL: the file's name tells it.
	 */
	struct str (*session_id)(struct str first, struct buf *scratch);

	/*
	 * What tells a record from all others, added to out, so that the copy
	 * of it in a fork is known; nothing is added where it has none such.
	 * May be NULL: only its place in its file does.
	 */
	void (*identity)(struct str record, struct buf *out);

	/*
	 * Whether the first record says that the transcript is a sub-agent's.
	 * May be NULL: its path tells (struct host).
	 */
	bool (*is_agent)(struct str first);

	/*
	 * The directory that a record was made in (2.4), a raw JSON string;
	 * another value or an empty one: it tells none.  later: any record
	 * may tell the session's, and the first that does counts; else only
	 * the first record.
	 */
	struct str (*directory)(struct str record);
	bool later;

	/*
	 * When the transcript was last written to, where records tell it in
	 * another way than by `timestamp`: the value, raw, and its key as it
	 * stands in the file, with its quotes.  Both may be NULL.
	 */
	struct str (*changed)(struct str record);
	const char *changed_key;

	/*
	 * What a record calls the session, a raw JSON value, or an empty span.
	 * *rank: of several names the last of the highest rank counts.  May be
	 * NULL: records call it nothing.
	 */
	struct str (*title)(struct str record, unsigned *rank);
	/* One of these words is in each such record; NULL-terminated. */
	const char *const *title_words;

	/*
	 * Called with the first record before it is indexed, and again with
	 * that of each further file of a chain (t->piece).  What is kept goes
	 * into t->format and t->host; end (may be NULL) frees the latter.
	 */
	void (*begin)(struct transcript *t, struct str first);
	void (*end)(struct transcript *t);

	/*
	 * Indexes one record with the functions of index.h; number is that of
	 * the line, from 1.  False: malformed, and to be counted so.
	 */
	bool (*index)(struct transcript *t, struct str record, uint64_t number);

	/*
	 * Marks the branch with the functions of index.h.  leaf is a record's
	 * number; RECORD_NONE: the branch that the file itself ends in.
	 */
	void (*branch)(struct transcript *t, uint32_t leaf);

	/*
	 * The spans that the slots of a record (and its number) come from
	 * (struct part), in order and as many as were indexed.  Gives what else
	 * the three below have to know of the record, in numbers of the
	 * decoder's own.
	 */
	unsigned (*parts)(const struct transcript *t, uint32_t number,
			  struct str record, decoder_add_part *add, void *ctx);

	/*
	 * Of a record of very many slots a part is read apart: in the record a
	 * null stands for parts then, since all of it would be read again for
	 * each of them.  alone: null stands for the whole record.
	 */
	bool alone;

	/*
	 * Where a slot is decoded from, when a later record may tell of it
	 * anew.  May be NULL: its own record, the parts of which are its slots.
	 */
	struct slot_place (*place)(const struct transcript *t, uint32_t seq);

	/*
	 * Of one slot.  text: what a SLOT_TEXT says, or what a SLOT_RESULT or
	 * SLOT_LONE put out, added to out.  call and result: facts of a slot
	 * of that kind; SLOT_LONE has both.
	 */
	void (*text)(const struct part *part, struct buf *out);
	void (*call)(const struct part *part, struct call_facts *out);
	void (*result)(const struct part *part, struct result_facts *out);

	/*
	 * The id of the window that a boundary (index_boundary()), whose
	 * record is given, begins; b is NULL for the first window.  May be
	 * NULL: windows are then <host>:<session>:<n>, counted from 0.
	 */
	void (*window_id)(const struct transcript *t, const struct boundary *b,
			  struct str record, struct str session,
			  struct buf *out);
};

/* decoder->session_id(), empty where it has none. */
struct str decoder_session_id(const struct decoder *decoder, struct str first,
			      struct buf *scratch);

#endif /* TRANSCRIPT_DECODER_H */
