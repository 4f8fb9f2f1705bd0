#ifndef DECISION_H
#define DECISION_H

#include "lessons/outcome.h"
#include "lessons/settings.h"
#include "tool/bind.h"

/*
 * What a person decided of a review, as parameters or as the object that a
 * file holds (spec/lessons.md section 6.1).
 */
extern const char *const decision_verdicts[]; /* by enum verdict */

struct decision_args {
	struct arg_enum decision;
	struct arg_integers approve;
	struct arg_map edits;
};

#define DECISION_PARAMS(base)                                                 \
	{ .name = "decision",                                                 \
	  .type = PARAM_ENUM,                                                 \
	  .offset = (base) + offsetof(struct decision_args, decision),        \
	  .values = decision_verdicts,                                        \
	  .help = "What to do: apply an audit, finish an evaluation, or "     \
		  "cancel." },                                                \
		{ .name = "approve",                                          \
		  .type = PARAM_INTEGER_LIST,                                 \
		  .offset = (base) + offsetof(struct decision_args, approve), \
		  .max = DECISION_GROUPS - 1,                                 \
		  .max_items = DECISION_GROUPS,                               \
		  .commas = true,                                             \
		  .help = "Groups to promote, counted from 0; for "           \
			  "finish." },                                        \
	{                                                                     \
		.name = "edits", .type = PARAM_STRING_MAP,                    \
		.offset = (base) + offsetof(struct decision_args, edits),     \
		.help = "New wording of groups, by their number from 0; "     \
			"for finish."                                         \
	}
#define DECISION_GROUPS 10000

/* Lists go with `finish`, and no group stands in one twice. */
int decision_check(const struct decision_args *d, struct fail *fail);

/*
 * Reads the text of a file into *d, whose parts live as long as args and
 * text; it is checked, and has a decision.  Every message names `decide`.
 */
int decision_parse(struct args *args, const struct tool *tool, struct str text,
		   struct decision_args *d, struct fail *fail);

/* The decision on a review of n groups: out of range is `bad_decision`. */
int decision_take(const struct decision_args *given, size_t n,
		  const struct limits *limits, struct keep *keep,
		  struct decision *decision, struct fail *fail);

#endif /* DECISION_H */
