#include "sessions/segments.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/lines.h"

#define BASES_MOST 64 /* one behind the other */
#define NO_LINK SIZE_MAX

/* A file of the session, open, and what its first record says. */
struct link {
	const struct corpus_file *file;
	struct source *source;
	bool own;	 /* a segment of the session's thread */
	bool has_base;	 /* it goes on from a place in another */
	struct buf base; /* whose name ends so */
	uint64_t end;	 /* of the base's bytes */
	uint64_t limit;	 /* the greatest end at which it is gone on from */
	bool placed;
};

struct links {
	const struct corpus *corpus;
	struct corpus *bases; /* or NULL */
	struct corpus_opener *opener;
	const struct host *host;
	struct link *v;
	size_t n, cap;
};

/* Adds a file; NO_LINK, when it is not a transcript of the host. */
static size_t
add_link(struct links *l, const struct corpus_file *file, struct source *source)
{
	struct link link = { .file = file, .source = source };
	struct lines lines;
	struct str first, base;
	bool known = false;

	buf_init(&link.base, BUF_UNLIMITED);
	if (lines_first(&lines, source, &first))
		known = hosts_recognises(l->host, first);
	if (known)
		link.has_base = l->host->decoder->base(first, &base, &link.end);
	if (link.has_base)
		json_decode(base, &link.base);
	lines_release(&lines);
	source_rewind(source, 0);
	if (!known) {
		source_close(source);
		return NO_LINK;
	}
	XGROW(l->v, l->n + 1, l->cap);
	l->v[l->n] = link;
	return l->n++;
}

static size_t
open_link(struct links *l, const struct corpus_file *file)
{
	struct source *source = corpus_open_by(l->opener, file);

	return source == NULL ? NO_LINK : add_link(l, file, source);
}

/* The file that a base's name stands for, open; NO_LINK: it is not there. */
static size_t
find_base(struct links *l, struct str name)
{
	const struct corpus_file *file;

	for (size_t i = 0; i < l->n; i++)
		if (str_eq(corpus_last_part(l->v[i].file), name))
			return i;
	file = corpus_find_part(l->corpus, l->host, name);
	if (file == NULL && l->bases != NULL) {
		if (l->bases->n_roots == 0) {
			l->bases->agents = true;
			corpus_list(l->bases, HOST_BIT(l->host));
			corpus_settle(l->bases);
		}
		file = corpus_find_part(l->bases, l->host, name);
	}
	return file == NULL ? NO_LINK : open_link(l, file);
}

/*
 * The way from a file back to where it begins: numbers of links, the file
 * itself first, and for each how much of it is on the way.  Gives how many;
 * *whole: nothing is missing.
 */
static size_t
go_back(struct links *l, size_t from, size_t way[BASES_MOST + 1],
	uint64_t ends[BASES_MOST + 1], bool *whole)
{
	size_t n = 0, at = from;

	way[n] = at;
	ends[n++] = CHAIN_ALL;
	*whole = true;
	while (l->v[at].has_base) {
		uint64_t end = l->v[at].end;

		at = find_base(l, buf_str(&l->v[at].base));
		for (size_t i = 0; i < n && at != NO_LINK; i++)
			if (way[i] == at)
				at = NO_LINK;
		if (at == NO_LINK || n > BASES_MOST) {
			*whole = false;
			break;
		}
		way[n] = at;
		ends[n++] = end;
	}
	return n;
}

/* Those of other threads that a segment is based on, the oldest first. */
static void
place_bases(struct links *l, size_t from, struct chain *chain, size_t *places)
{
	size_t way[BASES_MOST + 1], n;
	uint64_t ends[BASES_MOST + 1];
	bool whole;

	n = go_back(l, from, way, ends, &whole);
	while (n-- > 0) {
		struct link *link = &l->v[way[n]];

		if (link->own)
			continue;
		if (ends[n] > link->limit)
			link->limit = ends[n];
		if (link->placed)
			continue;
		link->placed = true;
		places[way[n]] = chain->n;
		chain_add(chain, link->source);
	}
}

static int
by_segment(const void *a, const void *b)
{
	const struct corpus_file *const *x = a, *const *y = b;

	return str_cmp((*x)->segment, (*y)->segment);
}

/* All segments of the file's thread but itself, ascending. */
static const struct corpus_file **
find_segments(const struct corpus *c, const struct corpus_file *file, size_t *n)
{
	const struct corpus_file **found = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct corpus_file *part = &c->parts[i];

		if (part->host != file->host || strcmp(part->id, file->id) != 0)
			continue;
		XGROW(found, *n + 1, cap);
		found[(*n)++] = part;
	}
	if (*n > 1)
		qsort(found, *n, sizeof(*found), by_segment);
	return found;
}

/* The chain of what has been opened: the segments are the first links. */
static void
make_chain(struct links *l, size_t own, size_t current, struct chain *chain)
{
	size_t way[BASES_MOST + 1], n, *places;
	uint64_t ends[BASES_MOST + 1];
	bool whole;

	/* There are no more links than these can open. */
	places = xcalloc(l->n + own * BASES_MOST, sizeof(*places));
	for (size_t i = 0; i < own; i++)
		place_bases(l, i, chain, places);
	for (size_t i = 0; i < own; i++) {
		places[i] = chain->n;
		chain_add(chain, l->v[i].source);
	}
	for (size_t i = own; i < l->n; i++)
		if (l->v[i].placed)
			chain->v[places[i]].limit = l->v[i].limit;
	n = go_back(l, current, way, ends, &whole);
	chain->missing = !whole;
	while (n-- > 0) {
		chain->v[places[way[n]]].cut = ends[n];
		chain_step(chain, places[way[n]]);
	}
	for (size_t i = 0; i < l->n; i++)
		if (i < own || l->v[i].placed)
			chain->v[places[i]].file =
				(uint64_t)(uintptr_t)l->v[i].file;
		else
			source_close(l->v[i].source);
	free(places);
}

struct source *
segments_open(const struct corpus *c, struct corpus *bases,
	      struct corpus_opener *opener, const struct corpus_file *file,
	      struct chain *chain)
{
	struct links l = { c, bases, opener, file->host, NULL, 0, 0 };
	struct source *source = corpus_open_by(opener, file);
	const struct corpus_file **others;
	size_t n, current;

	*chain = (struct chain){ 0 };
	if (source == NULL || file->host == NULL ||
	    file->host->decoder->base == NULL)
		return source;
	others = find_segments(c, file, &n);
	for (size_t i = 0; i < n; i++)
		open_link(&l, others[i]);
	free(others);
	current = add_link(&l, file, source);
	if (current == NO_LINK) {
		/* The reader will say so. */
		source = corpus_open_by(opener, file);
	} else if (l.n > 1 || l.v[current].has_base) {
		for (size_t i = 0; i < l.n; i++)
			l.v[i].own = true;
		make_chain(&l, l.n, current, chain);
		source = chain_source(chain);
	}
	for (size_t i = 0; i < l.n; i++) {
		if (current == NO_LINK)
			source_close(l.v[i].source);
		buf_release(&l.v[i].base);
	}
	free(l.v);
	return source;
}
