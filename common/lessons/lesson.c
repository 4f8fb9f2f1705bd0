#include "lessons/lesson.h"

#include "base/json_write.h"
#include "lessons/database.h"
#include "lessons/schema.h"
#include "lessons/wording.h"
#include "tool/declare.h"

const char *const lesson_bases[] = { "validated_learning", "validated_fix",
				     "user_request", NULL };

const char *
lesson_basis(enum basis b)
{
	return b == BASIS_IMPORT ? "import" : lesson_bases[b];
}

static int64_t
nullable(const struct query *q, int column)
{
	return query_null(q, column) ? FIELD_NONE : query_integer(q, column);
}

void
lesson_take(const struct query *q, struct keep *keep, struct lesson *l)
{
	l->id = query_integer(q, 0);
	l->scope = keep_str(keep, query_text(q, 1));
	l->text = keep_str(keep, query_text(q, 2));
	l->evidence = keep_str(keep, query_text(q, 3));
	l->basis = keep_str(keep, query_text(q, 4));
	l->harness = keep_str(keep, query_text(q, 5));
	l->session = keep_str(keep, query_text(q, 6));
	l->created_at = query_integer(q, 7);
	l->updated_at = query_integer(q, 8);
	l->revision = query_integer(q, 9);
	l->archived = query_integer(q, 10) != 0;
	l->archived_at = nullable(q, 11);
	l->supersedes = nullable(q, 12);
}

int
lesson_get(struct sql *s, int64_t id, struct keep *keep, struct lesson *lesson,
	   struct fail *fail)
{
	struct query q;
	int rc = query_first(
		&q, s, fail,
		"SELECT " LESSON_COLUMNS "FROM lessons WHERE id = ?", "i", id);

	if (rc == 1)
		lesson_take(&q, keep, lesson);
	query_close(&q);
	return rc;
}

int
lesson_successor(struct sql *s, int64_t id, int64_t *successor,
		 struct fail *fail)
{
	return query_value(s, fail, successor,
			   "SELECT id FROM lessons WHERE supersedes_id = ?",
			   "i", id);
}

int
lesson_active(struct sql *s, struct str scope, const char *key, int64_t *id,
	      struct fail *fail)
{
	return query_value(s, fail, id,
			   "SELECT id FROM lessons WHERE scope = ? AND "
			   "text_key = ? AND archived = 0",
			   "tz", scope, key);
}

int
lesson_next_scope(struct sql *s, struct buf *scope, struct fail *fail)
{
	struct query q;
	int rc = query_first(&q, s, fail,
			     "SELECT min(scope) FROM lessons WHERE scope > ?",
			     "t", buf_str(scope));

	if (rc == 1 && query_null(&q, 0))
		rc = 0;
	if (rc == 1) {
		buf_reset(scope);
		buf_add_str(scope, query_text(&q, 0));
	}
	query_close(&q);
	return rc;
}

/* ---- activity ---------------------------------------------------------- */

static int
record(struct sql *s, int64_t lesson, const char *action, int64_t at,
       const struct deed *deed, const struct buf *details, struct fail *fail)
{
	const struct origin *o = deed->origin;
	int64_t id;

	if (database_next_id(s, "SELECT max(id) FROM activity", &id, fail) != 0)
		return -1;
	return query_run(
		s, fail,
		"INSERT INTO activity (id, lesson_id, action, at, actor, "
		"provider, model, harness, session, reason, details, "
		"historical) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
		"iiziztttttt", id, lesson, action, at,
		o->actor == ORIGIN_MODEL ? "model" : "user", origin_provider(o),
		origin_model(o), buf_str(&o->harness), origin_session(o),
		deed->reason, buf_str(details));
}

/* The same of a change, from one state or scope to another. */
static int
record_change(struct sql *s, int64_t lesson, const char *action, int64_t at,
	      const struct deed *deed, struct str before, struct str after,
	      const int64_t *successor, struct fail *fail)
{
	struct buf details = BUF_INIT;
	struct json_writer w;
	int rc;

	json_begin(&w, &details);
	json_open_object(&w);
	json_member_string(&w, "before", before);
	json_member_string(&w, "after", after);
	if (successor != NULL)
		json_member_integer(&w, "successor_id", *successor);
	json_close_object(&w);
	rc = record(s, lesson, action, at, deed, &details, fail);
	buf_release(&details);
	return rc;
}

/* ---- changes ----------------------------------------------------------- */

static int
insert(struct sql *s, const struct new_lesson *n, const char *key,
       const struct deed *deed, int64_t at, const int64_t *predecessor,
       int64_t *id, struct fail *fail)
{
	const struct origin *o = deed->origin;
	struct buf details = BUF_INIT;
	struct json_writer w;
	int rc;

	if (database_next_id(s, "SELECT max(id) FROM lessons", id, fail) != 0 ||
	    query_run(s, fail,
		      "INSERT INTO lessons (id, scope, text, text_key, "
		      "evidence, basis, source_harness, source_session, "
		      "created_at, updated_at, supersedes_id) "
		      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10)",
		      "ittztzttio", *id, n->scope, n->text, key, n->evidence,
		      lesson_basis(n->basis), buf_str(&o->harness),
		      origin_session(o), at, predecessor) != 0)
		return -1;
	json_begin(&w, &details);
	json_open_object(&w);
	json_member_string(&w, "scope", n->scope);
	json_key(&w, "predecessor_id");
	if (predecessor != NULL)
		json_integer(&w, *predecessor);
	else
		json_null(&w);
	json_close_object(&w);
	rc = record(s, *id, n->basis == BASIS_IMPORT ? "import" : "create", at,
		    deed, &details, fail);
	buf_release(&details);
	return rc;
}

int
lesson_add(struct sql *s, const struct new_lesson *n, const struct deed *deed,
	   int64_t *id, struct fail *fail)
{
	char key[WORDING_KEY_SIZE];

	wording_key(n->text, key);
	return insert(s, n, key, deed, deed->now, NULL, id, fail);
}

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int
retire(struct sql *s, int64_t id, int64_t at, struct fail *fail)
{
	return query_run(s, fail,
			 "UPDATE lessons SET archived = 1, archived_at = ? "
			 "WHERE id = ?",
			 "ii", at, id);
}

int
lesson_supersede(struct sql *s, const struct lesson *old,
		 const struct new_lesson *n, const struct deed *deed,
		 int64_t *id, struct fail *fail)
{
	int64_t other = 0, at;
	char key[WORDING_KEY_SIZE];
	int rc;

	wording_key(n->text, key);
	rc = lesson_active(s, old->scope, key, &other, fail);
	if (rc < 0)
		return -1;
	if (rc == 1 && other != old->id)
		return fail_refuse(fail, "duplicate",
				   "lesson #%lld cannot be replaced: lesson "
				   "#%lld has that wording already",
				   (long long)old->id, (long long)other);
	at = later(deed->now, later(old->created_at + 1, old->updated_at));
	if (retire(s, old->id, at, fail) != 0 ||
	    insert(s, n, key, deed, at, &old->id, id, fail) != 0)
		return -1;
	return record_change(s, old->id, "supersede", at, deed, STR("active"),
			     STR("archived"), id, fail);
}

int
lesson_archive(struct sql *s, const struct lesson *l, const struct deed *deed,
	       struct fail *fail)
{
	int64_t at = later(deed->now, later(l->created_at, l->updated_at));

	if (retire(s, l->id, at, fail) != 0)
		return -1;
	return record_change(s, l->id, "archive", at, deed, STR("active"),
			     STR("archived"), NULL, fail);
}

/* ---- moving ------------------------------------------------------------ */

/*
 * The chain of a lesson: up by supersedes_id to its first member, then down.
 * UNION, not UNION ALL, so that a damaged chain ends as well.
 */
#define CHAIN                                                         \
	"WITH RECURSIVE chain(id) AS (SELECT ?1 UNION "               \
	"SELECT l.supersedes_id FROM lessons l JOIN chain ON l.id = " \
	"chain.id WHERE l.supersedes_id IS NOT NULL UNION "           \
	"SELECT l.id FROM lessons l JOIN chain ON l.supersedes_id = " \
	"chain.id) "

/* An active lesson of those that move, whose wording is active at `to`. */
static int
check_duplicate(struct query *q, struct fail *fail)
{
	int rc = query_next(q, fail);

	if (rc == 1)
		rc = fail_refuse(fail, "duplicate",
				 "lesson #%lld cannot be moved: lesson #%lld "
				 "has that wording there already",
				 (long long)query_integer(q, 0),
				 (long long)query_integer(q, 1));
	query_close(q);
	return rc;
}

/* Records a move of each row of q, whose first column is an id. */
static int
record_moves(struct sql *s, struct query *q, struct str from, struct str to,
	     const struct deed *deed, int64_t *records, struct fail *fail)
{
	int rc;

	*records = 0;
	while ((rc = query_next(q, fail)) == 1) {
		rc = record_change(s, query_integer(q, 0), "move", deed->now,
				   deed, from, to, NULL, fail);
		if (rc != 0)
			break;
		++*records;
	}
	query_close(q);
	return rc;
}

int
lesson_unlock_scope(struct sql *s, struct fail *fail)
{
	return sql_script(s, "DROP TRIGGER lessons_immutable", fail);
}

int
lesson_lock_scope(struct sql *s, struct fail *fail)
{
	return sql_script(s, schema_immutable, fail);
}

int
lesson_move(struct sql *s, const struct lesson *lesson, struct str to,
	    const struct deed *deed, int64_t *records, struct fail *fail)
{
	struct query q;

	if (query_open(&q, s, fail,
		       CHAIN "SELECT mine.id, other.id FROM chain "
			     "JOIN lessons mine ON mine.id = chain.id "
			     "JOIN lessons other ON other.scope = ?2 AND "
			     "other.text_key = mine.text_key AND "
			     "other.archived = 0 WHERE mine.archived = 0",
		       "it", lesson->id, to) != 0 ||
	    check_duplicate(&q, fail) != 0)
		return -1;
	if (query_run(s, fail,
		      CHAIN "UPDATE lessons SET scope = ?2 "
			    "WHERE id IN (SELECT id FROM chain)",
		      "it", lesson->id, to) != 0 ||
	    query_open(&q, s, fail, CHAIN "SELECT id FROM chain ORDER BY id",
		       "i", lesson->id) != 0)
		return -1;
	return record_moves(s, &q, lesson->scope, to, deed, records, fail);
}

int
lesson_move_scope(struct sql *s, struct str from, struct str to,
		  const struct deed *deed, int64_t *records, struct fail *fail)
{
	struct query q;

	/* The destination has no lesson, so that no wording can be there. */
	if (query_run(s, fail, "UPDATE lessons SET scope = ?2 WHERE scope = ?1",
		      "tt", from, to) != 0 ||
	    query_open(&q, s, fail,
		       "SELECT id FROM lessons WHERE scope = ? ORDER BY id",
		       "t", to) != 0)
		return -1;
	return record_moves(s, &q, from, to, deed, records, fail);
}
