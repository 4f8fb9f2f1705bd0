#include "lessons/lesson_fields.h"

#include "tool/result.h"

#define AT(member) offsetof(struct lesson, member)

const struct field lesson_fields[] = {
	{ .name = "id", .type = FIELD_INTEGER, .offset = AT(id) },
	{ .name = "scope", .type = FIELD_STRING, .offset = AT(scope) },
	{ .name = "text", .type = FIELD_STRING, .offset = AT(text) },
	{ .name = "evidence", .type = FIELD_STRING, .offset = AT(evidence) },
	{ .name = "basis", .type = FIELD_STRING, .offset = AT(basis) },
	{ .name = "source_harness",
	  .type = FIELD_STRING,
	  .offset = AT(harness) },
	{ .name = "source_session",
	  .type = FIELD_STRING,
	  .offset = AT(session),
	  .nullable = true },
	{ .name = "created_at",
	  .type = FIELD_INTEGER,
	  .offset = AT(created_at) },
	{ .name = "updated_at",
	  .type = FIELD_INTEGER,
	  .offset = AT(updated_at) },
	{ .name = "revision", .type = FIELD_INTEGER, .offset = AT(revision) },
	{ .name = "archived", .type = FIELD_BOOLEAN, .offset = AT(archived) },
	{ .name = "archived_at",
	  .type = FIELD_INTEGER,
	  .offset = AT(archived_at),
	  .nullable = true },
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
