#include "sessions/visiting.h"

#include <errno.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "sessions/workers.h"
#include "transcript/first.h"

#define PIECE 32 /* files that are looked at in one go */
#define SMALL ((size_t)64 * 1024)
#define WORTH_THREADS 96 /* fewer files take less time than threads do */

enum state { GONE, UNREADABLE, READABLE };

struct look {
	enum state state;
	int64_t ms;
	uint64_t bytes;
};

/* What one thread keeps from file to file. */
struct looker {
	struct corpus_opener opener;
	char *space; /* SMALL */
};

struct looking {
	const struct corpus *corpus;
	struct look *looks; /* one a file */
	struct looker lookers[WORKERS_MOST];
};

static bool
recognises(const struct corpus_file *file, struct source *source)
{
	const struct decoder *decoder = NULL;
	struct lines lines;
	struct str first;
	bool known = false;

	if (file->host != HOST_COUNT)
		decoder = hosts_decoder(file->host);
	if (first_record(&lines, source, &first))
		known = decoder != NULL && decoder->recognises(first);
	lines_release(&lines);
	return known;
}

/*
 * A small file's beginning and end are the same bytes, and read once: what
 * many small files cost is the calls of the system.
 */
static struct source *
open_file(struct looker *looker, const struct corpus_file *file)
{
	struct source *source = corpus_open_by(&looker->opener, file);
	size_t n = source == NULL ? 0 : (size_t)source->size_hint;

	if (n == 0 || n > SMALL)
		return source;
	if (looker->space == NULL)
		looker->space = xmalloc(SMALL);
	if (!source_read_at(source, 0, looker->space, n))
		return source;
	source_close(source);
	return source_memory((struct str){ looker->space, n });
}

static void
look_at(struct looker *looker, const struct corpus_file *file,
	struct look *look)
{
	struct source *source = open_file(looker, file);

	if (source == NULL) {
		look->state = errno == ENOENT ? GONE : UNREADABLE;
		return;
	}
	if (!recognises(file, source)) {
		look->state = UNREADABLE;
	} else if (*file->id == '\0') {
		look->state = GONE; /* it tells no id that could name it */
	} else {
		look->state = READABLE;
		look->bytes = source->size_hint;
		look->ms = recency_in(source, file);
	}
	source_close(source);
}

static void
look_at_piece(void *ctx, unsigned worker, size_t piece)
{
	struct looking *l = ctx;
	size_t i = piece * PIECE, end = i + PIECE;

	for (; i < end && i < l->corpus->n; i++)
		look_at(&l->lookers[worker], &l->corpus->files[i],
			&l->looks[i]);
}

static void
look_at_all(struct looking *l)
{
	struct workers_job job = { .ctx = l, .work = look_at_piece };
	size_t n = l->corpus->n;

	job.n = n / PIECE + (n % PIECE != 0);
	for (size_t i = 0; i < WORKERS_MOST; i++)
		l->lookers[i] = (struct looker){ CORPUS_OPENER_INIT, NULL };
	workers_run(&job, n < WORTH_THREADS ? 1 : workers_available());
	for (size_t i = 0; i < WORKERS_MOST; i++) {
		corpus_opener_release(&l->lookers[i].opener);
		free(l->lookers[i].space);
	}
}

void
visiting_init(struct visiting *visiting, const struct corpus *c)
{
	struct looking l = { .corpus = c };

	*visiting = (struct visiting){ 0 };
	l.looks = xcalloc(c->n, sizeof(*l.looks));
	visiting->v = xcalloc(c->n, sizeof(*visiting->v));
	look_at_all(&l);
	for (size_t i = 0; i < c->n; i++) {
		const struct look *look = &l.looks[i];

		if (look->state == UNREADABLE)
			visiting->unreadable++;
		if (look->state != READABLE)
			continue;
		visiting->bytes += look->bytes;
		visiting->v[visiting->n++] = (struct recency){ look->ms,
							       &c->files[i] };
	}
	free(l.looks);
	if (visiting->n > 1)
		qsort(visiting->v, visiting->n, sizeof(*visiting->v),
		      recency_cmp);
}

void
visiting_release(struct visiting *visiting)
{
	free(visiting->v);
}
