#include "lessons/lessons_audit.h"

#include "lessons/audit.h"
#include "lessons/new_file.h"

/* The lessons, as they all stand at one moment. */
static int
read_lessons(struct desk *d, struct audit *audit, bool all, struct fail *fail)
{
	struct sql *s = &d->database.sql;
	int rc;

	if (desk_store(d, false, fail) != 0 || sql_begin_read(s, fail) != 0)
		return -1;
	rc = audit_read(audit, s, buf_str(&d->project), all, fail);
	sql_rollback(s);
	return rc;
}

static int
report(struct desk *d, const struct lessons_audit_args *a,
       const struct audit *audit, struct lessons_audit_result *r,
       struct fail *fail)
{
	struct buf path = BUF_INIT;
	int rc;

	audit_document(audit, NULL, buf_str(&d->project), a->all_projects.v,
		       &r->document);
	r->bytes = (int64_t)r->document.len;
	if (r->bytes > a->max_bytes.v)
		return stage_too_large(r->document.len, a->max_bytes.v, fail);
	desk_path(d, a->file.s, &path);
	buf_addc(&r->document, '\n');
	r->bytes++;
	rc = new_file(path.data, buf_str(&r->document), fail);
	r->file = keep_str(&r->keep, buf_str(&path));
	buf_release(&path);
	return rc;
}

static int
stage(struct desk *d, const struct lessons_audit_args *a,
      const struct audit *audit, struct lessons_audit_result *r,
      struct fail *fail)
{
	struct buf snapshot = BUF_INIT;
	char id[REVIEW_ID_SIZE];
	int rc;

	sidecar_new_id(id);
	audit_document(audit, id, buf_str(&d->project), a->all_projects.v,
		       &r->document);
	r->bytes = (int64_t)r->document.len;
	if (r->bytes > a->max_bytes.v)
		return stage_too_large(r->document.len, a->max_bytes.v, fail);
	audit_json(audit, buf_str(&d->project), true, &snapshot);
	rc = stage_begin(d, REVIEW_AUDIT, fail);
	if (rc == 0)
		rc = stage_store(d, REVIEW_AUDIT, id, buf_str(&snapshot), fail);
	buf_release(&snapshot);
	r->id = keep_str(&r->keep, str_of(id));
	return rc;
}

int
lessons_audit_run(const struct tool_call *call, void *result, struct fail *fail)
{
	const struct lessons_audit_args *a = call->args;
	struct lessons_audit_result *r = result;
	struct audit *audit = audit_new();
	struct desk d;
	int rc = -1;

	r->shape = a->action.v;
	buf_init(&r->document, BUF_UNLIMITED);
	if (desk_begin(&d, call, ORIGIN_USER, fail) != 0)
		goto out;
	if (a->action.v == STAGE_CANCEL) {
		rc = stage_cancel(&d, REVIEW_AUDIT, &r->keep, &r->cancelled,
				  fail);
		goto out;
	}
	if (desk_project(&d, fail) != 0 ||
	    read_lessons(&d, audit, a->all_projects.v, fail) != 0)
		goto out;
	r->lessons = (int64_t)audit->n;
	r->scopes = (int64_t)audit_scopes(audit);
	if (a->file.given)
		rc = report(&d, a, audit, r, fail);
	else
		rc = audit->n == 0 ? 0 : stage(&d, a, audit, r, fail);
out:
	audit_free(audit);
	desk_release(&d);
	return rc;
}

void
lessons_audit_text(const void *result, struct buf *out)
{
	const struct lessons_audit_result *r = result;

	if (r->shape == STAGE_CANCEL) {
		buf_addf(out, "audit %s cancelled", r->cancelled.id.s);
	} else if (r->file.s != NULL) {
		buf_adds(out, "audit report written to ");
		wording_show_line(out, r->file);
	} else if (r->id.s == NULL) {
		buf_adds(out, "no lessons are active");
	} else {
		buf_add_str(out, buf_str(&r->document));
	}
}

void
lessons_audit_release(void *result)
{
	struct lessons_audit_result *r = result;

	keep_release(&r->keep);
	buf_release(&r->document);
}
