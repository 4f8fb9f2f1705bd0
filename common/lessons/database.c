#include "lessons/database.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/path.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "lessons/origin.h"
#include "lessons/schema.h"

#define HEADER_BYTES 100
#define WAL_RETRY_MS 20

void
database_init(struct database *d)
{
	*d = (struct database){ .sql = SQL_INIT,
				.target = BUF_INIT,
				.base = BUF_INIT,
				.real = BUF_INIT };
}

void
database_release(struct database *d)
{
	sql_close(&d->sql);
	buf_release(&d->target);
	buf_release(&d->base);
	buf_release(&d->real);
}

/* ---- which file -------------------------------------------------------- */

#define LEGAL_BASE "the path of a file, absolute or beginning with ~/"

/* A base path from a host fact: absolute, or below the home directory. */
static int
base_of_fact(struct buf *out, const struct facts *facts, struct fail *fail)
{
	const char *given = fact(facts, FACT_LESSONS_DB);
	const char *home = facts_home_directory();
	struct str path = str_of(given);

	if (path.n == 0 || path.s[path.n - 1] == '/' || !utf8_valid(path))
		return origin_bad_fact(facts, FACT_LESSONS_DB, fail,
				       LEGAL_BASE);
	if (path.s[0] == '/')
		path_resolve(out, STR("/"), path);
	else if (str_starts(path, STR("~/")) && home != NULL)
		path_resolve(out, str_of(home), str_from(path, 2));
	else
		return origin_bad_fact(facts, FACT_LESSONS_DB, fail,
				       LEGAL_BASE);
	return 0;
}

/* A variable that is set to nothing would otherwise count as unset. */
static int
refuse_empty(struct fail *fail)
{
	static const char *const names[] = { "CTX_LESSONS_DB", "PI_MEMORY_DB" };
	const char *value;
	size_t i;

	for (i = 0; i < 2; i++) {
		value = getenv(names[i]);
		if (value != NULL && *value == '\0')
			return fail_environment(
				fail, "%s: nothing given; legal: " LEGAL_BASE,
				names[i]);
		if (value != NULL)
			break;
	}
	return 0;
}

int
database_base(struct database *d, const struct facts *facts,
	      const struct settings *settings, struct fail *fail)
{
	const char *data = getenv("XDG_DATA_HOME");
	const char *home = facts_home_directory();

	if (fact(facts, FACT_LESSONS_DB) != NULL)
		return base_of_fact(&d->base, facts, fail);
	if (refuse_empty(fail) != 0)
		return -1;
	if (settings->database.len > 0)
		buf_add_str(&d->base, buf_str(&settings->database));
	else if (data != NULL && data[0] == '/')
		buf_addf(&d->base, "%s/ctxtools/memory.sqlite3", data);
	else if (home != NULL)
		buf_addf(&d->base, "%s/.local/share/ctxtools/memory.sqlite3",
			 home);
	else
		return fail_environment(fail, "the lessons database: there is "
					      "no home directory; legal: HOME "
					      "or CTX_LESSONS_DB");
	return 0;
}

/* A file name's stem without a version, and its extension with the dot. */
static void
split_name(struct str name, struct str *stem, struct str *extension)
{
	size_t dot = name.n, end;

	while (dot > 0 && name.s[dot - 1] != '.')
		dot--;
	if (dot <= 1) /* none, or the first character */
		dot = name.n + 1;
	*stem = (struct str){ name.s, dot - 1 };
	*extension = str_from(name, stem->n);
	end = stem->n;
	while (end > 0 && stem->s[end - 1] >= '0' && stem->s[end - 1] <= '9')
		end--;
	if (end < stem->n && end >= 2 && stem->s[end - 1] == 'v' &&
	    stem->s[end - 2] == '-')
		stem->n = end - 2;
}

static void
set_target(struct database *d)
{
	struct str stem, extension, folder = path_parent(buf_str(&d->base));

	split_name(path_last(buf_str(&d->base)), &stem, &extension);
	buf_add_str(&d->target, folder);
	if (folder.n > 1)
		buf_addc(&d->target, '/');
	buf_add_str(&d->target, stem);
	buf_addf(&d->target, "-v%d", SCHEMA_VERSION);
	buf_add_str(&d->target, extension);
}

/* ---- what it is -------------------------------------------------------- */

enum identity {
	IDENTITY_ABSENT,
	IDENTITY_EMPTY, /* no bytes, or a database without anything in it */
	IDENTITY_OURS,
	IDENTITY_UNSAID, /* both numbers 0: they may lie in the log still */
	IDENTITY_FOREIGN,
	IDENTITY_FAILED
};

struct header {
	enum identity identity;
	bool sqlite; /* it begins like a database */
	uint32_t application, version;
	int error; /* errno of IDENTITY_FAILED */
};

static uint32_t
big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void
read_header(const char *path, struct header *h)
{
	unsigned char bytes[HEADER_BYTES];
	struct stat st;
	long n;
	int fd;

	*h = (struct header){ .identity = IDENTITY_FAILED };
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		h->error = errno;
		if (errno == ENOENT && lstat(path, &st) != 0)
			h->identity = IDENTITY_ABSENT;
		return;
	}
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		h->error = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		(void)close(fd);
		return;
	}
	n = io_pread_all(fd, bytes, HEADER_BYTES, 0);
	h->error = errno;
	(void)close(fd);
	if (n == 0)
		h->identity = IDENTITY_EMPTY;
	if (n <= 0)
		return;
	h->identity = IDENTITY_FOREIGN;
	h->sqlite = n == HEADER_BYTES &&
		    memcmp(bytes, "SQLite format 3", 16) == 0;
	if (!h->sqlite)
		return;
	h->version = big_endian(bytes + 60);
	h->application = big_endian(bytes + 68);
	if (h->application == SCHEMA_APPLICATION &&
	    h->version == SCHEMA_VERSION)
		h->identity = IDENTITY_OURS;
	else if (h->application == 0 && h->version == 0)
		h->identity = IDENTITY_UNSAID;
}

/* The numbers as SQLite sees them, the log included. */
static int
ask(struct sql *s, struct header *h, struct fail *fail)
{
	int64_t application = 0, version = 0, objects = 0;

	if (query_value(s, fail, &application, "PRAGMA application_id", "") <
		    0 ||
	    query_value(s, fail, &version, "PRAGMA user_version", "") < 0 ||
	    query_value(s, fail, &objects, "SELECT count(*) FROM sqlite_schema",
			"") < 0)
		return -1;
	h->application = (uint32_t)application;
	h->version = (uint32_t)version;
	if (application == SCHEMA_APPLICATION && version == SCHEMA_VERSION)
		h->identity = IDENTITY_OURS;
	else if (application == 0 && version == 0 && objects == 0)
		h->identity = IDENTITY_EMPTY;
	else
		h->identity = IDENTITY_FOREIGN;
	return 0;
}

static int
foreign(const char *path, const struct header *h, struct fail *fail)
{
	if (h->identity == IDENTITY_FAILED)
		return fail_environment(fail, "%s: %s", path,
					strerror(h->error));
	if (!h->sqlite)
		return fail_environment(fail,
					"%s: not an SQLite database; another "
					"file can be named by CTX_LESSONS_DB",
					path);
	return fail_environment(fail,
				"%s: a database of another kind: application "
				"id %u and version %u found; legal: %d and %d",
				path, h->application, h->version,
				SCHEMA_APPLICATION, SCHEMA_VERSION);
}

/* Whether the directory lets files be made in it. */
static bool
writable_folder(const char *path)
{
	struct buf folder = BUF_INIT;
	bool can;

	buf_add_str(&folder, path_parent(str_of(path)));
	can = access(folder.data, W_OK) == 0;
	buf_release(&folder);
	return can;
}

static bool
has_sidecar(const char *path, const char *suffix, struct buf *name)
{
	struct stat st;

	buf_reset(name);
	buf_adds(name, path);
	buf_adds(name, suffix);
	return lstat(name->data, &st) == 0;
}

/* For reading: as it lies there, where no log can be and none can come. */
static enum sql_mode
reading_mode(const char *path)
{
	struct buf name = BUF_INIT;
	bool log = has_sidecar(path, "-wal", &name);

	buf_release(&name);
	return !log && !writable_folder(path) ? SQL_FROZEN : SQL_READ;
}

static int
check_target(struct database *d, struct header *h, struct fail *fail)
{
	int rc;

	if (h->identity == IDENTITY_UNSAID) {
		rc = sql_open(&d->sql, d->target.data,
			      reading_mode(d->target.data), fail);
		if (rc == 0)
			rc = ask(&d->sql, h, fail);
		sql_close(&d->sql);
		if (rc != 0)
			return -1;
	}
	if (h->identity == IDENTITY_OURS || h->identity == IDENTITY_EMPTY)
		return 0;
	return foreign(d->target.data, h, fail);
}

/* A log without its database is somebody's data: it is left alone. */
static int
check_orphans(struct database *d, struct fail *fail)
{
	static const char *const suffixes[] = { "-wal", "-shm", "-journal" };
	struct buf name = BUF_INIT;
	struct stat st;
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < 3; i++) {
		if (!has_sidecar(d->target.data, suffixes[i], &name))
			continue;
		/* Another process may have made the store meanwhile. */
		if (lstat(d->target.data, &st) == 0)
			break;
		rc = fail_environment(fail,
				      "%s: a log without its database; move it "
				      "away, or name another file by "
				      "CTX_LESSONS_DB",
				      name.data);
	}
	buf_release(&name);
	return rc;
}

/* The real path, of what of it is there. */
static void
set_real(struct database *d)
{
	struct str whole = buf_str(&d->target), there = whole;
	struct buf prefix = BUF_INIT;
	char *real;

	for (;;) {
		buf_reset(&prefix);
		buf_add_str(&prefix, there);
		real = realpath(prefix.data, NULL);
		if (real != NULL || there.n <= 1)
			break;
		there = path_parent(there);
	}
	buf_adds(&d->real, real == NULL || real[1] == '\0' ? "" : real);
	if (there.n < whole.n)
		buf_add_str(&d->real,
			    str_from(whole, there.n == 1 ? 0 : there.n));
	free(real);
	buf_release(&prefix);
}

int
database_find(struct database *d, struct fail *fail)
{
	struct header target, base = { .identity = IDENTITY_ABSENT };

	set_target(d);
	read_header(d->target.data, &target);
	if (target.identity == IDENTITY_ABSENT) {
		if (!str_eq(buf_str(&d->base), buf_str(&d->target)))
			read_header(d->base.data, &base);
		if (base.identity == IDENTITY_OURS) {
			buf_reset(&d->target);
			buf_add_str(&d->target, buf_str(&d->base));
		} else if (check_orphans(d, fail) != 0) {
			return -1;
		}
		d->exists = base.identity == IDENTITY_OURS;
	} else if (check_target(d, &target, fail) != 0) {
		return -1;
	} else {
		d->exists = true;
	}
	set_real(d);
	return 0;
}

/* ---- opening ----------------------------------------------------------- */

int
database_make_file(const char *path, bool *made)
{
	struct buf folder = BUF_INIT;
	int root, dir, fd = -1, rc = -1, saved;

	buf_add_str(&folder, path_parent(str_of(path)));
	root = tree_make_root(folder.data);
	buf_release(&folder);
	if (root < 0)
		return -1;
	/* That one is fit for opening what is in it, this one for syncing. */
	dir = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(void)close(root);
	if (dir < 0)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	*made = fd >= 0;
	if (fd >= 0)
		rc = tree_sync(dir);
	else if (errno == EEXIST)
		rc = 0;
	saved = errno;
	if (fd >= 0)
		(void)close(fd);
	(void)close(dir);
	errno = saved;
	return rc;
}

int
database_wal(struct sql *s, struct fail *fail)
{
	int64_t deadline = clock_monotonic_ms() + SQL_BUSY_MS;
	struct query q;
	bool wal = false;
	int rc;

	for (;;) {
		struct fail once = FAIL_INIT;

		rc = query_first(&q, s, &once, "PRAGMA journal_mode = WAL", "");
		wal = rc == 1 && str_is(query_text(&q, 0), "wal");
		query_close(&q);
		fail_release(&once);
		if (wal)
			return sql_script(s, "PRAGMA synchronous = FULL", fail);
		if (clock_monotonic_ms() >= deadline)
			break;
		if (rc == 1) /* an answer, and another one than asked for */
			return fail_environment(fail,
						"%s: its file system does not "
						"let SQLite keep a write-ahead "
						"log",
						s->path.data);
		clock_sleep_ms(WAL_RETRY_MS);
	}
	return fail_environment(fail, "%s: database is busy", s->path.data);
}

/* Makes the schema, unless another process was first. */
static int
make_schema(struct database *d, struct fail *fail)
{
	struct header h;
	size_t i;
	int rc = -1;

	if (ask(&d->sql, &h, fail) != 0)
		return -1;
	if (h.identity == IDENTITY_OURS)
		return 0;
	if (sql_begin(&d->sql, fail) != 0)
		return -1;
	if (ask(&d->sql, &h, fail) != 0)
		goto out;
	if (h.identity == IDENTITY_FOREIGN) {
		h.sqlite = true;
		rc = foreign(d->target.data, &h, fail);
	} else if (h.identity == IDENTITY_OURS) {
		rc = 0;
	} else {
		for (i = 0, rc = 0; rc == 0 && schema_script[i] != NULL; i++)
			rc = sql_script(&d->sql, schema_script[i], fail);
		if (rc == 0)
			rc = sql_commit(&d->sql, fail);
	}
out:
	sql_rollback(&d->sql);
	return rc;
}

int
database_open(struct database *d, bool write, struct fail *fail)
{
	struct header h = { .identity = IDENTITY_EMPTY };

	if (write) {
		if (!d->exists &&
		    database_make_file(d->target.data, &d->created) != 0)
			return fail_environment(fail, "%s: %s", d->target.data,
						strerror(errno));
		if (sql_open(&d->sql, d->target.data, SQL_WRITE, fail) != 0)
			return -1;
		d->exists = true;
		if (database_wal(&d->sql, fail) != 0)
			return -1;
		return make_schema(d, fail);
	}
	if (!d->exists)
		return 0;
	if (sql_open(&d->sql, d->target.data, reading_mode(d->target.data),
		     fail) != 0)
		return -1;
	if (ask(&d->sql, &h, fail) != 0)
		return -1;
	if (h.identity == IDENTITY_EMPTY)
		sql_close(&d->sql);
	return 0;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* <stem>.ext or <stem>-vN.ext with another N than ours. */
static bool
is_sibling(struct str name, struct str stem, struct str extension)
{
	size_t i;

	if (!str_starts(name, stem) || !str_ends(name, extension) ||
	    name.n < stem.n + extension.n)
		return false;
	name = str_from(name, stem.n);
	name.n -= extension.n;
	if (name.n == 0)
		return true;
	if (!str_starts(name, STR("-v")) || name.n < 3 || str_is(name, "-v9"))
		return false;
	for (i = 2; i < name.n; i++)
		if (name.s[i] < '0' || name.s[i] > '9')
			return false;
	return true;
}

void
database_siblings(const struct database *d, struct buf *out)
{
	struct str stem, extension, folder = path_parent(buf_str(&d->target));
	struct buf path = BUF_INIT;
	struct dirent *entry;
	char **names = NULL;
	size_t n = 0, cap = 0, i;
	DIR *dir;

	split_name(path_last(buf_str(&d->target)), &stem, &extension);
	buf_add_str(&path, folder);
	dir = opendir(path.data);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_sibling(str_of(entry->d_name), stem, extension))
			continue;
		XGROW(names, n + 1, cap);
		names[n++] = xstrdup(entry->d_name);
	}
	if (dir != NULL)
		(void)closedir(dir);
	if (n > 1)
		qsort(names, n, sizeof(*names), compare_names);
	for (i = 0; i < n; i++) {
		buf_addf(out, "%s%s/%s", i == 0 ? "" : ", ",
			 folder.n == 1 ? "" : path.data, names[i]);
		free(names[i]);
	}
	free(names);
	buf_release(&path);
}

int
database_next_id(struct sql *s, const char *text, int64_t *id,
		 struct fail *fail)
{
	int64_t last = 0;

	if (query_value(s, fail, &last, text, "") < 0)
		return -1;
	if (last < 0 || last >= INT64_C(9007199254740991))
		return fail_environment(fail, "%s: id range exhausted",
					s->path.data);
	*id = last + 1;
	return 0;
}
