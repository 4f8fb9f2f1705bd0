#include "output/output_journal.h"

#include "tool/result.h"

#define OUT(member) offsetof(struct output_journal_result, member)

#define INTEGER(key, member)                                                \
	{                                                                   \
		.name = (key), .type = FIELD_INTEGER, .offset = OUT(member) \
	}
#define BOOLEAN(key, member)                                                \
	{                                                                   \
		.name = (key), .type = FIELD_BOOLEAN, .offset = OUT(member) \
	}

static const struct field written[] = { INTEGER("seq", seq),
					BOOLEAN("base", base),
					INTEGER("bytes", bytes),
					INTEGER("tornBytes", torn), FIELD_END };

static const struct field memo[] = { INTEGER("seq", seq),
				     INTEGER("bytes", bytes),
				     INTEGER("memos", memo_count),
				     INTEGER("tornBytes", torn), FIELD_END };

static const struct field recovered[] = {
	{ .name = "state", .type = FIELD_JSON, .offset = OUT(state_json) },
	{ .name = "memos",
	  .type = FIELD_OPEN_OBJECT,
	  .offset = OUT(memos_json) },
	INTEGER("seq", seq),
	INTEGER("batchesReplayed", replayed),
	INTEGER("bytesRead", read),
	INTEGER("tornBytes", torn),
	BOOLEAN("settled", settled),
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
	INTEGER("seq", seq),
	FIELD_END
};

static const struct field settled[] = { INTEGER("seq", seq),
					BOOLEAN("isError", is_error),
					FIELD_END };

static const struct field interrupted[] = {
	{ .name = "state", .type = FIELD_JSON, .offset = OUT(state_json) },
	INTEGER("seq", seq),
	BOOLEAN("isError", is_error),
	FIELD_END
};

static const struct field retired[] = { INTEGER("seq", seq), FIELD_END };

static const struct field compacted[] = { INTEGER("before", before),
					  INTEGER("after", after),
					  INTEGER("seq", seq), FIELD_END };

static const struct field checked[] = { { .name = "ok",
					  .type = FIELD_BOOLEAN,
					  .offset = OUT(good),
					  .constant_true = true },
					INTEGER("lines", lines),
					INTEGER("batches", batches),
					INTEGER("bases", bases),
					INTEGER("memos", memo_count),
					INTEGER("tornBytes", torn),
					BOOLEAN("settled", settled),
					BOOLEAN("retired", retired),
					FIELD_END };

static const struct field standing[] = {
	{ .name = "id", .type = FIELD_STRING, .offset = OUT(id_text) },
	{ .name = "kind", .type = FIELD_STRING, .offset = OUT(kind_text) },
	INTEGER("size", size),
	INTEGER("seq", seq),
	INTEGER("batchesSinceBase", since_base),
	INTEGER("tornBytes", torn),
	BOOLEAN("settled", settled),
	BOOLEAN("retired", retired),
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
