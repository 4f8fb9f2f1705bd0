#ifndef LESSONS_PARAMETERS_H
#define LESSONS_PARAMETERS_H

#include "lessons/wording.h"
#include "tool/declare.h"

/*
 * Types of parameters that the programs of this family share (spec/lessons.md
 * section 2.3).
 */

/* An id: struct arg_integer. */
extern const struct param_kind kind_id;

/* Texts, trimmed: struct arg_string. */
extern const struct param_kind kind_text, kind_evidence, kind_reason,
	kind_query;

/* An id of a review, compared as it is: struct arg_string. */
extern const struct param_kind kind_review_id;

/* "type":"string" */
void kind_string_schema(struct json_writer *w);

/* Parameters that several of them have; offsets of arg members. */
#define PARAMETER_ID(args_type)                             \
	.name = "id", .type = PARAM_KIND, .kind = &kind_id, \
	.offset = offsetof(args_type, id)
#define PARAMETER_ANYWHERE(args_type)                                      \
	.name = "anywhere", .type = PARAM_BOOLEAN,                         \
	.offset = offsetof(args_type, anywhere), .has_fallback = true,     \
	.help = "Take a lesson of any scope, not only of this project or " \
		"global."
#define PARAMETER_OFFSET(args_type)                                  \
	.name = "offset", .type = PARAM_INTEGER,                     \
	.offset = offsetof(args_type, offset), .has_fallback = true, \
	.max = INT64_C(9007199254740991), .metavar = "N",            \
	.help = "How many to pass over; what next_offset said."
#define PARAMETER_LIMIT(args_type, number)                           \
	.name = "limit", .type = PARAM_INTEGER,                      \
	.offset = offsetof(args_type, limit), .has_fallback = true,  \
	.fallback = (number), .min = 1, .max = 1000, .metavar = "N", \
	.help = "How many at most."

#endif /* LESSONS_PARAMETERS_H */
