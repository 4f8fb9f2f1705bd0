#ifndef LESSONS_SQL_H
#define LESSONS_SQL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tool/fail.h"

struct sqlite3;
struct sqlite3_stmt;

#define SQL_BUSY_MS 5000
#define SQL_KEPT 48

/*
 * A connection, opened with the settings that files from outside ask for, and
 * the statements that were prepared on it.  Without a connection (db NULL)
 * every query has no rows: a store that is not there reads as an empty one.
 *
 * What SQLite reports is FAIL_ENVIRONMENT naming the file; a lock that is
 * held for longer than SQL_BUSY_MS is "database is busy".
 */
struct sql {
	struct sqlite3 *db;
	struct buf path;
	bool in_transaction;
	struct {
		const char *text; /* of a literal: compared by address */
		struct sqlite3_stmt *stmt;
		bool busy;
	} kept[SQL_KEPT];
	size_t kept_n;
};

#define SQL_INIT                 \
	{                        \
		.path = BUF_INIT \
	}

enum sql_mode {
	SQL_READ, /* nothing is written by statements */
	SQL_FROZEN /* as it lies on a disk that cannot be written to */,
	SQL_WRITE
};

/* Opens a file that exists.  0, or -1 with s closed. */
int sql_open(struct sql *s, const char *path, enum sql_mode mode,
	     struct fail *fail);
void sql_close(struct sql *s);

/* Says what went wrong on the connection; -1. */
int sql_fail(struct sql *s, int rc, struct fail *fail);

/* Statements without parameters or rows, one after the other. */
int sql_script(struct sql *s, const char *text, struct fail *fail);

/*
 * Transactions: write ones are immediate.  sql_rollback() ends whichever is
 * open, and is for every way out: after a commit it does nothing.
 */
int sql_begin(struct sql *s, struct fail *fail);
int sql_begin_read(struct sql *s, struct fail *fail);
int sql_commit(struct sql *s, struct fail *fail);
void sql_rollback(struct sql *s);

/*
 * One statement, whose text is a literal.  `types` has a letter for each
 * parameter that follows:
 *	i  int64_t
 *	b  int, stored as 0 or 1
 *	t  struct str, NULL where its s is
 *	z  const char *, NULL where it is
 *	o  const int64_t *, NULL where it is
 * Texts must live until the query is closed.
 */
struct query {
	struct sql *sql;
	struct sqlite3_stmt *stmt; /* NULL: no rows */
	long kept;		   /* index, or -1 */
};

int query_open(struct query *q, struct sql *s, struct fail *fail,
	       const char *text, const char *types, ...);
/*
 * The same, and on to its first row: 1, 0 without one, or -1; to be closed
 * whichever it is.
 */
int query_first(struct query *q, struct sql *s, struct fail *fail,
		const char *text, const char *types, ...);
/* 1 with a row, 0 at the end, -1. */
int query_next(struct query *q, struct fail *fail);
void query_close(struct query *q);

/* Columns of the row, from 0.  Texts live until the next row. */
int64_t query_integer(const struct query *q, int column);
struct str query_text(const struct query *q, int column); /* s NULL: NULL */
bool query_null(const struct query *q, int column);

/* Runs a statement that has no rows. */
int query_run(struct sql *s, struct fail *fail, const char *text,
	      const char *types, ...);

/* The integer of a query's first row: 1, 0 without one, or -1. */
int query_value(struct sql *s, struct fail *fail, int64_t *value,
		const char *text, const char *types, ...);

/* How many rows the last statement changed. */
int64_t sql_changes(const struct sql *s);

#endif /* LESSONS_SQL_H */
