/* lessons-status - counts, limits, files, pending review, scopes. */
#include "lessons/lessons_status.h"
#include "lessons/parameters.h"

#define AT(member) offsetof(struct lessons_status_args, member)
#define OUT(member) offsetof(struct lessons_status_result, member)
#define SCOPE(member) offsetof(struct status_scope, member)
#define REVIEW(member) offsetof(struct status_review, member)

static const struct param params[] = {
	{ MEMBER(AT, line, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "One line as text, for a status bar." },
	{ PARAMETER_OFFSET(struct lessons_status_args) },
	{ PARAMETER_LIMIT(struct lessons_status_args, 100) },
	PARAM_END
};

static const struct field counts[] = {
	{ .name = "active",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct lesson_counts, active) },
	{ .name = "archived",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct lesson_counts, archived) },
	FIELD_END
};

static const struct field lessons[] = {
	{ .name = "project", .type = FIELD_OBJECT, .fields = counts },
	{ .name = "global",
	  .type = FIELD_OBJECT,
	  .offset = OUT(lessons.global) - OUT(lessons),
	  .fields = counts },
	FIELD_END
};

static const struct field candidates[] = {
	{ .name = "pending",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct candidate_counts, pending) },
	{ .name = "since_evaluation",
	  .type = FIELD_INTEGER,
	  .offset = offsetof(struct candidate_counts, since_evaluation) },
	FIELD_END
};

static const struct field review[] = {
	{ MEMBER(REVIEW, id, FIELD_STRING) },
	{ MEMBER(REVIEW, kind, FIELD_ENUM), .values = review_kinds },
	{ MEMBER(REVIEW, state, FIELD_ENUM), .values = review_states },
	FIELD_END
};

static const struct field scope[] = { { MEMBER(SCOPE, scope, FIELD_STRING) },
				      { .name = "active",
					.type = FIELD_INTEGER,
					.offset = SCOPE(counts.active) },
				      { .name = "archived",
					.type = FIELD_INTEGER,
					.offset = SCOPE(counts.archived) },
				      { MEMBER(SCOPE, missing, FIELD_BOOLEAN) },
				      FIELD_END };

static const struct field fields[] = {
	{ MEMBER(OUT, database, FIELD_STRING) },
	{ MEMBER(OUT, exists, FIELD_BOOLEAN) },
	{ MEMBER(OUT, state_file, FIELD_STRING) },
	{ MEMBER(OUT, project, FIELD_STRING) },
	{ MEMBER(OUT, session, FIELD_STRING), .nullable = true },
	{ MEMBER(OUT, lineage, FIELD_STRING) },
	{ MEMBER(OUT, ephemeral, FIELD_BOOLEAN) },
	{ MEMBER(OUT, blocked, FIELD_ENUM), .values = blocked_names,
	  .nullable = true },
	{ MEMBER(OUT, review, FIELD_OBJECT), .fields = review,
	  .nullable = true },
	{ MEMBER(OUT, lessons, FIELD_OBJECT), .fields = lessons },
	{ MEMBER(OUT, candidates, FIELD_OBJECT), .fields = candidates },
	{ MEMBER(OUT, limits, FIELD_OBJECT), .fields = limits_fields },
	{ MEMBER(OUT, scopes, FIELD_OBJECTS), .fields = scope,
	  .size = sizeof(struct status_scope) },
	{ .name = "next_offset",
	  .type = FIELD_INTEGER,
	  .offset = OUT(next),
	  .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "lessons_status",
	.title = "Lessons status",
	.family = "lessons",
	.description = "Show where lessons are kept, how many there are, which "
		       "limits hold and whether a review is open.",
	.params = params,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_status_args),
	.result = fields,
	.result_size = sizeof(struct lessons_status_result),
	.run = lessons_status_run,
	.text = lessons_status_text,
	.release = lessons_status_release,
};

TOOL_MAIN(tool)
