#include "sessions/walk.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/json_span.h"
#include "base/path.h"
#include "base/xalloc.h"
#include "sessions/segments.h"
#include "transcript/hosts.h"
#include "transcript/lines.h"

/* ---- the order --------------------------------------------------------- */

#define PACKED_WEIGHT 4	    /* what a compressed byte costs */
#define PIECE 32	    /* files that are looked at in one go */
#define HEAD ((size_t)1024) /* where a first record ends, mostly */
#define HEAD_MOST ((size_t)16384)
#define SMALL ((size_t)65536) /* a file's beginning and end are read at once */
#define WORTH_THREADS 96      /* fewer files take less time than threads do */

/* OUTSIDE: of the scope, or gone.  SPARED: before since. */
enum state { OUTSIDE, UNREADABLE, SPARED, READABLE };

struct look {
	enum state state;
	int64_t ms;
	uint64_t bytes;
};

/* What one thread keeps from file to file. */
struct looker {
	struct corpus_opener opener;
	struct recency_keys keys;
	size_t head; /* at the start of a file it takes so much, as it seems */
	char space[SMALL];
};

struct looking {
	const struct corpus *corpus;
	const struct walk_scope *scope;
	size_t *order;		/* of its files, as they were listed */
	struct look *looks;	/* one a file */
	struct looker *lookers; /* WORKERS_MOST */
};

/* ---- the scope --------------------------------------------------------- */

/* Whether a directory, as recorded, is cwd or lies below it (2.4). */
static bool
lies_in(struct str cwd, struct str recorded)
{
	struct buf path = BUF_INIT;
	bool inside = false;

	if (recorded.n > 0 && recorded.s[0] == '/') {
		path_resolve(&path, STR("/"), recorded);
		inside = cwd.n == 1 ||
			 (str_starts(buf_str(&path), cwd) &&
			  (path.len == cwd.n || path.data[cwd.n] == '/'));
	}
	buf_release(&path);
	return inside;
}

/*
 * Whether the session lies in the directory that is asked for.  lines stand
 * behind its first record.
 */
static bool
fits_directory(const struct walk_scope *scope, const struct corpus_file *file,
	       struct lines *lines, struct str record)
{
	const struct decoder *decoder = file->host->decoder;
	struct str recorded = decoder->directory(record);
	struct buf scratch = BUF_INIT;
	struct line line;
	bool inside;

	while (decoder->later && json_kind(recorded) != JSON_STRING &&
	       lines_next(lines, &line) > 0) {
		recorded = STR("");
		if (!line.too_long && lines_parse(line.text, &record))
			recorded = decoder->directory(record);
	}
	if (json_kind(recorded) == JSON_STRING)
		inside = lies_in(scope->cwd, json_text(recorded, &scratch));
	else
		inside = corpus_read_beside(file, &file->host->directory,
					    &scratch) &&
			 lies_in(scope->cwd, buf_str(&scratch));
	buf_release(&scratch);
	return inside;
}

/*
 * What the first record of a file tells; first.s NULL: it has none.  lines
 * follow it.
 */
static enum state
begins_with(const struct walk_scope *scope, const struct corpus_file *file,
	    struct lines *lines, struct str first)
{
	const struct host *host = file->host;

	if (first.s == NULL || host == NULL || !hosts_recognises(host, first))
		/* It lies in no directory. */
		return scope->cwd.s != NULL ? OUTSIDE : UNREADABLE;
	if (*file->id == '\0') /* and no id could name it */
		return OUTSIDE;
	if (!scope->agents &&
	    (file->agent || (host->decoder->is_agent != NULL &&
			     host->decoder->is_agent(first))))
		return OUTSIDE;
	if (scope->cwd.s != NULL && !fits_directory(scope, file, lines, first))
		return OUTSIDE;
	return READABLE;
}

static enum state
begins(const struct walk_scope *scope, const struct corpus_file *file,
       struct source *source)
{
	enum state state;
	struct lines lines;
	struct str first;

	if (!lines_first(&lines, source, &first))
		first = (struct str){ NULL, 0 };
	state = begins_with(scope, file, &lines, first);
	lines_release(&lines);
	return state;
}

/* Whether more lines than the first are asked for the directory. */
static bool
asks_further(const struct walk_scope *scope, const struct corpus_file *file,
	     struct str first)
{
	return scope->cwd.s != NULL && file->host != NULL &&
	       file->host->decoder->later &&
	       json_kind(file->host->decoder->directory(first)) != JSON_STRING;
}

/*
 * The same by the whole lines at the file's start, as far as they tell.  False:
 * they do not.
 */
static bool
begins_in(const struct walk_scope *scope, const struct corpus_file *file,
	  struct str head, enum state *state)
{
	const char *last = head.n == 0 ? NULL : memrchr(head.s, '\n', head.n);
	struct source *source;
	struct lines lines;
	struct str first;
	bool told;

	if (last == NULL)
		return false;
	head.n = (size_t)(last - head.s) + 1;
	source = source_memory(head);
	told = lines_first(&lines, source, &first) &&
	       !asks_further(scope, file, first);
	if (told)
		*state = begins_with(scope, file, &lines, first);
	lines_release(&lines);
	source_close(source);
	return told;
}

/* Whether it was recorded to last before that, by its records. */
static bool
is_before(const struct instant *since, int64_t ms, bool recorded)
{
	return since != NULL && recorded && ms < instant_to_ms(*since);
}

/* ---- looking ----------------------------------------------------------- */

/*
 * What many files cost is the calls of the system: of a large one a little is
 * read at the start and at the end, and a small one all at once.
 */
static void
look_inside(const struct walk_scope *scope, struct looker *looker,
	    const struct corpus_file *file, struct source *source,
	    struct look *look)
{
	size_t size = (size_t)source->size_hint;
	struct str head = { looker->space, size > SMALL ? looker->head : size };
	struct source *whole = NULL;
	bool recorded;

	if (source->one_way ||
	    !source_read_at(source, 0, looker->space, head.n))
		head.n = 0;
	if (head.n > 0 && head.n == size) {
		whole = source_memory(head);
		look->state = begins(scope, file, whole);
	} else if (!begins_in(scope, file, head, &look->state)) {
		look->state = begins(scope, file, source);
		/* Those of one host, which are alike, come together. */
		if (looker->head < HEAD_MOST)
			looker->head *= 4;
	}
	if (look->state == READABLE) {
		look->bytes = source->size_hint +
			      PACKED_WEIGHT * source->packed_size;
		look->ms = recency_in(whole != NULL ? whole : source, file,
				      &looker->keys, &recorded);
		if (is_before(scope->since, look->ms, recorded))
			look->state = SPARED;
	}
	source_close(whole);
}

static void
look_at(const struct walk_scope *scope, struct looker *looker,
	const struct corpus_file *file, struct look *look)
{
	struct source *source = corpus_open_by(&looker->opener, file);

	if (source != NULL)
		look_inside(scope, looker, file, source, look);
	else if (errno != ENOENT && scope->cwd.s == NULL)
		look->state = UNREADABLE;
	source_close(source);
}

static void
look_at_piece(void *ctx, unsigned worker, size_t piece)
{
	struct looking *l = ctx;
	size_t i = piece * PIECE, end = i + PIECE;

	for (; i < end && i < l->corpus->n; i++)
		look_at(l->scope, &l->lookers[worker],
			&l->corpus->files[l->order[i]], &l->looks[l->order[i]]);
}

/* As they were listed: those of a folder one after the other. */
static size_t *
order_files(const struct corpus *c)
{
	size_t *order = xcalloc(c->n, sizeof(*order)), *at, most = 0, n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->files[i].listed >= most)
			most = c->files[i].listed + 1;
	at = xcalloc(most, sizeof(*at));
	for (size_t i = 0; i < c->n; i++)
		at[c->files[i].listed] = i + 1;
	for (size_t i = 0; i < most; i++)
		if (at[i] > 0)
			order[n++] = at[i] - 1;
	free(at);
	return order;
}

static void
look_at_all(struct looking *l)
{
	struct workers_job job = { .ctx = l, .work = look_at_piece };
	size_t n = l->corpus->n;

	job.n = n / PIECE + (n % PIECE != 0);
	l->order = order_files(l->corpus);
	l->lookers = xcalloc(WORKERS_MOST, sizeof(*l->lookers));
	for (size_t i = 0; i < WORKERS_MOST; i++) {
		l->lookers[i].opener = (struct corpus_opener)CORPUS_OPENER_INIT;
		l->lookers[i].head = HEAD;
	}
	workers_run(&job, n < WORTH_THREADS ? 1 : workers_available());
	for (size_t i = 0; i < WORKERS_MOST; i++) {
		corpus_opener_release(&l->lookers[i].opener);
		recency_keys_release(&l->lookers[i].keys);
	}
	free(l->lookers);
	free(l->order);
}

void
walk_init(struct walk *walk, const struct corpus *c,
	  const struct walk_scope *scope)
{
	struct looking l = { .corpus = c, .scope = scope };

	*walk = (struct walk){ .corpus = c };
	l.looks = xcalloc(c->n, sizeof(*l.looks));
	walk->v = xcalloc(c->n, sizeof(*walk->v));
	look_at_all(&l);
	for (size_t i = 0; i < c->n; i++) {
		const struct look *look = &l.looks[i];

		if (look->state == UNREADABLE)
			walk->unreadable++;
		if (look->state != READABLE)
			continue;
		walk->bytes += look->bytes;
		walk->v[walk->n++] = (struct recency){ look->ms, &c->files[i] };
	}
	if (walk->n > 1)
		qsort(walk->v, walk->n, sizeof(*walk->v), recency_cmp);
	for (size_t i = 0; i < c->n; i++)
		if (l.looks[i].state == SPARED)
			walk->v[walk->n + walk->n_spared++] =
				(struct recency){ l.looks[i].ms, &c->files[i] };
	free(l.looks);
}

bool
walk_has(const struct walk *walk, const struct corpus_file *file)
{
	for (size_t i = 0; i < walk->n + walk->n_spared; i++)
		if (walk->v[i].file == file)
			return true;
	return false;
}

void
walk_release(struct walk *walk)
{
	free(walk->v);
}

/* ---- a source that ends when nobody wants it any more ------------------ */

struct guard {
	struct source base;
	struct source *source;
	const atomic_bool *stop;
};

static long
guard_read(struct source *s, void *p, size_t n)
{
	struct guard *g = (struct guard *)s;

	if (atomic_load_explicit(g->stop, memory_order_relaxed)) {
		errno = ECANCELED;
		return -1;
	}
	return source_read(g->source, p, n);
}

static void
guard_rewind(struct source *s, uint64_t offset)
{
	source_rewind(((struct guard *)s)->source, offset);
}

static bool
guard_read_at(struct source *s, uint64_t offset, void *p, size_t n)
{
	return source_read_at(((struct guard *)s)->source, offset, p, n);
}

static void
guard_close(struct source *s)
{
	source_close(((struct guard *)s)->source);
	free(s);
}

static struct source *
guard(struct source *source, const atomic_bool *stop)
{
	static const struct source_ops ops = { guard_read, guard_rewind,
					       guard_read_at, guard_close,
					       NULL };
	struct guard *g = xcalloc(1, sizeof(*g));

	g->base.ops = &ops;
	g->base.size_hint = source->size_hint;
	g->base.one_way = source->one_way;
	g->source = source;
	g->stop = stop;
	return &g->base;
}

/* ---- visits ------------------------------------------------------------ */

/* What one thread keeps from visit to visit. */
struct visitor {
	struct corpus_opener opener;
	char *space; /* PREFILTER_SPACE */
};

/* What one transcript leaves, in each thread, for the next one. */
#define KEPT_BYTES ((size_t)8 << 20)

struct walking {
	const struct walk *walk;
	const struct walk_job *job;
	struct visitor visitors[WORKERS_MOST];
	enum walk_outcome outcomes[WORKERS_AHEAD]; /* of i: [i % them] */
	atomic_bool stop;
	struct allowance allowance;
};

/* Whether the file has to be indexed: 1, 0, -1 with errno. */
static int
is_candidate(struct walking *w, struct visitor *v, struct source *source)
{
	int found;

	if (w->job->prefilter == NULL)
		return 1;
	if (v->space == NULL)
		v->space = xmalloc(PREFILTER_SPACE);
	found = prefilter_scan(w->job->prefilter, source, v->space, &w->stop);
	source_rewind(source, 0);
	return found;
}

static enum walk_outcome
visit(struct walking *w, unsigned worker, size_t i)
{
	const struct walk_job *job = w->job;
	const struct corpus_file *file = w->walk->v[i].file;
	struct visitor *v = &w->visitors[worker];
	struct chain chain;
	struct source *source = segments_open(w->walk->corpus, NULL, &v->opener,
					      file, &chain);
	enum walk_outcome outcome = WALK_DONE;
	struct transcript t;
	int candidate;

	if (source == NULL) {
		/* One that has gone since it was listed is not a session. */
		outcome = errno == ENOENT ? WALK_DONE : WALK_UNREADABLE;
		goto out;
	}
	candidate = is_candidate(w, v, source);
	if (candidate <= 0) {
		source_close(source);
		outcome = candidate < 0 ? WALK_UNREADABLE : WALK_DONE;
		goto out;
	}
	if (hosts_open(&t, guard(source, &w->stop), file->host,
		       (struct transcript_options){
			       .times = job->times,
			       .prefilter = job->prefilter,
			       .chain = chain.n > 0 ? &chain : NULL,
			       .allowance = &w->allowance,
			       .agent = file->agent }) != TRANSCRIPT_OK)
		outcome = WALK_UNREADABLE;
	else if (transcript_select(&t,
				   file == job->current ? job->leaf : STR("")))
		job->visit(job->ctx, worker, i, &t);
	transcript_close(&t);
out:
	chain_release(&chain);
	return outcome;
}

static void
work(void *ctx, unsigned worker, size_t i)
{
	struct walking *w = ctx;

	w->outcomes[i % WORKERS_AHEAD] = visit(w, worker, i);
}

static bool
take(void *ctx, size_t i)
{
	struct walking *w = ctx;

	if (w->job->take(w->job->ctx, i, w->outcomes[i % WORKERS_AHEAD]))
		return true;
	atomic_store(&w->stop, true);
	return false;
}

void
walk_run(const struct walk *walk, const struct walk_job *job, unsigned threads)
{
	struct walking w = { .walk = walk,
			     .job = job,
			     .allowance = ALLOWANCE_INIT };
	struct workers_job pieces = {
		.ctx = &w, .n = walk->n, .work = work, .take = take
	};

	for (size_t i = 0; i < WORKERS_MOST; i++)
		w.visitors[i] = (struct visitor){ CORPUS_OPENER_INIT, NULL };
	xkeep_freed(KEPT_BYTES);
	workers_run(&pieces, threads);
	for (size_t i = 0; i < WORKERS_MOST; i++) {
		corpus_opener_release(&w.visitors[i].opener);
		free(w.visitors[i].space);
	}
}
