#include "lessons/stage.h"

const char *const stage_actions[] = { "start", "cancel", NULL };

#define AT(member) offsetof(struct stage_cancelled, member)
const struct field stage_cancelled_fields[] = {
	{ MEMBER(AT, status, FIELD_STRING) },
	{ MEMBER(AT, id, FIELD_STRING) },
	FIELD_END
};

int
stage_begin(struct desk *d, enum review_kind kind, struct fail *fail)
{
	struct staged open;
	int rc;

	if (desk_sidecar(d, SIDECAR_MAKE, fail) != 0 ||
	    sql_begin(&d->sidecar.sql, fail) != 0)
		return -1;
	if (d->origin.has_session &&
	    sidecar_register(&d->sidecar, desk_session_key(d), fail) != 0)
		return -1;
	/* What it is now, that nobody else can change it. */
	if (sidecar_session(&d->sidecar, desk_session_key(d), &d->keep,
			    &d->session, fail) != 0)
		return -1;
	rc = sidecar_open_review(&d->sidecar, desk_session_key(d), &d->keep,
				 &open, fail);
	if (rc <= 0)
		return rc;
	if (kind == REVIEW_AUDIT && open.kind == REVIEW_AUDIT &&
	    open.state == REVIEW_PENDING)
		return review_drop(d, &open, fail);
	return review_pending(&open, fail);
}

int
stage_store(struct desk *d, enum review_kind kind, const char *id,
	    struct str snapshot, struct fail *fail)
{
	char hash[WORDING_KEY_SIZE];
	struct staged staged = {
		.id = str_of(id),
		.kind = kind,
		.session = desk_session_key(d),
		.harness = buf_str(&d->origin.harness),
		.project = buf_str(&d->project),
		.epoch = d->session.epoch,
		.created_at = d->now,
		.snapshot = snapshot,
	};

	desk_config_hash(d, hash);
	staged.config_hash = str_of(hash);
	if (sidecar_stage(&d->sidecar, &staged, fail) != 0)
		return -1;
	return sql_commit(&d->sidecar.sql, fail);
}

int
stage_cancel(struct desk *d, enum review_kind kind, struct keep *keep,
	     struct stage_cancelled *cancelled, struct fail *fail)
{
	struct staged open;
	int rc;

	if (desk_sidecar(d, SIDECAR_CHANGE, fail) != 0)
		return -1;
	rc = sidecar_open_review(&d->sidecar, desk_session_key(d), &d->keep,
				 &open, fail);
	if (rc < 0)
		return -1;
	if (rc == 0 || open.kind != kind)
		return fail_refuse(fail, "no_matching_review",
				   "no matching pending %s in this session; "
				   "start one with %s",
				   review_kinds[kind], review_command(kind));
	cancelled->status = STR("cancelled");
	cancelled->id = keep_str(keep, open.id);
	return review_drop(d, &open, fail);
}

int
stage_too_large(size_t bytes, int64_t max, struct fail *fail)
{
	return fail_refuse(fail, "too_large",
			   "the document has %zu bytes, and %lld are allowed; "
			   "nothing was started; --max-bytes raises that",
			   bytes, (long long)max);
}
