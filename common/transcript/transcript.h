#ifndef TRANSCRIPT_TRANSCRIPT_H
#define TRANSCRIPT_TRANSCRIPT_H

#include "transcript/decoder.h"
#include "transcript/idtable.h"
#include "transcript/index.h"
#include "transcript/moment.h"
#include "transcript/prefilter.h"
#include "transcript/siphash.h"
#include "transcript/source.h"
#include "transcript/view.h"

/*
 * One transcript, indexed: about 64 bytes for a record with a slot.  Contents
 * stay in the source and are read again, a record at a time, for what is
 * shown or searched.  Transcripts share nothing: each belongs to one thread,
 * and many may be open.
 */

/* An accepted record; 32 bytes. */
struct record {
	uint64_t id;	 /* siphash; 0: it has none */
	uint64_t offset; /* of its line in the source */
	uint32_t length;
	uint32_t parent; /* record, or RECORD_NONE */
	uint32_t seq;	 /* of its first slot, if it has one */
	uint32_t flags;	 /* enum record_flags */
};

enum record_flags {
	RECORD_HEADER = 1 << 0,	  /* see index_header() */
	RECORD_IN_TIME = 1 << 1,  /* recorded in the time range asked for */
	RECORD_BRANCH = 1 << 2,	  /* on the branch */
	RECORD_CANDIDATE = 1 << 3 /* passes the prefilter */
};

/* A slot; 24 bytes. */
struct slot {
	uint64_t call;	 /* siphash of the call id; 0: it has none */
	uint32_t record; /* whose slot it is */
	uint32_t pair;	 /* the other one's seq when paired, else 0 */
	uint32_t name;	 /* tools: number in names */
	uint8_t kind;	 /* enum slot_kind */
	uint8_t role;	 /* enum role */
	uint8_t flags;	 /* enum slot_flags */
};

enum slot_flags {
	SLOT_EMPTY = 1 << 0,   /* a text without a character */
	SLOT_BRANCH = 1 << 1,  /* on the branch */
	SLOT_CONSUMED = 1 << 2 /* a result that a call took */
};

/* A distinct tool name: its text is read again from where it stands. */
struct tool_name {
	uint64_t hash;
	uint32_t seq;  /* of a slot that has it */
	bool too_long; /* over TOOL_NAME_CHARS code points */
	char *text;    /* once asked for: event_tool_name() */
	size_t n;
};

#define TRANSCRIPT_TIME_BYTES 64 /* a longer created_at reads as null (3.4) */
#define TOOL_NAME_CHARS 120	 /* the longest that a fold names (5.6) */

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

struct transcript {
	const struct decoder *decoder;
	struct source *source;
	struct siphash_key key;
	uint64_t lines_skipped;
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

	/* The decoder's own. */
	unsigned format;
	void *host;
	struct buf scratch[3];

	/* Of the record being indexed. */
	uint64_t offset;
	uint32_t length;
	bool in_time, candidate;
	/* Until the branch is marked. */
	struct idtable ids, name_ids;
	struct forward *forward;
	size_t n_forward, cap_forward;
};

enum transcript_error {
	TRANSCRIPT_OK,
	TRANSCRIPT_FOREIGN, /* it does not begin like one of that host */
	TRANSCRIPT_IO	    /* with errno */
};

/*
 * Reads and indexes all of source, which now belongs to the transcript.
 * decoder NULL: the first that recognises it.  times, may be NULL: the range
 * that RECORD_IN_TIME stands for.  transcript_close() in any case.
 */
enum transcript_error transcript_open(struct transcript *t,
				      struct source *source,
				      const struct decoder *decoder,
				      const struct time_range *times);
/* The same, with the prefilter (NULL: none) that RECORD_CANDIDATE tells of. */
enum transcript_error transcript_open_search(struct transcript *t,
					     struct source *source,
					     const struct decoder *decoder,
					     const struct time_range *times,
					     const struct prefilter *prefilter);
void transcript_close(struct transcript *t);

/*
 * Marks the branch and pairs calls with results.  leaf: CTX_LEAF, or empty
 * for the file's own end.  False when no record has that id.  Once.
 */
bool transcript_select(struct transcript *t, struct str leaf);

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

/* Whether a slot is an event: on the branch, and not a consumed result. */
static inline bool
transcript_is_event(const struct transcript *t, uint32_t seq)
{
	return (transcript_slot(t, seq)->flags &
		(SLOT_BRANCH | SLOT_CONSUMED)) == SLOT_BRANCH;
}

/* Whether its record was made in the time range. */
static inline bool
transcript_in_time(const struct transcript *t, uint32_t seq)
{
	return (t->records[transcript_slot(t, seq)->record].flags &
		RECORD_IN_TIME) != 0;
}

/*
 * Whether a query may be found in the event at a slot: in its record, or in
 * that of the slot that it is paired with.
 */
static inline bool
transcript_is_candidate(const struct transcript *t, uint32_t seq)
{
	const struct slot *slot = transcript_slot(t, seq);
	uint32_t flags = t->records[slot->record].flags;

	if (slot->pair != 0)
		flags |= t->records[transcript_slot(t, slot->pair)->record]
				 .flags;
	return (flags & RECORD_CANDIDATE) != 0;
}

#endif /* TRANSCRIPT_TRANSCRIPT_H */
