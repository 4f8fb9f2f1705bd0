#include "lessons/lessons_check.h"

#include <stdarg.h>

#include "base/json_span.h"
#include "base/json_write.h"
#include "lessons/fit.h"
#include "lessons/schema.h"

enum check {
	CHECK_INTEGRITY,
	CHECK_FOREIGN_KEYS,
	CHECK_SCHEMA,
	CHECK_KEYS,
	CHECK_CHAINS,
	CHECK_ACTIVITY,
	CHECK_CANDIDATES,
	CHECK_EVALUATIONS,
	CHECK_COUNT
};

const char *const check_names[] = { "integrity",  "foreign_keys", "schema",
				    "keys",	  "chains",	  "activity",
				    "candidates", "evaluations",  NULL };

/* One run over a store. */
struct checker {
	struct sql *sql;
	struct lessons_check_result *result;
	struct check_problem *problems;
};

__attribute__((format(printf, 3, 4))) static void
problem(struct checker *c, enum check check, const char *format, ...)
{
	struct lessons_check_result *r = c->result;
	struct buf message = BUF_INIT;
	va_list ap;

	if (r->found++ >= CHECK_PROBLEMS_MAX)
		return;
	va_start(ap, format);
	buf_vaddf(&message, format, ap);
	va_end(ap);
	c->problems[r->found - 1].check = (int)check;
	c->problems[r->found - 1].message = keep_str(&r->keep,
						     buf_str(&message));
	buf_release(&message);
}

/* A question whose rows are problems: `what` and the first column. */
struct question {
	enum check check;
	const char *what, *sql;
};

static const struct question questions[] = {
	{ CHECK_CHAINS, "its predecessor is active, missing or elsewhere: #",
	  "SELECT l.id FROM lessons l LEFT JOIN lessons p "
	  "ON p.id = l.supersedes_id WHERE l.supersedes_id IS NOT NULL AND "
	  "(p.id IS NULL OR p.archived = 0 OR p.scope != l.scope)" },
	/* Ids grow, so that a chain that goes up and up is not a circle. */
	{ CHECK_CHAINS, "it replaces itself or a later one: #",
	  "SELECT id FROM lessons WHERE supersedes_id >= id" },
	{ CHECK_CHAINS, "its wording is active twice in one scope: #",
	  "SELECT max(id) FROM lessons WHERE archived = 0 "
	  "GROUP BY scope, text_key HAVING count(*) > 1" },
	{ CHECK_ACTIVITY, "it has not exactly one create or import row: #",
	  "SELECT l.id FROM lessons l LEFT JOIN activity a "
	  "ON a.lesson_id = l.id AND a.action IN ('create', 'import') "
	  "GROUP BY l.id HAVING count(a.id) != 1" },
	{ CHECK_ACTIVITY, "archived without a supersede or archive row: #",
	  "SELECT l.id FROM lessons l WHERE l.archived = 1 AND NOT EXISTS "
	  "(SELECT 1 FROM activity a WHERE a.lesson_id = l.id AND "
	  "a.action IN ('supersede', 'archive'))" },
	{ CHECK_CANDIDATES, "promoted without a lesson, or the reverse: #C",
	  "SELECT id FROM candidates "
	  "WHERE (status = 'promoted') != (lesson_id IS NOT NULL)" },
	{ CHECK_CANDIDATES, "nobody observed it: #C",
	  "SELECT c.id FROM candidates c WHERE NOT EXISTS "
	  "(SELECT 1 FROM candidate_observations o "
	  "WHERE o.candidate_id = c.id)" },
	{ CHECK_EVALUATIONS, "a row of the state is missing: ",
	  "SELECT k.name FROM (SELECT 'evaluation_highwater' AS name "
	  "UNION ALL SELECT 'marker') k WHERE NOT EXISTS "
	  "(SELECT 1 FROM candidate_state s WHERE s.key = k.name)" },
	{ CHECK_EVALUATIONS, "the mark is above every candidate: ",
	  "SELECT value FROM candidate_state "
	  "WHERE key = 'evaluation_highwater' AND value > "
	  "(SELECT coalesce(max(id), 0) FROM candidates)" },
	{ CHECK_EVALUATIONS, "a group without members, of evaluation ",
	  "SELECT g.evaluation_id FROM candidate_evaluation_groups g "
	  "WHERE NOT EXISTS (SELECT 1 FROM candidate_group_members m "
	  "WHERE m.evaluation_id = g.evaluation_id AND "
	  "m.group_index = g.group_index)" },
};

static int
ask(struct checker *c, const struct question *question, struct fail *fail)
{
	struct query q;
	struct str what;
	int rc;

	if (query_open(&q, c->sql, fail, question->sql, "") != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		what = query_text(&q, 0);
		problem(c, question->check, "%s%.*s", question->what,
			(int)what.n, what.s);
	}
	query_close(&q);
	return rc;
}

/* ---- what SQLite itself can tell --------------------------------------- */

static int
check_integrity(struct checker *c, struct fail *fail)
{
	struct query q;
	struct str found;
	int rc;

	if (query_open(&q, c->sql, fail, "PRAGMA integrity_check(100)", "") !=
	    0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		found = query_text(&q, 0);
		if (!str_is(found, "ok"))
			problem(c, CHECK_INTEGRITY, "%.*s", (int)found.n,
				found.s);
	}
	query_close(&q);
	return rc;
}

static int
check_foreign_keys(struct checker *c, struct fail *fail)
{
	struct query q;
	struct str from, to;
	int rc;

	if (query_open(&q, c->sql, fail, "PRAGMA foreign_key_check", "") != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		from = query_text(&q, 0);
		to = query_text(&q, 2);
		problem(c, CHECK_FOREIGN_KEYS,
			"a row of %.*s refers to one that is not in %.*s",
			(int)from.n, from.s, (int)to.n, to.s);
	}
	query_close(&q);
	return rc;
}

/* The kind and name of what a statement of the schema makes, if anything. */
static bool
made(const char *statement, struct str *type, struct str *name)
{
	struct str s = str_of(statement);

	if (!str_is(str_cut(&s, ' '), "CREATE"))
		return false;
	*type = str_cut(&s, ' ');
	if (str_is(*type, "UNIQUE"))
		*type = str_cut(&s, ' ');
	*name = str_cut(&s, ' ');
	return true;
}

/* 1 when all of the schema is there: only then can the rest be asked. */
static int
check_schema(struct checker *c, struct fail *fail)
{
	struct str type, name;
	bool whole = true;
	const char *kind;
	int64_t one;
	size_t i;
	int rc = 0;

	for (i = 0; rc >= 0 && schema_script[i] != NULL; i++) {
		if (!made(schema_script[i], &type, &name))
			continue;
		kind = str_is(type, "TABLE")   ? "table"
		       : str_is(type, "INDEX") ? "index"
					       : "trigger";
		rc = query_value(c->sql, fail, &one,
				 "SELECT 1 FROM sqlite_schema WHERE type = ? "
				 "AND name = ?",
				 "zt", kind, name);
		if (rc != 0)
			continue;
		/* Without a table there is nothing to be asked of it. */
		whole = whole && !str_is(type, "TABLE");
		problem(c, CHECK_SCHEMA, "the %s %.*s is missing", kind,
			(int)name.n, name.s);
	}
	return rc < 0 ? -1 : whole;
}

/* ---- what is to be computed anew --------------------------------------- */

static int
check_keys(struct checker *c, const char *sql, const char *prefix,
	   struct fail *fail)
{
	char key[WORDING_KEY_SIZE];
	struct query q;
	int rc;

	if (query_open(&q, c->sql, fail, sql, "") != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		wording_key(query_text(&q, 1), key);
		if (!str_is(query_text(&q, 2), key))
			problem(c, CHECK_KEYS,
				"the key is not that of the text: %s%lld",
				prefix, (long long)query_integer(&q, 0));
	}
	query_close(&q);
	return rc;
}

/* The owner that an origin stands for, as it is stored. */
static void
owner_of(struct str origin, struct str lineage, struct buf *out)
{
	static const char *const names[] = { "harness", "session" };
	struct buf harness = BUF_INIT, session = BUF_INIT;
	struct json_writer w;
	struct str v[2];

	json_get_many(json_value(origin), names, v, 2);
	json_decode(v[0], &harness);
	if (json_kind(v[1]) == JSON_STRING)
		json_decode(v[1], &session);
	else
		buf_add_str(&session, lineage);
	json_begin(&w, out);
	json_open_array(&w);
	json_string(&w, buf_str(&harness));
	json_string(&w, buf_str(&session));
	json_close_array(&w);
	buf_release(&harness);
	buf_release(&session);
}

static int
check_owners(struct checker *c, struct fail *fail)
{
	struct buf owner = BUF_INIT;
	struct query q;
	int rc;

	if (query_open(&q, c->sql, fail,
		       "SELECT id, origin, owner_key, independence_key "
		       "FROM candidate_observations ORDER BY id",
		       "") != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		buf_reset(&owner);
		owner_of(query_text(&q, 1), query_text(&q, 3), &owner);
		if (!str_eq(query_text(&q, 2), buf_str(&owner)))
			problem(c, CHECK_CANDIDATES,
				"the owner is not that of the origin: "
				"observation %lld",
				(long long)query_integer(&q, 0));
	}
	query_close(&q);
	buf_release(&owner);
	return rc;
}

static int
check_contents(struct checker *c, struct fail *fail)
{
	struct lessons_check_result *r = c->result;
	size_t i;

	if (query_value(c->sql, fail, &r->lessons,
			"SELECT count(*) FROM lessons", "") < 0 ||
	    query_value(c->sql, fail, &r->candidates,
			"SELECT count(*) FROM candidates", "") < 0 ||
	    check_keys(c, "SELECT id, text, text_key FROM lessons", "#",
		       fail) != 0 ||
	    check_keys(c, "SELECT id, text, text_key FROM candidates", "#C",
		       fail) != 0)
		return -1;
	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (ask(c, &questions[i], fail) != 0)
			return -1;
	return check_owners(c, fail);
}

static int
check_all(struct checker *c, struct fail *fail)
{
	int rc;

	if (c->sql->db == NULL)
		return 0;
	if (sql_begin_read(c->sql, fail) != 0 ||
	    check_integrity(c, fail) != 0 || check_foreign_keys(c, fail) != 0)
		return -1;
	rc = check_schema(c, fail);
	if (rc == 1)
		rc = check_contents(c, fail);
	sql_rollback(c->sql);
	return rc < 0 ? -1 : 0;
}

int
lessons_check_run(const struct tool_call *call, void *result, struct fail *fail)
{
	struct lessons_check_result *r = result;
	struct checker c = { .result = r };
	struct str *names = keep_bytes(&r->keep, CHECK_COUNT, sizeof(*names));
	struct desk d;
	size_t n;
	int rc = -1;

	c.problems = keep_bytes(&r->keep, CHECK_PROBLEMS_MAX,
				sizeof(*c.problems));
	for (n = 0; n < CHECK_COUNT; n++)
		names[n] = str_of(check_names[n]);
	r->checks = (struct field_list){ names, CHECK_COUNT };
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	c.sql = &d.database.sql;
	rc = desk_store(&d, false, fail);
	if (rc == 0 && check_all(&c, fail) != 0) {
		/* What stops the checking is a problem as well. */
		problem(&c, CHECK_INTEGRITY, "%s", fail->message.data);
	}
	if (rc != 0)
		goto out;
	r->ok = r->found == 0;
	n = r->found < CHECK_PROBLEMS_MAX ? r->found : CHECK_PROBLEMS_MAX;
	r->problems = (struct field_list){ c.problems, n };
	fit_rows(call->tool, r, &r->problems, (int64_t)r->found, &r->omitted);
	rc = r->ok ? 0 : FAIL_ENVIRONMENT;
out:
	desk_release(&d);
	return rc;
}

void
lessons_check_text(const void *result, struct buf *out)
{
	const struct lessons_check_result *r = result;
	const struct check_problem *p = r->problems.v;
	size_t i;

	if (r->ok) {
		buf_addf(out, "ok: %lld lessons, %lld candidates",
			 (long long)r->lessons, (long long)r->candidates);
		return;
	}
	for (i = 0; i < r->problems.n; i++) {
		buf_addf(out, "%s%s: ", i == 0 ? "" : "\n",
			 check_names[p[i].check]);
		wording_show_line(out, p[i].message);
	}
	if (r->omitted > 0)
		buf_addf(out, "\nand %lld more", (long long)r->omitted);
}
