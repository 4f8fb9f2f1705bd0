/* lessons-review - decide a submitted proposal. */
#include "lessons/desk.h"
#include "lessons/lessons_review.h"

#define AT(member) offsetof(struct lessons_review_args, member)

static const struct param params[] = {
	{ MEMBER(AT, id, PARAM_STRING),
	  .help = "The review; may be left out when exactly one is "
		  "submitted." },
	{ MEMBER(AT, show, PARAM_BOOLEAN), .has_fallback = true,
	  .help = "Print the open reviews and their bodies, decide nothing." },
	DECISION_PARAMS(AT(decision)),
	{ MEMBER(AT, decide, PARAM_STRING), .metavar = "FILE",
	  .help = "A file that holds decision, approve and edits as JSON; "
		  "instead of those." },
	PARAM_END
};

static const struct param options[] = {
	CHANNEL_OPTIONS(offsetof(struct lessons_review_args, channel)),
	PARAM_END
};

static const struct tool tool = {
	.name = "lessons_review",
	.title = "Decide a review",
	.family = "lessons",
	.description = "Decide a submitted audit or evaluation.",
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "id",
	.options = options,
	.facts = LESSONS_FACTS,
	.args_size = sizeof(struct lessons_review_args),
	.shapes = review_shapes,
	.shape_offset = offsetof(struct review_result, status),
	.result_size = sizeof(struct review_result),
	.run = lessons_review_run,
	.text = review_result_text,
	.release = review_result_release,
};

TOOL_MAIN(tool)
