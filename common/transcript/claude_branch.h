#ifndef TRANSCRIPT_CLAUDE_BRANCH_H
#define TRANSCRIPT_CLAUDE_BRANCH_H

#include "transcript/transcript.h"

/*
 * The branch of a Claude Code transcript (spec/history.md section 3.3).  It is
 * more than the path of parents: one answer is several records with the same
 * message id, parallel calls fork the chain, so do rows of the host's own, and
 * a compaction may keep a tail that what follows hangs on.
 */

/* What a record is to the branch: bits of struct record.flags. */
enum {
	CLAUDE_CHAIN = RECORD_OWN,     /* has a uuid, and is not a sidechain */
	CLAUDE_USER = RECORD_OWN << 1, /* of type user */
	CLAUDE_ASSISTANT = RECORD_OWN << 2,
	CLAUDE_TEXT = RECORD_OWN << 3,	/* of type user, with a text */
	CLAUDE_MOVED = RECORD_OWN << 4, /* hangs on another than its parent */
	CLAUDE_OPEN = RECORD_OWN << 5	/* the path goes on in another row */
};

/* A record of an answer that has a message id. */
struct claude_answer {
	uint64_t message; /* hash of the id; first, for hash_find() */
	uint32_t record;
};

/* The tail that a compaction kept: the last such with that id. */
struct claude_tail {
	uint64_t id; /* hash of the tail's last record's; first */
	uint64_t anchor;
	uint32_t boundary; /* record */
};

/* A record that hangs on another than its parentUuid tells. */
struct claude_moved {
	uint32_t record, parent;
};

/* A record without a uuid that is where the chain record before it is. */
struct claude_loose {
	uint32_t record, before;
};

struct claude_branch {
	uint32_t last; /* chain record, or RECORD_NONE */
	struct claude_answer *answers;
	size_t n, cap;
	struct claude_tail *tails;
	struct hash_table tail_ids;
	size_t n_tails, cap_tails;
	struct claude_moved *moved; /* ascending */
	size_t n_moved, cap_moved;
	struct claude_loose *loose;
	size_t n_loose, cap_loose;
};

void claude_branch_init(struct claude_branch *b);
void claude_branch_release(struct claude_branch *b);

/* What a compaction boundary says about where it stands; raw members. */
struct claude_boundary {
	struct str logical;	 /* logicalParentUuid */
	struct str tail, anchor; /* of a preserved segment */
	bool keeps;		 /* there is one */
};

/*
 * Of the record just begun, which has a uuid: where it hangs, by its raw
 * parentUuid.  boundary: NULL when it is none.
 */
void claude_branch_place(struct claude_branch *b, struct transcript *t,
			 struct str parent,
			 const struct claude_boundary *boundary);

/* It is a chain record. */
void claude_branch_link(struct claude_branch *b, const struct transcript *t);

/* It has no uuid, and yet is on the branch or off it. */
void claude_branch_loose(struct claude_branch *b, const struct transcript *t);

/* It is part of the answer with that message id. */
void claude_branch_answer(struct claude_branch *b, const struct transcript *t,
			  struct str message);

/* Marks the branch that ends in leaf; RECORD_NONE: in the last of the chain. */
void claude_branch_mark(const struct claude_branch *b, struct transcript *t,
			uint32_t leaf);

#endif /* TRANSCRIPT_CLAUDE_BRANCH_H */
