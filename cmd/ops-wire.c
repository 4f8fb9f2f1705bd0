/* ops-wire - ops as they travel, with each path sent once. */
#include "output/ops_wire.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct ops_wire_args, member)
#define OUT(member) offsetof(struct ops_wire_result, member)

static const char *const actions[] = { "encode", "decode", "check", NULL };
static const char *const grammars[] = { "op", "wire", NULL };

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .required = true, .values = actions,
	  .help = "What to do." },
	{ .name = "batches",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(batches),
	  .required = true,
	  .streamed = true,
	  .help = "Batches or batch lines of one stream, oldest first." },
	OUTPUT_VERBS,
	{ MEMBER(AT, grammar, PARAM_ENUM), .has_fallback = true,
	  .fallback = OPS_WIRE_GRAMMAR_WIRE, .values = grammars,
	  .help = "check: which vocabulary." },
	{ MEMBER(AT, from_base, PARAM_BOOLEAN), .has_fallback = true,
	  .fallback = 0,
	  .help = "decode: start at the last base in batches. Not with "
		  "stream." },
	OUTPUT_STREAM("Batch lines in, batch lines out."),
	PARAM_END
};

static const struct field converted[] = {
	{ .name = "batches", .type = FIELD_JSON, .offset = OUT(batches_json) },
	{ .name = "bytesIn", .type = FIELD_INTEGER, .offset = OUT(bytes_in) },
	{ .name = "bytesOut", .type = FIELD_INTEGER, .offset = OUT(bytes_out) },
	{ MEMBER(OUT, ids, FIELD_INTEGER) },
	FIELD_END
};

static const struct field checked[] = {
	{ .name = "ok",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(good),
	  .constant_true = true },
	{ .name = "batches", .type = FIELD_INTEGER, .offset = OUT(count) },
	{ MEMBER(OUT, ops, FIELD_INTEGER) },
	FIELD_END
};

static const struct field *const shapes[] = { converted, converted, checked,
					      NULL };

static const struct tool tool = {
	.name = "ops_wire",
	.title = "Encode ops",
	.family = "output",
	.description = "Encodes ops for transport by interning their paths, "
		       "decodes them again, or checks them.",
	.idempotent = true,
	.params = params,
	.operand = "action",
	.input_nul = true,
	.args_size = sizeof(struct ops_wire_args),
	.shapes = shapes,
	.shape_offset = OUT(action),
	.result_size = sizeof(struct ops_wire_result),
	.run = ops_wire_run,
	.text = ops_wire_text,
	.release = ops_wire_release,
	.stream = ops_wire_stream,
};

TOOL_MAIN(tool)
