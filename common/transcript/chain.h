#ifndef TRANSCRIPT_CHAIN_H
#define TRANSCRIPT_CHAIN_H

#include <stddef.h>

#include "transcript/source.h"

/*
 * A transcript in several files, each of which goes on from a place in another
 * (spec/history.md section 2.5), read as one source: file after file, each
 * beginning on a line of its own.
 */
#define CHAIN_ALL UINT64_MAX

struct chain_piece {
	struct source *source;
	uint64_t limit; /* so many bytes of the file exist, or CHAIN_ALL */
	uint64_t cut;	/* of them, these are on the way; 0: none */
	uint64_t file;	/* which one it is, as the caller counts them */

	/* Known once reading has come to it. */
	uint64_t start;	  /* of the file's text in the chain */
	uint64_t dropped; /* bytes in front of it: a byte order mark */
};

struct chain {
	struct chain_piece *v; /* in the order of seqs */
	size_t n, cap;
	size_t *way; /* numbers in v, from the session's beginning to its end */
	size_t n_way, cap_way;
	bool missing; /* the way has a beginning that is not there */
};

/* Closes the sources, too, unless chain_source() has taken them over. */
void chain_release(struct chain *c);

struct chain_piece *chain_add(struct chain *c, struct source *source);

/* The next step of the way. */
void chain_step(struct chain *c, size_t piece);

/*
 * All of it.  Takes the pieces' sources over, and writes `start` and `dropped`
 * as it is read; the chain itself has to outlive it.
 */
struct source *chain_source(struct chain *c);

/* The piece that an offset which has been read lies in. */
size_t chain_find(const struct chain *c, uint64_t offset);

/* Where in its file an offset of a piece is. */
static inline uint64_t
chain_position(const struct chain_piece *p, uint64_t offset)
{
	return offset - p->start + p->dropped;
}

#endif /* TRANSCRIPT_CHAIN_H */
