#include "lessons/lessons_move.h"

#include <string.h>

#include "lessons/project_root.h"

/* `to` as a scope. */
static int
destination(struct desk *d, const char *to, struct buf *scope,
	    struct fail *fail)
{
	struct fail why = FAIL_INIT;
	struct buf path = BUF_INIT;
	int rc = 0;

	if (strcmp(to, GLOBAL_SCOPE) == 0) {
		buf_adds(scope, GLOBAL_SCOPE);
	} else if (strcmp(to, "project") == 0) {
		buf_add_str(scope, buf_str(&d->project));
	} else {
		desk_path(d, to, &path);
		rc = project_root(path.data, scope, &why);
		if (rc != 0)
			rc = fail_refuse(fail,
					 strcmp(why.code, "invalid_cwd") == 0
						 ? "bad_destination"
						 : "bad_project",
					 "%s", why.message.data);
	}
	fail_release(&why);
	buf_release(&path);
	return rc;
}

static int
same_scope(struct str scope, struct fail *fail)
{
	return fail_refuse(fail, "same_scope", "%.*s is where it is already",
			   (int)scope.n, scope.s);
}

static int
move_lesson(struct desk *d, const struct lessons_move_args *a, struct str to,
	    const struct deed *deed, struct lessons_move_result *r,
	    struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct lesson lesson;

	if (memory_find(d, a->id.v, a->anywhere.v ? LOOKUP_ANY : LOOKUP_NEAR,
			&lesson, fail) != 0)
		return -1;
	r->id = lesson.id;
	r->from = keep_str(&r->keep, lesson.scope);
	if (str_eq(lesson.scope, to))
		return same_scope(to, fail);
	return lesson_unlock_scope(s, fail) == 0 &&
			       lesson_move(s, &lesson, to, deed, &r->records,
					   fail) == 0 &&
			       lesson_lock_scope(s, fail) == 0
		       ? 0
		       : -1;
}

static int
holds_lessons(struct sql *s, struct str scope, struct fail *fail)
{
	int64_t one = 0;

	return query_value(s, fail, &one,
			   "SELECT 1 FROM lessons WHERE scope = ? LIMIT 1", "t",
			   scope);
}

static int
move_scope(struct desk *d, struct str from, struct str to,
	   const struct deed *deed, struct lessons_move_result *r,
	   struct fail *fail)
{
	struct sql *s = &d->database.sql;
	int rc = holds_lessons(s, from, fail);

	r->from = keep_str(&r->keep, from);
	if (rc == 0)
		return fail_refuse(fail, "not_found",
				   "there are no lessons of %.*s", (int)from.n,
				   from.s);
	if (rc < 0)
		return -1;
	if (str_eq(from, to))
		return same_scope(to, fail);
	rc = holds_lessons(s, to, fail);
	if (rc == 1)
		return fail_refuse(fail, "occupied",
				   "%.*s has lessons of its own", (int)to.n,
				   to.s);
	return rc == 0 && lesson_unlock_scope(s, fail) == 0 &&
			       lesson_move_scope(s, from, to, deed, &r->records,
						 fail) == 0 &&
			       lesson_lock_scope(s, fail) == 0
		       ? 0
		       : -1;
}

static int
check_arguments(const struct lessons_move_args *a, struct fail *fail)
{
	if (a->id.given == a->from.given)
		return fail_invalid(fail,
				    "id, from: %s given; legal: exactly "
				    "one of them",
				    a->id.given ? "both" : "neither");
	if (a->from.given && a->from.s[0] != '/')
		return fail_invalid(fail, "from: no absolute path given; "
					  "legal: a scope as lessons-status "
					  "shows it, not global");
	if (a->from.given && strcmp(a->to.s, GLOBAL_SCOPE) == 0)
		return fail_invalid(fail, "to: global given with from; legal: "
					  "project or a directory");
	return 0;
}

int
lessons_move_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct lessons_move_args *a = call->args;
	struct lessons_move_result *r = result;
	struct buf to = BUF_INIT;
	struct desk d;
	struct deed deed = { .reason = { NULL, 0 } };
	int rc = -1;

	r->id = FIELD_NONE;
	if (check_arguments(a, fail) != 0)
		return -1;
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(&d, fail) != 0 ||
	    destination(&d, a->to.s, &to, fail) != 0 ||
	    desk_store(&d, d.database.exists, fail) != 0 ||
	    sql_begin(&d.database.sql, fail) != 0)
		goto out;
	deed.origin = &d.origin;
	deed.now = d.now;
	deed.reason = arg_str(a->reason);
	rc = a->id.given ? move_lesson(&d, a, buf_str(&to), &deed, r, fail)
			 : move_scope(&d, arg_str(a->from), buf_str(&to), &deed,
				      r, fail);
	if (rc == 0)
		rc = sql_commit(&d.database.sql, fail);
	sql_rollback(&d.database.sql);
	r->status = STR("moved");
	r->to = keep_str(&r->keep, buf_str(&to));
out:
	buf_release(&to);
	desk_release(&d);
	return rc;
}

void
lessons_move_text(const void *result, struct buf *out)
{
	const struct lessons_move_result *r = result;

	if (r->id != FIELD_NONE)
		buf_addf(out, "#%lld moved from ", (long long)r->id);
	wording_show_line(out, r->from);
	buf_adds(out, r->id != FIELD_NONE ? " to " : " moved to ");
	wording_show_line(out, r->to);
	buf_addf(out, " (%lld record%s)", (long long)r->records,
		 r->records == 1 ? "" : "s");
}
