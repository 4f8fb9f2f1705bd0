#ifndef TRANSCRIPT_CLAUDE_TREE_H
#define TRANSCRIPT_CLAUDE_TREE_H

#include "transcript/index.h"

/*
 * The branch of a Claude Code transcript (spec/history.md section 3.3).  One
 * answer is several records with the same message id, and parallel calls fork
 * the chain of parents, so the branch is more than the path to the leaf.
 */

/* A record of an answer that has a message id. */
struct claude_answer {
	uint64_t message; /* hash of the id; first, for idtable.h */
	uint32_t record;
};

struct claude_tree {
	uint32_t last; /* chain record, or RECORD_NONE */
	struct claude_answer *answers;
	size_t n, cap;
};

void claude_tree_init(struct claude_tree *tree);
void claude_tree_release(struct claude_tree *tree);

/* The record just begun is a chain record. */
void claude_tree_link(struct claude_tree *tree, const struct transcript *t);

/* It is part of the answer with that message id. */
void claude_tree_answer(struct claude_tree *tree, const struct transcript *t,
			struct str message);

/* Marks the branch that ends in leaf; RECORD_NONE: in the last of the chain. */
void claude_tree_mark(const struct claude_tree *tree, struct transcript *t,
		      uint32_t leaf);

#endif /* TRANSCRIPT_CLAUDE_TREE_H */
