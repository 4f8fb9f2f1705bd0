#ifndef OUTCOME_H
#define OUTCOME_H

#include "lessons/candidate.h"
#include "lessons/keep.h"
#include "tool/declare.h"

/*
 * What a person may decide of a review, and what comes of it: the result of
 * the programs that decide, and how it reaches those that wait for it
 * (spec/lessons.md section 6).
 */

enum verdict { VERDICT_APPLY, VERDICT_FINISH, VERDICT_CANCEL };

/* approve and edits have an entry for each group. */
struct decision {
	enum verdict verdict;
	bool *approve;
	struct str *edits; /* s NULL: as proposed */
};

/* Which fields there are follows from it; the last has no status to tell. */
enum review_status {
	REVIEW_CANCELLED,
	REVIEW_NO_CHANGES,
	REVIEW_APPLIED,
	REVIEW_EVALUATED,
	REVIEW_SHOWN
};
extern const char *const review_statuses[];
extern const char *const audit_actions[]; /* archive, move_global */
enum audit_action { AUDIT_ARCHIVE, AUDIT_MOVE };

struct review_change {
	int64_t id;
	int action;
	struct str from, scope;
	int64_t records; /* of a move; FIELD_NONE */
};

struct review_promotion {
	int64_t group, lesson;
	bool created;
};

struct review_row {
	struct str id;
	int kind, state;
	struct str session, project;
	int64_t created_at, items;
};

/* Of all programs that decide. */
struct review_result {
	struct keep keep;
	int status; /* enum review_status */
	struct str message;
	int64_t count;		    /* changes applied */
	struct field_list changes;  /* struct review_change */
	struct field_list promoted; /* struct review_promotion */
	struct candidate_counts candidates;
	int64_t omitted;
	struct field_list reviews; /* struct review_row */
	struct buf shown;	   /* their bodies */
};

/* By status, for the programs that may answer so. */
extern const struct field *const review_audit_shapes[];
extern const struct field *const review_evaluation_shapes[];
extern const struct field *const review_shapes[];

void review_result_release(void *result);
void review_result_text(const void *result, struct buf *out);
/* Leaves out changes or promotions until both surfaces fit. */
void review_result_fit(const struct tool *tool, struct review_result *r);

/* ---- outcomes, for those who wait -------------------------------------- */

void outcome_write(const struct review_result *r, const struct fail *fail,
		   struct buf *out);
/* 0 with *result, or -1 with the failure that was stored. */
int outcome_read(struct str text, struct review_result *r, struct fail *fail);

#endif /* OUTCOME_H */
