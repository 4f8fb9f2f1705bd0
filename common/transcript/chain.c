#include "transcript/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define MARK "\xef\xbb\xbf" /* of the byte order */
#define MARK_BYTES (sizeof(MARK) - 1)

void
chain_release(struct chain *c)
{
	for (size_t i = 0; i < c->n; i++)
		source_close(c->v[i].source);
	free(c->v);
	free(c->way);
	*c = (struct chain){ 0 };
}

struct chain_piece *
chain_add(struct chain *c, struct source *source)
{
	XGROW(c->v, c->n + 1, c->cap);
	c->v[c->n] = (struct chain_piece){ .source = source,
					   .limit = CHAIN_ALL,
					   .start = CHAIN_ALL };
	return &c->v[c->n++];
}

void
chain_step(struct chain *c, size_t piece)
{
	XGROW(c->way, c->n_way + 1, c->cap_way);
	c->way[c->n_way++] = piece;
}

size_t
chain_find(const struct chain *c, uint64_t offset)
{
	size_t low = 0, high = c->n;

	/* v[low].start <= offset < v[high].start; unread ones start nowhere. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->v[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ---- the source -------------------------------------------------------- */

struct chained {
	struct source base;
	struct chain *chain;
	struct source **sources; /* one a piece */
	size_t at;		 /* the piece being read */
	uint64_t position;	 /* in its file */
	uint64_t offset;	 /* in the chain */
	bool open_line;		 /* the last byte given was not a line feed */
};

/* What a file begins with is not text of it when it is a byte order mark. */
static void
begin_piece(struct chained *s)
{
	struct chain_piece *p = &s->chain->v[s->at];
	char mark[MARK_BYTES];

	p->start = s->offset;
	p->dropped = 0;
	if (p->limit >= MARK_BYTES &&
	    source_read_at(s->sources[s->at], 0, mark, MARK_BYTES) &&
	    memcmp(mark, MARK, MARK_BYTES) == 0)
		p->dropped = MARK_BYTES;
	source_rewind(s->sources[s->at], p->dropped);
	s->position = p->dropped;
}

static long
chained_read(struct source *source, void *to, size_t n)
{
	struct chained *s = (struct chained *)source;
	const struct chain *c = s->chain;
	long got = 0;

	while (got == 0 && s->at < c->n) {
		const struct chain_piece *p = &c->v[s->at];
		uint64_t left;

		if (p->start == CHAIN_ALL)
			begin_piece(s);
		left = p->limit - s->position;
		if (left > 0)
			got = source_read(s->sources[s->at], to,
					  n < left ? n : (size_t)left);
		if (got != 0)
			break;
		s->at++;
		/* The next one begins on a line of its own. */
		if (s->open_line && s->at < c->n) {
			*(char *)to = '\n';
			s->offset++;
			s->open_line = false;
			return 1;
		}
	}
	if (got > 0) {
		s->position += (uint64_t)got;
		s->offset += (uint64_t)got;
		s->open_line = ((char *)to)[got - 1] != '\n';
	}
	return got;
}

static void
chained_rewind(struct source *source, uint64_t offset)
{
	struct chained *s = (struct chained *)source;

	s->at = chain_find(s->chain, offset);
	s->offset = offset;
	s->open_line = false;
	for (size_t i = s->at + 1; i < s->chain->n; i++)
		s->chain->v[i].start = CHAIN_ALL;
	if (s->chain->v[s->at].start == CHAIN_ALL)
		return;
	s->position = chain_position(&s->chain->v[s->at], offset);
	source_rewind(s->sources[s->at], s->position);
}

static bool
chained_read_at(struct source *source, uint64_t offset, void *to, size_t n)
{
	struct chained *s = (struct chained *)source;
	size_t at = chain_find(s->chain, offset);
	const struct chain_piece *p = &s->chain->v[at];
	uint64_t position = chain_position(p, offset);

	return p->start != CHAIN_ALL && position <= p->limit &&
	       n <= p->limit - position &&
	       source_read_at(s->sources[at], position, to, n);
}

static void
chained_close(struct source *source)
{
	struct chained *s = (struct chained *)source;

	for (size_t i = 0; i < s->chain->n; i++)
		source_close(s->sources[i]);
	free(s->sources);
	free(s);
}

struct source *
chain_source(struct chain *c)
{
	static const struct source_ops ops = { chained_read, chained_rewind,
					       chained_read_at, chained_close,
					       NULL };
	struct chained *s = xcalloc(1, sizeof(*s));

	s->base.ops = &ops;
	s->chain = c;
	s->sources = xcalloc(c->n, sizeof(*s->sources));
	for (size_t i = 0; i < c->n; i++) {
		s->sources[i] = c->v[i].source;
		s->base.size_hint += c->v[i].source->size_hint;
		s->base.one_way |= c->v[i].source->one_way;
		c->v[i].source = NULL;
	}
	return &s->base;
}
