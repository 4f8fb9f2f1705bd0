#include "transcript/pi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "transcript/blocks.h"
#include "transcript/index.h"

/*
 * A Pi transcript is a header and a tree of entries.  An entry is a message,
 * whose role says what it is, or one of a few other types; t->format is the
 * header's version.
 */
enum kind {
	NOTHING, /* takes no slot */
	USER,
	ASSISTANT,
	RESULT,
	BASH,
	CONTENT, /* a context text in `content` */
	SUMMARY	 /* a context text in `summary` */
};

static struct str
pi_media_type(struct str block, struct buf *scratch)
{
	return json_text(json_get(block, "mimeType"), scratch);
}

static const struct blocks_form blocks = {
	.texts = (const char *const[]){ "text", NULL },
	.image = "image",
	.media_type = pi_media_type,
};

static const struct decoder_kind entry_types[] = {
	{ "compaction", SUMMARY },
	{ "branch_summary", SUMMARY },
	{ "custom_message", CONTENT },
	{ NULL, NOTHING },
};

static const struct decoder_kind message_roles[] = {
	{ "user", USER },
	{ "assistant", ASSISTANT },
	{ "toolResult", RESULT },
	{ "bashExecution", BASH },
	{ "custom", CONTENT },
	{ "branchSummary", SUMMARY },
	{ "compactionSummary", SUMMARY },
	{ NULL, NOTHING },
};

/*
 * What a record is, and where its facts stand: the record itself, or the
 * message in it.
 */
struct told {
	struct str at;
	/* Of a message, read in one walk: indexing is mostly walking. */
	struct str content, call_id, tool_name;
};

static unsigned
classify(const struct transcript *t, struct str record, struct str type,
	 struct str message, struct told *facts)
{
	static const char *const names[] = { "role", "content", "toolCallId",
					     "toolName" };
	struct str v[4], role;
	unsigned kind;

	*facts = (struct told){ .at = record };
	if (json_kind(type) != JSON_STRING)
		return NOTHING;
	if (!json_string_is(type, "message"))
		return decoder_find_kind(entry_types, type);
	json_map_get_many(&t->map, message, names, v, 4);
	role = v[0];
	*facts = (struct told){ message, v[1], v[2], v[3] };
	kind = decoder_find_kind(message_roles, role);
	if (kind == NOTHING && t->format < 3 &&
	    json_string_is(role, "hookMessage"))
		kind = CONTENT;
	return kind;
}

/* ---- indexing ---------------------------------------------------------- */

static bool
pi_recognises(struct str first)
{
	return json_string_is(json_get(first, "type"), "session") &&
	       json_kind(json_get(first, "id")) == JSON_STRING;
}

/* YYYY-MM-DDTHH-MM-SS-mmmZ_<id>.jsonl; of another name nothing is known. */
static struct file_name
pi_file_name(struct str path)
{
	static const char form[] = "0000-00-00T00-00-00-000Z_";
	struct file_name name = { .id = decoder_stem(path) };

	if (decoder_has_form(name.id, form))
		name.id = str_from(name.id, sizeof(form) - 1);
	else
		name.id = (struct str){ NULL, 0 };
	return name;
}

static struct str
pi_session_id(struct str first, struct buf *scratch)
{
	return json_text(json_get(first, "id"), scratch);
}

/* Ids are short, and unique in a session only. */
static void
pi_identity(struct str record, struct buf *out)
{
	struct str id = json_get(record, "id");
	struct str timestamp = json_get(record, "timestamp");

	if (json_kind(id) != JSON_STRING || json_kind(timestamp) != JSON_STRING)
		return;
	json_decode(timestamp, out);
	buf_addc(out, '\n');
	json_decode(id, out);
}

static struct str
pi_directory(struct str header)
{
	return json_get(header, "cwd");
}

/* As far as it makes a difference: below 2, below 3, or above. */
static unsigned
format_of(struct str version)
{
	char copy[64];
	size_t n = version.n < sizeof(copy) ? version.n : sizeof(copy) - 1;
	double v;

	if (json_kind(version) != JSON_NUMBER)
		return 1;
	memcpy(copy, version.s, n);
	copy[n] = '\0';
	v = strtod(copy, NULL);
	return v < 2 ? 1 : v < 3 ? 2 : 3;
}

static void
pi_begin(struct transcript *t, struct str first)
{
	t->format = format_of(json_get(first, "version"));
}

/* Version 1 has no tree: one line of entries, named after where they stand. */
static bool
begin_linear(struct transcript *t, uint64_t number)
{
	char id[32];
	int n = snprintf(id, sizeof(id), "line-%" PRIu64, number);

	if (!index_record(t, (struct str){ id, (size_t)n }))
		return false;
	index_parent_previous(t);
	return true;
}

/*
 * A parent that the file lacks is a torn line, or what a fork dropped: the
 * entry goes on from the one before it.
 */
static bool
begin_entry(struct transcript *t, struct str id, struct str parent)
{
	uint32_t before = (uint32_t)t->n_records - 1; /* RECORD_NONE of none */

	if (!index_record(t, json_text(id, &t->scratch[0])))
		return false;
	if (json_kind(parent) == JSON_STRING)
		index_parent(t, json_text(parent, &t->scratch[0]), before);
	return true;
}

static void
index_assistant(struct transcript *t, struct str content)
{
	static const char *const names[] = { "id", "name" };
	struct str call, v[2];
	struct json_iter it;

	index_text(t, ROLE_ASSISTANT, blocks_empty(&t->map, content, &blocks));
	if (json_kind(content) != JSON_ARRAY)
		return;
	it = json_map_iterate(&t->map, content);
	while (blocks_next(&it, "toolCall", &call)) {
		json_map_get_many(&t->map, call, names, v, 2);
		index_tool(t, SLOT_CALL, json_text(v[0], &t->scratch[0]),
			   json_text(v[1], &t->scratch[1]));
	}
}

static void
index_result(struct transcript *t, const struct told *facts)
{
	index_tool(t, SLOT_RESULT, json_text(facts->call_id, &t->scratch[0]),
		   json_text(facts->tool_name, &t->scratch[1]));
}

/* What t->boundaries knows of Pi's. */
enum window {
	MARKER,	    /* names its window */
	COMPACTION, /* which the entry names */
	CHECKPOINT  /* a compaction that keeps itself, and says nothing */
};

#define WINDOW_ID_BYTES 256

/* Whether a custom entry begins a window, and has a name for it. */
static bool
is_marker(struct str record, struct buf *scratch)
{
	static const char *const names[] = { "customType", "data" };
	struct str v[2], id;

	json_get_many(record, names, v, 2);
	if (!json_string_is(v[0], "pi-context/reset-marker") &&
	    !json_string_is(v[0], "notesoup/reset-marker"))
		return false;
	id = json_text(json_get(v[1], "windowId"), scratch);
	return id.n > 0 && id.n <= WINDOW_ID_BYTES;
}

/* An entry that is not a message: it may begin a window (7.1). */
static void
index_window(struct transcript *t, struct str record, struct str type,
	     uint64_t number)
{
	static const char *const names[] = { "summary", "firstKeptEntryId" };
	struct str v[2];

	if (json_string_is(type, "custom")) {
		if (is_marker(record, &t->scratch[0]))
			index_boundary(t, number, MARKER);
		return;
	}
	if (!json_string_is(type, "compaction"))
		return;
	json_get_many(record, names, v, 2);
	if (json_string_is(v[0], "") && json_kind(v[1]) == JSON_STRING &&
	    index_is_id(t, json_text(v[1], &t->scratch[0])))
		index_boundary(t, number, CHECKPOINT);
	else
		index_boundary(t, number, COMPACTION);
}

static bool
pi_index(struct transcript *t, struct str record, uint64_t number)
{
	static const char *const names[] = { "type", "id", "parentId",
					     "message" };
	enum { TYPE, ID, PARENT, MESSAGE, COUNT };
	struct str v[COUNT];
	struct told facts;
	unsigned kind;

	json_map_get_many(&t->map, record, names, v, COUNT);
	if (t->format > 1 && json_kind(v[ID]) != JSON_STRING)
		return false;
	if (t->format == 1 ? !begin_linear(t, number)
			   : !begin_entry(t, v[ID], v[PARENT]))
		return true;
	kind = classify(t, record, v[TYPE], v[MESSAGE], &facts);
	switch (kind) {
	case NOTHING:
		if (json_string_is(v[TYPE], "session"))
			index_no_leaf(t);
		else
			index_window(t, record, v[TYPE], number);
		break;
	case USER:
		index_text(t, ROLE_USER,
			   blocks_empty(&t->map, facts.content, &blocks));
		break;
	case ASSISTANT:
		index_assistant(t, facts.content);
		break;
	case RESULT:
		index_result(t, &facts);
		break;
	case BASH:
		index_tool(t, SLOT_LONE, STR(""), STR("bash"));
		break;
	case SUMMARY:
		index_window(t, record, v[TYPE], number);
		__attribute__((fallthrough));
	case CONTENT:
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	}
	return true;
}

/*
 * A checkpoint directly before a marker on the branch, its child, is the
 * marker's: it begins no window.
 */
static void
drop_checkpoints(struct transcript *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n_boundaries; i++) {
		const struct boundary *b = &t->boundaries[i], *next = b + 1;

		if (b->known == CHECKPOINT && i + 1 < t->n_boundaries &&
		    next->known == MARKER && next->record == b->record + 1 &&
		    t->records[next->record].parent == b->record &&
		    transcript_on_branch(t, next->record))
			continue;
		t->boundaries[kept++] = *b;
	}
	t->n_boundaries = kept;
}

static void
pi_branch(struct transcript *t, uint32_t leaf)
{
	index_mark_path(t, leaf == RECORD_NONE ? index_last(t) : leaf);
	index_mark_slots(t);
	drop_checkpoints(t);
}

/* ---- facts ------------------------------------------------------------- */

/* What is known of a record is its kind. */
static unsigned
pi_parts(const struct transcript *t, uint32_t number, struct str record,
	 decoder_add_part *add, void *ctx)
{
	static const char *const names[] = { "type", "message" };
	struct str v[2], call;
	struct json_iter it;
	struct told facts;
	unsigned kind;

	(void)number;
	json_get_many(record, names, v, 2);
	kind = classify(t, record, v[0], v[1], &facts);
	if (kind != NOTHING)
		add(ctx, facts.at, STR(""));
	if (kind != ASSISTANT)
		return kind;
	if (json_kind(facts.content) != JSON_ARRAY)
		return kind;
	it = json_iterate(facts.content);
	while (blocks_next(&it, "toolCall", &call))
		add(ctx, call, STR(""));
	return kind;
}

static void
pi_text(const struct part *part, struct buf *out)
{
	switch (part->known) {
	case BASH:
		json_decode(json_get(part->span, "output"), out);
		break;
	case SUMMARY:
		json_decode(json_get(part->span, "summary"), out);
		break;
	default:
		blocks_text(json_get(part->span, "content"), &blocks, out);
	}
}

/*
 * A command that the user ran: its arguments are put the way calls have them.
 */
static void
bash_call(struct str part, struct call_facts *out)
{
	struct str command = json_get(part, "command");

	buf_adds(&out->name, "bash");
	if (json_kind(command) != JSON_STRING)
		return;
	buf_adds(&out->arguments, "{\"command\":");
	json_canonical(command, &out->arguments);
	buf_addc(&out->arguments, '}');
}

static void
pi_call(const struct part *part, struct call_facts *out)
{
	if (part->known == BASH)
		bash_call(part->span, out);
	else
		decoder_read_call(part->span, "name", "arguments", out);
}

static void
bash_result(struct str part, struct result_facts *out)
{
	static const char *const names[] = { "cancelled", "exitCode",
					     "truncated", "fullOutputPath" };
	enum { CANCELLED, EXIT, TRUNCATED, PATH, COUNT };
	struct str v[COUNT];
	int64_t code;

	json_get_many(part, names, v, COUNT);
	if (json_is_true(v[CANCELLED]))
		out->status = TOOL_ERROR;
	else if (json_kind(v[EXIT]) != JSON_NUMBER)
		out->status = TOOL_UNFINISHED;
	else if (!json_to_integer(v[EXIT], &code) || code != 0)
		out->status = TOOL_ERROR;
	out->truncated = json_is_true(v[TRUNCATED]);
	if (out->truncated)
		json_decode(v[PATH], &out->path);
}

static void
pi_result(const struct part *part, struct result_facts *out)
{
	static const char *const names[] = { "toolName", "isError", "details",
					     "nestedCalls" };
	enum { NAME, ERROR, DETAILS, NESTED, COUNT };
	struct str v[COUNT];

	if (part->known == BASH) {
		bash_result(part->span, out);
		return;
	}
	json_get_many(part->span, names, v, COUNT);
	json_decode(v[NAME], &out->name);
	if (json_is_true(v[ERROR]))
		out->status = TOOL_ERROR;
	out->truncated = json_is_true(
		json_get(json_get(v[DETAILS], "truncation"), "truncated"));
	if (out->truncated)
		json_decode(json_get(v[DETAILS], "fullOutputPath"), &out->path);
	if (json_kind(json_get(v[NESTED], "calls")) == JSON_ARRAY)
		out->nested = v[NESTED];
}

#define SESSION_CHARS 8 /* of its id, in the ids of windows */

static void
pi_window_id(const struct transcript *t, const struct boundary *b,
	     struct str record, struct str session, struct buf *out)
{
	if (b != NULL && b->known == MARKER) {
		json_decode(json_get(json_get(record, "data"), "windowId"),
			    out);
		return;
	}
	buf_adds(out, "pcw:");
	buf_add_str(out, utf8_prefix(session, SESSION_CHARS));
	buf_addc(out, ':');
	if (b == NULL)
		buf_adds(out, "root");
	else if (t->format == 1)
		buf_addf(out, "line-%" PRIu64, b->line);
	else
		json_decode(json_get(record, "id"), out);
}

static const char *const joined[] = { "nestedCalls", NULL };
static const char *const words[] = { "bash", "command", NULL };

static struct str
title(struct str record, unsigned *rank)
{
	*rank = 0;
	return json_string_is(json_get(record, "type"), "session_info")
		       ? json_get(record, "name")
		       : (struct str){ NULL, 0 };
}

static const char *const title_words[] = { "session_info", NULL };

const struct decoder pi_decoder = {
	.title = title,
	.title_words = title_words,
	.words = words,
	.joined = joined,
	.has_ids = true,
	.recognises = pi_recognises,
	.file_name = pi_file_name,
	.session_id = pi_session_id,
	.identity = pi_identity,
	.directory = pi_directory,
	.begin = pi_begin,
	.index = pi_index,
	.branch = pi_branch,
	.parts = pi_parts,
	.text = pi_text,
	.call = pi_call,
	.result = pi_result,
	.window_id = pi_window_id,
};
