#include "lessons/lessons_export.h"

#include <string.h>

#include "base/json_write.h"
#include "lessons/new_file.h"
#include "lessons/schema.h"

const char *const copy_formats[] = { "markdown", "jsonl", NULL };
const char *const export_scopes[] = { "project", "global", NULL };

/* Each line of a text but the first two blanks in: it goes on with its item. */
static void
add_item(struct buf *out, struct str text)
{
	bool more;

	buf_adds(out, "- ");
	do {
		more = str_has(text, '\n');
		buf_add_str(out, str_cut(&text, '\n'));
		buf_adds(out, more ? "\n  " : "\n");
	} while (more);
}

static int
write_markdown(struct sql *s, struct str scope, struct lessons_export_result *r,
	       struct fail *fail)
{
	struct query q;
	int rc;

	buf_adds(&r->document, "# Lessons\n");
	if (query_open(&q, s, fail,
		       "SELECT text FROM lessons WHERE scope = ? AND "
		       "archived = 0 ORDER BY created_at DESC, id",
		       "t", scope) != 0)
		return -1;
	while ((rc = query_next(&q, fail)) == 1) {
		if (r->records++ == 0)
			buf_addc(&r->document, '\n');
		add_item(&r->document, query_text(&q, 0));
	}
	query_close(&q);
	return rc;
}

void
copy_header(struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "ctxtools", STR("lessons"));
	json_member_integer(&w, "application_id", SCHEMA_APPLICATION);
	json_member_integer(&w, "schema", SCHEMA_VERSION);
	json_close_object(&w);
}

static void
write_row(struct buf *out, const struct schema_table *t, const struct query *q)
{
	struct json_writer w;
	int i;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_string(&w, "table", str_of(t->name));
	json_key(&w, "row");
	json_open_object(&w);
	for (i = 0; t->columns[i] != NULL; i++) {
		json_key(&w, t->columns[i]);
		if (query_null(q, i))
			json_null(&w);
		else if (t->types[i] == 'i' || t->types[i] == 'I')
			json_integer(&w, query_integer(q, i));
		else
			json_string(&w, query_text(q, i));
	}
	json_close_object(&w);
	json_close_object(&w);
	buf_addc(out, '\n');
}

static int
write_jsonl(struct sql *s, struct lessons_export_result *r, struct fail *fail)
{
	const struct schema_table *t;
	struct query q;
	int rc = 0;

	copy_header(&r->document);
	buf_addc(&r->document, '\n');
	for (t = schema_tables; rc == 0 && t->name != NULL; t++) {
		if (query_open(&q, s, fail, t->select, "") != 0)
			return -1;
		while ((rc = query_next(&q, fail)) == 1) {
			write_row(&r->document, t, &q);
			r->records++;
		}
		query_close(&q);
	}
	return rc;
}

static int
store(struct desk *d, const char *file, struct lessons_export_result *r,
      struct fail *fail)
{
	struct buf path = BUF_INIT;
	int rc;

	desk_path(d, file, &path);
	rc = new_file(path.data, buf_str(&r->document), fail);
	r->file = keep_str(&r->keep, buf_str(&path));
	buf_release(&path);
	return rc;
}

int
lessons_export_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_export_args *a = call->args;
	struct lessons_export_result *r = result;
	struct desk d;
	int rc = -1;

	buf_init(&r->document, BUF_UNLIMITED);
	if (a->format.v == COPY_JSONL && a->scope.given)
		return fail_invalid(fail, "scope: given with the format jsonl; "
					  "legal: with markdown only");
	r->format = a->format.v;
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(&d, fail) != 0 || desk_store(&d, false, fail) != 0 ||
	    sql_begin_read(&d.database.sql, fail) != 0)
		goto out;
	if (a->format.v == COPY_JSONL)
		rc = write_jsonl(&d.database.sql, r, fail);
	else
		rc = write_markdown(&d.database.sql,
				    a->scope.v == EXPORT_GLOBAL
					    ? STR(GLOBAL_SCOPE)
					    : buf_str(&d.project),
				    r, fail);
	sql_rollback(&d.database.sql);
	r->bytes = (int64_t)r->document.len;
	if (rc == 0 && a->file.given)
		rc = store(&d, a->file.s, r, fail);
out:
	desk_release(&d);
	return rc;
}

void
lessons_export_text(const void *result, struct buf *out)
{
	const struct lessons_export_result *r = result;

	if (r->file.s != NULL) {
		buf_addf(out, "%lld records written to ",
			 (long long)r->records);
		wording_show_line(out, r->file);
	} else {
		/* The final newline is the printer's. */
		buf_add(out, r->document.data, r->document.len - 1);
	}
}

void
lessons_export_release(void *result)
{
	struct lessons_export_result *r = result;

	keep_release(&r->keep);
	buf_release(&r->document);
}
