/* ops-pace - passes on batches no faster than a rate. */
#include "output/ops_pace.h"
#include "output/pace.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct ops_pace_args, member)
#define OUT(member) offsetof(struct ops_pace_result, member)

static const struct param params[] = {
	OUTPUT_PACING,
	OUTPUT_VIRTUAL("lines"),
	{ MEMBER(AT, wire, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "Input ops are wire ops; output ops are logical." },
	OUTPUT_VERBS,
	{ .name = "lines",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(lines),
	  .required = true,
	  .streamed = true,
	  .help = "Input lines with atMs; always virtual time." },
	OUTPUT_STREAM("Batch lines in and out."),
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "lines",
	  .type = FIELD_OPEN_OBJECTS,
	  .offset = OUT(lines_json) },
	{ MEMBER(OUT, in, FIELD_INTEGER) },
	{ MEMBER(OUT, out, FIELD_INTEGER) },
	{ MEMBER(OUT, bytes, FIELD_INTEGER) },
	{ .name = "maxHoldMs", .type = FIELD_INTEGER, .offset = OUT(held) },
	FIELD_END
};

static const struct tool tool = {
	.name = "ops_pace",
	.title = "Pace ops",
	.family = "output",
	.description = "Passes on batches no faster than a rate, folding held "
		       "ones together.",
	.idempotent = true,
	.params = params,
	.operand = "lines",
	.input_nul = true,
	.args_size = sizeof(struct ops_pace_args),
	.result = fields,
	.result_size = sizeof(struct ops_pace_result),
	.run = ops_pace_run,
	.text = ops_pace_text,
	.release = ops_pace_release,
	.stream = ops_pace_stream,
};

TOOL_MAIN(tool)
