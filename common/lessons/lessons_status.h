#ifndef LESSONS_STATUS_H
#define LESSONS_STATUS_H

#include "lessons/candidate.h"
#include "lessons/desk.h"
#include "lessons/sidecar.h"

/* lessons-status (spec/lessons.md section 9.1). */
enum blocked { BLOCKED_REVIEW, BLOCKED_BARRIER };
extern const char *const blocked_names[];

struct lessons_status_args {
	struct arg_boolean line;
	struct arg_integer offset, limit;
};

struct lesson_counts {
	int64_t active, archived;
};

struct status_review {
	struct str id;
	int kind, state;
};

struct status_scope {
	struct str scope;
	struct lesson_counts counts;
	bool missing;
};

struct lessons_status_result {
	struct keep keep;
	bool line;
	struct str database, state_file, project;
	bool exists, ephemeral;
	struct str session, lineage; /* session.s NULL: none */
	int blocked;		     /* -1: not */
	const struct status_review *review;
	struct {
		struct lesson_counts project, global;
	} lessons;
	struct candidate_counts candidates;
	struct limits limits;
	struct field_list scopes; /* struct status_scope */
	int64_t offset, scopes_n, next;
	int64_t tokens; /* of the recall block, about */
};

int lessons_status_run(const struct tool_call *call, void *result,
		       struct fail *fail);
void lessons_status_text(const void *result, struct buf *out);
void lessons_status_release(void *result);

/* A number in short: 999, 1.0k, 13k, 1.2M. */
void status_number(int64_t n, struct buf *out);

#endif /* LESSONS_STATUS_H */
