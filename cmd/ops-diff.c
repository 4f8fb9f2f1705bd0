/* ops-diff - the ops that turn one JSON value into another. */
#include "output/ops_diff.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct ops_diff_args, member)
#define OUT(member) offsetof(struct ops_diff_result, member)

static const struct param params[] = {
	{ MEMBER(AT, before, PARAM_JSON), .streamed = true,
	  .help = "The value the replica has. Absent gives a base batch." },
	{ MEMBER(AT, after, PARAM_JSON), .required = true, .streamed = true,
	  .help = "The value it must get." },
	{ MEMBER(AT, scan, PARAM_INTEGER), .has_fallback = true,
	  .fallback = DELTA_SCAN, .min = 0, .max = 67108864,
	  .help = "Units at the end of an old string that are searched for "
		  "the start of the new one; 0 never searches." },
	OUTPUT_VERBS,
	{ MEMBER(AT, rebase_every, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 0, .min = 0, .max = 1000000,
	  .help = "Stream: a base again after this many batches; 0 never." },
	OUTPUT_STREAM("Read states as NDJSON."),
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "ops", .type = FIELD_JSON, .offset = OUT(ops_json) },
	{ MEMBER(OUT, base, FIELD_BOOLEAN) },
	{ MEMBER(OUT, bytes, FIELD_INTEGER) },
	FIELD_END
};

static const struct tool tool = {
	.name = "ops_diff",
	.title = "Compare values",
	.family = "output",
	.description = "Compares two JSON values and prints the ops that turn "
		       "the first into the second.",
	.idempotent = true,
	.params = params,
	.operand = "after",
	.input_nul = true,
	.args_size = sizeof(struct ops_diff_args),
	.result = fields,
	.result_size = sizeof(struct ops_diff_result),
	.run = ops_diff_run,
	.text = ops_diff_text,
	.release = ops_diff_release,
	.stream = ops_diff_stream,
};

TOOL_MAIN(tool)
