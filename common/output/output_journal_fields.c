#include "output/output_journal.h"

#include "tool/result.h"

#define OUT(member) offsetof(struct output_journal_result, member)

static const struct field written[] = {
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "base", .type = FIELD_BOOLEAN, .offset = OUT(base) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = OUT(bytes) },
	{ .name = "tornBytes", .type = FIELD_INTEGER, .offset = OUT(torn) },
	FIELD_END
};

static const struct field memo[] = {
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "bytes", .type = FIELD_INTEGER, .offset = OUT(bytes) },
	{ .name = "memos", .type = FIELD_INTEGER, .offset = OUT(memo_count) },
	{ .name = "tornBytes", .type = FIELD_INTEGER, .offset = OUT(torn) },
	FIELD_END
};

static const struct field recovered[] = {
	{ .name = "state", .type = FIELD_JSON, .offset = OUT(state_json) },
	{ .name = "memos",
	  .type = FIELD_OPEN_OBJECT,
	  .offset = OUT(memos_json) },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "batchesReplayed",
	  .type = FIELD_INTEGER,
	  .offset = OUT(replayed) },
	{ .name = "bytesRead", .type = FIELD_INTEGER, .offset = OUT(read) },
	{ .name = "tornBytes", .type = FIELD_INTEGER, .offset = OUT(torn) },
	{ .name = "settled", .type = FIELD_BOOLEAN, .offset = OUT(settled) },
	{ .name = "isError",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(maybe_error),
	  .optional = true },
	FIELD_END
};

static const struct field seed[] = {
	{ .name = "seed", .type = FIELD_OPEN_OBJECT, .offset = OUT(seed_json) },
	{ .name = "memos",
	  .type = FIELD_OPEN_OBJECT,
	  .offset = OUT(memos_json) },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	FIELD_END
};

static const struct field settled[] = {
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "isError", .type = FIELD_BOOLEAN, .offset = OUT(is_error) },
	FIELD_END
};

static const struct field interrupted[] = {
	{ .name = "state", .type = FIELD_JSON, .offset = OUT(state_json) },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "isError", .type = FIELD_BOOLEAN, .offset = OUT(is_error) },
	FIELD_END
};

static const struct field retired[] = {
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) }, FIELD_END
};

static const struct field compacted[] = {
	{ .name = "before", .type = FIELD_INTEGER, .offset = OUT(before) },
	{ .name = "after", .type = FIELD_INTEGER, .offset = OUT(after) },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	FIELD_END
};

static const struct field checked[] = {
	{ .name = "ok",
	  .type = FIELD_BOOLEAN,
	  .offset = OUT(good),
	  .constant_true = true },
	{ .name = "lines", .type = FIELD_INTEGER, .offset = OUT(lines) },
	{ .name = "batches", .type = FIELD_INTEGER, .offset = OUT(batches) },
	{ .name = "bases", .type = FIELD_INTEGER, .offset = OUT(bases) },
	{ .name = "memos", .type = FIELD_INTEGER, .offset = OUT(memo_count) },
	{ .name = "tornBytes", .type = FIELD_INTEGER, .offset = OUT(torn) },
	{ .name = "settled", .type = FIELD_BOOLEAN, .offset = OUT(settled) },
	{ .name = "retired", .type = FIELD_BOOLEAN, .offset = OUT(retired) },
	FIELD_END
};

static const struct field standing[] = {
	{ .name = "id", .type = FIELD_STRING, .offset = OUT(id_text) },
	{ .name = "kind", .type = FIELD_STRING, .offset = OUT(kind_text) },
	{ .name = "size", .type = FIELD_INTEGER, .offset = OUT(size) },
	{ .name = "seq", .type = FIELD_INTEGER, .offset = OUT(seq) },
	{ .name = "batchesSinceBase",
	  .type = FIELD_INTEGER,
	  .offset = OUT(since_base) },
	{ .name = "tornBytes", .type = FIELD_INTEGER, .offset = OUT(torn) },
	{ .name = "settled", .type = FIELD_BOOLEAN, .offset = OUT(settled) },
	{ .name = "retired", .type = FIELD_BOOLEAN, .offset = OUT(retired) },
	FIELD_END
};

const struct field *const output_journal_shapes[] = {
	[OUTPUT_JOURNAL_APPEND] = written,
	[OUTPUT_JOURNAL_MEMO] = memo,
	[OUTPUT_JOURNAL_REBASE] = written,
	[OUTPUT_JOURNAL_RECOVER] = recovered,
	[OUTPUT_JOURNAL_SEED] = seed,
	[OUTPUT_JOURNAL_SETTLE] = settled,
	[OUTPUT_JOURNAL_INTERRUPT] = interrupted,
	[OUTPUT_JOURNAL_RETIRE] = retired,
	[OUTPUT_JOURNAL_COMPACT] = compacted,
	[OUTPUT_JOURNAL_CHECK] = checked,
	[OUTPUT_JOURNAL_STAT] = standing,
	NULL
};

void
output_journal_json(const struct output_journal_result *r, struct buf *out)
{
	struct json_writer w;

	json_begin(&w, out);
	result_object(&w, output_journal_shapes[r->action], r);
}
