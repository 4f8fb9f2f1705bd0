#include "mcp/live_session.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/tree.h"
#include "base/xalloc.h"
#include "sessions/places.h"

#define FILES_MAX 8
#define TAIL ((size_t)262144) /* bytes of a file that are searched */
#define EXTENSION ".jsonl"

void
live_session_init(struct live_session *l)
{
	*l = (struct live_session){ .since = clock_files_ms() };
}

void
live_session_release(struct live_session *l)
{
	free(l->last);
	l->last = NULL;
}

bool
live_session_may_tell(const struct host *host)
{
	return host->client.follow != NULL || host->client.began != NULL;
}

bool
live_session_is_late(const struct host *host)
{
	return host->client.follow != NULL;
}

/* ---- one transcript ---------------------------------------------------- */

/* Whether its last records hold the call; one that is cut does not count. */
static bool
transcript_has(const char *path, const struct live_search *search)
{
	/* A FIFO of that name must not keep us waiting. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct live_trace trace = { .n = 0 };
	char *tail = xmalloc(TAIL);
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
	while (rest.n > 0)
		search->host->client.follow(&trace, str_cut(&rest, '\n'),
					    &search->call);
	if (fd >= 0)
		(void)close(fd);
	free(tail);
	return trace.n > 0;
}

/* ---- all of them ------------------------------------------------------- */

struct candidate {
	char *path;
	struct timespec modified;
};

/* The most recently modified transcripts of some directories. */
struct search {
	const struct live_search *of;
	bool beside; /* only beside that of the session it started in */
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
		 s->beside ? s->of->started : "");
	if (!s->beside || access(started.data, F_OK) == 0)
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
	if (s->of->host->client.folder == NULL) {
		read_directory(s, add_directory);
		return;
	}
	buf_addc(&s->directory, '/');
	s->of->host->client.folder(s->of->directory, &s->directory);
	read_directory(s, add_file);
}

/* The session of a transcript is its stem. */
static void
add_id(const char *path, struct buf *id)
{
	struct str name = str_of(strrchr(path, '/') + 1);

	name.n -= sizeof(EXTENSION) - 1;
	buf_add_str(id, name);
}

static void
list_candidates(struct search *s)
{
	s->beside = s->of->started != NULL && s->of->host->client.by_id;
	(void)place_roots(s->of->host, add_root, s);
	if (s->beside && s->n == 0) {
		/* It has no transcript yet. */
		s->beside = false;
		(void)place_roots(s->of->host, add_root, s);
	}
}

/* The first one that has the call; or the only one, or none. */
static bool
pick(const struct search *s, size_t *which)
{
	size_t found = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!transcript_has(s->v[i].path, s->of))
			continue;
		*which = i;
		found++;
		if (s->of->host->client.by_id)
			break;
	}
	return found == 1;
}

bool
live_session_find(struct live_session *l, const struct live_search *search,
		  struct buf *id)
{
	struct search s = { .of = search, .directory = BUF_INIT };
	bool by_id = search->host->client.by_id, found;
	size_t which;

	if (search->host->client.follow == NULL)
		return live_last_find(search, l->since, id);
	if (by_id && l->last != NULL && transcript_has(l->last, search)) {
		add_id(l->last, id);
		return true;
	}
	list_candidates(&s);
	found = pick(&s, &which);
	if (found) {
		add_id(s.v[which].path, id);
		free(l->last);
		l->last = xstrdup(s.v[which].path);
	}
	for (size_t i = 0; i < s.n; i++)
		free(s.v[i].path);
	buf_release(&s.directory);
	return found;
}
