#include "lessons/outcome.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/json_write.h"
#include "lessons/fit.h"
#include "lessons/sidecar.h"
#include "lessons/stored.h"
#include "lessons/wording.h"

const char *const review_statuses[] = { "cancelled", "no changes", "applied",
					"evaluated", NULL };
const char *const audit_actions[] = { "archive", "move_global", NULL };

/* ---- what it looks like ------------------------------------------------ */

#define AT(member) offsetof(struct review_result, member)
#define CHANGE(member) offsetof(struct review_change, member)
#define PROMOTION(member) offsetof(struct review_promotion, member)
#define ROW(member) offsetof(struct review_row, member)

#define STATUS                                                              \
	{                                                                   \
		.name = "status", .type = FIELD_ENUM, .offset = AT(status), \
		.values = review_statuses                                   \
	}
#define OMITTED                                                                \
	{                                                                      \
		.name = "omitted", .type = FIELD_INTEGER,                      \
		.offset = AT(omitted), .optional = true, .zero_is_none = true, \
		.help = "How many more there are than are shown."              \
	}

static const struct field cancelled_fields[] = {
	STATUS, { MEMBER(AT, message, FIELD_STRING) }, FIELD_END
};

static const struct field no_changes_fields[] = { STATUS, FIELD_END };

static const struct field change_fields[] = {
	{ MEMBER(CHANGE, id, FIELD_INTEGER) },
	{ MEMBER(CHANGE, action, FIELD_ENUM), .values = audit_actions },
	{ MEMBER(CHANGE, from, FIELD_STRING) },
	{ MEMBER(CHANGE, scope, FIELD_STRING) },
	{ MEMBER(CHANGE, records, FIELD_INTEGER), .optional = true },
	FIELD_END
};

static const struct field applied_fields[] = {
	STATUS,
	{ MEMBER(AT, count, FIELD_INTEGER) },
	{ MEMBER(AT, changes, FIELD_OBJECTS), .fields = change_fields,
	  .size = sizeof(struct review_change) },
	OMITTED,
	FIELD_END
};

static const struct field promotion_fields[] = {
	{ .name = "groupIndex",
	  .type = FIELD_INTEGER,
	  .offset = PROMOTION(group) },
	{ .name = "lessonId",
	  .type = FIELD_INTEGER,
	  .offset = PROMOTION(lesson) },
	{ MEMBER(PROMOTION, created, FIELD_BOOLEAN) },
	FIELD_END
};

static const struct field counts_fields[] = {
	{ .name = "pending",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct candidate_counts, pending) },
	{ .name = "sinceEvaluation",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct candidate_counts, since_evaluation) },
	FIELD_END
};

static const struct field evaluated_fields[] = {
	STATUS,
	{ MEMBER(AT, promoted, FIELD_OBJECTS), .fields = promotion_fields,
	  .size = sizeof(struct review_promotion) },
	{ MEMBER(AT, candidates, FIELD_OBJECT), .fields = counts_fields },
	OMITTED,
	FIELD_END
};

static const struct field row_fields[] = {
	{ MEMBER(ROW, id, FIELD_STRING) },
	{ MEMBER(ROW, kind, FIELD_ENUM), .values = review_kinds },
	{ MEMBER(ROW, state, FIELD_ENUM), .values = review_states },
	{ MEMBER(ROW, session, FIELD_STRING) },
	{ MEMBER(ROW, project, FIELD_STRING) },
	{ MEMBER(ROW, created_at, FIELD_INTEGER) },
	{ MEMBER(ROW, items, FIELD_INTEGER) },
	FIELD_END
};

static const struct field shown_fields[] = {
	{ MEMBER(AT, reviews, FIELD_OBJECTS), .fields = row_fields,
	  .size = sizeof(struct review_row) },
	OMITTED,
	FIELD_END
};

const struct field *const review_audit_shapes[] = { cancelled_fields,
						    no_changes_fields,
						    applied_fields, NULL };
/* Of those in the middle an evaluation has none. */
const struct field *const review_evaluation_shapes[] = {
	cancelled_fields, evaluated_fields, evaluated_fields, evaluated_fields,
	NULL
};
const struct field *const review_shapes[] = {
	cancelled_fields, no_changes_fields, applied_fields,
	evaluated_fields, shown_fields,	     NULL
};

void
review_result_release(void *result)
{
	struct review_result *r = result;

	keep_release(&r->keep);
	buf_release(&r->shown);
}

/* ---- text -------------------------------------------------------------- */

static const char *
plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static void
changes_text(const struct review_result *r, struct buf *out)
{
	const struct review_change *c = r->changes.v;
	size_t i;

	buf_addf(out, "audit applied: %lld change%s", (long long)r->count,
		 plural(r->count));
	for (i = 0; i < r->changes.n; i++) {
		buf_addf(out, "\n#%lld %s ", (long long)c[i].id,
			 c[i].action == AUDIT_ARCHIVE ? "archived in"
						      : "moved from");
		wording_show_line(out, c[i].from);
		if (c[i].action == AUDIT_MOVE)
			buf_addf(out, " to global (%lld record%s)",
				 (long long)c[i].records, plural(c[i].records));
	}
	if (r->omitted > 0)
		buf_addf(out, "\nand %lld more", (long long)r->omitted);
}

static void
promotions_text(const struct review_result *r, struct buf *out)
{
	const struct review_promotion *p = r->promoted.v;
	size_t i;

	buf_addf(out,
		 "evaluation finished: %lld promoted, %lld pending (%lld new)",
		 (long long)r->promoted.n + (long long)r->omitted,
		 (long long)r->candidates.pending,
		 (long long)r->candidates.since_evaluation);
	for (i = 0; i < r->promoted.n; i++)
		buf_addf(out, "\ngroup %lld: lesson #%lld %s",
			 (long long)p[i].group, (long long)p[i].lesson,
			 p[i].created ? "created" : "already active");
	if (r->omitted > 0)
		buf_addf(out, "\nand %lld more", (long long)r->omitted);
}

void
review_result_text(const void *result, struct buf *out)
{
	const struct review_result *r = result;

	switch ((enum review_status)r->status) {
	case REVIEW_NO_CHANGES:
		buf_adds(out, "no changes proposed; audit closed");
		break;
	case REVIEW_CANCELLED:
		buf_add_str(out, r->message);
		break;
	case REVIEW_APPLIED:
		changes_text(r, out);
		break;
	case REVIEW_EVALUATED:
		promotions_text(r, out);
		break;
	case REVIEW_SHOWN:
		buf_add_str(out, buf_str(&r->shown));
		break;
	}
}

void
review_result_fit(const struct tool *tool, struct review_result *r)
{
	struct field_list *list = r->status == REVIEW_EVALUATED ? &r->promoted
								: &r->changes;

	fit_rows(tool, r, list, (int64_t)list->n, &r->omitted);
}

/* ---- for those who wait ------------------------------------------------ */

static void
write_change(struct json_writer *w, const struct review_change *c)
{
	json_open_array(w);
	json_integer(w, c->id);
	json_integer(w, c->action);
	json_string(w, c->from);
	json_integer(w, c->action == AUDIT_MOVE ? c->records : 0);
	json_close_array(w);
}

static void
write_result(struct json_writer *w, const struct review_result *r)
{
	const struct review_change *changes = r->changes.v;
	const struct review_promotion *promoted = r->promoted.v;
	size_t i;

	json_member_integer(w, "status", r->status);
	if (r->message.s != NULL)
		json_member_string(w, "message", r->message);
	json_key(w, "changes");
	json_open_array(w);
	for (i = 0; i < r->changes.n; i++)
		write_change(w, &changes[i]);
	json_close_array(w);
	json_key(w, "promoted");
	json_open_array(w);
	for (i = 0; i < r->promoted.n; i++) {
		json_open_array(w);
		json_integer(w, promoted[i].group);
		json_integer(w, promoted[i].lesson);
		json_boolean(w, promoted[i].created);
		json_close_array(w);
	}
	json_close_array(w);
	json_member_integer(w, "pending", r->candidates.pending);
	json_member_integer(w, "new", r->candidates.since_evaluation);
}

void
outcome_write(const struct review_result *r, const struct fail *fail,
	      struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	json_open_object(&w);
	if (fail == NULL) {
		write_result(&w, r);
	} else {
		json_member_integer(&w, "fail", (int64_t)fail->kind);
		json_member_string(&w, "code", str_of(fail->code));
		json_member_string(&w, "message", buf_str(&fail->message));
	}
	json_close_object(&w);
}

static void
read_changes(const cJSON *list, struct review_result *r)
{
	size_t n = (size_t)cJSON_GetArraySize(list), i = 0;
	struct review_change *v = keep_bytes(&r->keep, n, sizeof(*v));
	const cJSON *item, *from;

	cJSON_ArrayForEach(item, list)
	{
		from = cJSON_GetArrayItem(item, 2);
		v[i].id = stored_number(cJSON_GetArrayItem(item, 0));
		v[i].action = stored_number(cJSON_GetArrayItem(item, 1)) ==
					      AUDIT_ARCHIVE
				      ? AUDIT_ARCHIVE
				      : AUDIT_MOVE;
		v[i].from = keep_str(&r->keep,
				     cJSON_IsString(from)
					     ? str_of(from->valuestring)
					     : STR(""));
		v[i].scope = v[i].action == AUDIT_ARCHIVE ? v[i].from
							  : STR("global");
		v[i].records = v[i].action == AUDIT_ARCHIVE
				       ? FIELD_NONE
				       : stored_number(
						 cJSON_GetArrayItem(item, 3));
		i++;
	}
	r->changes = (struct field_list){ v, n };
	r->count = (int64_t)n;
}

static void
read_promotions(const cJSON *root, struct review_result *r)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "promoted");
	size_t n = (size_t)cJSON_GetArraySize(list), i = 0;
	struct review_promotion *v = keep_bytes(&r->keep, n, sizeof(*v));
	struct candidate_counts *counts = keep_bytes(&r->keep, 1,
						     sizeof(*counts));
	const cJSON *item;

	cJSON_ArrayForEach(item, list)
	{
		v[i].group = stored_number(cJSON_GetArrayItem(item, 0));
		v[i].lesson = stored_number(cJSON_GetArrayItem(item, 1));
		v[i++].created = cJSON_IsTrue(cJSON_GetArrayItem(item, 2)) != 0;
	}
	r->candidates.pending = stored_integer(root, "pending");
	r->candidates.since_evaluation = stored_integer(root, "new");
	r->promoted = (struct field_list){ v, n };
}

/* Codes are static: those that a decision can end with. */
static int
read_failure(const cJSON *root, struct fail *fail)
{
	static const char *const codes[] = {
		"stale",	"duplicate",   "no_matching_review",
		"not_eligible", "invalidated", NULL
	};
	const cJSON *code = cJSON_GetObjectItemCaseSensitive(root, "code");
	const cJSON *text = cJSON_GetObjectItemCaseSensitive(root, "message");
	const char *message = cJSON_IsString(text) ? text->valuestring : "";
	size_t i;

	for (i = 0; cJSON_IsString(code) && codes[i] != NULL; i++)
		if (strcmp(codes[i], code->valuestring) == 0)
			return fail_refuse(fail, codes[i], "%s", message);
	return fail_environment(fail, "%s", message);
}

int
outcome_read(struct str text, struct review_result *r, struct fail *fail)
{
	cJSON *root = cJSON_ParseWithLength(text.s, text.n);
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(root,
								"message");
	int rc = 0;

	if (!cJSON_IsObject(root)) {
		rc = fail_environment(fail, "the stored outcome is damaged");
	} else if (stored_integer(root, "fail") != 0) {
		rc = read_failure(root, fail);
	} else {
		r->status = (int)stored_integer(root, "status");
		if (cJSON_IsString(message))
			r->message = keep_str(&r->keep,
					      str_of(message->valuestring));
		if (r->status == REVIEW_APPLIED)
			read_changes(cJSON_GetObjectItemCaseSensitive(
					     root, "changes"),
				     r);
		if (r->status == REVIEW_EVALUATED)
			read_promotions(root, r);
	}
	cJSON_Delete(root);
	return rc;
}
