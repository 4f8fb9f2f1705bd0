#include "lessons/lesson_fields.h"

#include "tool/result.h"

#define AT(member) offsetof(struct lesson, member)

const struct field lesson_fields[] = {
	{ MEMBER(AT, id, FIELD_INTEGER) },
	{ MEMBER(AT, scope, FIELD_STRING) },
	{ MEMBER(AT, text, FIELD_STRING) },
	{ MEMBER(AT, evidence, FIELD_STRING) },
	{ MEMBER(AT, basis, FIELD_STRING) },
	{ .name = "source_harness",
	  .type = FIELD_STRING,
	  .offset = AT(harness) },
	{ .name = "source_session",
	  .type = FIELD_STRING,
	  .offset = AT(session),
	  .nullable = true },
	{ MEMBER(AT, created_at, FIELD_INTEGER) },
	{ MEMBER(AT, updated_at, FIELD_INTEGER) },
	{ MEMBER(AT, revision, FIELD_INTEGER) },
	{ MEMBER(AT, archived, FIELD_BOOLEAN) },
	{ MEMBER(AT, archived_at, FIELD_INTEGER), .nullable = true },
	{ .name = "supersedes_id",
	  .type = FIELD_INTEGER,
	  .offset = AT(supersedes),
	  .nullable = true },
	FIELD_END
};

void
lesson_members(struct json_writer *w, const struct lesson *l)
{
	result_members(w, lesson_fields, l);
}
