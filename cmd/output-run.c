/* output-run - runs a command, and bounds its output. */
#include "output/output_run.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct output_run_args, member)
#define OUT(member) offsetof(struct run_result, member)

static const struct param params[] = {
	{ MEMBER(AT, argv, PARAM_STRING_LIST), .required = true, .min_items = 1,
	  .max_items = 4096,
	  .help = "Command and arguments; no shell is involved." },
	{ MEMBER(AT, cwd, PARAM_STRING),
	  .fallback_help = "the session's directory",
	  .help = "Where it runs." },
	{ MEMBER(AT, env, PARAM_STRING_MAP), .null_values = true,
	  .help = "Added to the environment; null removes." },
	{ MEMBER(AT, input, PARAM_STRING), .nul = true, .fallback_help = "none",
	  .help = "Its standard input." },
	{ MEMBER(AT, timeout_ms, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 0, .min = 0, .max = 86400000,
	  .help = "Stop it after this time; 0 never." },
	{ MEMBER(AT, grace_ms, PARAM_INTEGER), .has_fallback = true,
	  .fallback = 2000, .min = 0, .max = 60000,
	  .help = "Time between SIGTERM and SIGKILL." },
	OUTPUT_WINDOW,
	{ MEMBER(AT, head, PARAM_BOOLEAN), .has_fallback = true, .fallback = 0,
	  .help = "Short for retain head." },
	OUTPUT_SPILLING,
	{ MEMBER(AT, sanitize, PARAM_BOOLEAN), .has_fallback = true,
	  .fallback = 1,
	  .help = "Remove control characters from the shown text." },
	OUTPUT_FILE(journal, false,
		    "Also record the state durably, in this file."),
	OUTPUT_FSYNC,
	OUTPUT_REBASE_EVERY("A base after this many batches; 0 only at the "
			    "start."),
	OUTPUT_NAME(id, "run-<pid>",
		    "Names the run in events and the journal."),
	OUTPUT_PACING,
	OUTPUT_STREAM("Events as NDJSON."),
	PARAM_END
};

static const struct field fields[] = {
	{ .name = "text", .type = FIELD_STRING, .offset = OUT(text_json) },
	{ MEMBER(OUT, truncation, FIELD_OBJECT), .fields = truncation_fields },
	{ .name = "spillPath",
	  .type = FIELD_STRING,
	  .offset = OUT(spill_json),
	  .optional = true },
	{ .name = "lastLineBytes",
	  .type = FIELD_INTEGER,
	  .offset = OUT(last_line_bytes),
	  .optional = true },
	{ .name = "exitCode",
	  .type = FIELD_INTEGER,
	  .offset = OUT(exit_code),
	  .nullable = true },
	{ MEMBER(OUT, signal, FIELD_CHARS), .nullable = true },
	{ MEMBER(OUT, reason, FIELD_ENUM), .values = run_result_reasons },
	{ .name = "pipeHeld",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(pipe_held),
	  .optional = true,
	  .constant_true = true },
	{ .name = "isError", .type = FIELD_BOOLEAN, .offset = OUT(is_error) },
	{ .name = "note",
	  .type = FIELD_STRING,
	  .offset = OUT(note_json),
	  .nullable = true },
	{ .name = "rawBytes", .type = FIELD_INTEGER, .offset = OUT(raw_bytes) },
	{ .name = "durationMs",
	  .type = FIELD_INTEGER,
	  .offset = OUT(duration_ms) },
	FIELD_END
};

static const struct tool tool = {
	.name = "output_run",
	.title = "Run a command",
	.family = "output",
	.description = "Runs a command, returns the bounded end (or start) of "
		       "its output, and keeps the whole output in a file when "
		       "it was too long.",
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "argv",
	.input_nul = true,
	.facts = FACT_BIT(FACT_CWD) | FACT_BIT(FACT_STATE_DIR),
	.takes_command = true,
	.args_size = sizeof(struct output_run_args),
	.result = fields,
	.result_size = sizeof(struct run_result),
	.run = output_run_run,
	.text = run_result_text,
	.release = run_result_release,
	.stream = output_run_stream,
};

TOOL_MAIN(tool)
