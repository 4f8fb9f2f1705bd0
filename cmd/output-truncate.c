/* output-truncate - the start or the end of a text, bounded. */
#include "output/output_truncate.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct output_truncate_args, member)
#define OUT(member) offsetof(struct output_truncate_result, member)

static const struct param params[] = {
	{ MEMBER(AT, path, PARAM_STRING), .help = "File to cut." },
	{ MEMBER(AT, text, PARAM_STRING), .nul = true, .streamed = true,
	  .help = "Text to cut. `--text -` streams stdin, of any size." },
	OUTPUT_WINDOW,
	{ MEMBER(AT, sanitize, PARAM_BOOLEAN), .has_fallback = true,
	  .fallback = 0,
	  .help = "Remove control characters from the kept text." },
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "text", .type = FIELD_STRING, .offset = OUT(text_json) },
	{ MEMBER(OUT, truncation, FIELD_OBJECT), .fields = truncation_fields },
	{ .name = "lastLineBytes",
	  .type = FIELD_INTEGER,
	  .offset = OUT(last_line_bytes),
	  .optional = true },
	{ .name = "footer",
	  .type = FIELD_STRING,
	  .offset = OUT(footer_json),
	  .nullable = true },
	FIELD_END
};

static const struct tool tool = {
	.name = "output_truncate",
	.title = "Truncate output",
	.family = "output",
	.description = "Cuts a text or a file to a number of bytes and lines, "
		       "keeping its head or its tail, and says what was left "
		       "out.",
	.idempotent = true,
	.params = params,
	.operand = "path",
	.input_nul = true,
	.facts = FACT_BIT(FACT_CWD),
	.args_size = sizeof(struct output_truncate_args),
	.result = fields,
	.result_size = sizeof(struct output_truncate_result),
	.run = output_truncate_run,
	.text = output_truncate_text,
	.release = output_truncate_release,
};

TOOL_MAIN(tool)
