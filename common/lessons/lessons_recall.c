#include "lessons/lessons_recall.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json_check.h"
#include "base/path.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "lessons/lesson.h"
#include "tool/budget.h"
#include "tool/result.h"

#define SINCE_MAX (16 << 20)
#define REASON_BYTES 700
#define UNAVAILABLE "LESSONS UNAVAILABLE: "

const char *const recall_modes[] = { "full", "update", "unavailable", NULL };

/* ---- the file of the last selection ------------------------------------ */

/* What an agent was told before, by section. */
struct told {
	struct recall_row *rows[RECALL_KINDS];
	size_t n[RECALL_KINDS], cap[RECALL_KINDS];
	int64_t omitted[RECALL_KINDS];
	int order[RECALL_KINDS]; /* the sections as the file has them */
	size_t sections;
};

static void
told_release(struct told *t)
{
	int i;

	for (i = 0; i < RECALL_KINDS; i++)
		free(t->rows[i]);
}

static bool
parse_row(struct recall_row *row, struct str value, struct keep *keep)
{
	static const char *const names[] = { "id", "text" };
	struct buf text = BUF_INIT;
	struct str v[2];
	bool good;

	json_get_many(value, names, v, 2);
	good = json_to_integer(v[0], &row->id) && row->id > 0 &&
	       json_kind(v[1]) == JSON_STRING;
	if (good)
		row->text = keep_str(keep, json_text(v[1], &text));
	buf_release(&text);
	return good;
}

static bool
parse_section(struct told *t, struct str value, struct keep *keep)
{
	static const char *const names[] = { "section", "lessons", "omitted" };
	struct json_iter it;
	struct str v[3], row;
	int kind;

	json_get_many(value, names, v, 3);
	for (kind = 0; kind < RECALL_KINDS; kind++)
		if (json_kind(v[0]) == JSON_STRING &&
		    json_string_is(v[0], recall_kinds[kind]))
			break;
	if (kind == RECALL_KINDS || t->sections == RECALL_KINDS ||
	    t->rows[kind] != NULL || json_kind(v[1]) != JSON_ARRAY ||
	    !json_to_integer(v[2], &t->omitted[kind]))
		return false;
	t->order[t->sections++] = kind;
	XGROW(t->rows[kind], 1, t->cap[kind]);
	for (it = json_iterate(v[1]); json_next_element(&it, &row);) {
		XGROW(t->rows[kind], t->n[kind] + 1, t->cap[kind]);
		if (!parse_row(&t->rows[kind][t->n[kind]++], row, keep))
			return false;
	}
	return true;
}

/* Whether text is a selection of this project. */
static bool
parse_told(struct told *t, struct str text, struct str project,
	   struct keep *keep)
{
	static const char *const names[] = { "v", "project", "sections" };
	struct buf scratch = BUF_INIT;
	struct json_iter it;
	struct str v[3], section;
	int64_t version = 0;
	bool good;

	if (json_check(text, 8, 0, NULL) != 0 ||
	    json_kind(json_value(text)) != JSON_OBJECT)
		return false;
	json_get_many(json_value(text), names, v, 3);
	good = json_to_integer(v[0], &version) && version == 1 &&
	       json_kind(v[1]) == JSON_STRING &&
	       str_eq(json_text(v[1], &scratch), project) &&
	       json_kind(v[2]) == JSON_ARRAY;
	for (it = json_iterate(v[2]); good && json_next_element(&it, &section);)
		good = parse_section(t, section, keep);
	buf_release(&scratch);
	return good;
}

static bool
read_told(struct told *t, const char *path, struct str project,
	  struct keep *keep)
{
	struct buf text = BUF_INIT;
	struct stat st;
	bool good;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       io_read_all(fd, SINCE_MAX, &text) == 0 &&
	       parse_told(t, buf_str(&text), project, keep);
	if (fd >= 0)
		(void)close(fd);
	buf_release(&text);
	return good;
}

static void
write_rows(struct json_writer *w, const struct recall_row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		json_open_object(w);
		json_member_integer(w, "id", rows[i].id);
		json_member_string(w, "text", rows[i].text);
		json_close_object(w);
	}
}

/*
 * What the file is to hold: the selection, and behind each section the rows
 * that still hold but were pushed past the limits.
 */
static void
write_told(const struct recall_block *b, const struct told *pushed,
	   struct str project, struct buf *out)
{
	struct json_writer w;
	int i;

	json_begin(&w, out);
	json_open_object(&w);
	json_member_integer(&w, "v", 1);
	json_member_string(&w, "project", project);
	json_key(&w, "sections");
	json_open_array(&w);
	for (i = 0; i < RECALL_KINDS; i++) {
		const struct recall_section *s = &b->sections[i];

		if (!b->present[i])
			continue;
		json_open_object(&w);
		json_member_string(&w, "section", str_of(recall_kinds[i]));
		json_key(&w, "lessons");
		json_open_array(&w);
		write_rows(&w, s->rows.v, s->rows.n);
		write_rows(&w, pushed->rows[i], pushed->n[i]);
		json_close_array(&w);
		json_member_integer(&w, "total", s->total);
		json_member_integer(&w, "omitted", s->omitted);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_addc(out, '\n');
}

/* ---- what is different ------------------------------------------------- */

static const struct recall_row *
find_row(const struct recall_row *rows, size_t n, int64_t id)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

/*
 * Where a lesson that was told is now: 1 in the scope of its section, 2 in
 * the other one, 0 gone, -1.
 */
static int
where_is(struct desk *d, int kind, int64_t id, struct fail *fail)
{
	struct str project = buf_str(&d->project), global = STR(GLOBAL_SCOPE);
	int64_t found = 0;

	if (kind == RECALL_CANDIDATES)
		return query_value(&d->database.sql, fail, &found,
				   "SELECT 1 FROM candidates WHERE id = ? AND "
				   "status = 'pending'",
				   "i", id);
	if (query_value(&d->database.sql, fail, &found,
			"SELECT CASE scope WHEN ?2 THEN 1 WHEN ?3 THEN 2 "
			"ELSE 0 END FROM lessons WHERE id = ?1 AND "
			"archived = 0",
			"itt", id, kind == RECALL_GLOBAL ? global : project,
			kind == RECALL_GLOBAL ? project : global) < 0)
		return -1;
	return (int)found;
}

/* Sorts what was told into what is gone and what was only pushed out. */
static int
compare(struct desk *d, const struct recall_block *b, const struct told *told,
	struct lessons_recall_result *r, struct told *pushed, struct fail *fail)
{
	struct str *gone;
	struct buf name = BUF_INIT;
	size_t total = 0, n = 0, k, i;
	int rc = 0;

	for (i = 0; i < told->sections; i++)
		total += told->n[told->order[i]];
	gone = keep_bytes(&r->keep, total, sizeof(*gone));
	for (i = 0; i < told->sections && rc >= 0; i++) {
		int kind = told->order[i];

		for (k = 0; k < told->n[kind] && rc >= 0; k++) {
			const struct recall_row *row = &told->rows[kind][k];

			if (find_row(b->sections[kind].rows.v,
				     b->sections[kind].rows.n, row->id) != NULL)
				continue;
			rc = where_is(d, kind, row->id, fail);
			if (rc == 1) {
				XGROW(pushed->rows[kind], pushed->n[kind] + 1,
				      pushed->cap[kind]);
				pushed->rows[kind][pushed->n[kind]++] = *row;
			} else if (rc == 0) {
				buf_reset(&name);
				buf_addf(&name, "#%s%lld",
					 kind == RECALL_CANDIDATES ? "C" : "",
					 (long long)row->id);
				gone[n++] = keep_str(&r->keep, buf_str(&name));
			}
		}
	}
	buf_release(&name);
	r->gone = (struct field_list){ gone, n };
	return rc < 0 ? -1 : 0;
}

/* The rows of a section that are new or changed, if it is to be shown. */
static bool
show_section(const struct recall_section *now, const struct told *told,
	     struct keep *keep, struct recall_section *out)
{
	const struct recall_row *rows = now->rows.v, *before;
	struct recall_row *fresh = keep_bytes(keep, now->rows.n,
					      sizeof(*fresh));
	size_t i, n = 0;

	for (i = 0; i < now->rows.n; i++) {
		before = find_row(told->rows[now->kind], told->n[now->kind],
				  rows[i].id);
		if (before == NULL || !str_eq(before->text, rows[i].text))
			fresh[n++] = rows[i];
	}
	*out = *now;
	out->rows = (struct field_list){ fresh, n };
	out->with_omission = now->omitted != told->omitted[now->kind];
	return n > 0 || out->with_omission;
}

static void
render_update(struct lessons_recall_result *r)
{
	const struct recall_section *s = r->sections.v;
	const struct str *gone = r->gone.v;
	size_t i;

	buf_reset(&r->text);
	if (r->gone.n == 0 && r->sections.n == 0)
		return;
	buf_adds(&r->text, "LESSONS UPDATE");
	for (i = 0; i < r->gone.n; i++) {
		buf_adds(&r->text, i == 0 ? "\nGone, disregard: " : ", ");
		buf_add_str(&r->text, gone[i]);
	}
	if (r->gone.n > 0)
		buf_addc(&r->text, '.');
	for (i = 0; i < r->sections.n; i++) {
		buf_addc(&r->text, '\n');
		recall_render_section(&s[i], &r->text);
	}
}

static void
finish(struct lessons_recall_result *r)
{
	r->bytes = (int64_t)r->text.len;
}

static void
make_full(struct lessons_recall_result *r, const struct recall_block *b)
{
	size_t n = 0;
	int i;

	r->mode = RECALL_FULL;
	r->gone.v = NULL;
	for (i = 0; i < RECALL_KINDS; i++)
		if (b->present[i])
			r->shown[n++] = b->sections[i];
	r->sections = (struct field_list){ r->shown, n };
	buf_reset(&r->text);
	recall_render(b, &r->text);
	finish(r);
}

static void
make_update(struct lessons_recall_result *r, const struct recall_block *b,
	    const struct told *told)
{
	size_t n = 0;
	int i;

	r->mode = RECALL_UPDATE;
	for (i = 0; i < RECALL_KINDS; i++)
		n += show_section(&b->sections[i], told, &r->keep,
				  &r->shown[n]);
	r->sections = (struct field_list){ r->shown, n };
	render_update(r);
	finish(r);
}

static int
recall(struct desk *d, const struct lessons_recall_args *a,
       struct lessons_recall_result *r, struct fail *fail)
{
	const struct tool *tool = d->call->tool;
	struct told told = { .sections = 0 }, pushed = { .sections = 0 };
	struct recall_block block;
	int rc = -1;

	if (desk_find(d, fail) != 0 || desk_store(d, false, fail) != 0 ||
	    recall_select(d, &r->keep, &block, fail) != 0)
		goto out;
	do
		make_full(r, &block);
	while (!budget_holds(tool, r) && recall_shorten(&block));
	rc = 0;
	if (!a->since.given)
		goto out;
	desk_path(d, a->since.s, &r->path);
	if (read_told(&told, r->path.data, r->project, &r->keep)) {
		rc = compare(d, &block, &told, r, &pushed, fail);
		if (rc == 0) {
			make_update(r, &block, &told);
			if (!budget_holds(tool, r))
				make_full(r, &block);
		}
	}
	write_told(&block, &pushed, r->project, &r->next);
out:
	told_release(&told);
	told_release(&pushed);
	return rc;
}

/* ---- the program ------------------------------------------------------- */

/* Something to tell the agent, although the store cannot be read. */
static void
make_unavailable(struct lessons_recall_result *r, const struct fail *why)
{
	struct str reason = buf_str(&why->message);
	size_t most = REASON_BYTES - (sizeof(UNAVAILABLE) - 1);

	if (reason.n > most) {
		while (((unsigned char)reason.s[most] & 0xc0) == 0x80)
			most--;
		reason.n = most;
	}
	r->mode = RECALL_UNAVAILABLE;
	r->gone.v = NULL;
	r->sections = (struct field_list){ r->shown, 0 };
	r->reason = keep_str(&r->keep, reason);
	buf_reset(&r->text);
	buf_reset(&r->next);
	buf_adds(&r->text, UNAVAILABLE);
	buf_add_str(&r->text, reason);
	finish(r);
}

int
lessons_recall_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_recall_args *a = call->args;
	struct lessons_recall_result *r = result;
	struct desk d;
	int rc = -1;

	buf_init(&r->text, BUF_UNLIMITED);
	buf_init(&r->path, BUF_UNLIMITED);
	buf_init(&r->next, BUF_UNLIMITED);
	if (desk_begin_lenient(&d, call, fail) != 0 ||
	    desk_project(&d, fail) != 0)
		goto out;
	r->project = keep_str(&r->keep, buf_str(&d.project));
	rc = recall(&d, a, r, fail);
	if (rc != 0 && fail->kind == FAIL_ENVIRONMENT) {
		make_unavailable(r, fail);
		rc = FAIL_ENVIRONMENT;
	}
out:
	desk_release(&d);
	return rc;
}

void
lessons_recall_text(const void *result, struct buf *out)
{
	const struct lessons_recall_result *r = result;

	buf_add_str(out, buf_str(&r->text));
}

/* Told is what was printed: so the file follows the output. */
int
lessons_recall_printed(const struct tool_call *call, void *result,
		       struct fail *fail)
{
	struct lessons_recall_result *r = result;
	struct buf folder = BUF_INIT, temporary = BUF_INIT;
	struct tree_file file = { .bytes = buf_str(&r->next),
				  .over = TREE_OVER_ANY };
	int dir, rc = 0;

	(void)call;
	if (r->next.len == 0)
		return 0;
	file.name = path_last(buf_str(&r->path)).s;
	buf_addf(&temporary, ".%s.%ld", file.name, (long)getpid());
	file.temporary = temporary.data;
	buf_add_str(&folder, path_parent(buf_str(&r->path)));
	dir = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || tree_replace(dir, &file, NULL) != 0)
		rc = fail_environment(fail, "%s: %s", r->path.data,
				      strerror(errno));
	if (dir >= 0)
		(void)close(dir);
	buf_release(&folder);
	buf_release(&temporary);
	return rc;
}

void
lessons_recall_release(void *result)
{
	struct lessons_recall_result *r = result;

	keep_release(&r->keep);
	buf_release(&r->text);
	buf_release(&r->path);
	buf_release(&r->next);
}
