/* output-sink - a tool's output as one bounded value, changed by events. */
#include "output/output_sink.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct output_sink_args, member)
#define OUT(member) offsetof(struct output_sink_result, member)

static const struct param params[] = {
	{ .name = "events",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(events),
	  .required = true,
	  .streamed = true,
	  .help = "The events, in order." },
	OUTPUT_WINDOW,
	{ MEMBER(AT, details_max_bytes, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 0, .min = 0, .max = 67108864,
	  .help = "Refuse details larger than this, in compact bytes; 0 no "
		  "limit." },
	{ MEMBER(AT, images_max, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 0, .min = 0, .max = 10000,
	  .help = "Refuse more images than this; 0 no limit." },
	OUTPUT_FILE(journal, false,
		    "Journal file, made if missing, that every batch goes to "
		    "first."),
	OUTPUT_FILE(seed, false,
		    "Journal to start from. May be the same file."),
	OUTPUT_SPILLING,
	OUTPUT_REBASE_EVERY("A base after this many batches; 0 only when "
			    "asked."),
	OUTPUT_FSYNC,
	OUTPUT_NAME(id, "sink", "Journal id."),
	OUTPUT_PACING,
	OUTPUT_VIRTUAL("events"),
	OUTPUT_VERBS,
	OUTPUT_STREAM("Events as NDJSON."),
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "state",
	  .type = FIELD_OPEN_OBJECT,
	  .offset = OUT(state_json) },
	{ .name = "isError", .type = FIELD_BOOLEAN, .offset = OUT(is_error) },
	{ MEMBER(OUT, batches, FIELD_INTEGER) },
	FIELD_END
};

static const struct tool tool = {
	.name = "output_sink",
	.title = "Output sink",
	.family = "output",
	.description = "Keeps a tool's output, details and usage as one "
		       "bounded value and reports each change as ops.",
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "events",
	.input_nul = true,
	.facts = FACT_BIT(FACT_CWD) | FACT_BIT(FACT_STATE_DIR),
	.args_size = sizeof(struct output_sink_args),
	.result = fields,
	.result_size = sizeof(struct output_sink_result),
	.run = output_sink_run,
	.text = output_sink_text,
	.release = output_sink_release,
	.stream = output_sink_stream,
};

TOOL_MAIN(tool)
