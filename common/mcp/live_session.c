#include "mcp/live_session.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json_check.h"
#include "base/json_span.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "sessions/places.h"

#define FILES_MAX 8
#define TAIL ((size_t)262144) /* bytes of a file that are searched */
#define DEPTH 512	      /* of a record */
#define EXTENSION ".jsonl"

void
live_session_init(struct live_session *l, const char *started)
{
	*l = (struct live_session){ NULL, NULL };
	if (started != NULL)
		l->started = xstrdup(started);
}

void
live_session_release(struct live_session *l)
{
	free(l->started);
	free(l->last);
	*l = (struct live_session){ NULL, NULL };
}

/* ---- one transcript ---------------------------------------------------- */

/* Whether a record is a reply with that tool use, of the session itself. */
static bool
record_has(struct str line, struct str tool_use)
{
	struct buf id = BUF_INIT;
	struct str record, block;
	struct json_iter it;
	bool found = false;

	if (memmem(line.s, line.n, tool_use.s, tool_use.n) == NULL ||
	    json_check(line, DEPTH,
		       JSON_ALLOW_NUL | JSON_ALLOW_DUPLICATES | JSON_ALLOW_LONE,
		       NULL) != 0)
		return false;
	record = json_value(line);
	if (!json_string_is(json_get(record, "type"), "assistant") ||
	    json_is_true(json_get(record, "isSidechain")))
		return false;
	it = json_iterate(json_get(json_get(record, "message"), "content"));
	while (!found && json_next_element(&it, &block)) {
		if (!json_string_is(json_get(block, "type"), "tool_use"))
			continue;
		buf_reset(&id);
		json_decode(json_get(block, "id"), &id);
		found = str_eq(buf_str(&id), tool_use);
	}
	buf_release(&id);
	return found;
}

/* Whether one of the last records does; the one that is cut does not count. */
static bool
transcript_has(const char *path, struct str tool_use)
{
	/* A FIFO of that name must not keep us waiting. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *tail = xmalloc(TAIL);
	const char *end;
	bool found = false;
	struct str rest;
	struct stat st;
	long n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = io_pread_all(fd, tail, TAIL,
				 st.st_size > (off_t)TAIL
					 ? (long long)st.st_size -
						   (long long)TAIL
					 : 0);
	rest = (struct str){ tail, n > 0 ? (size_t)n : 0 };
	while (!found && rest.n > 0) {
		end = memchr(rest.s, '\n', rest.n);
		n = end == NULL ? (long)rest.n : end - rest.s;
		found = record_has((struct str){ rest.s, (size_t)n }, tool_use);
		rest = str_from(rest, (size_t)n + (end != NULL));
	}
	if (fd >= 0)
		(void)close(fd);
	free(tail);
	return found;
}

/* ---- all of them ------------------------------------------------------- */

struct candidate {
	char *path;
	struct timespec modified;
};

/* The most recently modified transcripts of some directories. */
struct search {
	const char *started; /* only beside this session's, where it is */
	bool beside;
	struct buf directory; /* that is being read */
	struct candidate v[FILES_MAX + 1];
	size_t n;
};

static bool
is_newer(const struct timespec *a, const struct timespec *b)
{
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec > b->tv_sec;
	return a->tv_nsec > b->tv_nsec;
}

static void
add_file(void *ctx, const char *name, enum tree_kind kind)
{
	struct search *s = ctx;
	struct buf path = BUF_INIT;
	struct stat st;
	size_t i;

	if ((kind != TREE_FILE && kind != TREE_LINK) ||
	    !str_ends(str_of(name), STR(EXTENSION)))
		return;
	buf_addf(&path, "%s/%s", s->directory.data, name);
	if (stat(path.data, &st) == 0 && S_ISREG(st.st_mode)) {
		for (i = s->n;
		     i > 0 && is_newer(&st.st_mtim, &s->v[i - 1].modified); i--)
			s->v[i] = s->v[i - 1];
		s->v[i] = (struct candidate){ buf_detach(&path), st.st_mtim };
		s->n++;
		if (s->n > FILES_MAX)
			free(s->v[--s->n].path);
	}
	buf_release(&path);
}

/* Calls entry() for what is in the directory s->directory. */
static void
read_directory(struct search *s, tree_entry *entry)
{
	int fd = open(s->directory.data,
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		(void)tree_read(fd, entry, s);
}

/* A directory of transcripts, one below a root. */
static void
add_directory(void *ctx, const char *name, enum tree_kind kind)
{
	struct search *s = ctx;
	const size_t root = s->directory.len;
	struct buf started = BUF_INIT;

	if (kind != TREE_DIRECTORY && kind != TREE_LINK)
		return;
	buf_addf(&s->directory, "/%s", name);
	buf_addf(&started, "%s/%s" EXTENSION, s->directory.data,
		 s->started == NULL ? "" : s->started);
	if (!s->beside ||
	    (s->started != NULL && access(started.data, F_OK) == 0))
		read_directory(s, add_file);
	buf_truncate(&s->directory, root);
	buf_release(&started);
}

static void
add_root(void *ctx, struct str root)
{
	struct search *s = ctx;

	buf_reset(&s->directory);
	buf_add_str(&s->directory, root);
	read_directory(s, add_directory);
}

/* The transcript at path is the one; its stem is the session. */
static void
take(struct live_session *l, const char *path, struct buf *id)
{
	struct str name = str_of(strrchr(path, '/') + 1);
	char *copy = xstrdup(path);

	name.n -= sizeof(EXTENSION) - 1;
	buf_add_str(id, name);
	free(l->last);
	l->last = copy;
}

bool
live_session_find(struct live_session *l, struct str tool_use, struct buf *id)
{
	struct search s = { .started = l->started, .directory = BUF_INIT };
	const struct host *claude = hosts_find(STR("claude"));
	bool found = false;
	size_t i;

	if (l->last != NULL && transcript_has(l->last, tool_use)) {
		take(l, l->last, id);
		return true;
	}
	s.beside = l->started != NULL;
	(void)place_roots(claude, add_root, &s);
	if (s.beside && s.n == 0) {
		/* It has no transcript yet. */
		s.beside = false;
		(void)place_roots(claude, add_root, &s);
	}
	for (i = 0; i < s.n && !found; i++) {
		found = transcript_has(s.v[i].path, tool_use);
		if (found)
			take(l, s.v[i].path, id);
	}
	for (i = 0; i < s.n; i++)
		free(s.v[i].path);
	buf_release(&s.directory);
	return found;
}
