#include "lessons/recall.h"

#include "lessons/candidate.h"

const char *const recall_kinds[] = { "global", "project", "candidates", NULL };

#define ROW(member) offsetof(struct recall_row, member)
#define SECTION(member) offsetof(struct recall_section, member)
static const struct field row_fields[] = { { MEMBER(ROW, id, FIELD_INTEGER) },
					   { MEMBER(ROW, text, FIELD_STRING) },
					   FIELD_END };

const struct field recall_section_fields[] = {
	{ .name = "section",
	  .type = FIELD_ENUM,
	  .offset = offsetof(struct recall_section, kind),
	  .values = recall_kinds },
	{ .name = "lessons",
	  .type = FIELD_OBJECTS,
	  .offset = offsetof(struct recall_section, rows),
	  .fields = row_fields,
	  .size = sizeof(struct recall_row) },
	{ MEMBER(SECTION, total, FIELD_INTEGER) },
	{ MEMBER(SECTION, omitted, FIELD_INTEGER) },
	FIELD_END
};

static const char *const headings[] = { "GLOBAL LESSONS", "PROJECT LESSONS",
					"SESSION CANDIDATES (private)" };

static void
render_row(const struct recall_section *s, const struct recall_row *row,
	   struct buf *out)
{
	buf_adds(out, "\n- ");
	buf_add_str(out, row->text);
	buf_addf(out, " #%s%lld", s->kind == RECALL_CANDIDATES ? "C" : "",
		 (long long)row->id);
}

static void
render_omission(const struct recall_section *s, struct buf *out)
{
	buf_addf(out, "\n[%lld %s%s omitted.]", (long long)s->omitted,
		 s->kind == RECALL_CANDIDATES ? "candidate" : "lesson",
		 s->omitted == 1 ? "" : "s");
}

void
recall_render_section(const struct recall_section *s, struct buf *out)
{
	const struct recall_row *rows = s->rows.v;
	size_t i;

	buf_adds(out, headings[s->kind]);
	for (i = 0; i < s->rows.n; i++)
		render_row(s, &rows[i], out);
	if (s->with_omission)
		render_omission(s, out);
}

void
recall_render(const struct recall_block *b, struct buf *out)
{
	bool first = true;
	int i;

	for (i = 0; i < RECALL_KINDS; i++) {
		if (!b->present[i])
			continue;
		if (!first)
			buf_adds(out, "\n\n");
		first = false;
		recall_render_section(&b->sections[i], out);
	}
}

/* How many rows there are to be, now that n of them are. */
static void
set_rows(struct recall_section *s, size_t n)
{
	s->rows.n = n;
	s->omitted = s->total - (int64_t)n;
	s->with_omission = s->omitted > 0;
}

bool
recall_shorten(struct recall_block *b)
{
	int i;

	for (i = RECALL_KINDS - 1; i >= 0; i--) {
		struct recall_section *s = &b->sections[i];

		if (b->present[i] && s->rows.n > 0) {
			set_rows(s, s->rows.n - 1);
			return true;
		}
	}
	return false;
}

static size_t
line_bytes(const struct recall_section *s, const struct recall_row *row)
{
	struct buf line = BUF_INIT;
	size_t n;

	if (row != NULL)
		render_row(s, row, &line);
	else if (s->with_omission)
		render_omission(s, &line);
	n = line.len;
	buf_release(&line);
	return n;
}

/*
 * Keeps the rows that fit into max bytes with the heading and the line of
 * omissions.  The first that does not fit ends it, however short those
 * behind it are.
 */
static void
fit_bytes(struct recall_section *s, size_t max)
{
	const struct recall_row *rows = s->rows.v;
	size_t n = s->rows.n, kept, bytes = str_of(headings[s->kind]).n;

	for (kept = 0; kept < n; kept++) {
		bytes += line_bytes(s, &rows[kept]);
		set_rows(s, kept + 1);
		if (bytes + line_bytes(s, NULL) > max)
			break;
	}
	set_rows(s, kept);
}

static int
select_scope(struct desk *d, struct keep *keep, struct str scope,
	     struct recall_section *s, struct fail *fail)
{
	struct sql *sql = &d->database.sql;
	int64_t most = d->settings.limits.recall_lessons;
	struct recall_row *rows;
	struct buf line = BUF_INIT;
	struct query q;
	size_t n = 0, want;
	int rc = 0;

	if (query_value(sql, fail, &s->total,
			"SELECT count(*) FROM lessons WHERE scope = ? AND "
			"archived = 0",
			"t", scope) < 0 ||
	    query_open(&q, sql, fail,
		       "SELECT id, text FROM lessons WHERE scope = ? AND "
		       "archived = 0 ORDER BY created_at DESC, id LIMIT ?",
		       "ti", scope, most) != 0)
		return -1;
	want = (size_t)(s->total < most ? s->total : most);
	rows = keep_bytes(keep, want, sizeof(*rows));
	while (n < want && (rc = query_next(&q, fail)) == 1) {
		buf_reset(&line);
		wording_collapse(&line, query_text(&q, 1));
		rows[n].id = query_integer(&q, 0);
		rows[n++].text = keep_str(keep, buf_str(&line));
	}
	query_close(&q);
	buf_release(&line);
	s->rows = (struct field_list){ rows, n };
	return rc < 0 ? -1 : 0;
}

static int
select_own(struct desk *d, struct keep *keep, struct recall_section *s,
	   struct fail *fail)
{
	int64_t most = d->settings.limits.recall_lessons;
	size_t want = most > 10000 ? 10000 : (size_t)most, i;
	struct own_candidate *own = keep_bytes(keep, want, sizeof(*own));
	struct recall_row *rows;
	struct buf line = BUF_INIT;
	long n;

	n = candidate_own(&d->database.sql, buf_str(&d->project),
			  desk_session_key(d), keep, own, want, &s->total,
			  fail);
	if (n < 0)
		return -1;
	rows = keep_bytes(keep, (size_t)n, sizeof(*rows));
	for (i = 0; i < (size_t)n; i++) {
		buf_reset(&line);
		wording_collapse(&line, own[i].wording);
		rows[i].id = own[i].id;
		rows[i].text = keep_str(keep, buf_str(&line));
	}
	buf_release(&line);
	s->rows = (struct field_list){ rows, (size_t)n };
	return 0;
}

int
recall_select(struct desk *d, struct keep *keep, struct recall_block *b,
	      struct fail *fail)
{
	struct recall_section *s = b->sections;
	struct sql *sql = &d->database.sql;
	int i, rc = 0;

	*b = (struct recall_block){ .present = { false, true, false } };
	for (i = 0; i < RECALL_KINDS; i++) {
		s[i].kind = i;
		s[i].rows.v = keep_bytes(keep, 0, 1);
	}
	if (sql_begin_read(sql, fail) != 0)
		return -1;
	if (select_scope(d, keep, STR(GLOBAL_SCOPE), &s[RECALL_GLOBAL], fail) !=
		    0 ||
	    select_scope(d, keep, buf_str(&d->project), &s[RECALL_PROJECT],
			 fail) != 0 ||
	    (d->origin.has_session &&
	     select_own(d, keep, &s[RECALL_CANDIDATES], fail) != 0))
		rc = -1;
	sql_rollback(sql);
	b->present[RECALL_GLOBAL] = s[RECALL_GLOBAL].total > 0;
	b->present[RECALL_CANDIDATES] = s[RECALL_CANDIDATES].total > 0;
	for (i = 0; i < RECALL_KINDS; i++)
		fit_bytes(&s[i], (size_t)d->settings.limits.recall_bytes);
	return rc;
}
