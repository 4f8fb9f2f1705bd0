#include "lessons/sidecar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "lessons/database.h"
#include "lessons/wording.h"

#define SIDECAR_APPLICATION 1129601106 /* 0x43545852 */
#define SIDECAR_VERSION 1

const char *const review_kinds[] = { "audit", "evaluation", NULL };
const char *const review_states[] = { "pending", "submitted", "closed", NULL };

static const char *const script[] = {
	"CREATE TABLE sessions (id TEXT PRIMARY KEY, root TEXT NOT NULL, "
	"ephemeral INTEGER NOT NULL, epoch INTEGER NOT NULL, "
	"barrier INTEGER NOT NULL) WITHOUT ROWID",
	"CREATE TABLE staged (id TEXT PRIMARY KEY, kind TEXT NOT NULL, "
	"session TEXT NOT NULL, harness TEXT NOT NULL, epoch INTEGER NOT NULL, "
	"project TEXT NOT NULL, config_hash TEXT NOT NULL, provider TEXT, "
	"model TEXT, state TEXT NOT NULL "
	"CHECK(state IN ('pending', 'submitted', 'closed')), holder TEXT, "
	"snapshot TEXT NOT NULL, proposal TEXT, result TEXT, "
	"created_at INTEGER NOT NULL)",
	"CREATE UNIQUE INDEX staged_open ON staged(session) "
	"WHERE state != 'closed'",
	"CREATE INDEX staged_state ON staged(state, created_at, id) "
	"WHERE state != 'closed'",
	"PRAGMA application_id = 1129601106",
	"PRAGMA user_version = 1",
	NULL
};

void
sidecar_init(struct sidecar *sc)
{
	*sc = (struct sidecar){ .sql = SQL_INIT, .path = BUF_INIT };
}

void
sidecar_release(struct sidecar *sc)
{
	sql_close(&sc->sql);
	buf_release(&sc->path);
}

int
sidecar_find(struct sidecar *sc, const struct facts *facts, struct str store,
	     struct fail *fail)
{
	const char *given = fact(facts, FACT_STATE_DIR);
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = facts_home_directory();
	struct buf cwd = BUF_INIT;
	char hash[WORDING_KEY_SIZE];
	int rc = 0;

	if (given != NULL && given[0] != '/' &&
	    path_working_directory(&cwd) != 0)
		rc = fail_environment(fail, "%s: %s", given, strerror(errno));
	else if (given != NULL)
		path_resolve(&sc->path, buf_str(&cwd), str_of(given));
	else if (state != NULL && state[0] == '/')
		buf_addf(&sc->path, "%s/ctxtools", state);
	else if (home != NULL)
		buf_addf(&sc->path, "%s/.local/state/ctxtools", home);
	else
		rc = fail_environment(fail, "there is no home directory; "
					    "legal: HOME or CTX_STATE_DIR");
	wording_sha256(store, hash);
	buf_addf(&sc->path, "/.lessons/%.16s.sqlite3", hash);
	buf_release(&cwd);
	return rc;
}

/* Whether the tables are there; -1 as well when it is another file. */
static int
has_tables(struct sidecar *sc, struct fail *fail)
{
	int64_t application = 0, version = 0;

	if (query_value(&sc->sql, fail, &application, "PRAGMA application_id",
			"") < 0 ||
	    query_value(&sc->sql, fail, &version, "PRAGMA user_version", "") <
		    0)
		return -1;
	if (application == 0 && version == 0)
		return 0;
	if (application == SIDECAR_APPLICATION && version == SIDECAR_VERSION)
		return 1;
	return fail_environment(fail,
				"%s: a database of another kind: application "
				"id %lld and version %lld found; legal: %d "
				"and %d",
				sc->path.data, (long long)application,
				(long long)version, SIDECAR_APPLICATION,
				SIDECAR_VERSION);
}

static int
make_tables(struct sidecar *sc, struct fail *fail)
{
	size_t i;
	int rc = has_tables(sc, fail);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (database_wal(&sc->sql, fail) != 0 || sql_begin(&sc->sql, fail) != 0)
		return -1;
	rc = has_tables(sc, fail);
	if (rc == 0) {
		for (i = 0; rc == 0 && script[i] != NULL; i++)
			rc = sql_script(&sc->sql, script[i], fail);
		if (rc == 0)
			rc = sql_commit(&sc->sql, fail);
	}
	sql_rollback(&sc->sql);
	return rc < 0 ? -1 : 0;
}

int
sidecar_open(struct sidecar *sc, enum sidecar_mode mode, struct fail *fail)
{
	bool made, write = mode != SIDECAR_READ;
	struct stat st;
	int rc;

	if (mode == SIDECAR_MAKE) {
		if (database_make_file(sc->path.data, &made) != 0)
			return fail_environment(fail, "%s: %s", sc->path.data,
						strerror(errno));
	} else if (stat(sc->path.data, &st) != 0 || st.st_size == 0) {
		return 0;
	}
	if (sql_open(&sc->sql, sc->path.data, write ? SQL_WRITE : SQL_READ,
		     fail) != 0)
		return -1;
	if (write)
		return make_tables(sc, fail) != 0 ||
				       database_wal(&sc->sql, fail) != 0
			       ? -1
			       : 0;
	rc = has_tables(sc, fail);
	if (rc == 0)
		sql_close(&sc->sql);
	return rc < 0 ? -1 : 0;
}

/* ---- sessions ---------------------------------------------------------- */

int
sidecar_session(struct sidecar *sc, struct str key, struct keep *keep,
		struct session *session, struct fail *fail)
{
	struct query q;
	int rc;

	*session = (struct session){ .root = keep_str(keep, key) };
	rc = query_first(&q, &sc->sql, fail,
			 "SELECT root, ephemeral, epoch, barrier FROM sessions "
			 "WHERE id = ?",
			 "t", key);
	if (rc == 1) {
		session->known = true;
		session->root = keep_str(keep, query_text(&q, 0));
		session->ephemeral = query_integer(&q, 1) != 0;
		session->epoch = query_integer(&q, 2);
		session->barrier = query_integer(&q, 3) != 0;
	}
	query_close(&q);
	return rc < 0 ? -1 : 0;
}

int
sidecar_put_session(struct sidecar *sc, struct str key,
		    const struct session *session, struct fail *fail)
{
	return query_run(&sc->sql, fail,
			 "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5) "
			 "ON CONFLICT(id) DO UPDATE SET ephemeral = ?3, "
			 "epoch = ?4, barrier = ?5",
			 "ttbib", key, session->root, (int)session->ephemeral,
			 session->epoch, (int)session->barrier);
}

int
sidecar_register(struct sidecar *sc, struct str key, struct fail *fail)
{
	return query_run(&sc->sql, fail,
			 "INSERT INTO sessions VALUES (?1, ?1, 0, 0, 0) "
			 "ON CONFLICT(id) DO NOTHING",
			 "t", key);
}

/* ---- reviews ----------------------------------------------------------- */

#define STAGED_COLUMNS                                                        \
	"id, kind, session, harness, project, config_hash, provider, model, " \
	"epoch, created_at, state, holder, snapshot, proposal, result "

static int
index_of(const char *const *names, struct str name)
{
	int i;

	for (i = 0; names[i + 1] != NULL; i++)
		if (str_is(name, names[i]))
			break;
	return i;
}

static void
take_staged(const struct query *q, struct keep *keep, struct staged *r)
{
	r->id = keep_str(keep, query_text(q, 0));
	r->kind = (enum review_kind)index_of(review_kinds, query_text(q, 1));
	r->session = keep_str(keep, query_text(q, 2));
	r->harness = keep_str(keep, query_text(q, 3));
	r->project = keep_str(keep, query_text(q, 4));
	r->config_hash = keep_str(keep, query_text(q, 5));
	r->provider = keep_str(keep, query_text(q, 6));
	r->model = keep_str(keep, query_text(q, 7));
	r->epoch = query_integer(q, 8);
	r->created_at = query_integer(q, 9);
	r->state = (enum review_state)index_of(review_states,
					       query_text(q, 10));
	r->holder = keep_str(keep, query_text(q, 11));
	r->snapshot = keep_str(keep, query_text(q, 12));
	r->proposal = keep_str(keep, query_text(q, 13));
	r->result = keep_str(keep, query_text(q, 14));
}

static int
one_staged(struct query *q, int rc, struct keep *keep, struct staged *review)
{
	if (rc == 1)
		take_staged(q, keep, review);
	query_close(q);
	return rc;
}

int
sidecar_open_review(struct sidecar *sc, struct str key, struct keep *keep,
		    struct staged *review, struct fail *fail)
{
	struct query q;
	int rc = query_first(&q, &sc->sql, fail,
			     "SELECT " STAGED_COLUMNS "FROM staged "
			     "WHERE session = ? AND state != 'closed'",
			     "t", key);

	return one_staged(&q, rc, keep, review);
}

int
sidecar_review(struct sidecar *sc, struct str id, struct keep *keep,
	       struct staged *review, struct fail *fail)
{
	struct query q;
	int rc = query_first(
		&q, &sc->sql, fail,
		"SELECT " STAGED_COLUMNS "FROM staged WHERE id = ?", "t", id);

	return one_staged(&q, rc, keep, review);
}

long
sidecar_reviews(struct sidecar *sc, bool submitted, struct keep *keep,
		struct staged *reviews, size_t n, struct fail *fail)
{
	struct query q;
	size_t got = 0;
	int rc = 0;

	if (query_open(
		    &q, &sc->sql, fail,
		    "SELECT " STAGED_COLUMNS "FROM staged "
		    "WHERE state != 'closed' AND (state = 'submitted' OR ?1) "
		    "ORDER BY created_at, id LIMIT ?2",
		    "bi", (int)!submitted, (int64_t)n) != 0)
		return -1;
	while (got < n && (rc = query_next(&q, fail)) == 1)
		take_staged(&q, keep, &reviews[got++]);
	query_close(&q);
	return rc < 0 ? -1 : (long)got;
}

void
sidecar_new_id(char id[REVIEW_ID_SIZE])
{
	unsigned char r[16];
	size_t i;
	int n = 0;

	if (getrandom(r, sizeof(r), 0) != (ssize_t)sizeof(r))
		abort(); /* so few bytes are always given whole */
	r[6] = (unsigned char)((r[6] & 0x0f) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3f) | 0x80);
	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			id[n++] = '-';
		id[n++] = "0123456789abcdef"[r[i] >> 4];
		id[n++] = "0123456789abcdef"[r[i] & 15];
	}
	id[n] = '\0';
}

int
sidecar_stage(struct sidecar *sc, const struct staged *r, struct fail *fail)
{
	if (query_run(
		    &sc->sql, fail,
		    "INSERT INTO staged (id, kind, session, harness, project, "
		    "config_hash, provider, model, epoch, created_at, state, "
		    "snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		    "'pending', ?)",
		    "tzttttttiit", r->id, review_kinds[r->kind], r->session,
		    r->harness, r->project, r->config_hash, r->provider,
		    r->model, r->epoch, r->created_at, r->snapshot) != 0)
		return -1;
	if (r->session.n == 0)
		return 0;
	return query_run(&sc->sql, fail,
			 "UPDATE sessions SET barrier = 1 WHERE id = ?", "t",
			 r->session);
}

int
sidecar_submit(struct sidecar *sc, struct str id, struct str proposal,
	       struct str holder, struct str provider, struct str model,
	       struct fail *fail)
{
	if (query_run(&sc->sql, fail,
		      "UPDATE staged SET state = 'submitted', proposal = ?, "
		      "holder = ?, provider = ?, model = ? "
		      "WHERE id = ? AND state = 'pending'",
		      "ttttt", proposal, holder, provider, model, id) != 0)
		return -1;
	return sql_changes(&sc->sql) > 0;
}

int
sidecar_watch(struct sidecar *sc, struct str id, struct keep *keep,
	      struct watched *watched, struct fail *fail)
{
	struct query q;
	int rc = query_first(
		&q, &sc->sql, fail,
		"SELECT state, holder, result FROM staged WHERE id = ?", "t",
		id);

	if (rc == 1) {
		watched->closed = str_is(query_text(&q, 0), "closed");
		watched->holder = keep_str(keep, query_text(&q, 1));
		watched->result = keep_str(keep, query_text(&q, 2));
	}
	query_close(&q);
	return rc;
}

int
sidecar_close(struct sidecar *sc, struct str id, struct str holder,
	      struct str result, struct fail *fail)
{
	if (query_run(&sc->sql, fail,
		      "UPDATE staged SET state = 'closed', holder = ?, "
		      "snapshot = '', proposal = NULL, result = ? "
		      "WHERE id = ? AND state != 'closed'",
		      "ttt", holder, result, id) != 0)
		return -1;
	return sql_changes(&sc->sql) > 0;
}

int
sidecar_outcome(struct sidecar *sc, struct str id, struct str result,
		struct fail *fail)
{
	return query_run(&sc->sql, fail,
			 "UPDATE staged SET result = ? WHERE id = ?", "tt",
			 result, id);
}

/* ---- holders ----------------------------------------------------------- */

/* When a process was started, in the system's ticks: field 22. */
static bool
start_time(long pid, struct buf *out)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	const char *p, *end;
	int fd, field;
	bool found = false;

	buf_addf(&path, "/proc/%ld/stat", pid);
	fd = open(path.data, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && io_read_all(fd, 4096, &text) == 0 &&
	    (p = strrchr(text.data, ')')) != NULL) {
		/* Behind the name comes field 3; names may hold blanks. */
		for (field = 2; field < 22 && p != NULL; field++)
			p = strchr(p + 1, ' ');
		end = p == NULL ? NULL : strchr(p + 1, ' ');
		found = end != NULL;
		if (found)
			buf_add(out, p + 1, (size_t)(end - p - 1));
	}
	if (fd >= 0)
		(void)close(fd);
	buf_release(&path);
	buf_release(&text);
	return found;
}

void
sidecar_holder(struct buf *out)
{
	buf_addf(out, "%ld ", (long)getpid());
	(void)start_time((long)getpid(), out);
}

bool
sidecar_alive(struct str holder)
{
	struct buf now = BUF_INIT;
	bool alive;

	if (holder.s == NULL || holder.n == 0)
		return false;
	buf_addf(&now, "%ld ", strtol(holder.s, NULL, 10));
	alive = start_time(strtol(holder.s, NULL, 10), &now) &&
		str_eq(buf_str(&now), holder);
	buf_release(&now);
	return alive;
}
