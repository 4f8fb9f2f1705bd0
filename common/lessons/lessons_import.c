#include "lessons/lessons_import.h"

#include <string.h>

#include "lessons/jsonl.h"
#include "lessons/lesson.h"
#include "lessons/lessons_export.h"
#include "lessons/markdown.h"

#define MARKDOWN_MAX ((size_t)1 << 20)
#define JSONL_MAX ((size_t)256 << 20)

/* ---- Markdown ---------------------------------------------------------- */

static int
add_items(struct desk *d, const struct markdown *m,
	  struct lessons_import_result *r, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct deed deed = { &d->origin, d->now, { NULL, 0 } };
	struct buf evidence = BUF_INIT;
	char key[WORDING_KEY_SIZE];
	int64_t id = 0;
	size_t i;
	int rc = 0;

	buf_addf(&evidence, "sha256:%s", r->sha256.s);
	for (i = 0; rc == 0 && i < m->n; i++) {
		struct new_lesson n = { r->scope, m->items[i],
					buf_str(&evidence), BASIS_IMPORT };

		wording_key(n.text, key);
		rc = lesson_active(s, r->scope, key, &id, fail);
		if (rc == 1) {
			r->skipped++;
			rc = 0;
		} else if (rc == 0) {
			rc = lesson_add(s, &n, &deed, &id, fail);
			r->added++;
		}
	}
	buf_release(&evidence);
	return rc;
}

/* What would be skipped, where no store is there to ask. */
static void
count_items(const struct markdown *m, struct lessons_import_result *r)
{
	char key[WORDING_KEY_SIZE];
	struct str *keys = keep_bytes(&r->keep, m->n, sizeof(*keys));
	size_t i, k;

	for (i = 0; i < m->n; i++) {
		wording_key(m->items[i], key);
		keys[i] = keep_str(&r->keep, str_of(key));
		for (k = 0; k < i && !str_eq(keys[k], keys[i]); k++)
			;
		r->added += k == i;
		r->skipped += k < i;
	}
}

static int
bad_items(const struct markdown *m, struct fail *fail)
{
	struct buf more = BUF_INIT;

	if (m->errors_n > MARKDOWN_ERRORS)
		buf_addf(&more, "; and %zu more",
			 m->errors_n - MARKDOWN_ERRORS);
	fail_refuse(fail, "bad_import", "%s%s; nothing was saved",
		    m->errors.data, more.data);
	buf_release(&more);
	return -1;
}

/*
 * A dry run does all of it and commits nothing.  Where there is no store it
 * makes none.
 */
static int
import_markdown(struct desk *d, const struct lessons_import_args *a,
		struct str text, struct lessons_import_result *r,
		struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct markdown m;
	int rc = -1;

	markdown_init(&m);
	r->scope = keep_str(&r->keep, a->global.v ? STR(GLOBAL_SCOPE)
						  : buf_str(&d->project));
	markdown_read(&m, text, &d->settings.limits);
	r->items = (int64_t)m.n;
	if (m.errors_n > 0) {
		rc = bad_items(&m, fail);
	} else if (a->dry_run.v && !d->database.exists) {
		count_items(&m, r);
		rc = 0;
	} else if (desk_store(d, true, fail) == 0 && sql_begin(s, fail) == 0) {
		rc = add_items(d, &m, r, fail);
		if (rc == 0 && !a->dry_run.v)
			rc = sql_commit(s, fail);
		sql_rollback(s);
	}
	markdown_release(&m);
	return rc;
}

/* ---- JSONL ------------------------------------------------------------- */

static int
check_empty(struct sql *s, struct fail *fail)
{
	int64_t any = 0;

	if (query_value(s, fail, &any,
			"SELECT EXISTS (SELECT 1 FROM lessons) OR "
			"EXISTS (SELECT 1 FROM candidates)",
			"") < 0)
		return -1;
	return any == 0 ? 0
			: fail_refuse(fail, "not_empty",
				      "%s has lessons or candidates; a copy of "
				      "all goes only into an empty store",
				      s->path.data);
}

static int
import_jsonl(struct desk *d, const struct lessons_import_args *a,
	     struct str text, struct lessons_import_result *r,
	     struct fail *fail)
{
	struct sql *s = &d->database.sql;
	int rc = -1;

	if (desk_store(d, true, fail) != 0 ||
	    sql_script(s, "PRAGMA foreign_keys = OFF", fail) != 0 ||
	    sql_begin(s, fail) != 0)
		return -1;
	if (check_empty(s, fail) == 0 &&
	    jsonl_read(s, text, &r->items, fail) == 0)
		rc = a->dry_run.v ? 0 : sql_commit(s, fail);
	r->added = r->items;
	sql_rollback(s);
	return rc;
}

/* ---- the program ------------------------------------------------------- */

static bool
is_hash(const struct arg_string *s)
{
	return s->n == 64 && strspn(s->s, "0123456789abcdefABCDEF") == 64;
}

static int
check_arguments(const struct lessons_import_args *a, struct fail *fail)
{
	if (a->expect_sha256.given && !is_hash(&a->expect_sha256))
		return fail_invalid(fail,
				    "expect_sha256: %zu characters "
				    "given; legal: 64 hexadecimal digits",
				    a->expect_sha256.n);
	if (a->format.v == COPY_JSONL && a->global.given)
		return fail_invalid(fail, "global: given with the format "
					  "jsonl; legal: with markdown only");
	return 0;
}

static int
check_hash(const struct desk *d, const struct lessons_import_args *a,
	   struct str text, struct lessons_import_result *r, struct fail *fail)
{
	struct buf path = BUF_INIT;
	char hash[WORDING_KEY_SIZE];

	wording_sha256(text, hash);
	r->sha256 = keep_str(&r->keep, str_of(hash));
	if (!a->expect_sha256.given ||
	    strcasecmp(hash, a->expect_sha256.s) == 0)
		return 0;
	desk_path(d, a->file.s, &path);
	fail_refuse(fail, "changed",
		    "%s is not the file expected: its hash is %s", path.data,
		    hash);
	buf_release(&path);
	return -1;
}

int
lessons_import_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_import_args *a = call->args;
	struct lessons_import_result *r = result;
	bool jsonl = a->format.v == COPY_JSONL;
	struct buf text = BUF_INIT;
	struct desk d;
	int rc = -1;

	if (check_arguments(a, fail) != 0)
		return -1;
	r->format = a->format.v;
	r->dry_run = a->dry_run.v;
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(&d, fail) != 0 ||
	    desk_read_file(&d, a->file.s, false,
			   jsonl ? JSONL_MAX : MARKDOWN_MAX, &text,
			   fail) != 0 ||
	    check_hash(&d, a, buf_str(&text), r, fail) != 0)
		goto out;
	rc = jsonl ? import_jsonl(&d, a, buf_str(&text), r, fail)
		   : import_markdown(&d, a, buf_str(&text), r, fail);
out:
	buf_release(&text);
	desk_release(&d);
	return rc;
}

void
lessons_import_text(const void *result, struct buf *out)
{
	const struct lessons_import_result *r = result;
	const char *would = r->dry_run ? "would be " : "";

	buf_addf(out, "%lld %sadded, %lld %sskipped", (long long)r->added,
		 would, (long long)r->skipped, would);
}
