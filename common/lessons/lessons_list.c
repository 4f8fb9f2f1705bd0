#include "lessons/lessons_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"
#include "base/xalloc.h"
#include "lessons/fit.h"
#include "lessons/parameters.h"

const char *const list_states[] = { "active", "archived", NULL };
const char *const list_scopes[] = { "here", "project", "global", "all", NULL };

/*
 * A page over several scopes, one after the other: what is to be passed over,
 * and what there is room for.
 */
struct paging {
	struct sql *sql;
	struct str query; /* s NULL: none */
	bool archived;
	int64_t offset, room, total;
	struct keep *keep;
	struct lesson *lessons;
	size_t n, cap;
};

/*
 * The literal archived = 0 or 1 lets an index be used in its order, and the
 * condition of a search is not there where there is none: so that there are
 * four statements.  A literal substring: lower() of SQLite knows ASCII only,
 * which is what is asked for.
 */
#define MATCHES " AND instr(lower(text || char(10) || evidence), lower(?2)) > 0"
#define SELECT_PAGE(state, condition)                             \
	"SELECT " LESSON_COLUMNS "FROM lessons WHERE scope = ?1 " \
	"AND archived = " state condition                         \
	" ORDER BY created_at DESC, id LIMIT ?3 OFFSET ?4"
#define SELECT_COUNT(state, condition)                   \
	"SELECT count(*) FROM lessons WHERE scope = ?1 " \
	"AND archived = " state condition

/* By whether it is a search, and whether of archived ones. */
static const char *const pages[2][2] = {
	{ SELECT_PAGE("0", ""), SELECT_PAGE("1", "") },
	{ SELECT_PAGE("0", MATCHES), SELECT_PAGE("1", MATCHES) }
};
static const char *const counts[2][2] = {
	{ SELECT_COUNT("0", ""), SELECT_COUNT("1", "") },
	{ SELECT_COUNT("0", MATCHES), SELECT_COUNT("1", MATCHES) }
};

static int
page_scope(struct paging *p, struct str scope, struct fail *fail)
{
	bool search = p->query.s != NULL;
	struct query q;
	int64_t n = 0;
	int rc = 0;

	if (query_value(p->sql, fail, &n, counts[search][p->archived],
			search ? "tt" : "t", scope, p->query) < 0)
		return -1;
	p->total += n;
	if (p->offset >= n || p->room == 0) {
		p->offset -= p->offset < n ? p->offset : n;
		return 0;
	}
	if (query_open(&q, p->sql, fail, pages[search][p->archived], "ttii",
		       scope, p->query, p->room, p->offset) != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		XGROW(p->lessons, p->n + 1, p->cap);
		lesson_take(&q, p->keep, &p->lessons[p->n++]);
		p->room--;
	}
	query_close(&q);
	p->offset = 0;
	return rc;
}

static int
page_all(struct paging *p, struct fail *fail)
{
	struct buf scope = BUF_INIT;
	int rc;

	while ((rc = lesson_next_scope(p->sql, &scope, fail)) == 1) {
		rc = page_scope(p, buf_str(&scope), fail);
		if (rc != 0)
			break;
	}
	buf_release(&scope);
	return rc;
}

static int
page(struct paging *p, enum list_scope which, struct str project,
     struct fail *fail)
{
	if (which == LIST_ALL)
		return page_all(p, fail);
	if (which != LIST_GLOBAL && page_scope(p, project, fail) != 0)
		return -1;
	return which == LIST_PROJECT ? 0
				     : page_scope(p, STR(GLOBAL_SCOPE), fail);
}

int
lessons_list_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct lessons_list_args *a = call->args;
	struct lessons_list_result *r = result;
	struct paging p = { .offset = a->offset.v,
			    .room = a->limit.v,
			    .archived = a->state.v == LIST_ARCHIVED,
			    .keep = &r->keep };
	struct desk d;
	int rc = -1;

	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(&d, fail) != 0 || desk_store(&d, false, fail) != 0 ||
	    sql_begin_read(&d.database.sql, fail) != 0)
		goto out;
	p.sql = &d.database.sql;
	p.query = arg_str(a->query);
	rc = page(&p, (enum list_scope)a->scope.v, buf_str(&d.project), fail);
	sql_rollback(p.sql);
	if (rc != 0)
		goto out;
	r->scoped = a->scope.v == LIST_HERE || a->scope.v == LIST_ALL;
	r->offset = a->offset.v;
	r->total = p.total;
	XGROW(p.lessons, p.n + 1, p.cap); /* an empty list is one, too */
	r->owned = p.lessons;
	r->lessons = (struct field_list){ p.lessons, p.n };
	p.lessons = NULL;
	fit_page(call->tool, r, &r->lessons, r->offset, r->total, &r->next);
out:
	free(p.lessons);
	desk_release(&d);
	return rc;
}

static void
add_row(struct buf *out, const struct lesson *l, bool scoped)
{
	char date[TIMESTAMP_SIZE];

	timestamp_utc(l->created_at, date);
	buf_addf(out, "#%lld %.*s ", (long long)l->id, (int)strcspn(date, "T"),
		 date);
	if (scoped) {
		buf_addc(out, '[');
		wording_show_line(out, l->scope);
		buf_adds(out, "] ");
	}
	wording_show_line(out, l->text);
}

void
lessons_list_text(const void *result, struct buf *out)
{
	const struct lessons_list_result *r = result;
	const struct lesson *lessons = r->lessons.v;
	size_t i;

	if (r->total == 0) {
		buf_adds(out, "no lessons");
		return;
	}
	for (i = 0; i < r->lessons.n; i++) {
		buf_adds(out, i == 0 ? "" : "\n");
		add_row(out, &lessons[i], r->scoped);
	}
	if (r->next != FIELD_NONE)
		buf_addf(out, "%s[%lld lessons; continue at offset %lld]",
			 r->lessons.n == 0 ? "" : "\n", (long long)r->total,
			 (long long)r->next);
	else if (r->lessons.n == 0)
		buf_addf(out, "[%lld lessons; none from offset %lld on]",
			 (long long)r->total, (long long)r->offset);
}

void
lessons_list_release(void *result)
{
	struct lessons_list_result *r = result;

	keep_release(&r->keep);
	free(r->owned);
}
