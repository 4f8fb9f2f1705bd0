#ifndef OUTPUT_JOURNAL_PROGRAM_H
#define OUTPUT_JOURNAL_PROGRAM_H

#include "output/value.h"
#include "tool/declare.h"

/* spec/output.md section 8.3. */
enum output_journal_action {
	OUTPUT_JOURNAL_APPEND,
	OUTPUT_JOURNAL_MEMO,
	OUTPUT_JOURNAL_REBASE,
	OUTPUT_JOURNAL_RECOVER,
	OUTPUT_JOURNAL_SEED,
	OUTPUT_JOURNAL_SETTLE,
	OUTPUT_JOURNAL_INTERRUPT,
	OUTPUT_JOURNAL_RETIRE,
	OUTPUT_JOURNAL_COMPACT,
	OUTPUT_JOURNAL_CHECK,
	OUTPUT_JOURNAL_STAT
};

struct output_journal_args {
	struct arg_enum action, fsync;
	struct arg_string file, name, marker, id, kind;
	struct arg_json ops, value, state;
	struct arg_integer if_seq, rebase_every, lock_ms, verbs;
	struct arg_boolean is_error, stream;
};

/* One for all actions; each has a table of the members that it gives. */
struct output_journal_result {
	int action;
	struct buf state, memos, seed; /* JSON */
	struct str state_json, memos_json, seed_json;
	struct buf id, kind;
	struct str id_text, kind_text;
	int64_t seq, bytes, memo_count, torn, replayed, read, before, after;
	int64_t lines, batches, bases, size, since_base;
	bool base, settled, retired, is_error, good;
	int maybe_error; /* of recover: -1, it is not settled */
};

/* By action: the members of its result. */
extern const struct field *const output_journal_shapes[];

/* The same as the JSON line. */
void output_journal_json(const struct output_journal_result *r,
			 struct buf *out);

int output_journal_run(const struct tool_call *call, void *result,
		       struct fail *fail);
int output_journal_stream(const struct tool_call *call, struct fail *fail);
void output_journal_text(const void *result, struct buf *out);
void output_journal_release(void *result);

#endif /* OUTPUT_JOURNAL_PROGRAM_H */
