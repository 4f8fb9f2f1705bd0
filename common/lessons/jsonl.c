#include "lessons/jsonl.h"

#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "lessons/lessons_export.h"
#include "lessons/schema.h"
#include "lessons/wording.h"

#define COLUMNS_MAX 16

/* One reading: which table the rows are of, and how a row is stored. */
struct reader {
	struct sql *sql;
	const struct schema_table *table;
	sqlite3_stmt *insert;
	size_t line;
	struct fail *fail;
};

static int
bad(struct reader *r, const char *why)
{
	return fail_refuse(r->fail, "bad_import",
			   "line %zu: %s; nothing was saved", r->line, why);
}

/* Tables come in their order; so each is prepared once. */
static int
open_table(struct reader *r, struct str name)
{
	struct buf text = BUF_INIT;
	size_t i;
	int rc;

	while (r->table->name != NULL && !str_is(name, r->table->name)) {
		r->table++;
		(void)sqlite3_finalize(r->insert);
		r->insert = NULL;
	}
	if (r->table->name == NULL)
		return bad(r, "an unknown table, or one out of order");
	if (r->insert != NULL)
		return 0;
	/* The two rows of candidate_state are there already. */
	buf_addf(&text, "INSERT INTO %s VALUES (?", r->table->name);
	for (i = 1; r->table->columns[i] != NULL; i++)
		buf_adds(&text, ", ?");
	buf_adds(&text, ")");
	if (strcmp(r->table->name, "candidate_state") == 0)
		buf_adds(&text, " ON CONFLICT(key) DO UPDATE SET value = ?2");
	rc = sqlite3_prepare_v2(r->sql->db, text.data, (int)text.len,
				&r->insert, NULL);
	buf_release(&text);
	return rc == SQLITE_OK ? 0 : sql_fail(r->sql, rc, r->fail);
}

/* The text key of a row must be that of its text. */
static int
check_key(struct reader *r, const struct str *texts)
{
	char key[WORDING_KEY_SIZE];
	int i, text = -1, stored = -1;

	for (i = 0; r->table->columns[i] != NULL; i++) {
		if (strcmp(r->table->columns[i], "text") == 0)
			text = i;
		if (strcmp(r->table->columns[i], "text_key") == 0)
			stored = i;
	}
	if (text < 0 || stored < 0)
		return 0;
	wording_key(texts[text], key);
	return str_is(texts[stored], key) ? 0
					  : bad(r, "a text key that is not "
						   "that of its text");
}

static int
bind_column(struct reader *r, int i, struct str value, struct buf *scratch,
	    struct str *text)
{
	char type = r->table->types[i];
	int64_t v;

	if (json_kind(value) == JSON_NULL && (type == 'T' || type == 'I'))
		return sqlite3_bind_null(r->insert, i + 1);
	if (type == 'i' || type == 'I') {
		if (!json_to_integer(value, &v))
			return SQLITE_MISMATCH;
		return sqlite3_bind_int64(r->insert, i + 1, v);
	}
	if (json_kind(value) != JSON_STRING)
		return SQLITE_MISMATCH;
	*text = json_text(value, scratch);
	return sqlite3_bind_text64(r->insert, i + 1, text->s, text->n,
				   SQLITE_STATIC, SQLITE_UTF8);
}

static int
store_row(struct reader *r, struct str row)
{
	struct buf scratch[COLUMNS_MAX];
	struct str texts[COLUMNS_MAX], key, value;
	struct json_iter it = json_iterate(row);
	int i, rc = 0;

	for (i = 0; i < COLUMNS_MAX; i++) {
		scratch[i] = (struct buf)BUF_INIT;
		texts[i] = (struct str){ "", 0 };
	}
	for (i = 0; rc == 0 && r->table->columns[i] != NULL; i++) {
		if (!json_next_member(&it, &key, &value) ||
		    !json_string_is(key, r->table->columns[i]))
			rc = bad(r, "columns missing, unknown or out of order");
		else if (bind_column(r, i, value, &scratch[i], &texts[i]) !=
			 SQLITE_OK)
			rc = bad(r, "a value of another type than its column");
	}
	if (rc == 0 && json_next_member(&it, &key, &value))
		rc = bad(r, "a column too many");
	if (rc == 0)
		rc = check_key(r, texts);
	if (rc == 0 && sqlite3_step(r->insert) != SQLITE_DONE) {
		if ((sqlite3_errcode(r->sql->db) & 0xff) == SQLITE_CONSTRAINT)
			rc = bad(r, sqlite3_errmsg(r->sql->db));
		else
			rc = sql_fail(r->sql, sqlite3_errcode(r->sql->db),
				      r->fail);
	}
	(void)sqlite3_reset(r->insert);
	(void)sqlite3_clear_bindings(r->insert);
	for (i = 0; i < COLUMNS_MAX; i++)
		buf_release(&scratch[i]);
	return rc;
}

static int
read_row(struct reader *r, struct str line)
{
	static const char *const names[] = { "table", "row" };
	struct buf name = BUF_INIT;
	struct json_error error;
	struct str v[2];
	int rc;

	if (json_check(line, 4, 0, &error) != 0)
		return bad(r, error.reason);
	json_get_many(json_value(line), names, v, 2);
	if (json_kind(v[0]) != JSON_STRING || json_kind(v[1]) != JSON_OBJECT)
		return bad(r, "no table and row");
	rc = open_table(r, json_text(v[0], &name));
	buf_release(&name);
	return rc == 0 ? store_row(r, v[1]) : -1;
}

/*
 * Lessons refer to each other in any order, so that references are looked at
 * when all are there.  What the triggers watch, who may come after whom, is
 * history here; they keep watching all else.
 */
static int
check_references(struct reader *r)
{
	struct query q;
	int rc = query_first(&q, r->sql, r->fail, "PRAGMA foreign_key_check",
			     "");

	query_close(&q);
	return rc == 1 ? bad(r, "a reference to a row that is not there") : rc;
}

int
jsonl_read(struct sql *s, struct str text, int64_t *records, struct fail *fail)
{
	struct reader r = {
		.sql = s, .table = schema_tables, .line = 1, .fail = fail
	};
	struct buf header = BUF_INIT;
	int rc = 0;

	copy_header(&header);
	if (!str_eq(str_cut(&text, '\n'), buf_str(&header)))
		rc = bad(&r, "not the first line of such a copy");
	while (rc == 0 && text.n > 0) {
		r.line++;
		rc = read_row(&r, str_cut(&text, '\n'));
		*records += rc == 0;
	}
	(void)sqlite3_finalize(r.insert);
	if (rc == 0)
		rc = check_references(&r);
	buf_release(&header);
	return rc;
}
