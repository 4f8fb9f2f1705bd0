/* lessons-status - counts, limits, files, pending review, scopes. */
#include "lessons/lessons_status.h"
#include "lessons/parameters.h"

#define AT(member) offsetof(struct lessons_status_args, member)
#define OUT(member) offsetof(struct lessons_status_result, member)
#define SCOPE(member) offsetof(struct status_scope, member)
#define REVIEW(member) offsetof(struct status_review, member)

static const struct param params[] = {
	{ .name = "line",
	  .type = PARAM_BOOLEAN,
	  .offset = AT(line),
	  .has_fallback = true,
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
	{ .name = "id", .type = FIELD_STRING, .offset = REVIEW(id) },
	{ .name = "kind",
	  .type = FIELD_ENUM,
	  .offset = REVIEW(kind),
	  .values = review_kinds },
	{ .name = "state",
	  .type = FIELD_ENUM,
	  .offset = REVIEW(state),
	  .values = review_states },
	FIELD_END
};

static const struct field scope[] = {
	{ .name = "scope", .type = FIELD_STRING, .offset = SCOPE(scope) },
	{ .name = "active",
	  .type = FIELD_INTEGER,
	  .offset = SCOPE(counts.active) },
	{ .name = "archived",
	  .type = FIELD_INTEGER,
	  .offset = SCOPE(counts.archived) },
	{ .name = "missing", .type = FIELD_BOOLEAN, .offset = SCOPE(missing) },
	FIELD_END
};

static const struct field fields[] = {
	{ .name = "database", .type = FIELD_STRING, .offset = OUT(database) },
	{ .name = "exists", .type = FIELD_BOOLEAN, .offset = OUT(exists) },
	{ .name = "state_file",
	  .type = FIELD_STRING,
	  .offset = OUT(state_file) },
	{ .name = "project", .type = FIELD_STRING, .offset = OUT(project) },
	{ .name = "session",
	  .type = FIELD_STRING,
	  .offset = OUT(session),
	  .nullable = true },
	{ .name = "lineage", .type = FIELD_STRING, .offset = OUT(lineage) },
	{ .name = "ephemeral",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(ephemeral) },
	{ .name = "blocked",
	  .type = FIELD_ENUM,
	  .offset = OUT(blocked),
	  .values = blocked_names,
	  .nullable = true },
	{ .name = "review",
	  .type = FIELD_OBJECT,
	  .offset = OUT(review),
	  .fields = review,
	  .nullable = true },
	{ .name = "lessons",
	  .type = FIELD_OBJECT,
	  .offset = OUT(lessons),
	  .fields = lessons },
	{ .name = "candidates",
	  .type = FIELD_OBJECT,
	  .offset = OUT(candidates),
	  .fields = candidates },
	{ .name = "limits",
	  .type = FIELD_OBJECT,
	  .offset = OUT(limits),
	  .fields = limits_fields },
	{ .name = "scopes",
	  .type = FIELD_OBJECTS,
	  .offset = OUT(scopes),
	  .fields = scope,
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
