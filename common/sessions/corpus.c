#include "sessions/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/path.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "sessions/places.h"
#include "transcript/lines.h"
#include "transcript/source_zstd.h"

void
corpus_init(struct corpus *c, const struct facts *facts)
{
	*c = (struct corpus){ .facts = facts };
}

static void
release_file(struct corpus_file *file)
{
	free(file->id);
	free(file->path);
}

void
corpus_release(struct corpus *c)
{
	for (size_t i = 0; i < c->n; i++)
		release_file(&c->files[i]);
	free(c->files);
	for (size_t i = 0; i < c->n_parts; i++)
		release_file(&c->parts[i]);
	free(c->parts);
	for (size_t i = 0; i < c->n_roots; i++)
		free(c->roots[i]);
	free(c->roots);
	corpus_init(c, c->facts);
}

/* ---- listing ----------------------------------------------------------- */

/* A sub-agent is wanted by its full id only, or with all others. */
static bool
is_wanted(const struct corpus *c, const struct host *host, struct str id,
	  bool agent)
{
	enum selector_match least = agent ? SELECTOR_EQUAL : SELECTOR_PREFIX;

	if (c->n_wanted == 0)
		return !agent || c->agents;
	for (unsigned i = 0; i < c->n_wanted; i++)
		if (selector_match(c->wanted[i], host, id) >= least)
			return true;
	return false;
}

/* Whether the name of a file leaves it open that its id is wanted. */
static bool
may_be_wanted(const struct corpus *c, const struct host *host, const char *path)
{
	for (unsigned i = 0; i < c->n_wanted; i++)
		if ((c->wanted[i]->host == NULL ||
		     c->wanted[i]->host == host) &&
		    hosts_may_name(host, str_of(path), c->wanted[i]->id))
			return true;
	return c->n_wanted == 0;
}

/* Whether to look where the host's sub-agents have their files. */
static bool
wants_agents(const struct corpus *c, const struct host *host)
{
	if (host->agents == NULL || c->n_wanted == 0)
		return host->agents != NULL && c->agents;
	for (unsigned i = 0; i < c->n_wanted; i++)
		if (place_names(host->agents, c->wanted[i]->id))
			return true;
	return false;
}

/* A file that is known by another id than its name's is not a segment. */
static struct str
segment_of(const struct corpus_file *file)
{
	struct file_name name = hosts_file_name(file->host, str_of(file->path));

	return str_is(name.id, file->id) ? name.segment : STR("");
}

static void
keep(struct corpus *c, const struct corpus_file *file, struct str id,
     const char *path)
{
	XGROW(c->files, c->n + 1, c->cap);
	c->files[c->n] = *file;
	c->files[c->n].id = xmemdup(id.s, id.n);
	c->files[c->n].path = xstrdup(path);
	if (file->host != NULL && file->host->decoder->base != NULL)
		c->files[c->n].segment = segment_of(&c->files[c->n]);
	c->files[c->n].listed = c->n_listed++;
	c->n++;
}

/* The id that the first record tells, added to id. */
static void
read_id(const struct host *host, const char *root, const char *path,
	struct buf *id)
{
	struct corpus_file file = { .root = root };
	struct buf scratch = BUF_INIT;
	struct source *source;
	struct lines lines;
	struct str first;

	file.path = xstrdup(path);
	source = corpus_open(&file);
	free(file.path);
	if (source == NULL)
		return;
	if (lines_first(&lines, source, &first) &&
	    hosts_recognises(host, first))
		buf_add_str(id,
			    decoder_session_id(host->decoder, first, &scratch));
	lines_release(&lines);
	source_close(source);
	buf_release(&scratch);
}

static void
add_file(struct corpus *c, const struct host *host, const char *root,
	 const char *path, struct str id, bool agent)
{
	struct corpus_file file = { .host = host,
				    .root = root,
				    .agent = agent };
	struct buf told = BUF_INIT;

	if (!may_be_wanted(c, host, path))
		return;
	if (id.s == NULL) {
		read_id(host, root, path, &told);
		id = buf_str(&told);
	} else if (id.n == 0) {
		return;
	}
	/* An id outside the grammar is not a session; none is for pinning. */
	if ((id.n == 0 || selector_is_id(id)) && is_wanted(c, host, id, agent))
		keep(c, &file, id, path);
	buf_release(&told);
}

/* A root being listed. */
struct lister {
	struct corpus *corpus;
	const struct host *host;
	const char *root;
};

static bool
list_node(void *ctx, const struct tree_node *node)
{
	const struct lister *in = ctx;
	const struct host *host = in->host;
	struct str stem = place_stem(host, str_of(node->path));
	bool agents = wants_agents(in->corpus, host), agent;

	agent = stem.s != NULL && host->agents != NULL &&
		place_fits(host->agents, stem);
	/* What has a transcript's name, and is none, is named as unreadable. */
	if (node->kind != TREE_LINK && stem.s != NULL &&
	    (agent ? agents : place_fits(host->sessions, stem)))
		add_file(in->corpus, host, in->root, node->path,
			 hosts_file_name(host, stem).id, agent);
	return node->kind == TREE_DIRECTORY &&
	       (place_leads(host->sessions, str_of(node->path)) ||
		(agents && place_leads(host->agents, str_of(node->path))));
}

static void
list_root(void *ctx, struct str path)
{
	struct lister *in = ctx;
	struct corpus *c = in->corpus;
	bool whole;
	int dir;

	XGROW(c->roots, c->n_roots + 1, c->cap_roots);
	in->root = c->roots[c->n_roots++] = xmemdup(path.s, path.n);
	dir = open(in->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0)
		whole = tree_walk(dir, list_node, in) == 0;
	else
		whole = errno == ENOENT || errno == ENOTDIR;
	if (dir >= 0)
		close(dir);
	if (!whole)
		c->unavailable |= HOST_BIT(in->host);
}

void
corpus_list(struct corpus *c, unsigned scope)
{
	for (const struct host *host = host_table; host->name != NULL; host++) {
		struct lister lister = { .corpus = c, .host = host };

		if ((scope & HOST_BIT(host)) != 0)
			place_roots(host, list_root, &lister);
	}
}

void
corpus_pin(struct corpus *c, const struct host *host, struct str id,
	   const char *path)
{
	struct corpus_file file = { .host = host, .pinned = true };

	/* Whose it is may be known later; then its name has told this. */
	for (const struct host *h = host_table; h->name != NULL; h++) {
		struct str stem = place_stem(h, str_of(path));

		if ((host == NULL || host == h) && h->agents != NULL &&
		    stem.s != NULL && place_ends(h->agents, stem))
			file.agent = true;
	}
	keep(c, &file, id, path);
}

/* ---- files ------------------------------------------------------------- */

static void
leave_folder(struct corpus_opener *opener)
{
	if (opener->folder_fd >= 0)
		close(opener->folder_fd);
	opener->folder_fd = -1;
	buf_reset(&opener->folder);
}

void
corpus_opener_release(struct corpus_opener *opener)
{
	leave_folder(opener);
	buf_release(&opener->folder);
	if (opener->fd >= 0)
		close(opener->fd);
	*opener = (struct corpus_opener)CORPUS_OPENER_INIT;
}

/* The folder of a path below the root, n bytes of it; -1 with errno. */
static int
enter(struct corpus_opener *opener, const char *path, size_t n)
{
	if (n == 0)
		return opener->fd;
	if (opener->folder_fd >= 0 &&
	    str_eq(buf_str(&opener->folder), (struct str){ path, n }))
		return opener->folder_fd;
	leave_folder(opener);
	buf_add(&opener->folder, path, n);
	opener->folder_fd = beneath_open(opener->fd, opener->folder.data,
					 O_PATH | O_DIRECTORY | O_CLOEXEC, 0,
					 NULL);
	return opener->folder_fd;
}

static int
open_below(struct corpus_opener *opener, const struct corpus_file *file)
{
	const char *slash = strrchr(file->path, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - file->path);
	int folder;

	if (opener->root != file->root) {
		corpus_opener_release(opener);
		opener->fd = open(file->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (opener->fd < 0)
			return -1;
		opener->root = file->root;
	}
	folder = enter(opener, file->path, n);
	if (folder < 0)
		return -1;
	/* Whether it is regular the source looks. */
	return openat(folder, slash == NULL ? file->path : slash + 1,
		      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			      O_CLOEXEC);
}

static bool
is_packed(const struct corpus_file *file)
{
	return str_ends(str_of(file->path), STR(".zst"));
}

struct source *
corpus_open_by(struct corpus_opener *opener, const struct corpus_file *file)
{
	struct source *source;
	int fd;

	/* O_NONBLOCK: a FIFO must not make us wait for its writer. */
	if (file->root == NULL)
		fd = open(file->path,
			  O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	else
		fd = open_below(opener, file);
	source = fd < 0 ? NULL : source_file(fd);
	if (source != NULL && is_packed(file))
		return source_zstd(source, SOURCE_ZSTD_KEPT);
	return source;
}

struct source *
corpus_open(const struct corpus_file *file)
{
	struct corpus_opener opener = CORPUS_OPENER_INIT;
	struct source *source = corpus_open_by(&opener, file);
	int saved = errno;

	corpus_opener_release(&opener);
	errno = saved;
	return source;
}

void
corpus_path(const struct corpus_file *file, struct buf *out)
{
	if (file->root != NULL)
		buf_addf(out, "%s/", file->root);
	buf_adds(out, file->path);
}

static bool
stat_file(const struct corpus_file *file, struct stat *st)
{
	struct buf path = BUF_INIT;
	bool there;

	corpus_path(file, &path);
	there = stat(path.data, st) == 0;
	buf_release(&path);
	return there;
}

struct instant
corpus_modified(const struct corpus_file *file)
{
	struct stat st;

	if (!stat_file(file, &st))
		return (struct instant){ 0, 0 };
	return instant_of_file(&st.st_mtim);
}

/* The path without so many of its last names, a slash at its end; or empty. */
static struct str
folder_above(struct str path, unsigned names)
{
	size_t n = path.n;

	while (n > 0 && names > 0) {
		names -= path.s[n - 1] == '/';
		n -= names > 0;
	}
	return (struct str){ path.s, n };
}

bool
corpus_read_beside(const struct corpus_file *file,
		   const struct host_beside *beside, struct buf *out)
{
	struct corpus_file other = { .root = file->root };
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct source *source = NULL;
	bool told = false;
	long got;

	if (beside->name == NULL)
		return false;
	buf_add_str(&path, folder_above(str_of(file->path), beside->above + 1));
	buf_adds(&path, beside->name);
	other.path = path.data;
	source = corpus_open(&other);
	while (source != NULL && text.len <= beside->most) {
		size_t n = beside->most + 1 - text.len;

		got = source_read(source, buf_reserve(&text, n), n);
		if (got <= 0)
			break;
		text.len += (size_t)got;
	}
	/* One that is longer is not what the host writes. */
	if (source != NULL && text.len <= beside->most)
		told = beside->read(buf_str(&text), out);
	source_close(source);
	buf_release(&path);
	buf_release(&text);
	return told;
}

bool
corpus_is_agent(const struct corpus_file *file)
{
	struct source *source;
	struct lines lines;
	struct str first;
	bool agent;

	if (file->agent || file->host == NULL ||
	    file->host->decoder->is_agent == NULL)
		return file->agent;
	source = corpus_open(file);
	if (source == NULL)
		return false;
	agent = lines_first(&lines, source, &first) &&
		file->host->decoder->is_agent(first);
	lines_release(&lines);
	source_close(source);
	return agent;
}

bool
corpus_is_at(const struct corpus_file *file, const char *path)
{
	struct stat a, b;

	return stat_file(file, &a) && stat(path, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- one file a session ------------------------------------------------ */

static int
by_session(const struct corpus_file *x, const struct corpus_file *y)
{
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return strcmp(x->id, y->id);
}

static int
by_segment(const void *a, const void *b)
{
	const struct corpus_file *x = a, *y = b;
	int order = by_session(x, y);

	return order != 0 ? order : str_cmp(x->segment, y->segment);
}

/* The byte order of their whole paths. */
static int
by_path(const struct corpus_file *a, const struct corpus_file *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	int order;

	corpus_path(a, &x);
	corpus_path(b, &y);
	order = str_cmp(buf_str(&x), buf_str(&y));
	buf_release(&x);
	buf_release(&y);
	return order;
}

static int
by_size(const struct corpus_file *a, const struct corpus_file *b)
{
	struct stat x = { 0 }, y = { 0 };

	(void)stat_file(a, &x);
	(void)stat_file(b, &y);
	return (x.st_size > y.st_size) - (x.st_size < y.st_size);
}

/* Whether a stands for their session rather than b. */
static bool
stands_before(const struct corpus_file *a, const struct corpus_file *b)
{
	bool packed_a = is_packed(a), packed_b = is_packed(b);
	int order;

	if (a->pinned != b->pinned)
		return a->pinned;
	if (packed_a != packed_b)
		return packed_b;
	if (a->host != NULL && a->host->largest)
		order = by_size(a, b);
	else
		order = instant_cmp(corpus_modified(a), corpus_modified(b));
	return order != 0 ? order > 0 : by_path(a, b) > 0;
}

static const struct corpus_file *
find_pinned(const struct corpus *c)
{
	for (size_t i = c->n; i > 0; i--)
		if (c->files[i - 1].pinned)
			return &c->files[i - 1];
	return NULL;
}

void
corpus_drop_twins(struct corpus *c, unsigned scope)
{
	const struct corpus_file *pinned = find_pinned(c);
	bool in_scope;
	size_t kept = 0;
	char *real;

	if (pinned == NULL)
		return;
	in_scope = (scope & HOST_BIT(pinned->host)) != 0;
	real = realpath(pinned->path, NULL);
	for (size_t i = 0; i < c->n; i++) {
		struct corpus_file file = c->files[i];
		bool drop = file.pinned && !in_scope;

		/* Most have another name, and need no look. */
		if (!file.pinned && in_scope && real != NULL &&
		    str_eq(path_last(str_of(file.path)),
			   path_last(str_of(real))))
			drop = corpus_is_at(&file, real);
		if (drop)
			release_file(&file);
		else
			c->files[kept++] = file;
	}
	c->n = kept;
	free(real);
}

/* Of several files of one segment leaves the one that stands for it. */
static void
drop_doubles(struct corpus *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct corpus_file *file = &c->files[i], *last;

		last = kept == 0 ? NULL : &c->files[kept - 1];
		if (last == NULL || *file->id == '\0' ||
		    by_segment(last, file) != 0) {
			c->files[kept++] = *file;
		} else if (stands_before(file, last)) {
			release_file(last);
			*last = *file;
		} else {
			release_file(file);
		}
	}
	c->n = kept;
}

/*
 * Whether it is all of its session: a file that is pinned under an id of which
 * its name says nothing.
 */
static bool
stands_alone(const struct corpus_file *file)
{
	return file->pinned && file->host != NULL &&
	       !str_is(hosts_file_name(file->host, str_of(file->path)).id,
		       file->id);
}

/* The last segment stands for a session; the others are its parts. */
static void
part_segments(struct corpus *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct corpus_file *file = &c->files[i], *last;

		last = kept == 0 ? NULL : &c->files[kept - 1];
		if (last == NULL || *file->id == '\0' ||
		    by_session(last, file) != 0) {
			c->files[kept++] = *file;
		} else if (stands_alone(last)) {
			release_file(file);
		} else if (stands_alone(file)) {
			release_file(last);
			*last = *file;
		} else {
			XGROW(c->parts, c->n_parts + 1, c->cap_parts);
			c->parts[c->n_parts++] = *last;
			*last = *file;
		}
	}
	c->n = kept;
}

void
corpus_settle(struct corpus *c)
{
	if (c->n > 1)
		qsort(c->files, c->n, sizeof(*c->files), by_segment);
	drop_doubles(c);
	part_segments(c);
}

struct str
corpus_last_part(const struct corpus_file *file)
{
	return file->segment.n > 0 ? file->segment : str_of(file->id);
}

static const struct corpus_file *
find_part(const struct corpus_file *files, size_t n, const struct host *host,
	  struct str last)
{
	for (size_t i = 0; i < n; i++)
		if (files[i].host == host &&
		    str_eq(corpus_last_part(&files[i]), last))
			return &files[i];
	return NULL;
}

const struct corpus_file *
corpus_find_part(const struct corpus *c, const struct host *host,
		 struct str last)
{
	const struct corpus_file *file = find_part(c->files, c->n, host, last);

	return file != NULL ? file
			    : find_part(c->parts, c->n_parts, host, last);
}
