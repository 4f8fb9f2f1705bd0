#include "transcript/qwen.h"

#include "transcript/index.h"
#include "transcript/parts.h"

/*
 * A Qwen Code transcript is a tree of records by parentUuid.  An answer and
 * its calls are one record, the results of a round another; t->format is the
 * number of the last chain record.
 */
enum kind { NOTHING, USER, ASSISTANT, RESULTS, COMPRESSION, COMMAND };

enum { TYPE, SUBTYPE, SIDECHAIN, MESSAGE, PAYLOAD, UUID, PARENT, COUNT };

static const char *const members[COUNT] = {
	[TYPE] = "type",
	[SUBTYPE] = "subtype",
	[SIDECHAIN] = "isSidechain",
	[MESSAGE] = "message",
	[PAYLOAD] = "systemPayload",
	[UUID] = "uuid",
	[PARENT] = "parentUuid",
};

static const struct decoder_kind types[] = {
	{ "user", USER },
	{ "assistant", ASSISTANT },
	{ "tool_result", RESULTS },
	{ NULL, NOTHING },
};

static const struct decoder_kind subtypes[] = {
	{ "chat_compression", COMPRESSION },
	{ "slash_command", COMMAND },
	{ NULL, NOTHING },
};

static unsigned
classify(const struct str v[])
{
	if (json_is_true(v[SIDECHAIN]))
		return NOTHING;
	return json_string_is(v[TYPE], "system")
		       ? decoder_find_kind(subtypes, v[SUBTYPE])
		       : decoder_find_kind(types, v[TYPE]);
}

static struct str
parts_of(struct str message)
{
	return json_get(message, "parts");
}

/* The next part that has an object of that name; false at the end. */
static bool
next_tool(struct json_iter *it, const char *name, struct str *part,
	  struct str *tool)
{
	while (json_next_element(it, part)) {
		*tool = json_map_get(it->map, *part, name);
		if (json_kind(*tool) == JSON_OBJECT)
			return true;
	}
	return false;
}

/* ---- indexing ---------------------------------------------------------- */

static bool
qwen_recognises(struct str first)
{
	struct str v[COUNT];

	json_get_many(first, members, v, COUNT);
	return json_kind(v[UUID]) == JSON_STRING &&
	       json_kind(v[TYPE]) == JSON_STRING &&
	       (json_kind(parts_of(v[MESSAGE])) == JSON_ARRAY ||
		json_kind(v[PAYLOAD]) == JSON_OBJECT);
}

static struct str
qwen_directory(struct str record)
{
	return json_get(record, "cwd");
}

static struct str
qwen_title(struct str record, unsigned *rank)
{
	struct str v[COUNT];

	json_get_many(record, members, v, COUNT);
	*rank = 0;
	return json_string_is(v[TYPE], "system") &&
			       json_string_is(v[SUBTYPE], "custom_title")
		       ? json_get(v[PAYLOAD], "customTitle")
		       : STR("");
}

static void
qwen_begin(struct transcript *t, struct str first)
{
	(void)first;
	t->format = RECORD_NONE;
}

static bool
begin_record(struct transcript *t, const struct str v[])
{
	struct str none = { NULL, 0 };

	if (json_kind(v[UUID]) != JSON_STRING)
		return index_record(t, none);
	if (!index_record(t, json_text(v[UUID], &t->scratch[0])))
		return false;
	if (json_is_true(v[SIDECHAIN])) {
		index_no_leaf(t);
		return true;
	}
	if (json_kind(v[PARENT]) == JSON_STRING)
		index_parent(t, json_text(v[PARENT], &t->scratch[0]),
			     t->format);
	else if (json_kind(v[PARENT]) != JSON_NULL)
		index_parent_record(t, t->format);
	t->format = (uint32_t)t->n_records - 1;
	return true;
}

static void
index_message(struct transcript *t, unsigned kind, const struct str v[])
{
	struct buf *text = &t->scratch[0];
	enum role role = kind == USER ? ROLE_USER : ROLE_ASSISTANT;

	buf_reset(text);
	(void)parts_text(parts_of(v[MESSAGE]), NULL, text);
	if (kind == USER &&
	    (json_kind(v[SUBTYPE]) == JSON_STRING ||
	     str_starts(buf_str(text), STR("<context_window>"))))
		role = ROLE_CONTEXT;
	index_text(t, role, text->len == 0);
}

static void
index_tools(struct transcript *t, enum slot_kind kind, struct str message)
{
	static const char *const names[] = { "id", "name" };
	struct json_iter it = json_map_iterate(
		&t->map, json_map_get(&t->map, message, "parts"));
	struct str part, tool, v[2];

	while (next_tool(
		&it, kind == SLOT_CALL ? "functionCall" : "functionResponse",
		&part, &tool)) {
		json_map_get_many(&t->map, tool, names, v, 2);
		index_tool(t, kind, json_text(v[0], &t->scratch[0]),
			   json_text(v[1], &t->scratch[1]));
	}
}

static bool
qwen_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str v[COUNT];
	unsigned kind;

	json_map_get_many(&t->map, record, members, v, COUNT);
	kind = classify(v);
	if (!begin_record(t, v))
		return true;
	switch (kind) {
	case USER:
		index_message(t, kind, v);
		break;
	case ASSISTANT:
		index_message(t, kind, v);
		index_tools(t, SLOT_CALL, v[MESSAGE]);
		break;
	case RESULTS:
		index_tools(t, SLOT_RESULT, v[MESSAGE]);
		break;
	case COMPRESSION:
		index_boundary(t, number, 0);
		__attribute__((fallthrough));
	case COMMAND:
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	}
	return true;
}

static void
qwen_branch(struct transcript *t, uint32_t leaf)
{
	index_mark_path(t, leaf == RECORD_NONE ? t->format : leaf);
	index_mark_slots(t);
}

/* ---- facts ------------------------------------------------------------- */

/*
 * What a tool is decoded from is its part; what is said, from the array of
 * parts, which no tool is.  What is known of a record of results is which of
 * them, from 1, the client calls failed.
 */
static unsigned
add_results(struct str record, struct str message, decoder_add_part *add,
	    void *ctx)
{
	static const char *const names[] = { "callId", "status" };
	struct json_iter it = json_iterate(parts_of(message));
	struct buf failed = BUF_INIT, scratch = BUF_INIT;
	unsigned known = 0;
	struct str v[2], part, result;

	json_get_many(json_get(record, "toolCallResult"), names, v, 2);
	if (json_string_is(v[1], "error") || json_string_is(v[1], "cancelled"))
		json_decode(v[0], &failed);
	for (unsigned i = 1; next_tool(&it, "functionResponse", &part, &result);
	     i++) {
		add(ctx, part, STR(""));
		if (known == 0 && failed.len > 0 &&
		    str_eq(json_text(json_get(result, "id"), &scratch),
			   buf_str(&failed)))
			known = i;
	}
	buf_release(&failed);
	buf_release(&scratch);
	return known;
}

static unsigned
qwen_parts(const struct transcript *t, uint32_t number, struct str record,
	   decoder_add_part *add, void *ctx)
{
	struct str v[COUNT], parts, part, call;
	struct json_iter it;
	unsigned kind;

	(void)t;
	(void)number;
	json_get_many(record, members, v, COUNT);
	kind = classify(v);
	if (kind == RESULTS)
		return add_results(record, v[MESSAGE], add, ctx);
	if (kind == NOTHING)
		return 0;
	if (kind != USER && kind != ASSISTANT) {
		add(ctx, record, STR(""));
		return 0;
	}
	parts = parts_of(v[MESSAGE]);
	add(ctx, json_kind(parts) == JSON_OBJECT ? STR("") : parts, STR(""));
	it = json_iterate(kind == ASSISTANT ? parts : STR(""));
	while (next_tool(&it, "functionCall", &part, &call))
		add(ctx, part, STR(""));
	return 0;
}

/* What the model was left with: the first message of the user. */
static void
add_summary(struct str payload, struct buf *out)
{
	struct json_iter it = json_iterate(
		json_get(payload, "compressedHistory"));
	struct str message;

	while (json_next_element(&it, &message)) {
		if (!json_string_is(json_get(message, "role"), "user"))
			continue;
		(void)parts_text(parts_of(message), NULL, out);
		return;
	}
}

/* What the person typed, or what the client printed. */
static void
add_command(struct str payload, struct buf *out)
{
	static const char *const names[] = { "phase", "rawCommand",
					     "outputHistoryItems" };
	struct str v[3], item, text;
	struct json_iter it;
	bool any = false;

	json_get_many(payload, names, v, 3);
	if (json_string_is(v[0], "invocation")) {
		json_decode(v[1], out);
		return;
	}
	it = json_iterate(v[2]);
	while (json_next_element(&it, &item)) {
		text = json_get(item, "text");
		if (json_kind(text) != JSON_STRING)
			continue;
		if (any)
			buf_addc(out, '\n');
		any = true;
		json_decode(text, out);
	}
}

static struct str
response_of(const struct part *part)
{
	return json_get(part->span, "functionResponse");
}

static void
qwen_text(const struct part *part, struct buf *out)
{
	struct str v[COUNT];

	if (json_kind(part->span) != JSON_OBJECT) {
		(void)parts_text(part->span, NULL, out);
		return;
	}
	if (part->span.s != part->record.s) {
		parts_response_text(response_of(part), out);
		return;
	}
	json_get_many(part->record, members, v, COUNT);
	if (classify(v) == COMPRESSION)
		add_summary(v[PAYLOAD], out);
	else
		add_command(v[PAYLOAD], out);
}

static void
qwen_call(const struct part *part, struct call_facts *out)
{
	decoder_read_call(json_get(part->span, "functionCall"), "name", "args",
			  out);
}

static void
qwen_result(const struct part *part, struct result_facts *out)
{
	struct str response = response_of(part);
	struct buf text = BUF_INIT;

	json_decode(json_get(response, "name"), &out->name);
	if (json_kind(json_get(json_get(response, "response"), "error")) !=
		    JSON_NONE ||
	    part->known == part->number + 1)
		out->status = TOOL_ERROR;
	parts_response_text(response, &text);
	parts_read_result(buf_str(&text), buf_str(&out->name),
			  "Tool output was too large and has been truncated.\n"
			  "The full output has been saved to: ",
			  out);
	buf_release(&text);
}

/* A fork is a copy with its own id, and the same uuids. */
static void
qwen_identity(struct str record, struct buf *out)
{
	json_decode(json_get(record, "uuid"), out);
}

static const char *const title_words[] = { "custom_title", NULL };

const struct decoder qwen_decoder = {
	.has_ids = true,
	.recognises = qwen_recognises,
	/* No session_id: a fork has the records of another. */
	.directory = qwen_directory,
	.later = true,
	.title = qwen_title,
	.title_words = title_words,
	.begin = qwen_begin,
	.index = qwen_index,
	.branch = qwen_branch,
	.parts = qwen_parts,
	.text = qwen_text,
	.call = qwen_call,
	.result = qwen_result,
	.identity = qwen_identity,
};
