#include "lessons/sql.h"

#include <stdarg.h>
#include <string.h>

#include <sqlite3.h>

#include "base/xalloc.h"

#define SQL_LENGTH_MAX (256 << 20)

int
sql_fail(struct sql *s, int rc, struct fail *fail)
{
	int primary = rc & 0xff;

	if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
		return fail_environment(fail, "%s: database is busy",
					s->path.data);
	return fail_environment(fail, "%s: %s", s->path.data,
				s->db != NULL ? sqlite3_errmsg(s->db)
					      : sqlite3_errstr(rc));
}

/*
 * What the library's own advice asks for of a file from outside; but for the
 * schema that is not to be trusted: this library counts json_valid(), which
 * the tables' constraints are made of, among what only a trusted one may call.
 */
static void
harden(sqlite3 *db)
{
	int i;
	static const int off[] = { SQLITE_DBCONFIG_DQS_DDL,
				   SQLITE_DBCONFIG_DQS_DML,
				   SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION };

	(void)sqlite3_extended_result_codes(db, 1);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
	for (i = 0; i < 3; i++)
		(void)sqlite3_db_config(db, off[i], 0, (int *)NULL);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, SQL_LENGTH_MAX);
	(void)sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	(void)sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
	(void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	(void)sqlite3_busy_timeout(db, SQL_BUSY_MS);
}

/* file:PATH?immutable=1 */
static void
frozen_uri(struct buf *out, const char *path)
{
	const char *p;

	buf_adds(out, "file:");
	for (p = path; *p != '\0'; p++)
		if (strchr("%?#", *p) != NULL)
			buf_addf(out, "%%%02x", (unsigned)*p);
		else
			buf_addc(out, *p);
	buf_adds(out, "?immutable=1");
}

int
sql_open(struct sql *s, const char *path, enum sql_mode mode, struct fail *fail)
{
	struct buf name = BUF_INIT;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, rc;

	buf_reset(&s->path);
	buf_adds(&s->path, path);
	if (mode == SQL_FROZEN) {
		flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI |
			SQLITE_OPEN_NOMUTEX;
		frozen_uri(&name, path);
	} else {
		buf_adds(&name, path);
	}
	rc = sqlite3_open_v2(name.data, &s->db, flags, NULL);
	buf_release(&name);
	if (rc != SQLITE_OK) {
		(void)sql_fail(s, rc, fail);
		sql_close(s);
		return -1;
	}
	harden(s->db);
	if (sql_script(s, "PRAGMA foreign_keys = ON", fail) == 0 &&
	    (mode == SQL_WRITE ||
	     sql_script(s, "PRAGMA query_only = ON", fail) == 0))
		return 0;
	sql_close(s);
	return -1;
}

void
sql_close(struct sql *s)
{
	size_t i;

	sql_rollback(s);
	for (i = 0; i < s->kept_n; i++)
		(void)sqlite3_finalize(s->kept[i].stmt);
	/* Not _v2: a statement that was left open is a mistake to be seen. */
	if (s->db != NULL && sqlite3_close(s->db) != SQLITE_OK)
		abort();
	buf_release(&s->path);
	*s = (struct sql)SQL_INIT;
}

int
sql_script(struct sql *s, const char *text, struct fail *fail)
{
	int rc = sqlite3_exec(s->db, text, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : sql_fail(s, rc, fail);
}

/* ---- transactions ------------------------------------------------------ */

static int
begin(struct sql *s, const char *text, struct fail *fail)
{
	if (s->db == NULL)
		return 0;
	if (sql_script(s, text, fail) != 0)
		return -1;
	s->in_transaction = true;
	return 0;
}

int
sql_begin(struct sql *s, struct fail *fail)
{
	return begin(s, "BEGIN IMMEDIATE", fail);
}

int
sql_begin_read(struct sql *s, struct fail *fail)
{
	return begin(s, "BEGIN", fail);
}

int
sql_commit(struct sql *s, struct fail *fail)
{
	if (!s->in_transaction)
		return 0;
	if (sql_script(s, "COMMIT", fail) != 0)
		return -1;
	s->in_transaction = false;
	return 0;
}

void
sql_rollback(struct sql *s)
{
	if (!s->in_transaction)
		return;
	s->in_transaction = false;
	/* SQLite may have rolled back already, because of the error. */
	if (sqlite3_get_autocommit(s->db) == 0)
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- queries ----------------------------------------------------------- */

/* A prepared statement, one that is kept and free where there is one. */
static int
prepare(struct query *q, const char *text)
{
	struct sql *s = q->sql;
	size_t i;
	int rc;

	for (i = 0; i < s->kept_n; i++)
		if (s->kept[i].text == text)
			break;
	if (i < s->kept_n && !s->kept[i].busy) {
		s->kept[i].busy = true;
		q->kept = (long)i;
		q->stmt = s->kept[i].stmt;
		return SQLITE_OK;
	}
	rc = sqlite3_prepare_v3(s->db, text, -1, SQLITE_PREPARE_PERSISTENT,
				&q->stmt, NULL);
	if (rc == SQLITE_OK && i == s->kept_n && i < SQL_KEPT) {
		s->kept[i].text = text;
		s->kept[i].stmt = q->stmt;
		s->kept[i].busy = true;
		s->kept_n++;
		q->kept = (long)i;
	}
	return rc;
}

static int
bind_text(sqlite3_stmt *stmt, int i, struct str s)
{
	if (s.s == NULL)
		return sqlite3_bind_null(stmt, i);
	return sqlite3_bind_text64(stmt, i, s.s, s.n, SQLITE_STATIC,
				   SQLITE_UTF8);
}

static int
bind_integer(sqlite3_stmt *stmt, int i, const int64_t *v)
{
	return v == NULL ? sqlite3_bind_null(stmt, i)
			 : sqlite3_bind_int64(stmt, i, *v);
}

static int
bind(sqlite3_stmt *stmt, const char *types, va_list ap)
{
	int i, rc = SQLITE_OK;
	int64_t v;

	for (i = 1; types[i - 1] != '\0' && rc == SQLITE_OK; i++) {
		switch (types[i - 1]) {
		case 'i':
			v = va_arg(ap, int64_t);
			rc = bind_integer(stmt, i, &v);
			break;
		case 'b':
			v = va_arg(ap, int) != 0;
			rc = bind_integer(stmt, i, &v);
			break;
		case 't':
			rc = bind_text(stmt, i, va_arg(ap, struct str));
			break;
		case 'z':
			rc = bind_text(stmt, i,
				       str_of(va_arg(ap, const char *)));
			break;
		case 'o':
			rc = bind_integer(stmt, i, va_arg(ap, const int64_t *));
			break;
		default:
			abort(); /* no such letter */
		}
	}
	return rc;
}

static int
open_query(struct query *q, struct sql *s, struct fail *fail, const char *text,
	   const char *types, va_list ap)
{
	int rc;

	*q = (struct query){ s, NULL, -1 };
	if (s->db == NULL)
		return 0;
	rc = prepare(q, text);
	if (rc == SQLITE_OK)
		rc = bind(q->stmt, types, ap);
	if (rc == SQLITE_OK)
		return 0;
	(void)sql_fail(s, rc, fail);
	query_close(q);
	return -1;
}

int
query_open(struct query *q, struct sql *s, struct fail *fail, const char *text,
	   const char *types, ...)
{
	va_list ap;
	int rc;

	va_start(ap, types);
	rc = open_query(q, s, fail, text, types, ap);
	va_end(ap);
	return rc;
}

int
query_next(struct query *q, struct fail *fail)
{
	int rc;

	if (q->stmt == NULL)
		return 0;
	rc = sqlite3_step(q->stmt);
	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : sql_fail(q->sql, rc, fail);
}

void
query_close(struct query *q)
{
	if (q->stmt == NULL)
		return;
	if (q->kept >= 0) {
		(void)sqlite3_reset(q->stmt);
		(void)sqlite3_clear_bindings(q->stmt);
		q->sql->kept[q->kept].busy = false;
	} else {
		(void)sqlite3_finalize(q->stmt);
	}
	q->stmt = NULL;
}

static int
first_row(struct query *q, struct sql *s, struct fail *fail, const char *text,
	  const char *types, va_list ap)
{
	return open_query(q, s, fail, text, types, ap) != 0
		       ? -1
		       : query_next(q, fail);
}

int
query_first(struct query *q, struct sql *s, struct fail *fail, const char *text,
	    const char *types, ...)
{
	va_list ap;
	int rc;

	va_start(ap, types);
	rc = first_row(q, s, fail, text, types, ap);
	va_end(ap);
	return rc;
}

int64_t
query_integer(const struct query *q, int column)
{
	return sqlite3_column_int64(q->stmt, column);
}

struct str
query_text(const struct query *q, int column)
{
	/* The bytes first: asking for the text settles how it is encoded. */
	const unsigned char *s = sqlite3_column_text(q->stmt, column);
	int n = sqlite3_column_bytes(q->stmt, column);

	if (s == NULL)
		return (struct str){ NULL, 0 };
	return (struct str){ (const char *)s, (size_t)n };
}

bool
query_null(const struct query *q, int column)
{
	return sqlite3_column_type(q->stmt, column) == SQLITE_NULL;
}

int
query_run(struct sql *s, struct fail *fail, const char *text, const char *types,
	  ...)
{
	struct query q;
	va_list ap;
	int rc;

	va_start(ap, types);
	rc = first_row(&q, s, fail, text, types, ap);
	va_end(ap);
	query_close(&q);
	return rc < 0 ? -1 : 0;
}

int
query_value(struct sql *s, struct fail *fail, int64_t *value, const char *text,
	    const char *types, ...)
{
	struct query q;
	va_list ap;
	int rc;

	va_start(ap, types);
	rc = first_row(&q, s, fail, text, types, ap);
	va_end(ap);
	if (rc == 1)
		*value = query_integer(&q, 0);
	query_close(&q);
	return rc;
}

int64_t
sql_changes(const struct sql *s)
{
	return sqlite3_changes64(s->db);
}
