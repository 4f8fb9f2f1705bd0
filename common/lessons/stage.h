#ifndef STAGE_H
#define STAGE_H

#include "lessons/review.h"

/*
 * Starting and cancelling a review (spec/lessons.md section 6): what
 * lessons-audit and lessons-evaluate share.
 */
enum stage_action { STAGE_START, STAGE_CANCEL };
extern const char *const stage_actions[];

#define STAGE_BYTES_MIN 1024
#define STAGE_BYTES_MAX 67108864
#define STAGE_BYTES 4194304

#define PARAMETER_STAGE_ACTION(args_type)                            \
	.name = "action", .type = PARAM_ENUM,                        \
	.offset = offsetof(args_type, action), .has_fallback = true, \
	.values = stage_actions,                                     \
	.help = "start one, or cancel the one "                      \
		"that is open."
#define PARAMETER_MAX_BYTES(args_type)                                  \
	.name = "max_bytes", .type = PARAM_INTEGER,                     \
	.offset = offsetof(args_type, max_bytes), .has_fallback = true, \
	.fallback = STAGE_BYTES, .min = STAGE_BYTES_MIN,                \
	.max = STAGE_BYTES_MAX, .metavar = "N",                         \
	.help = "How large the document may be."

/* What a start ends with, before the members of its kind. */
struct stage_cancelled {
	struct str status, id;
};
extern const struct field stage_cancelled_fields[];

/*
 * Opens the sidecar, registers the session, and begins a write transaction of
 * the sidecar.  An open review of the session is in the way: -1 with
 * FAIL_BLOCKED; a pending audit only of an evaluation, else it is replaced.
 */
int stage_begin(struct desk *d, enum review_kind kind, struct fail *fail);

/* Stores the review, and ends the transaction. */
int stage_store(struct desk *d, enum review_kind kind, const char *id,
		struct str snapshot, struct fail *fail);

/* Cancels this session's open review of a kind. */
int stage_cancel(struct desk *d, enum review_kind kind, struct keep *keep,
		 struct stage_cancelled *cancelled, struct fail *fail);

/* `too_large`, with both sizes. */
int stage_too_large(size_t bytes, int64_t max, struct fail *fail);

#endif /* STAGE_H */
