#ifndef TRANSCRIPT_TRANSCRIPT_H
#define TRANSCRIPT_TRANSCRIPT_H

#include "base/hash.h"
#include "base/json_map.h"
#include "transcript/allowance.h"
#include "transcript/chain.h"
#include "transcript/decoder.h"
#include "transcript/moment.h"
#include "transcript/prefilter.h"
#include "transcript/source.h"

/*
 * One transcript, indexed: about 64 bytes for a record with a slot.  Contents
 * stay in the source and are read again, a record at a time, for what is
 * shown or searched.  Transcripts share nothing: each belongs to one thread,
 * and many may be open.
 */

#define RECORD_NONE UINT32_MAX

/* An accepted record; 32 bytes. */
struct record {
	uint64_t id;	 /* transcript_hash(); 0: it has none */
	uint64_t offset; /* of its line in the source */
	uint32_t length;
	uint32_t parent; /* record, or RECORD_NONE */
	uint32_t seq;	 /* of its first slot, if it has one */
	uint32_t flags;	 /* enum record_flags */
};

enum record_flags {
	RECORD_NO_LEAF = 1 << 0, /* see index_no_leaf() */
	RECORD_BRANCH = 1 << 1,	 /* on the branch */
	RECORD_OWN = 1 << 2	 /* from here on six are the decoder's */
};

/* Above them: what the prefilter finds in it, prefilter_marks(). */
#define RECORD_MARKS_SHIFT (32 - PREFILTER_MARKS)

/* A slot; 24 bytes. */
struct slot {
	uint64_t call;	 /* hash of the call id; 0: it has none */
	uint32_t record; /* whose slot it is */
	uint32_t pair;	 /* the other one's seq when paired, else 0 */
	uint32_t name;	 /* tools: number in names */
	uint8_t kind;	 /* enum slot_kind */
	uint8_t role;	 /* enum role */
	uint8_t flags;	 /* enum slot_flags */
};

enum slot_flags {
	SLOT_EMPTY = 1 << 0,	/* a text without a character */
	SLOT_BRANCH = 1 << 1,	/* on the branch */
	SLOT_CONSUMED = 1 << 2, /* a result that a call took */
	SLOT_IN_TIME = 1 << 3,	/* made in the time range asked for */
	SLOT_FAILED = 1 << 4,	/* a result that another record calls failed */
	SLOT_MIRROR = 1 << 5	/* says what another one says: no event */
};

/* A distinct tool name: its text is read again from where it stands. */
struct tool_name {
	uint64_t hash;
	uint32_t seq;  /* of a slot that has it */
	bool too_long; /* over TOOL_NAME_CHARS code points */
	char *text;    /* once asked for: event_tool_name() */
	size_t n;
};

#define TOOL_NAME_CHARS 120 /* the longest that a fold names (5.6) */

/* A record that begins a window, on the branch or not. */
struct boundary {
	uint32_t record;
	unsigned known; /* the decoder's own */
	uint64_t line;	/* its number, from 1 */
};

/* A parent that stands later in the file than its child, or nowhere. */
struct forward {
	uint32_t record;
	uint32_t otherwise; /* the parent in the latter case, or RECORD_NONE */
	uint64_t parent;
};

/*
 * A record read again from the source.  A transcript holds two, a call's and
 * its result's; asking for neighbouring slots of one record reads it once.
 */
struct view {
	uint32_t record; /* whose it is; see `held` */
	bool held;
	uint32_t told;		/* the record that was asked for last */
	struct str told_record; /* it, perhaps without its parts */
	struct buf piece;	/* a part that was read apart from it */
	struct buf line, time;
	struct buf identity; /* of a record, once asked for or let go */
	uint64_t identified; /* its number + 1 */
	struct part part;    /* but for its span and its own time */
	struct span *spans;  /* one a slot */
	size_t n, cap;
};

/* A record of many slots, whose parts are read one by one. */
struct large_record {
	uint64_t key;	/* its number; first, for hash_find() */
	char *skeleton; /* the record, null for parts side by side; and times */
	struct str record; /* the former, without white space around it */
	unsigned known;
	struct large_part {
		uint32_t at, n;	       /* in its line */
		uint32_t time, time_n; /* behind the skeleton, if it has one */
	} * parts;
	size_t n_parts;
};

struct transcript {
	const struct decoder *decoder;
	struct source *source;
	const struct prefilter *prefilter; /* NULL: none */
	const struct chain
		*chain; /* the files it is in, where it has several */
	struct hash_key key;
	uint64_t lines_skipped;	   /* no well-formed records */
	uint64_t records_repeated; /* with an id that an earlier one has */
	bool base_missing;	   /* of what the first record continues */
	bool agent;		   /* it is a sub-agent's own */
	struct buf session_id; /* as the first record tells it; may be empty */

	struct record *records;
	size_t n_records, cap_records;
	struct slot *slots; /* seq s is slots[s - 1] */
	size_t n_slots, cap_slots;
	struct tool_name *names;
	size_t n_names, cap_names;
	struct boundary *boundaries; /* in file order */
	size_t n_boundaries, cap_boundaries;
	struct view views[2];
	struct allowance
		*allowance; /* for large records; NULL: none is shared */
	bool holds;
	struct large_record *large;
	struct hash_table large_keys;
	size_t n_large, cap_large;

	/* The decoder's own. */
	unsigned format;
	void *host;
	struct buf scratch[3];

	/* Of the record being indexed. */
	const struct time_range *times; /* NULL: any time will do */
	uint64_t offset;
	uint32_t length;
	bool in_time;
	uint32_t marks;
	size_t piece; /* of the chain that it stands in, else 0 */
	struct json_map map;
	/* Until the branch is marked. */
	struct hash_table ids, name_ids;
	struct forward *forward;
	size_t n_forward, cap_forward;
};

enum transcript_error {
	TRANSCRIPT_OK,
	TRANSCRIPT_FOREIGN, /* it does not begin like one of that host */
	TRANSCRIPT_IO	    /* with errno */
};

/* What a reader asks for; all may be NULL. */
struct transcript_options {
	const struct time_range *times;	   /* what SLOT_IN_TIME is about */
	const struct prefilter *prefilter; /* what to look for */
	const struct chain *chain;	   /* of which the source is made */
	bool agent;			   /* it is a sub-agent's own */
	struct allowance *allowance;	   /* that it shares with others */
	/*
	 * Whose the transcript is, by its first record; NULL: nobody's.
	 * decoder is the one that was given.  Without it that one decides.
	 */
	const struct decoder *(*recognise)(const struct decoder *decoder,
					   struct str first);
};

/*
 * Reads and indexes all of source, which now belongs to the transcript.
 * options may be NULL.  hosts_open() is for callers that do not know whose
 * transcript it is.  transcript_close() in any case.
 */
enum transcript_error transcript_open(struct transcript *t,
				      struct source *source,
				      const struct decoder *decoder,
				      const struct transcript_options *options);
void transcript_close(struct transcript *t);

/*
 * Another reader of t, for another thread, once the branch is marked: it has
 * the index in common with t, which stays as it is as long as there is one, and
 * reads from source, which is its own: source_again().
 */
void transcript_share(const struct transcript *t, struct source *source,
		      struct transcript *reader);
void transcript_unshare(struct transcript *reader);

/*
 * Marks the branch and pairs calls with results.  leaf: CTX_LEAF, or empty
 * for the file's own end.  False when no record has that id, or none that can
 * be a leaf.  Once.
 */
bool transcript_select(struct transcript *t, struct str leaf);

/* How ids are compared; never 0, which stands for no id. */
uint64_t transcript_hash(const struct transcript *t, struct str id);

/* The record with that id, or RECORD_NONE.  Until the branch is marked. */
uint32_t transcript_find(const struct transcript *t, struct str id);

/*
 * Whether a recorded time, a raw JSON value, lies in the range that is asked
 * for.
 */
bool transcript_time_fits(struct transcript *t, struct str raw);

/* The piece of the chain that a record stands in; 0 without a chain. */
size_t transcript_piece(const struct transcript *t, uint32_t record);

/*
 * The number of the first record behind a place in a file of the chain, one
 * that the place cuts included.
 */
uint32_t transcript_behind(const struct transcript *t, size_t piece,
			   uint64_t position);

/*
 * Whether a query may be found in the event at a slot: in the record that
 * tells of it, or in that of the slot that it is paired with.
 */
bool transcript_is_candidate(const struct transcript *t, uint32_t seq);

/* Whether a record that an event is read from is over ALLOWANCE_FREE. */
bool transcript_is_large(const struct transcript *t, uint32_t seq);

/*
 * Reads a record (its number) into the view.  False when the file has changed
 * under us and the record is not there any more.
 */
bool transcript_read(struct transcript *t, struct view *v, uint32_t number);

/*
 * Frees what a view holds of a record that is large, but for what identifies
 * it; parts of it are no longer there.  A record of many slots stays, until
 * another is read or it is let go: reading it for each would be quadratic.
 */
void transcript_free_large(struct transcript *t, struct view *v);

/* The same of all views, before what comes next is read. */
void transcript_next(struct transcript *t);

/*
 * What the decoder tells the record by that the view told last; found once, as
 * a record of many slots is asked for each of them.
 */
struct str transcript_identity(const struct transcript *t, struct view *v);

/* Frees all that is large: others may have a large record now. */
void transcript_let_go(struct transcript *t);

/*
 * What the slot seq is decoded from, borrowed from the view.  False as above.
 */
bool transcript_read_slot(struct transcript *t, struct view *v, uint32_t seq,
			  struct part *part);

/* The number of the last slot; 0 when there is none. */
static inline uint32_t
transcript_highest(const struct transcript *t)
{
	return (uint32_t)t->n_slots;
}

/* 1 <= seq <= highest. */
static inline const struct slot *
transcript_slot(const struct transcript *t, uint32_t seq)
{
	return &t->slots[seq - 1];
}

/* Whether a record is on the branch, by its mark or that of its first slot. */
static inline bool
transcript_on_branch(const struct transcript *t, uint32_t record)
{
	const struct record *r = &t->records[record];

	if ((r->flags & RECORD_BRANCH) != 0)
		return true;
	/* Without a slot of its own it has the seq of one that comes later. */
	return r->seq <= t->n_slots && t->slots[r->seq - 1].record == record &&
	       (t->slots[r->seq - 1].flags & SLOT_BRANCH) != 0;
}

/*
 * Whether a slot is an event: on the branch, no consumed result and nothing
 * that is said elsewhere.
 */
static inline bool
transcript_is_event(const struct transcript *t, uint32_t seq)
{
	return (transcript_slot(t, seq)->flags &
		(SLOT_BRANCH | SLOT_CONSUMED | SLOT_MIRROR)) == SLOT_BRANCH;
}

/* Whether it was made in the time range. */
static inline bool
transcript_in_time(const struct transcript *t, uint32_t seq)
{
	return (transcript_slot(t, seq)->flags & SLOT_IN_TIME) != 0;
}

#endif /* TRANSCRIPT_TRANSCRIPT_H */
