#include "context/item.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "transcript/claude.h"
#include "transcript/codex.h"
#include "transcript/pi.h"

#define ID_BYTES 128
#define TIME_CHARS 64

const char *const item_roles[] = { "user",   "assistant", "tool",
				   "system", "developer", NULL };
const char *const item_words[] = { "tool_call", "command", "image",
				   "omitted",	"block",   "empty",
				   "tool",	"result",  NULL };

void
item_init(struct item *item)
{
	*item = (struct item){ .content = BUF_INIT,
			       .id = BUF_INIT,
			       .custom_type = BUF_INIT,
			       .created_at = BUF_INIT };
}

void
item_release(struct item *item)
{
	buf_release(&item->content);
	buf_release(&item->id);
	buf_release(&item->custom_type);
	buf_release(&item->created_at);
	for (size_t i = 0; i < item->cap_calls; i++) {
		buf_release(&item->calls[i].name);
		buf_release(&item->calls[i].space);
	}
	free(item->calls);
}

static void
reset(struct item *item, uint32_t record)
{
	item->record = record;
	item->role = ITEM_USER;
	item->own_control = item->summary = false;
	item->details = STR("");
	item->n_calls = 0;
	buf_reset(&item->content);
	buf_reset(&item->id);
	buf_reset(&item->custom_type);
	buf_reset(&item->created_at);
}

static bool
is_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] != ' ' && (s.s[i] < '\t' || s.s[i] > '\r'))
			return false;
	return true;
}

static void
decode(struct str value, struct buf *out)
{
	if (json_kind(value) == JSON_STRING)
		json_decode(value, out);
}

/* ---- tools ------------------------------------------------------------- */

static struct item_call *
add_call(struct item *item)
{
	struct item_call *call;

	if (item->n_calls == item->cap_calls) {
		size_t old = item->cap_calls;

		XGROW(item->calls, item->n_calls + 1, item->cap_calls);
		for (; old < item->cap_calls; old++)
			item->calls[old] = (struct item_call){
				.name = BUF_INIT, .space = BUF_INIT
			};
	}
	call = &item->calls[item->n_calls++];
	buf_reset(&call->name);
	buf_reset(&call->space);
	call->id = 0;
	return call;
}

static void
finish_call(struct item_call *call, struct str space)
{
	if (call->name.len == 0)
		buf_adds(&call->name, "unknown");
	decode(space, &call->space);
}

/* ---- blocks ------------------------------------------------------------ */

/*
 * A recorded value of arguments: compact JSON.  text: a string that holds no
 * object is what it says, as it is.
 */
static void
add_arguments(struct str value, struct buf *out)
{
	if (json_kind(value) == JSON_NONE)
		buf_adds(out, "{}");
	else
		json_canonical(value, out);
}

static void
add_call_block(struct item *item, struct str name, struct str arguments,
	       struct str space)
{
	struct item_call *call = add_call(item);

	decode(name, &call->name);
	finish_call(call, space);
	buf_adds(&item->content, "[tool_call ");
	buf_add_str(&item->content, buf_str(&call->name));
	buf_adds(&item->content, "] ");
	add_arguments(arguments, &item->content);
}

/* What a block is: the column of the table in 4.2. */
enum block {
	BLOCK_TEXT,
	BLOCK_NOTHING,
	BLOCK_CALL,
	BLOCK_RESULT,
	BLOCK_IMAGE,
	BLOCK_OTHER
};

static enum block
classify(struct str type)
{
	static const struct {
		const char *type;
		enum block block;
	} known[] = {
		{ "text", BLOCK_TEXT },
		{ "input_text", BLOCK_TEXT },
		{ "output_text", BLOCK_TEXT },
		{ "Text", BLOCK_TEXT },
		{ "thinking", BLOCK_NOTHING },
		{ "redacted_thinking", BLOCK_NOTHING },
		{ "reasoning", BLOCK_NOTHING },
		{ "toolResult", BLOCK_NOTHING },
		{ "toolCall", BLOCK_CALL },
		{ "tool_use", BLOCK_CALL },
		{ "tool_result", BLOCK_RESULT },
		{ "image", BLOCK_IMAGE },
		{ "imageContent", BLOCK_IMAGE },
		{ "input_image", BLOCK_IMAGE },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (json_string_is(type, known[i].type))
			return known[i].block;
	return BLOCK_OTHER;
}

/* A block of a message, or of a result; nested: the latter. */
/* Results do not nest, so a result in a content is as deep as it goes. */
/* NOLINTBEGIN(misc-no-recursion) */
static void add_block(struct item *item, struct str block, bool nested);

/*
 * The string, or its blocks, each on a line of its own; what renders nothing
 * has none.
 */
static void
add_content(struct item *item, struct str content, bool nested)
{
	struct buf *out = &item->content;
	struct json_iter it = json_iterate(content);
	size_t start = out->len, before;
	struct str block;

	decode(content, out);
	if (json_kind(content) != JSON_ARRAY)
		return;
	while (json_next_element(&it, &block)) {
		before = out->len;
		if (before > start)
			buf_addc(out, '\n');
		add_block(item, block, nested);
		/* A line feed alone says nothing. */
		if (before > start && out->len == before + 1)
			buf_truncate(out, before);
	}
}

static void
add_result(struct item *item, struct str content)
{
	size_t before = item->content.len;

	add_content(item, content, true);
	if (item->content.len == before)
		buf_adds(&item->content, "[empty tool result]");
}

static void
add_block(struct item *item, struct str block, bool nested)
{
	static const char *const names[] = { "type",	 "text",      "name",
					     "input",	 "arguments", "content",
					     "namespace" };
	enum { TYPE, TEXT, NAME, INPUT, ARGUMENTS, CONTENT, SPACE, COUNT };
	struct str v[COUNT];

	json_get_many(block, names, v, COUNT);
	if (json_kind(v[TYPE]) != JSON_STRING)
		return;
	switch (classify(v[TYPE])) {
	case BLOCK_TEXT:
		decode(v[TEXT], &item->content);
		break;
	case BLOCK_NOTHING:
		break;
	case BLOCK_CALL:
		if (json_string_is(v[TYPE], "tool_use"))
			v[ARGUMENTS] = v[INPUT];
		add_call_block(item, v[NAME], v[ARGUMENTS], v[SPACE]);
		break;
	case BLOCK_RESULT:
		/* Results do not nest: that bounds the depth. */
		if (!nested)
			add_result(item, v[CONTENT]);
		break;
	case BLOCK_IMAGE:
		buf_adds(&item->content, "[image omitted]");
		break;
	case BLOCK_OTHER:
		buf_addc(&item->content, '[');
		decode(v[TYPE], &item->content);
		buf_adds(&item->content, " block omitted]");
		break;
	}
}
/* NOLINTEND(misc-no-recursion) */

bool
item_is_control(struct str text)
{
	return str_starts(text, STR("<context_window>")) ||
	       str_starts(text, STR("<context_window_reminder "
				    "source_context_window_id=\"")) ||
	       str_starts(text, STR("<context_window_checkpoint "
				    "source_context_window_id=\""));
}

/* ---- slots ------------------------------------------------------------- */

/* The first slot of a record that has one on the branch; else 0. */
static uint32_t
first_slot(const struct transcript *t, uint32_t record)
{
	uint32_t seq = t->records[record].seq;

	for (; seq > 0 && seq <= transcript_highest(t) &&
	       transcript_slot(t, seq)->record == record;
	     seq++)
		if ((transcript_slot(t, seq)->flags & SLOT_BRANCH) != 0)
			return seq;
	return 0;
}

/* The first slot of a tool in it, or 0. */
static uint32_t
tool_slot(const struct transcript *t, uint32_t record)
{
	uint32_t seq = t->records[record].seq;

	for (; seq > 0 && seq <= transcript_highest(t) &&
	       transcript_slot(t, seq)->record == record;
	     seq++)
		if (transcript_slot(t, seq)->kind != SLOT_TEXT)
			return seq;
	return 0;
}

bool
item_is_there(const struct transcript *t, uint32_t record, bool *known)
{
	*known = true;
	if (first_slot(t, record) == 0)
		return false;
	if (tool_slot(t, record) != 0)
		return true;
	*known = false;
	return false;
}

/* What the results of a record are called by themselves, and whose they are. */
static void
add_results(struct transcript *t, uint32_t record, struct str name,
	    struct item *item)
{
	uint32_t seq = t->records[record].seq;
	struct item_call *call;

	for (; seq <= transcript_highest(t) &&
	       transcript_slot(t, seq)->record == record;
	     seq++) {
		if (transcript_slot(t, seq)->kind != SLOT_RESULT)
			continue;
		call = add_call(item);
		call->id = transcript_slot(t, seq)->call;
		decode(name, &call->name);
		finish_call(call, STR(""));
	}
}

/* ---- Pi ---------------------------------------------------------------- */

static int
load_bash(struct item *item, struct str message)
{
	static const char *const names[] = { "command", "output" };
	struct item_call *call = add_call(item);
	size_t before;
	struct str v[2];

	json_get_many(message, names, v, 2);
	item->role = ITEM_TOOL;
	buf_adds(&call->name, "bash");
	buf_adds(&item->content, "[tool_call bash] {\"command\":");
	if (json_kind(v[0]) == JSON_NONE)
		buf_adds(&item->content, "null");
	else
		json_canonical(v[0], &item->content);
	buf_addc(&item->content, '}');
	before = item->content.len;
	buf_addc(&item->content, '\n');
	decode(v[1], &item->content);
	if (item->content.len == before + 1)
		buf_truncate(&item->content, before);
	return 1;
}

static bool
is_own_type(struct str type)
{
	return str_starts(type, STR("ctxtools:")) ||
	       str_starts(type, STR("pi-token-budget:"));
}

/* at: the message, or the entry, that holds what an extension said. */
static int
load_custom(struct item *item, struct str at)
{
	static const char *const names[] = { "customType", "details",
					     "content" };
	struct str v[3];

	json_get_many(at, names, v, 3);
	decode(v[0], &item->custom_type);
	item->details = v[1];
	item->own_control = is_own_type(buf_str(&item->custom_type));
	item->role = item->own_control ? ITEM_DEVELOPER : ITEM_USER;
	add_content(item, v[2], false);
	return !is_blank(buf_str(&item->content));
}

static int
load_pi_message(struct transcript *t, uint32_t record, struct str message,
		struct item *item)
{
	static const char *const names[] = { "role", "content", "toolName" };
	struct str v[3];

	json_get_many(message, names, v, 3);
	if (json_string_is(v[0], "bashExecution"))
		return load_bash(item, message);
	if (json_string_is(v[0], "custom") ||
	    json_string_is(v[0], "hookMessage"))
		return load_custom(item, message);
	if (json_string_is(v[0], "toolResult")) {
		item->role = ITEM_TOOL;
		add_results(t, record, v[2], item);
		add_result(item, v[1]);
		return 1;
	}
	if (json_string_is(v[0], "assistant"))
		item->role = ITEM_ASSISTANT;
	else if (!json_string_is(v[0], "user"))
		return 0;
	add_content(item, v[1], false);
	return !is_blank(buf_str(&item->content));
}

static int
load_pi(struct transcript *t, uint32_t record, struct str object,
	struct item *item)
{
	static const char *const names[] = { "type", "message", "id",
					     "summary" };
	enum { TYPE, MESSAGE, ID, SUMMARY, COUNT };
	struct str v[COUNT];

	json_get_many(object, names, v, COUNT);
	if (t->format != 1)
		decode(v[ID], &item->id);
	if (json_string_is(v[TYPE], "message"))
		return load_pi_message(t, record, v[MESSAGE], item);
	if (json_string_is(v[TYPE], "custom_message"))
		return load_custom(item, object);
	if (!json_string_is(v[TYPE], "compaction") &&
	    !json_string_is(v[TYPE], "branch_summary"))
		return 0;
	item->role = ITEM_SYSTEM;
	item->summary = json_string_is(v[TYPE], "compaction");
	decode(v[SUMMARY], &item->content);
	return 1;
}

/* ---- Claude Code ------------------------------------------------------- */

static int
load_claude(struct transcript *t, uint32_t record, struct str object,
	    struct item *item)
{
	static const char *const names[] = {
		"type",	   "message",	       "uuid",
		"content", "isCompactSummary", "subtype"
	};
	enum { TYPE, MESSAGE, UUID, CONTENT, SUMMARY, SUBTYPE, COUNT };
	struct str v[COUNT];
	const struct slot *slot = transcript_slot(t, first_slot(t, record));

	json_get_many(object, names, v, COUNT);
	decode(v[UUID], &item->id);
	if (json_string_is(v[SUBTYPE], "compact_boundary")) {
		item->role = ITEM_SYSTEM;
		item->summary = true;
		decode(v[CONTENT], &item->content);
		return 1;
	}
	item->role = ITEM_ASSISTANT;
	if (json_string_is(v[TYPE], "user"))
		item->role = tool_slot(t, record) != 0 ? ITEM_TOOL : ITEM_USER;
	else if (!json_string_is(v[TYPE], "assistant"))
		return 0;
	add_content(item, json_get(v[MESSAGE], "content"), false);
	if (item->role == ITEM_TOOL) {
		add_results(t, record, STR(""), item);
		return 1;
	}
	item->summary = json_is_true(v[SUMMARY]);
	if (item->role == ITEM_USER) {
		item->own_control = item_is_control(buf_str(&item->content));
		if (item->summary)
			item->role = ITEM_SYSTEM;
		else if (slot->role == ROLE_CONTEXT || item->own_control)
			item->role = ITEM_DEVELOPER;
	}
	return !is_blank(buf_str(&item->content));
}

/* ---- Codex ------------------------------------------------------------- */

/* The payload of a record, or the item in it; a flat record is one itself. */
static struct str
codex_payload(struct str object)
{
	static const char *const names[] = { "type", "payload" };
	struct str v[2], payload;

	json_get_many(object, names, v, 2);
	if (json_kind(v[1]) != JSON_OBJECT)
		return object;
	payload = v[1];
	if (json_string_is(v[0], "event_msg") &&
	    json_string_is(json_get(payload, "type"), "item_completed"))
		payload = json_get(payload, "item");
	return payload;
}

static int
load_codex_call(struct transcript *t, uint32_t seq, struct str payload,
		struct item *item)
{
	struct item_call *call = add_call(item);
	struct call_facts facts = { .name = BUF_INIT, .arguments = BUF_INIT };
	struct part part;
	struct str arguments;
	int rc = 1;

	item->role = ITEM_ASSISTANT;
	if (!transcript_read_slot(t, &t->views[0], seq, &part)) {
		rc = -1;
		goto out;
	}
	t->decoder->call(&part, &facts);
	buf_add_str(&call->name, buf_str(&facts.name));
	finish_call(call, json_get(payload, "namespace"));
	buf_addf(&item->content, "[tool_call ");
	buf_add_str(&item->content, buf_str(&call->name));
	buf_adds(&item->content, "] ");
	arguments = buf_str(&facts.arguments);
	/* A string that is no object is kept verbatim. */
	if (json_kind(arguments) == JSON_STRING)
		json_decode(arguments, &item->content);
	else
		buf_add_str(&item->content,
			    arguments.n > 0 ? arguments : STR("{}"));
out:
	buf_release(&facts.name);
	buf_release(&facts.arguments);
	return rc;
}

static int
load_codex_result(struct transcript *t, uint32_t record, uint32_t seq,
		  struct str payload, struct item *item)
{
	struct str output = json_get(payload, "output");
	struct part part;

	item->role = ITEM_TOOL;
	add_results(t, record, json_get(payload, "name"), item);
	if (json_kind(output) == JSON_ARRAY) {
		add_content(item, output, true);
	} else {
		if (!transcript_read_slot(t, &t->views[0], seq, &part))
			return -1;
		t->decoder->text(&part, &item->content);
	}
	if (item->content.len == 0)
		buf_adds(&item->content, "[empty tool result]");
	return 1;
}

static int
load_codex_message(uint32_t role, struct str payload, struct item *item)
{
	static const char *const names[] = { "role", "content", "message" };
	struct str v[3];

	json_get_many(payload, names, v, 3);
	if (json_kind(v[1]) == JSON_NONE)
		v[1] = v[2];
	add_content(item, v[1], false);
	if (json_string_is(v[0], "system")) {
		item->role = ITEM_SYSTEM;
	} else if (json_string_is(v[0], "developer")) {
		item->role = ITEM_DEVELOPER;
	} else if (json_string_is(v[0], "assistant") ||
		   role == ROLE_ASSISTANT) {
		item->role = ITEM_ASSISTANT;
	} else {
		item->own_control = item_is_control(buf_str(&item->content));
		item->role = item->own_control || role == ROLE_CONTEXT
				     ? ITEM_DEVELOPER
				     : ITEM_USER;
	}
	if (item->role == ITEM_DEVELOPER)
		item->own_control = item_is_control(buf_str(&item->content));
	return !is_blank(buf_str(&item->content));
}

static int
load_codex(struct transcript *t, uint32_t record, struct str object,
	   struct item *item)
{
	uint32_t seq = first_slot(t, record);
	const struct slot *slot = transcript_slot(t, seq);
	struct str payload = codex_payload(object), type;

	if (slot->kind == SLOT_CALL)
		return load_codex_call(t, seq, payload, item);
	if (slot->kind == SLOT_RESULT)
		return load_codex_result(t, record, seq, payload, item);
	if (json_string_is(json_get(object, "type"), "compacted")) {
		item->role = ITEM_SYSTEM;
		item->summary = true;
		decode(json_get(payload, "message"), &item->content);
		return 1;
	}
	type = json_get(payload, "type");
	/* What agents say to each other is no message of this conversation. */
	if (json_string_is(type, "agent_message") && slot->role == ROLE_CONTEXT)
		return 0;
	return load_codex_message(slot->role, payload, item);
}

/* ---- any other host ---------------------------------------------------- */

/* As its decoder tells it, slot by slot. */
static int
load_other(struct transcript *t, uint32_t record, struct item *item)
{
	static const enum item_role roles[] = {
		[ROLE_USER] = ITEM_USER,
		[ROLE_ASSISTANT] = ITEM_ASSISTANT,
		[ROLE_TOOL] = ITEM_TOOL,
		[ROLE_CONTEXT] = ITEM_DEVELOPER
	};
	uint32_t seq = first_slot(t, record);
	struct part part;

	item->role = roles[transcript_slot(t, seq)->role];
	for (; seq <= transcript_highest(t) &&
	       transcript_slot(t, seq)->record == record;
	     seq++) {
		size_t before = item->content.len;

		if (before > 0)
			buf_addc(&item->content, '\n');
		if (!transcript_read_slot(t, &t->views[0], seq, &part))
			return -1;
		t->decoder->text(&part, &item->content);
		if (before > 0 && item->content.len == before + 1)
			buf_truncate(&item->content, before);
		if (transcript_slot(t, seq)->role == ROLE_TOOL)
			finish_call(add_call(item), STR(""));
	}
	return item->n_calls > 0 || !is_blank(buf_str(&item->content));
}

/* ---- loading ----------------------------------------------------------- */

static void
load_time(struct item *item, struct str at)
{
	decode(at, &item->created_at);
	item->has_created_at = json_kind(at) == JSON_STRING &&
			       utf8_count(buf_str(&item->created_at)) <=
				       TIME_CHARS;
}

/* An id that is empty, too long, or holds blanks or controls is none. */
static void
drop_unfit_id(struct buf *id)
{
	bool fit = id->len > 0 && id->len <= ID_BYTES;

	for (size_t i = 0; fit && i < id->len; i++) {
		unsigned char c = (unsigned char)id->data[i];

		fit = c > ' ' && c != 0x7f &&
		      !(c == 0xc2 && (unsigned char)id->data[i + 1] <= 0xa0);
	}
	if (!fit)
		buf_reset(id);
}

int
item_load(struct transcript *t, uint32_t record, struct item *item)
{
	struct view *view = &t->views[0];
	struct str object;
	int rc;

	reset(item, record);
	if (!transcript_read(t, view, record))
		return -1;
	object = view->part.record;
	if (t->decoder == &pi_decoder)
		rc = load_pi(t, record, object, item);
	else if (t->decoder == &claude_decoder)
		rc = load_claude(t, record, object, item);
	else if (t->decoder == &codex_decoder)
		rc = load_codex(t, record, object, item);
	else
		rc = load_other(t, record, item);
	if (rc > 0) {
		load_time(item, view->part.timestamp);
		drop_unfit_id(&item->id);
	}
	return rc;
}
