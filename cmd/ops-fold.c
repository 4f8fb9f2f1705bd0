/* ops-fold - the value that batches of ops make. */
#include "output/ops_fold.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct ops_fold_args, member)
#define OUT(member) offsetof(struct ops_fold_result, member)

static const struct param params[] = {
	{ .name = "batches",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(batches),
	  .required = true,
	  .streamed = true,
	  .help = "Batches, or batch lines, oldest first." },
	{ MEMBER(AT, state, PARAM_JSON),
	  .help = "The value to start from. null is a value." },
	{ MEMBER(AT, wire, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "The ops are wire ops. A batch line's own wire wins." },
	OUTPUT_VERBS,
	{ MEMBER(AT, at, PARAM_INTEGER), .min = 0, .max = PARAM_ANY_MAX,
	  .help = "Stop after this many batches: the value as it was then." },
	{ .name = "path",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(path),
	  .help = "Print only the value at this path." },
	{ MEMBER(AT, every, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "Stream: print the value after each batch." },
	OUTPUT_STREAM("Read batch lines as NDJSON."),
	PARAM_END
};

static const struct field fields[] = {
	{ MEMBER(OUT, state, FIELD_JSON), .optional = true },
	{ MEMBER(OUT, value, FIELD_JSON), .optional = true },
	{ MEMBER(OUT, applied, FIELD_INTEGER) },
	{ MEMBER(OUT, seq, FIELD_INTEGER), .optional = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "ops_fold",
	.title = "Fold ops",
	.family = "output",
	.description = "Applies batches of ops to a value and prints the "
		       "result, or the first op that cannot be applied.",
	.idempotent = true,
	.params = params,
	.operand = "batches",
	.input_nul = true,
	.args_size = sizeof(struct ops_fold_args),
	.result = fields,
	.result_size = sizeof(struct ops_fold_result),
	.run = ops_fold_run,
	.text = ops_fold_text,
	.release = ops_fold_release,
	.stream = ops_fold_stream,
};

TOOL_MAIN(tool)
