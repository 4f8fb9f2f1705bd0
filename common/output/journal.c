#include "output/journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/json_write.h"
#include "base/lock.h"
#include "base/path.h"
#include "base/tree.h"
#include "output/place.h"

int
journal_init(struct journal *j, const struct facts *facts, const char *path,
	     const struct journal_options *options, struct fail *fail)
{
	*j = (struct journal){ .options = *options,
			       .path = BUF_INIT,
			       .name = BUF_INIT,
			       .fd = -1 };
	wire_encoder_init(&j->e);
	if (place_resolve(&j->path, facts, path, fail) != 0)
		return -1;
	fail_quote(&j->name, buf_str(&j->path));
	return 0;
}

static void
forget(struct journal *j)
{
	if (j->known)
		recovered_release(&j->now);
	j->known = false;
}

void
journal_release(struct journal *j)
{
	forget(j);
	if (j->fd >= 0)
		close(j->fd);
	buf_release(&j->path);
	buf_release(&j->name);
	wire_encoder_release(&j->e);
}

static int
failed(const struct journal *j, struct fail *fail)
{
	return fail_environment(fail, "%s: %s", j->name.data, strerror(errno));
}

uint64_t
journal_since_base(const struct journal *j)
{
	return j->now.r.value == NULL ? 0 : j->now.replayed + 1;
}

/* ---- locking ----------------------------------------------------------- */

/* 1: it is open; 0: there is no file; -1: it is none of ours. */
static int
open_file(struct journal *j, bool write, struct fail *fail)
{
	struct stat st;
	int flags = write ? O_RDWR | O_APPEND : O_RDONLY;

	j->fd = open(j->path.data,
		     flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (j->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	/* What cannot be opened like a file: a link, a directory, a device. */
	if (j->fd < 0 && errno != ELOOP && errno != EISDIR && errno != ENXIO)
		return failed(j, fail);
	if (j->fd >= 0 && fstat(j->fd, &st) == 0 && S_ISREG(st.st_mode))
		return 1;
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	return fail_refuse(fail, "not_file", "%s is not a regular file",
			   j->name.data);
}

/* Whether the path still names what is open. */
static bool
is_current(const struct journal *j)
{
	struct stat here, there;

	return fstat(j->fd, &here) == 0 && lstat(j->path.data, &there) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

static void
close_file(struct journal *j)
{
	close(j->fd);
	j->fd = -1;
	forget(j);
}

/* Makes the file.  1; 0: somebody else has; -1. */
static int
make_file(struct journal *j, struct fail *fail)
{
	j->fd = open(j->path.data,
		     O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW |
			     O_CLOEXEC,
		     0600);
	j->made = j->fd >= 0;
	if (j->fd < 0)
		return errno == EEXIST ? 0 : failed(j, fail);
	return 1;
}

/* 0, or -1: not_found, not_file, busy, or FAIL_ENVIRONMENT. */
static int
lock_file(struct journal *j, enum journal_for what, struct fail *fail)
{
	int64_t deadline = clock_monotonic_ms() + j->options.lock_ms;
	bool write = what == JOURNAL_CHANGE || what == JOURNAL_CREATE;
	int rc;

	for (;;) {
		rc = j->fd >= 0 ? 1 : open_file(j, write, fail);
		if (rc == 0 && what != JOURNAL_CREATE)
			return fail_refuse(fail, "not_found",
					   "there is no journal %s",
					   j->name.data);
		if (rc == 0)
			rc = make_file(j, fail);
		if (rc < 0)
			return -1;
		if (rc == 0)
			continue;
		rc = write ? lock_exclusive(j->fd, deadline)
			   : lock_shared(j->fd, deadline);
		if (rc != 0 && errno == EWOULDBLOCK)
			return fail_refuse(fail, "busy",
					   "%s: another process holds it; "
					   "waited for %" PRId64 " ms",
					   j->name.data, j->options.lock_ms);
		if (rc != 0)
			return failed(j, fail);
		if (is_current(j))
			return 0;
		close_file(j); /* it was compacted or removed meanwhile */
	}
}

int
journal_lock(struct journal *j, enum journal_for what, struct fail *fail)
{
	bool had = j->known; /* a file that is opened again is not known */
	struct stat st;
	int rc;

	j->made = false;
	if (lock_file(j, what, fail) != 0)
		return -1;
	j->locked = true;
	j->foreign = false;
	/* Another may have been the first to lock what we made. */
	if (j->made && (fstat(j->fd, &st) != 0 || st.st_size > 0))
		j->made = false;
	if (j->known && fstat(j->fd, &st) == 0 &&
	    (uint64_t)st.st_size == j->now.end)
		return 0;
	j->foreign = had;
	forget(j);
	j->numbers = false;
	rc = recover(j->fd, j->name.data, what == JOURNAL_CHECK,
		     j->options.verbs, &j->now, fail);
	j->known = true;
	if (rc != 0) {
		journal_unlock(j);
		forget(j);
	}
	return rc;
}

void
journal_unlock(struct journal *j)
{
	if (!j->locked)
		return;
	/* Who waits for the lock sees that the name is gone. */
	if (j->made)
		(void)unlink(j->path.data);
	lock_release(j->fd);
	j->locked = false;
	if (j->made)
		close_file(j);
	j->made = false;
}

int
journal_open_end(const struct journal *j, struct fail *fail)
{
	if (j->now.retired)
		return fail_refuse(fail, "retired", "%s: the record is void",
				   j->name.data);
	if (j->now.settled)
		return fail_refuse(fail, "settled",
				   "%s: the stream has ended there",
				   j->name.data);
	return 0;
}

int
journal_try(struct journal *j, struct fail *fail)
{
	int rc = journal_lock(j, JOURNAL_CREATE, fail);

	if (rc == 0)
		rc = journal_open_end(j, fail);
	journal_unlock(j);
	return rc;
}

/* ---- lines ------------------------------------------------------------- */

static void
add_line(struct buf *out, char class, const struct buf *payload)
{
	buf_addf(out, "%c %08" PRIx32 " %08zu ", class,
		 recover_crc(class, buf_str(payload)), payload->len);
	buf_add_str(out, buf_str(payload));
	buf_addc(out, '\n');
}

static void
add_header(const struct journal *j, struct buf *out)
{
	buf_adds(out, "{\"v\":1,\"kind\":");
	json_quote(out, str_of(j->options.kind));
	buf_adds(out, ",\"id\":");
	json_quote(out, str_of(j->options.id));
	buf_adds(out, ",\"units\":\"utf16\"}\n");
}

/* ["l",seq,OPS,"base"],["k",MEMOS] */
static void
add_base(struct buf *out, char class, int64_t seq, struct str ops,
	 const struct value *memos)
{
	struct buf payload = BUF_INIT;

	buf_addf(&payload, "[[\"l\",%" PRId64 ",", seq);
	buf_add_str(&payload, ops);
	buf_adds(&payload, ",\"base\"],[\"k\",");
	if (memos == NULL)
		buf_adds(&payload, "{}");
	else
		value_write(memos, &payload);
	buf_adds(&payload, "]]");
	add_line(out, class, &payload);
	buf_release(&payload);
}

static void
add_whole(struct buf *out, const struct value *v)
{
	buf_adds(out, "[[\"r\",");
	value_write(v, out);
	buf_adds(out, "]]");
}

static void
add_settled(struct buf *out, int64_t seq, bool is_error)
{
	struct buf payload = BUF_INIT;

	buf_addf(&payload, "[[\"z\",%" PRId64 ",%s]]", seq,
		 is_error ? "true" : "false");
	add_line(out, 'Z', &payload);
	buf_release(&payload);
}

/* Syncs the directory that holds the file. */
static int
sync_parent(const struct journal *j)
{
	struct str parent = path_parent(buf_str(&j->path));
	struct buf path = BUF_INIT;
	int fd, rc = -1;

	buf_add_str(&path, parent);
	fd = open(path.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	buf_release(&path);
	if (fd >= 0) {
		rc = tree_sync(fd);
		close(fd);
	}
	return rc;
}

/* After a failed write the file is again what it was. */
static void
cut_back(struct journal *j, uint64_t end)
{
	int error = errno;

	(void)!ftruncate(j->fd, (off_t)end);
	forget(j);
	j->numbers = false;
	errno = error;
}

/*
 * Adds lines to the file, which is locked or to be made, in one write.  Gives
 * their bytes without the header's.
 */
static int64_t
put(struct journal *j, const struct buf *lines, bool durable, struct fail *fail)
{
	struct buf all = BUF_INIT;
	bool new = !j->now.exists;
	uint64_t end = new ? 0 : j->now.end;
	int rc = 0;

	assert(j->locked);
	if (lines->len > RECOVER_PAYLOAD_MOST)
		return fail_refuse(fail, "too_large",
				   "a line of %zu bytes; legal: at most %d",
				   lines->len, RECOVER_PAYLOAD_MOST);
	if (new)
		add_header(j, &all);
	buf_add_str(&all, buf_str(lines));
	/* What is torn goes first, so that the line begins a line. */
	if ((j->now.torn > 0 && ftruncate(j->fd, (off_t)end) != 0) ||
	    io_write_all(j->fd, all.data, all.len) != 0)
		rc = -1;
	if (rc == 0 && j->options.fsync != JOURNAL_NONE &&
	    (durable || j->options.fsync == JOURNAL_ALWAYS))
		rc = fdatasync(j->fd) != 0 || (new &&sync_parent(j) != 0) ? -1
									  : 0;
	if (rc != 0) {
		(void)failed(j, fail);
		cut_back(j, end);
	} else {
		j->now.exists = true;
		j->made = false;
		j->now.end = end + all.len;
		j->now.torn = 0;
	}
	buf_release(&all);
	return rc != 0 ? -1 : (int64_t)lines->len;
}

static void
new_numbers(struct journal *j)
{
	wire_encoder_release(&j->e);
	wire_encoder_init(&j->e);
	j->numbers = true;
}

/* A base stands at the end of the file. */
static void
rebased(struct journal *j)
{
	j->now.seq++;
	j->now.batch_seq = j->now.seq;
	j->now.replayed = 0;
	if (j->now.memos == NULL)
		j->now.memos = value_new_object();
}

int64_t
journal_batch(struct journal *j, const struct ops *ops, struct fail *fail)
{
	struct buf payload = BUF_INIT, line = BUF_INIT, text = BUF_INIT;
	bool base = ops_is_base(ops);
	int64_t bytes;

	/*
	 * A base begins a table of its own; until then the numbers of paths
	 * that others may have given are not ours to give.
	 */
	if (base)
		new_numbers(j);
	if (j->numbers)
		wire_encode(&j->e, ops, &text);
	else
		ops_write(ops, &text);
	if (base) {
		add_base(&line, 'B', j->now.seq + 1, buf_str(&text),
			 j->now.memos);
	} else {
		buf_addf(&payload, "[[\"l\",%" PRId64 ",", j->now.seq + 1);
		buf_add_str(&payload, buf_str(&text));
		buf_adds(&payload, "]]");
		add_line(&line, 'D', &payload);
	}
	bytes = put(j, &line, base, fail);
	if (bytes >= 0 && base) {
		rebased(j);
	} else if (bytes >= 0) {
		j->now.seq++;
		j->now.batch_seq = j->now.seq;
		j->now.replayed++;
	}
	buf_release(&payload);
	buf_release(&line);
	buf_release(&text);
	return bytes;
}

int64_t
journal_base(struct journal *j, char class, struct fail *fail)
{
	struct buf ops = BUF_INIT, line = BUF_INIT;
	int64_t bytes;

	new_numbers(j);
	add_whole(&ops, j->now.r.value);
	add_base(&line, class, j->now.seq + 1, buf_str(&ops), j->now.memos);
	bytes = put(j, &line, true, fail);
	if (bytes >= 0)
		rebased(j);
	buf_release(&ops);
	buf_release(&line);
	return bytes;
}

int64_t
journal_settle(struct journal *j, bool is_error, struct fail *fail)
{
	struct buf line = BUF_INIT;
	int64_t bytes;

	add_settled(&line, j->now.seq + 1, is_error);
	bytes = put(j, &line, true, fail);
	if (bytes >= 0) {
		j->now.seq++;
		j->now.settled = true;
		j->now.is_error = is_error;
	}
	buf_release(&line);
	return bytes;
}

int64_t
journal_retire(struct journal *j, struct fail *fail)
{
	struct buf line = BUF_INIT, payload = BUF_INIT;
	int64_t bytes;

	buf_addf(&payload, "[[\"!\",%" PRId64 "]]", j->now.seq + 1);
	add_line(&line, 'R', &payload);
	bytes = put(j, &line, true, fail);
	if (bytes >= 0) {
		j->now.seq++;
		j->now.retired = true;
	}
	buf_release(&line);
	buf_release(&payload);
	return bytes;
}

int64_t
journal_interrupt(struct journal *j, struct fail *fail)
{
	struct buf ops = BUF_INIT, lines = BUF_INIT;
	int64_t bytes;

	add_whole(&ops, j->now.r.value);
	add_base(&lines, 'B', j->now.seq + 1, buf_str(&ops), j->now.memos);
	add_settled(&lines, j->now.seq + 2, true);
	bytes = put(j, &lines, true, fail);
	if (bytes >= 0) {
		rebased(j);
		j->now.seq++;
		j->now.settled = j->now.is_error = true;
	}
	buf_release(&ops);
	buf_release(&lines);
	return bytes;
}

int
journal_compact(struct journal *j, uint64_t *after, struct fail *fail)
{
	struct str parent = path_parent(buf_str(&j->path));
	struct str name = path_last(buf_str(&j->path));
	struct buf bytes = BUF_INIT, ops = BUF_INIT, dir = BUF_INIT;
	struct buf temporary = BUF_INIT;
	struct tree_file file = { .over = TREE_OVER_ANY };
	struct stat st;
	int fd, rc = -1;

	j->options.id = j->now.id.data;
	j->options.kind = j->now.kind.data;
	add_header(j, &bytes);
	add_whole(&ops, j->now.r.value);
	add_base(&bytes, 'B', j->now.batch_seq, buf_str(&ops), j->now.memos);
	if (j->now.settled)
		add_settled(&bytes, j->now.batch_seq + 1, j->now.is_error);
	buf_add_str(&dir, parent);
	buf_add_str(&temporary, name);
	buf_adds(&temporary, ".new");
	fd = open(dir.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && fstat(j->fd, &st) == 0) {
		file.name = name.s;
		file.temporary = temporary.data;
		file.bytes = buf_str(&bytes);
		file.like = &st;
		rc = tree_replace(fd, &file, NULL);
	}
	if (rc != 0)
		(void)failed(j, fail);
	else
		*after = bytes.len;
	if (fd >= 0)
		close(fd);
	buf_release(&bytes);
	buf_release(&ops);
	buf_release(&dir);
	buf_release(&temporary);
	return rc;
}
