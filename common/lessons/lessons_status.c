#include "lessons/lessons_status.h"

#include <string.h>
#include <sys/stat.h>

#include "lessons/fit.h"
#include "lessons/lesson.h"
#include "lessons/recall.h"

const char *const blocked_names[] = { "review", "barrier", NULL };

static int
count_scope(struct sql *s, struct str scope, struct lesson_counts *counts,
	    struct fail *fail)
{
	*counts = (struct lesson_counts){ 0, 0 };
	return query_value(s, fail, &counts->active,
			   "SELECT count(*) FROM lessons WHERE scope = ? AND "
			   "archived = 0",
			   "t", scope) < 0 ||
			       query_value(s, fail, &counts->archived,
					   "SELECT count(*) FROM lessons "
					   "WHERE scope = ? AND archived = 1",
					   "t", scope) < 0
		       ? -1
		       : 0;
}

static bool
is_missing(struct str scope)
{
	struct buf path = BUF_INIT;
	struct stat st;
	bool missing;

	buf_add_str(&path, scope);
	missing = !str_is(scope, GLOBAL_SCOPE) &&
		  (stat(path.data, &st) != 0 || !S_ISDIR(st.st_mode));
	buf_release(&path);
	return missing;
}

/* The scopes of the page, and how many there are. */
static int
read_scopes(struct desk *d, const struct lessons_status_args *a,
	    struct lessons_status_result *r, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct buf scope = BUF_INIT;
	struct status_scope *scopes = keep_bytes(&r->keep, (size_t)a->limit.v,
						 sizeof(*scopes));
	struct status_scope *one;
	size_t n = 0;
	int rc;

	while ((rc = lesson_next_scope(s, &scope, fail)) == 1) {
		if (r->scopes_n++ < a->offset.v || n == (size_t)a->limit.v)
			continue;
		one = &scopes[n++];
		one->scope = keep_str(&r->keep, buf_str(&scope));
		one->missing = is_missing(one->scope);
		rc = count_scope(s, one->scope, &one->counts, fail);
		if (rc != 0)
			break;
	}
	buf_release(&scope);
	r->scopes = (struct field_list){ scopes, n };
	return rc;
}

static int
read_session(struct desk *d, struct lessons_status_result *r, struct fail *fail)
{
	struct staged staged;
	struct status_review *review;
	int rc;

	if (desk_sidecar(d, SIDECAR_READ, fail) != 0)
		return -1;
	rc = sidecar_open_review(&d->sidecar, desk_session_key(d), &d->keep,
				 &staged, fail);
	if (rc == 1) {
		review = keep_bytes(&r->keep, 1, sizeof(*review));
		review->id = keep_str(&r->keep, staged.id);
		review->kind = (int)staged.kind;
		review->state = (int)staged.state;
		r->review = review;
	}
	r->session = keep_str(&r->keep, origin_session(&d->origin));
	r->lineage = keep_str(&r->keep, desk_lineage(d));
	r->ephemeral = desk_ephemeral(d);
	r->blocked = rc == 1		  ? BLOCKED_REVIEW
		     : d->session.barrier ? BLOCKED_BARRIER
					  : -1;
	return rc < 0 ? -1 : 0;
}

static int
read_store(struct desk *d, const struct lessons_status_args *a,
	   struct lessons_status_result *r, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	struct recall_block block;
	struct buf text = BUF_INIT;

	if (desk_store(d, false, fail) != 0 ||
	    recall_select(d, &d->keep, &block, fail) != 0 ||
	    count_scope(s, buf_str(&d->project), &r->lessons.project, fail) !=
		    0 ||
	    count_scope(s, STR(GLOBAL_SCOPE), &r->lessons.global, fail) != 0 ||
	    candidate_counts(s, &r->candidates, fail) != 0)
		return -1;
	recall_render(&block, &text);
	r->tokens = (int64_t)(wording_units(buf_str(&text)) + 3) / 4;
	buf_release(&text);
	return read_scopes(d, a, r, fail);
}

int
lessons_status_run(const struct tool_call *call, void *result,
		   struct fail *fail)
{
	const struct lessons_status_args *a = call->args;
	struct lessons_status_result *r = result;
	struct desk d;
	int rc = -1;

	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0 ||
	    desk_project(&d, fail) != 0 || read_session(&d, r, fail) != 0 ||
	    read_store(&d, a, r, fail) != 0)
		goto out;
	r->line = a->line.v;
	r->database = keep_str(&r->keep, buf_str(&d.database.target));
	r->exists = d.database.exists;
	r->state_file = keep_str(&r->keep, buf_str(&d.sidecar.path));
	r->project = keep_str(&r->keep, buf_str(&d.project));
	r->limits = d.settings.limits;
	r->offset = a->offset.v;
	fit_page(call->tool, r, &r->scopes, r->offset, r->scopes_n, &r->next);
	rc = 0;
out:
	desk_release(&d);
	return rc;
}

/* ---- text -------------------------------------------------------------- */

void
status_number(int64_t n, struct buf *out)
{
	if (n < 1000)
		buf_addf(out, "%lld", (long long)n);
	else if (n < 10000)
		buf_addf(out, "%lld.%lldk", (long long)((n + 50) / 1000),
			 (long long)((n + 50) / 100 % 10));
	else if (n < 1000000)
		buf_addf(out, "%lldk", (long long)((n + 500) / 1000));
	else if (n < 10000000)
		buf_addf(out, "%lld.%lldM", (long long)((n + 50000) / 1000000),
			 (long long)((n + 50000) / 100000 % 10));
	else
		buf_addf(out, "%lldM", (long long)((n + 500000) / 1000000));
}

static void
line_text(const struct lessons_status_result *r, struct buf *out)
{
	buf_adds(out, "lessons ");
	status_number(r->lessons.project.active, out);
	buf_addc(out, '|');
	status_number(r->lessons.global.active, out);
	buf_adds(out, " ~");
	status_number(r->tokens, out);
	buf_adds(out, ", candidates ");
	status_number(r->candidates.pending, out);
	if (r->candidates.since_evaluation > 0) {
		buf_adds(out, " (+");
		status_number(r->candidates.since_evaluation, out);
		buf_addc(out, ')');
	}
}

static void
add_str(struct buf *out, const char *name, struct str value)
{
	buf_addf(out, "%s: ", name);
	wording_show_line(out, value);
	buf_addc(out, '\n');
}

static void
add_counts(struct buf *out, const char *name, const struct lesson_counts *c)
{
	buf_addf(out, "%s: %lld active, %lld archived\n", name,
		 (long long)c->active, (long long)c->archived);
}

static void
scopes_text(const struct lessons_status_result *r, struct buf *out)
{
	const struct status_scope *scopes = r->scopes.v;
	size_t i;

	for (i = 0; i < r->scopes.n; i++) {
		buf_adds(out, "\nscope ");
		wording_show_line(out, scopes[i].scope);
		buf_addf(out, ": %lld active, %lld archived%s",
			 (long long)scopes[i].counts.active,
			 (long long)scopes[i].counts.archived,
			 scopes[i].missing ? ", directory missing" : "");
	}
	if (r->next != FIELD_NONE)
		buf_addf(out, "\n[%lld scopes; continue at offset %lld]",
			 (long long)r->scopes_n, (long long)r->next);
}

void
lessons_status_text(const void *result, struct buf *out)
{
	const struct lessons_status_result *r = result;
	size_t i;

	if (r->line) {
		line_text(r, out);
		return;
	}
	buf_adds(out, "database: ");
	wording_show_line(out, r->database);
	buf_adds(out, r->exists ? "\n" : " (not there yet)\n");
	add_str(out, "state file", r->state_file);
	add_str(out, "project", r->project);
	add_str(out, "session",
		r->session.s == NULL ? STR("none") : r->session);
	add_str(out, "lineage", r->lineage);
	buf_addf(out, "ephemeral: %s\n", r->ephemeral ? "yes" : "no");
	buf_addf(out, "blocked: %s\n",
		 r->blocked < 0 ? "no" : blocked_names[r->blocked]);
	if (r->review != NULL)
		buf_addf(out, "review: %s %s, %s\n",
			 review_kinds[r->review->kind], r->review->id.s,
			 review_states[r->review->state]);
	else
		buf_adds(out, "review: none\n");
	add_counts(out, "project lessons", &r->lessons.project);
	add_counts(out, "global lessons", &r->lessons.global);
	buf_addf(out,
		 "candidates: %lld pending, %lld since the last evaluation",
		 (long long)r->candidates.pending,
		 (long long)r->candidates.since_evaluation);
	for (i = 0; i < LIMITS_COUNT; i++)
		buf_addf(out, "\n%s: %lld", limits_name(i),
			 (long long)limits_value(&r->limits, i));
	scopes_text(r, out);
}

void
lessons_status_release(void *result)
{
	keep_release(&((struct lessons_status_result *)result)->keep);
}
