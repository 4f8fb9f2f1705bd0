#include "context/notebook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/io.h"
#include "base/timestamp.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "context/agents.h"
#include "context/state.h"
#include "context/virtual_path.h"

#define LARGEST_NAMED 3
#define LARGEST_WARNED 5
#define META_MAX_BYTES ((size_t)16 << 20)

/* ---- opening ----------------------------------------------------------- */

static int
fail_file(struct fail *fail, const char *what, const char *file)
{
	return fail_environment(fail, "%s %s: %s", what, file, strerror(errno));
}

static void
agent_path(struct buf *out, struct str agent)
{
	buf_adds(out, "agents/");
	agents_folder(out, agent);
}

static void
open_notes(struct notebook *nb)
{
	if (nb->dir >= 0)
		nb->notes = openat(nb->dir, "notes",
				   O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					   O_CLOEXEC);
}

int
notebook_open(struct notebook *nb, int root, struct str agent,
	      struct fail *fail)
{
	struct buf path = BUF_INIT;
	int rc = 0;

	*nb = (struct notebook){
		.agent = agent, .dir = -1, .notes = -1, .ledger = LEDGER_INIT
	};
	if (root < 0)
		return 0;
	agent_path(&path, agent);
	nb->dir = beneath_open_directory(root, path.data, NULL);
	if (nb->dir < 0 && errno != ENOENT)
		rc = fail_file(fail, "cannot open", path.data);
	buf_release(&path);
	open_notes(nb);
	return rc;
}

void
notebook_close(struct notebook *nb)
{
	if (nb->dir >= 0)
		close(nb->dir);
	if (nb->notes >= 0)
		close(nb->notes);
	ledger_release(&nb->ledger);
	nb->dir = nb->notes = -1;
}

int
notebook_make(struct notebook *nb, int root, struct fail *fail)
{
	struct buf path = BUF_INIT;
	int rc = 0;

	if (nb->dir >= 0)
		return 0;
	agent_path(&path, nb->agent);
	nb->dir = tree_make(root, path.data, NULL);
	if (nb->dir < 0)
		rc = fail_file(fail, "cannot make", path.data);
	buf_release(&path);
	return rc;
}

/* The record of times; what cannot be read of it is as if it were not there. */
static const struct ledger *
ledger_of(struct notebook *nb)
{
	if (nb->read || nb->dir < 0)
		return &nb->ledger;
	nb->read = true;
	if (state_read(nb->dir, NOTEBOOK_META, META_MAX_BYTES,
		       &nb->ledger.text) > 0)
		ledger_parse(&nb->ledger);
	return &nb->ledger;
}

static int64_t
mtime_ms(const struct stat *st)
{
	return instant_to_ms(instant_of_file(&st->st_mtim));
}

static void
load_facts(struct notebook *nb, struct str path, const struct stat *st,
	   struct note_file *f)
{
	f->bytes = st->st_size;
	ledger_times(ledger_of(nb), path, mtime_ms(st), &f->created_ms,
		     &f->updated_ms);
}

/* ---- listing ----------------------------------------------------------- */

struct listing {
	struct notebook *nb;
	struct str prefix;
	struct note_files *files;
};

static void
add_file(struct listing *l, const struct tree_node *node)
{
	struct note_files *files = l->files;
	struct stat st;

	if (fstatat(node->dir, node->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return; /* gone by now */
	XGROW(files->v, files->n + 1, files->cap);
	files->v[files->n] = (struct note_file){ .path = xstrdup(node->path) };
	load_facts(l->nb, str_of(node->path), &st, &files->v[files->n++]);
	files->bytes += st.st_size;
}

static bool
visit(void *ctx, const struct tree_node *node)
{
	struct listing *l = ctx;
	struct str path = str_of(node->path);
	bool inside = str_starts(path, l->prefix);
	bool legal = virtual_path_is_legal(path);

	/* A folder on the way to what the prefix names. */
	if (!inside)
		return node->kind == TREE_DIRECTORY && legal &&
		       str_starts(l->prefix, path) &&
		       l->prefix.s[path.n] == '/';
	if (legal && node->kind == TREE_DIRECTORY)
		return true;
	if (legal && node->kind == TREE_FILE)
		add_file(l, node);
	else if (!state_is_temporary(node->name) || node->kind != TREE_FILE)
		l->files->skipped++;
	return false;
}

static int
by_path(const void *a, const void *b)
{
	const struct note_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int
notebook_list(struct notebook *nb, struct str prefix, struct note_files *files,
	      struct fail *fail)
{
	struct listing l = { nb, prefix, files };

	if (nb->notes < 0)
		return 0;
	if (tree_walk(nb->notes, visit, &l) != 0)
		return fail_environment(fail,
					"cannot read all notes of %.*s: "
					"%s",
					(int)nb->agent.n, nb->agent.s,
					strerror(errno));
	if (files->n > 1)
		qsort(files->v, files->n, sizeof(*files->v), by_path);
	return 0;
}

void
notebook_files_release(struct note_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->v[i].path);
	free(files->v);
	*files = (struct note_files){ 0 };
}

/* ---- reading ----------------------------------------------------------- */

static void
canonical(const struct notebook *nb, struct str path, struct buf *out)
{
	virtual_path_canonical(out, nb->agent, path);
}

/* Adds the path for a message. */
static int
refuse_with_path(struct notebook *nb, struct str path, const char *code,
		 const char *format, struct fail *fail)
{
	struct buf name = BUF_INIT, text = BUF_INIT;

	canonical(nb, path, &name);
	buf_adds(&text, format);
	fail_refuse(fail, code, "%s \"%s\"", text.data, name.data);
	buf_release(&name);
	buf_release(&text);
	return -1;
}

/* Opens a note; -1 with errno. */
static int
open_note(struct notebook *nb, struct str path, struct beneath_fault *fault)
{
	char *name;
	int fd, error;

	if (nb->notes < 0) {
		errno = ENOENT;
		return -1;
	}
	name = xmemdup(path.s, path.n);
	fd = beneath_open_file(nb->notes, name, O_RDONLY, fault);
	error = errno;
	free(name);
	errno = error;
	return fd;
}

static int
refuse_large(struct notebook *nb, struct str path, int64_t bytes,
	     struct fail *fail)
{
	struct buf name = BUF_INIT;

	canonical(nb, path, &name);
	fail_refuse(fail, "too_large",
		    "%s has %" PRId64 " bytes; a note of more than %d bytes "
		    "is not read",
		    name.data, bytes, NOTEBOOK_READ_BYTES);
	buf_release(&name);
	return -1;
}

static int
refuse_no_text(struct notebook *nb, struct str path, size_t offset,
	       struct fail *fail)
{
	struct buf name = BUF_INIT;

	canonical(nb, path, &name);
	fail_refuse(fail, "not_text",
		    "%s is not UTF-8 text: the first bad byte is at offset %zu",
		    name.data, offset);
	buf_release(&name);
	return -1;
}

static int
fail_note(struct notebook *nb, const char *what, struct str path,
	  struct fail *fail)
{
	struct buf name = BUF_INIT;
	int error = errno;

	canonical(nb, path, &name);
	fail_environment(fail, "cannot %s %s: %s", what, name.data,
			 strerror(error));
	buf_release(&name);
	return -1;
}

/* Reads what is open; st is its, and of a size that may be read. */
static int
read_text(struct notebook *nb, int fd, struct str path, struct buf *out,
	  struct fail *fail)
{
	size_t bad;
	int rc = io_read_all(fd, NOTEBOOK_READ_BYTES, out);

	if (rc < 0)
		return fail_note(nb, "read", path, fail);
	if (rc > 0)
		return refuse_large(nb, path, NOTEBOOK_READ_BYTES + 1, fail);
	bad = utf8_valid_prefix(buf_str(out));
	if (bad < out->len)
		return refuse_no_text(nb, path, bad, fail);
	return 0;
}

int
notebook_read(struct notebook *nb, struct str path, struct buf *out,
	      struct note_file *facts, struct fail *fail)
{
	int fd = open_note(nb, path, NULL), rc;
	struct stat st;

	if (fd < 0 && errno != EACCES && errno != EIO && errno != EMFILE)
		return refuse_with_path(nb, path, "not_found",
					"no note file at", fail);
	if (fd < 0)
		return fail_note(nb, "read", path, fail);
	if (fstat(fd, &st) != 0)
		rc = fail_note(nb, "read", path, fail);
	else if (st.st_size > NOTEBOOK_READ_BYTES)
		rc = refuse_large(nb, path, st.st_size, fail);
	else
		rc = read_text(nb, fd, path, out, fail);
	close(fd);
	if (rc == 0)
		load_facts(nb, path, &st, facts);
	return rc;
}

bool
notebook_peek(struct notebook *nb, struct str path, struct buf *out)
{
	int fd = open_note(nb, path, NULL);
	bool text;

	if (fd < 0)
		return false;
	text = io_read_all(fd, NOTEBOOK_READ_BYTES, out) == 0 &&
	       utf8_valid(buf_str(out));
	close(fd);
	return text;
}

bool
notebook_has(struct notebook *nb, struct str path, int64_t bytes,
	     int64_t updated_ms)
{
	int fd = open_note(nb, path, NULL);
	struct stat st;
	bool has;

	if (fd < 0)
		return false;
	has = fstat(fd, &st) == 0 && st.st_size == bytes &&
	      mtime_ms(&st) == updated_ms;
	close(fd);
	return has;
}

/* ---- writing ----------------------------------------------------------- */

static int
by_size(const void *a, const void *b)
{
	const struct note_file *x = *(const struct note_file *const *)a;
	const struct note_file *y = *(const struct note_file *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* Largest first, ties by path; the caller frees it. */
static const struct note_file **
sorted_by_size(const struct note_files *files)
{
	const struct note_file **v = xcalloc(files->n + 1,
					     sizeof(struct note_file *));

	for (size_t i = 0; i < files->n; i++)
		v[i] = &files->v[i];
	if (files->n > 1)
		qsort(v, files->n, sizeof(struct note_file *), by_size);
	return v;
}

static int
refuse_size(struct notebook *nb, const struct note_write *w, struct fail *fail)
{
	struct buf text = BUF_INIT, name = BUF_INIT;
	struct note_files files = { 0 };
	const struct note_file **largest;
	int64_t left = w->max_bytes - (w->size - (int64_t)w->text.n);

	canonical(nb, w->path, &name);
	buf_addf(&text,
		 "%s would have %" PRId64 " bytes; the limit is %" PRId64
		 " bytes",
		 name.data, w->size, w->max_bytes);
	if (w->append)
		buf_addf(&text, "; %" PRId64 " bytes are left in it",
			 left > 0 ? left : 0);
	if (notebook_list(nb, STR(""), &files, fail) == 0 && files.n > 1) {
		largest = sorted_by_size(&files);
		buf_adds(&text, "; the largest notes:");
		for (size_t i = 0; i < files.n && i < LARGEST_NAMED; i++) {
			buf_reset(&name);
			canonical(nb, str_of(largest[i]->path), &name);
			buf_addf(&text, "%s %s (%" PRId64 " bytes)",
				 i == 0 ? "" : ",", name.data,
				 largest[i]->bytes);
		}
		free(largest);
	}
	notebook_files_release(&files);
	fail_refuse(fail, "too_large", "%s", text.data);
	buf_release(&text);
	buf_release(&name);
	return -1;
}

/* n: how much of the path is that of what stands there already. */
static int
refuse_conflict(struct notebook *nb, struct str path, size_t n,
		const char *what, struct fail *fail)
{
	struct buf name = BUF_INIT, there = BUF_INIT;

	canonical(nb, path, &name);
	canonical(nb, (struct str){ path.s, n }, &there);
	fail_refuse(fail, "path_conflict",
		    "%s cannot be written: %s is there, and is %s", name.data,
		    there.data, what);
	buf_release(&name);
	buf_release(&there);
	return -1;
}

static int
refuse_fault(struct notebook *nb, struct str path,
	     const struct beneath_fault *fault, struct fail *fail)
{
	if (fault->kind == BENEATH_NOT_FILE)
		return refuse_conflict(nb, path, path.n,
				       "a folder, or a special file", fail);
	return refuse_conflict(nb, path, fault->end,
			       fault->kind == BENEATH_LINK
				       ? "a symbolic link"
				       : "a file, or a special file",
			       fail);
}

/* notes/ is there, but is nothing that files can be in. */
static bool
notes_are_blocked(const struct notebook *nb)
{
	struct stat st;

	return nb->dir >= 0 && nb->notes < 0 &&
	       fstatat(nb->dir, "notes", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !S_ISDIR(st.st_mode);
}

static int
prepare_append(struct notebook *nb, struct note_write *w, int fd,
	       struct fail *fail)
{
	if (!w->append) {
		w->size = (int64_t)w->text.n;
		return 0;
	}
	w->size = (int64_t)w->text.n + (w->exists ? w->seen.st_size : 0);
	if (w->exists && w->seen.st_size <= NOTEBOOK_READ_BYTES &&
	    read_text(nb, fd, w->path, &w->bytes, fail) != 0)
		return -1;
	if (w->size > w->max_bytes)
		return 0;
	buf_add_str(&w->bytes, w->text);
	w->size = (int64_t)w->bytes.len;
	return 0;
}

static int
check_count(struct notebook *nb, struct fail *fail)
{
	struct note_files files = { 0 };
	int rc = notebook_list(nb, STR(""), &files, fail);

	if (rc == 0 && files.n >= NOTEBOOK_FILES)
		rc = fail_refuse(fail, "limit_reached",
				 "%.*s has %d note files, which is the limit; "
				 "add to one that is there",
				 (int)nb->agent.n, nb->agent.s, NOTEBOOK_FILES);
	notebook_files_release(&files);
	return rc;
}

int
notebook_prepare(struct notebook *nb, struct note_write *w, struct fail *fail)
{
	struct beneath_fault fault = { 0 };
	const struct ledger *ledger = ledger_of(nb);
	int64_t updated_ms, created_ms;
	int fd, rc;

	if (notes_are_blocked(nb))
		return refuse_conflict(nb, w->path, 0,
				       "no folder that can be written in",
				       fail);
	fd = open_note(nb, w->path, &fault);
	if (fd < 0 && fault.kind != BENEATH_FINE)
		return refuse_fault(nb, w->path, &fault, fail);
	if (fd < 0 && errno != ENOENT)
		return fail_note(nb, "open", w->path, fail);
	w->exists = fd >= 0;
	buf_reset(&w->bytes);
	rc = 0;
	if (w->exists && fstat(fd, &w->seen) != 0)
		rc = fail_note(nb, "open", w->path, fail);
	if (rc == 0)
		rc = prepare_append(nb, w, fd, fail);
	if (fd >= 0)
		close(fd);
	if (rc != 0)
		return -1;
	if (w->size > w->max_bytes)
		return refuse_size(nb, w, fail);
	if (!w->exists && check_count(nb, fail) != 0)
		return -1;
	w->updated_ms = ledger->last_ms >= w->now_ms ? ledger->last_ms + 1
						     : w->now_ms;
	w->created_ms = w->updated_ms;
	if (w->exists) {
		ledger_times(ledger, w->path, mtime_ms(&w->seen), &created_ms,
			     &updated_ms);
		w->created_ms = created_ms;
	}
	return 0;
}

/*
 * Opens the folder of a note, making what is missing; *made is the path of the
 * first folder that was, or empty.
 */
static int
make_folder(struct notebook *nb, struct str path, struct buf *made,
	    struct beneath_fault *fault)
{
	const char *slash = memrchr(path.s, '/', path.n);
	char *folder;
	int fd = -1;

	if (nb->notes < 0) {
		/* tree_make() follows no link, either. */
		nb->notes = tree_make(nb->dir, "notes", fault);
		if (nb->notes < 0)
			return -1;
	}
	if (slash == NULL)
		return openat(nb->notes, ".",
			      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = xmemdup(path.s, (size_t)(slash - path.s));
	for (char *p = folder; p != NULL && made->len == 0;) {
		p = strchr(p, '/');
		if (p != NULL)
			*p = '\0';
		fd = beneath_open_directory(nb->notes, folder, NULL);
		if (fd < 0 && errno == ENOENT)
			buf_adds(made, folder);
		if (fd >= 0)
			close(fd);
		if (p != NULL)
			*p++ = '/';
	}
	fd = tree_make(nb->notes, folder, fault);
	free(folder);
	return fd;
}

/* Takes back what make_folder() made, where nothing came to be in it. */
static void
unmake_folder(struct notebook *nb, struct str path, struct str made)
{
	char *folder = xmemdup(path.s, path.n), *slash;
	int error = errno;

	while (made.n > 0 && (slash = strrchr(folder, '/')) != NULL) {
		*slash = '\0';
		if (strlen(folder) < made.n ||
		    unlinkat(nb->notes, folder, AT_REMOVEDIR) != 0)
			break;
	}
	free(folder);
	errno = error;
}

static int
store_meta(struct notebook *nb, const struct note_write *w, struct fail *fail)
{
	struct buf meta = BUF_INIT;
	int rc;

	ledger_set(&nb->ledger, w->path, w->created_ms, w->updated_ms);
	ledger_write(&nb->ledger, &meta);
	rc = state_replace(nb->dir, NOTEBOOK_META, buf_str(&meta), fail);
	buf_release(&meta);
	return rc;
}

int
notebook_store(struct notebook *nb, int root, struct note_write *w,
	       struct fail *fail)
{
	struct timespec mtime = { .tv_sec = w->updated_ms / 1000,
				  .tv_nsec = w->updated_ms % 1000 * 1000000 };
	char temporary[STATE_TEMPORARY_SIZE], *name;
	const char *slash = memrchr(w->path.s, '/', w->path.n);
	struct beneath_fault fault = { 0 };
	struct buf made = BUF_INIT;
	struct tree_file file = {
		.temporary = temporary,
		.bytes = w->append ? buf_str(&w->bytes) : w->text,
		.like = w->exists ? &w->seen : NULL,
		.mtime = &mtime,
		.over = w->exists ? TREE_OVER_SEEN : TREE_OVER_NOTHING
	};
	bool landed = false;
	int dir, rc = -1;

	if (mtime.tv_nsec < 0) {
		mtime.tv_sec--;
		mtime.tv_nsec += 1000000000;
	}
	if (notebook_make(nb, root, fail) != 0)
		return -1;
	dir = make_folder(nb, w->path, &made, &fault);
	if (dir < 0 && fault.kind != BENEATH_FINE)
		rc = refuse_fault(nb, w->path, &fault, fail);
	else if (dir < 0)
		rc = fail_note(nb, "write", w->path, fail);
	if (dir < 0)
		goto out;
	state_temporary(temporary);
	name = slash == NULL
		       ? xmemdup(w->path.s, w->path.n)
		       : xmemdup(slash + 1,
				 w->path.n - 1 - (size_t)(slash - w->path.s));
	file.name = name;
	rc = tree_replace(dir, &file, &landed);
	close(dir);
	free(name);
	if (rc != 0 && errno == ESTALE)
		rc = 1;
	else if (rc != 0)
		rc = fail_note(nb, landed ? "sync the stored" : "write",
			       w->path, fail);
	else if (store_meta(nb, w, fail) != 0)
		rc = fail_environment(fail,
				      "the note is stored, but its times are "
				      "not: " NOTEBOOK_META ": %s",
				      strerror(errno));
out:
	if (rc != 0 && !landed)
		unmake_folder(nb, w->path, buf_str(&made));
	buf_release(&made);
	return rc;
}

/* ---- advice (3.10) ----------------------------------------------------- */

void
notebook_warnings(const struct note_files *files, struct str agent,
		  int64_t max_bytes, struct buf *out)
{
	const struct note_file **largest = sorted_by_size(files);
	int64_t file_limit = max_bytes / 16, limit = max_bytes / 4;

	for (size_t i = 0; i < files->n && i < LARGEST_WARNED; i++) {
		if (largest[i]->bytes <= file_limit)
			break;
		virtual_path_canonical(out, agent, str_of(largest[i]->path));
		buf_addf(out,
			 " has %" PRId64 " bytes; consider splitting or "
			 "trimming it (advised above %" PRId64 " bytes).\n",
			 largest[i]->bytes, file_limit);
	}
	if (files->bytes > limit)
		buf_addf(out,
			 "Notes of %.*s hold %" PRId64 " bytes in %zu files; "
			 "consider trimming (advised above %" PRId64
			 " bytes).\n",
			 (int)agent.n, agent.s, files->bytes, files->n, limit);
	free(largest);
}
