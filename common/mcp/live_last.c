#include "mcp/live_last.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_span.h"
#include "base/path.h"
#include "base/timestamp.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "sessions/corpus.h"
#include "sessions/places.h"
#include "transcript/lines.h"

struct candidate {
	char *path; /* below the root */
	const char *root;
	int64_t modified, size;
};

struct candidates {
	const struct live_search *search;
	const char *root; /* that is walked */
	char **kept;	  /* folders of transcripts, and roots */
	size_t n_kept, cap_kept;
	struct candidate *v;
	size_t n, cap;
};

static const char *
keep(struct candidates *c, struct str path)
{
	XGROW(c->kept, c->n_kept + 1, c->cap_kept);
	c->kept[c->n_kept++] = xmemdup(path.s, path.n);
	return c->kept[c->n_kept - 1];
}

/* ---- which there are --------------------------------------------------- */

/*
 * What a file in a folder would be told of its session's directory: 1 that it
 * is the one of the call, 0 that it is another, -1 nothing.
 */
static int
is_of_directory(const struct candidates *c, const char *folder)
{
	struct buf path = BUF_INIT, told = BUF_INIT;
	struct corpus_file file = { .host = c->search->host, .root = c->root };
	int is = -1;

	buf_addf(&path, "%s/x", folder);
	file.path = path.data;
	if (corpus_read_beside(&file, &c->search->host->directory, &told))
		is = str_eq(buf_str(&told), c->search->directory);
	buf_release(&path);
	buf_release(&told);
	return is;
}

static void
add_file(struct candidates *c, const struct tree_node *node)
{
	struct str path = str_of(node->path);
	struct str folder = { path.s, path.n - path_last(path).n - 1 };
	struct stat st;

	for (size_t i = 0; i < c->n_kept; i++) {
		if (!str_is(folder, c->kept[i]) ||
		    fstatat(node->dir, node->name, &st, AT_SYMLINK_NOFOLLOW) !=
			    0)
			continue;
		XGROW(c->v, c->n + 1, c->cap);
		c->v[c->n++] = (struct candidate){
			.path = xstrdup(node->path),
			.root = c->root,
			.modified = instant_to_ms(instant_of_file(&st.st_mtim)),
			.size = st.st_size
		};
		return;
	}
}

static bool
visit(void *ctx, const struct tree_node *node)
{
	struct candidates *c = ctx;
	const struct host *host = c->search->host;
	struct str stem = place_stem(host, str_of(node->path));
	int is;

	if (node->kind == TREE_FILE && stem.s != NULL &&
	    place_fits(host->sessions, stem))
		add_file(c, node);
	if (node->kind != TREE_DIRECTORY ||
	    !place_leads(host->sessions, str_of(node->path)))
		return false;
	is = is_of_directory(c, node->path);
	if (is > 0)
		(void)keep(c, str_of(node->path));
	return is != 0;
}

static void
add_root(void *ctx, struct str root)
{
	struct candidates *c = ctx;
	int dir;

	c->root = keep(c, root);
	dir = open(c->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	(void)tree_walk(dir, visit, c);
	(void)close(dir);
}

static int
newest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->modified < y->modified) - (x->modified > y->modified);
}

/* ---- which of them it is ----------------------------------------------- */

/* What the first record of a transcript tells. */
struct header {
	struct buf id;
	bool main;	   /* there is one, and it is not a sub-agent's */
	struct instant at; /* when the session began */
	bool timed;
};

static void
read_header(const struct host *host, const struct candidate *candidate,
	    struct header *out)
{
	struct corpus_file file = { .root = candidate->root,
				    .path = candidate->path };
	struct source *source = corpus_open(&file);
	struct buf scratch = BUF_INIT;
	struct lines lines;
	struct str first;

	buf_reset(&out->id);
	out->main = out->timed = false;
	if (source == NULL)
		return;
	if (lines_first(&lines, source, &first) &&
	    hosts_recognises(host, first) && !host->decoder->is_agent(first)) {
		out->main = true;
		buf_add_str(&out->id,
			    decoder_session_id(host->decoder, first, &scratch));
		out->timed = timestamp_rfc3339(
			json_text(host->client.began(first), &scratch),
			&out->at);
	}
	lines_release(&lines);
	source_close(source);
	buf_release(&scratch);
}

static bool
is_larger(const struct candidate *a, const struct candidate *b)
{
	return a->size != b->size
		       ? a->size > b->size
		       : str_cmp(str_of(a->path), str_of(b->path)) > 0;
}

/* Whether another file stands for the session of that one (2.2). */
static bool
is_stub(const struct candidates *c, const struct candidate *one, struct str id)
{
	const struct host *host = c->search->host;
	struct header other = { .id = BUF_INIT };
	bool is = false;

	for (size_t i = 0; i < c->n && !is; i++) {
		if (!is_larger(&c->v[i], one) ||
		    !hosts_may_name(host, str_of(c->v[i].path), id))
			continue;
		read_header(host, &c->v[i], &other);
		is = other.main && str_eq(buf_str(&other.id), id);
	}
	buf_release(&other.id);
	return is;
}

/* Whether another session was written since this one began. */
static bool
is_contested(const struct candidates *c, const struct header *one)
{
	struct header other = { .id = BUF_INIT };
	bool is = !one->timed;

	for (size_t i = 0; i < c->n && !is; i++) {
		if (c->v[i].modified <= instant_to_ms(one->at))
			break;
		read_header(c->search->host, &c->v[i], &other);
		is = other.main &&
		     !str_eq(buf_str(&other.id), buf_str(&one->id));
	}
	buf_release(&other.id);
	return is;
}

bool
live_last_find(const struct live_search *search, int64_t since, struct buf *id)
{
	struct candidates c = { .search = search };
	struct header one = { .id = BUF_INIT };
	bool found = false;

	(void)place_roots(search->host, add_root, &c);
	if (c.n > 1)
		qsort(c.v, c.n, sizeof(*c.v), newest_first);
	for (size_t i = 0; i < c.n && !found; i++) {
		if (c.v[i].modified < since)
			break;
		read_header(search->host, &c.v[i], &one);
		found = one.main && !is_stub(&c, &c.v[i], buf_str(&one.id));
	}
	found = found && !is_contested(&c, &one);
	if (found)
		buf_add_str(id, buf_str(&one.id));
	for (size_t i = 0; i < c.n; i++)
		free(c.v[i].path);
	for (size_t i = 0; i < c.n_kept; i++)
		free(c.kept[i]);
	free(c.v);
	free(c.kept);
	buf_release(&one.id);
	return found;
}
