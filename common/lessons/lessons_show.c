#include "lessons/lessons_show.h"

#include "base/json_span.h"
#include "base/timestamp.h"
#include "lessons/fit.h"

/* The lesson, in a read transaction that stays open. */
static int
begin(struct desk *d, const struct tool_call *call, int64_t id, bool anywhere,
      struct lesson *lesson, struct fail *fail)
{
	if (desk_begin(d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(d, fail) != 0 || desk_store(d, false, fail) != 0 ||
	    sql_begin_read(&d->database.sql, fail) != 0)
		return -1;
	return memory_find(d, id, anywhere ? LOOKUP_ANY : LOOKUP_NEAR, lesson,
			   fail);
}

/* ---- one lesson -------------------------------------------------------- */

int
lessons_show_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct lessons_show_args *a = call->args;
	struct lessons_show_result *r = result;
	struct desk d;
	int rc;

	r->successor = FIELD_NONE;
	rc = begin(&d, call, a->id.v, a->anywhere.v, &r->lesson, fail);
	if (rc == 0) {
		rc = lesson_successor(&d.database.sql, a->id.v, &r->successor,
				      fail);
		/* What the desk kept of the lesson is the result's now. */
		r->keep = d.keep;
		d.keep = (struct keep){ NULL, 0, 0 };
	}
	desk_release(&d);
	return rc < 0 ? -1 : 0;
}

static void
add_time(struct buf *out, const char *name, int64_t ms)
{
	char text[TIMESTAMP_SIZE];

	timestamp_utc(ms, text);
	buf_addf(out, "%s%s", name, text);
}

void
lessons_show_text(const void *result, struct buf *out)
{
	const struct lessons_show_result *r = result;
	const struct lesson *l = &r->lesson;

	buf_addf(out, "#%lld %s in ", (long long)l->id,
		 l->archived ? "archived" : "active");
	wording_show_line(out, l->scope);
	buf_addc(out, '\n');
	wording_show(out, l->text);
	buf_adds(out, "\nevidence: ");
	wording_show(out, l->evidence);
	buf_adds(out, "\nbasis: ");
	wording_show_line(out, l->basis);
	add_time(out, "\ncreated: ", l->created_at);
	if (l->archived_at != FIELD_NONE)
		add_time(out, "\narchived: ", l->archived_at);
	if (l->supersedes != FIELD_NONE)
		buf_addf(out, "\nreplaces #%lld", (long long)l->supersedes);
	if (r->successor != FIELD_NONE)
		buf_addf(out, "\nreplaced by #%lld", (long long)r->successor);
}

void
lessons_show_release(void *result)
{
	keep_release(&((struct lessons_show_result *)result)->keep);
}

/* ---- what happened to it ----------------------------------------------- */

static void
take_event(const struct query *q, struct keep *keep, struct lessons_event *e)
{
	e->id = query_integer(q, 0);
	e->lesson = query_integer(q, 1);
	e->action = keep_str(keep, query_text(q, 2));
	e->at = query_null(q, 3) ? FIELD_NONE : query_integer(q, 3);
	e->actor = keep_str(keep, query_text(q, 4));
	e->provider = keep_str(keep, query_text(q, 5));
	e->model = keep_str(keep, query_text(q, 6));
	e->harness = keep_str(keep, query_text(q, 7));
	e->session = keep_str(keep, query_text(q, 8));
	e->reason = keep_str(keep, query_text(q, 9));
	e->details = keep_str(keep, query_text(q, 10));
	e->historical = query_integer(q, 11) != 0;
}

static int
read_events(struct sql *s, const struct lessons_history_args *a,
	    int64_t created_at, struct lessons_history_result *r,
	    struct fail *fail)
{
	struct lessons_event *events;
	struct query q;
	size_t n = 0;
	int rc = 0;

	if (query_value(s, fail, &r->total,
			"SELECT count(*) FROM activity WHERE lesson_id = ?",
			"i", a->id.v) < 0 ||
	    query_open(&q, s, fail,
		       "SELECT id, lesson_id, action, at, actor, provider, "
		       "model, harness, session, reason, details, historical "
		       "FROM activity WHERE lesson_id = ?1 "
		       "ORDER BY coalesce(at, ?2) DESC, id DESC "
		       "LIMIT ?3 OFFSET ?4",
		       "iiii", a->id.v, created_at, a->limit.v,
		       a->offset.v) != 0)
		return -1;
	events = keep_bytes(&r->keep, (size_t)a->limit.v, sizeof(*events));
	while (n < (size_t)a->limit.v && (rc = query_next(&q, fail)) == 1)
		take_event(&q, &r->keep, &events[n++]);
	query_close(&q);
	r->events = (struct field_list){ events, n };
	return rc < 0 ? -1 : 0;
}

int
lessons_history_run(const struct tool_call *call, void *result,
		    struct fail *fail)
{
	const struct lessons_history_args *a = call->args;
	struct lessons_history_result *r = result;
	struct lesson lesson;
	struct desk d;
	int rc;

	rc = begin(&d, call, a->id.v, a->anywhere.v, &lesson, fail);
	if (rc == 0)
		rc = read_events(&d.database.sql, a, lesson.created_at, r,
				 fail);
	if (rc == 0) {
		r->offset = a->offset.v;
		fit_page(call->tool, r, &r->events, r->offset, r->total,
			 &r->next);
	}
	desk_release(&d);
	return rc;
}

/* ` <before> -> <after>`, where the details have both. */
static void
add_change(struct buf *out, struct str details)
{
	static const char *const names[] = { "before", "after" };
	struct buf text = BUF_INIT;
	struct str v[2];

	json_get_many(json_value(details), names, v, 2);
	if (json_kind(v[0]) == JSON_STRING && json_kind(v[1]) == JSON_STRING) {
		buf_addc(out, ' ');
		wording_show_line(out, json_text(v[0], &text));
		buf_adds(out, " -> ");
		wording_show_line(out, json_text(v[1], &text));
	}
	buf_release(&text);
}

static void
add_event(struct buf *out, const struct lessons_event *e)
{
	if (e->at == FIELD_NONE)
		buf_adds(out, "unknown");
	else
		add_time(out, "", e->at);
	buf_addc(out, ' ');
	wording_show_line(out, e->action);
	buf_adds(out, " by ");
	wording_show_line(out, e->actor);
	buf_adds(out, " (");
	wording_show_line(out, e->harness);
	if (e->session.s != NULL) {
		buf_addc(out, ':');
		wording_show_line(out, e->session);
	}
	buf_addc(out, ')');
	add_change(out, e->details);
	if (e->reason.s != NULL) {
		buf_adds(out, ": ");
		wording_show_line(out, e->reason);
	}
}

void
lessons_history_text(const void *result, struct buf *out)
{
	const struct lessons_history_result *r = result;
	const struct lessons_event *events = r->events.v;
	size_t i;

	for (i = 0; i < r->events.n; i++) {
		buf_adds(out, i == 0 ? "" : "\n");
		add_event(out, &events[i]);
	}
	if (r->next != FIELD_NONE)
		buf_addf(out, "%s[%lld events; continue at offset %lld]",
			 r->events.n == 0 ? "" : "\n", (long long)r->total,
			 (long long)r->next);
	else if (r->events.n == 0)
		buf_addf(out, "[%lld events; none from offset %lld on]",
			 (long long)r->total, (long long)r->offset);
}

void
lessons_history_release(void *result)
{
	keep_release(&((struct lessons_history_result *)result)->keep);
}
