/* output-journal - a durable record of one output stream. */
#include "output/journal.h"
#include "output/output_journal.h"
#include "output/parameters.h"

#define AT(member) offsetof(struct output_journal_args, member)
#define OUT(member) offsetof(struct output_journal_result, member)

static const char *const actions[] = { "append",    "memo",   "rebase",
				       "recover",   "seed",   "settle",
				       "interrupt", "retire", "compact",
				       "check",	    "stat",   NULL };

static const struct param params[] = {
	{ MEMBER(AT, action, PARAM_ENUM), .required = true, .values = actions,
	  .metavar = "ACTION",
	  .help = "What to do: append, memo, rebase, recover, seed, settle, "
		  "interrupt, retire, compact, check or stat." },
	OUTPUT_FILE(file, true, "The journal."),
	{ .name = "ops",
	  .type = PARAM_JSON,
	  .json = JSON_ARRAY,
	  .offset = AT(ops),
	  .streamed = true,
	  .help = "append, memo: one batch of logical ops." },
	OUTPUT_NAME(name, NULL, "memo: its name."),
	{ MEMBER(AT, value, PARAM_JSON),
	  .help = "memo: its value; absent removes it." },
	{ MEMBER(AT, state, PARAM_JSON),
	  .help = "memo, rebase: the value to store instead of the recovered "
		  "one; not with ops, and only with if_seq." },
	{ MEMBER(AT, if_seq, PARAM_INTEGER), .min = -1,
	  .max = INT64_C(9007199254740991),
	  .help = "The seq of the journal on which state was computed, -1 "
		  "when it had no line yet; only with state." },
	{ MEMBER(AT, marker, PARAM_STRING),
	  .help = "interrupt: text for the model." },
	{ MEMBER(AT, is_error, PARAM_BOOLEAN), .has_fallback = true,
	  .fallback = 0, .help = "settle: the tool has failed." },
	OUTPUT_NAME(id, "journal", "For the header of a new file."),
	OUTPUT_NAME(kind, "tool_output", "For the header of a new file."),
	OUTPUT_REBASE_EVERY("append: write a base once this many batches "
			    "stand since and including the last base; 0 "
			    "never."),
	OUTPUT_FSYNC,
	{ MEMBER(AT, lock_ms, PARAM_INTEGER), .has_fallback = true,
	  .fallback = JOURNAL_LOCK_MS, .min = 0, .max = 60000,
	  .help = "Longest wait for the lock." },
	OUTPUT_VERBS,
	OUTPUT_STREAM("append: batch lines in, one result line each."),
	PARAM_END
};

static const struct tool tool = {
	.name = "output_journal",
	.title = "Output journal",
	.family = "output",
	.description = "Records one output stream on disk so that its last "
		       "state and its memos survive a crash.",
	.sequential = true,
	.writes = true,
	.destructive = true,
	.params = params,
	.operand = "action",
	.input_nul = true,
	.facts = FACT_BIT(FACT_CWD),
	.args_size = sizeof(struct output_journal_args),
	.shapes = output_journal_shapes,
	.shape_offset = OUT(action),
	.result_size = sizeof(struct output_journal_result),
	.run = output_journal_run,
	.text = output_journal_text,
	.release = output_journal_release,
	.stream = output_journal_stream,
};

TOOL_MAIN(tool)
