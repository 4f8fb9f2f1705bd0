#ifndef TRANSCRIPT_CLAUDE_BRANCH_H
#define TRANSCRIPT_CLAUDE_BRANCH_H

#include "transcript/transcript.h"

/*
 * The branch of a Claude Code transcript (spec/history.md section 3.3).  One
 * answer is several records with the same message id, and parallel calls fork
 * the chain of parents, so the branch is more than the path to the leaf.
 */

/* A record of an answer that has a message id. */
struct claude_answer {
	uint64_t message; /* hash of the id; first, for hash_find() */
	uint32_t record;
};

struct claude_branch {
	uint32_t last; /* chain record, or RECORD_NONE */
	struct claude_answer *answers;
	size_t n, cap;
};

void claude_branch_init(struct claude_branch *b);
void claude_branch_release(struct claude_branch *b);

/* The record just begun is a chain record. */
void claude_branch_link(struct claude_branch *b, const struct transcript *t);

/* It is part of the answer with that message id. */
void claude_branch_answer(struct claude_branch *b, const struct transcript *t,
			  struct str message);

/* Marks the branch that ends in leaf; RECORD_NONE: in the last of the chain. */
void claude_branch_mark(const struct claude_branch *b, struct transcript *t,
			uint32_t leaf);

#endif /* TRANSCRIPT_CLAUDE_BRANCH_H */
