#ifndef TRANSCRIPT_SOURCE_H
#define TRANSCRIPT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * The bytes of one transcript: read once from the start to the end, then by
 * position for the records whose contents are asked for.  What a source is
 * read from (a file, memory, a compressed file) is known to its operations
 * only.  One source belongs to one thread.
 */
struct source;

struct source_ops {
	/* Up to n of the next bytes; 0 at the end, -1 with errno. */
	long (*read)(struct source *s, void *p, size_t n);
	/* read() goes on from offset, which is not past the end. */
	void (*rewind)(struct source *s, uint64_t offset);
	/* Exactly n bytes at offset; false when they are not there (any more). */
	bool (*read_at)(struct source *s, uint64_t offset, void *p, size_t n);
	void (*close)(struct source *s);
	/* Another source of the same bytes, for another thread; may be NULL. */
	struct source *(*again)(const struct source *s);
};

struct source {
	const struct source_ops *ops;
	/* How much a reader can expect, for choosing a buffer; 0: unknown. */
	uint64_t size_hint;
	uint64_t packed_size; /* of a compressed file, for weighing work */
	bool one_way; /* what lies before is read again from the start */
};

static inline long
source_read(struct source *s, void *p, size_t n)
{
	return s->ops->read(s, p, n);
}

static inline void
source_rewind(struct source *s, uint64_t offset)
{
	s->ops->rewind(s, offset);
}

static inline bool
source_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	return s->ops->read_at(s, offset, p, n);
}

/* Frees s; NULL is fine. */
void source_close(struct source *s);

/* Another source of the same bytes; NULL: only this one can read them. */
struct source *source_again(const struct source *s);

/*
 * A regular file open for reading; takes the descriptor over.  The size that
 * it has now is its end: bytes appended later do not exist, and where it has
 * shrunk it ends early.  NULL with errno (EINVAL: not a regular file; the
 * descriptor is closed).
 */
struct source *source_file(int fd);

/* Borrowed bytes, for tests. */
struct source *source_memory(struct str bytes);

#endif /* TRANSCRIPT_SOURCE_H */
