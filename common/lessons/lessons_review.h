#ifndef LESSONS_REVIEW_H
#define LESSONS_REVIEW_H

#include "lessons/channel.h"
#include "lessons/outcome.h"

/* lessons-review: a person decides (spec/lessons.md section 6.1). */
extern const char *const lessons_review_decisions[];

struct lessons_review_decision {
	struct arg_enum decision;
	struct arg_integers approve;
	struct arg_map edits;
};

struct lessons_review_args {
	struct arg_string id;
	struct arg_boolean show;
	struct lessons_review_decision decision;
	struct arg_string decide;
	struct channel_args channel;
};

/* The three of a decision, as parameters and as what its file holds. */
#define LESSONS_REVIEW_DECISION(base)                                          \
	{ .name = "decision",                                                  \
	  .type = PARAM_ENUM,                                                  \
	  .offset = (base) +                                                   \
		    offsetof(struct lessons_review_decision, decision),        \
	  .values = lessons_review_decisions,                                  \
	  .help = "What to do: apply an audit, finish an evaluation, or "      \
		  "cancel." },                                                 \
		{ .name = "approve",                                           \
		  .type = PARAM_INTEGER_LIST,                                  \
		  .offset = (base) +                                           \
			    offsetof(struct lessons_review_decision, approve), \
		  .max = 9999,                                                 \
		  .max_items = 10000,                                          \
		  .commas = true,                                              \
		  .help = "Groups to promote, counted from 0; for finish." },  \
	{                                                                      \
		.name = "edits", .type = PARAM_STRING_MAP,                     \
		.offset = (base) +                                             \
			  offsetof(struct lessons_review_decision, edits),     \
		.help = "New wording of groups, by their number from 0; "      \
			"for finish."                                          \
	}

int lessons_review_run(const struct tool_call *call, void *result,
		       struct fail *fail);

#endif /* LESSONS_REVIEW_H */
