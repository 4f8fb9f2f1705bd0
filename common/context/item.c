#include "context/item.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/utf8.h"
#include "context/item_blocks.h"
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
		call = item_blocks_call(item);
		call->id = transcript_slot(t, seq)->call;
		item_blocks_decode(name, &call->name);
		item_blocks_finish(call, STR(""));
	}
}

/* ---- Pi ---------------------------------------------------------------- */

static int
load_bash(struct item *item, struct str message)
{
	static const char *const names[] = { "command", "output" };
	struct item_call *call = item_blocks_call(item);
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
	item_blocks_decode(v[1], &item->content);
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
	item_blocks_decode(v[0], &item->custom_type);
	item->details = v[1];
	item->own_control = is_own_type(buf_str(&item->custom_type));
	item->role = item->own_control ? ITEM_DEVELOPER : ITEM_USER;
	item_blocks_content(item, v[2], false);
	return !item_blocks_blank(buf_str(&item->content));
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
		item_blocks_result(item, v[1]);
		return 1;
	}
	if (json_string_is(v[0], "assistant"))
		item->role = ITEM_ASSISTANT;
	else if (!json_string_is(v[0], "user"))
		return 0;
	item_blocks_content(item, v[1], false);
	return !item_blocks_blank(buf_str(&item->content));
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
		item_blocks_decode(v[ID], &item->id);
	if (json_string_is(v[TYPE], "message"))
		return load_pi_message(t, record, v[MESSAGE], item);
	if (json_string_is(v[TYPE], "custom_message"))
		return load_custom(item, object);
	if (!json_string_is(v[TYPE], "compaction") &&
	    !json_string_is(v[TYPE], "branch_summary"))
		return 0;
	item->role = ITEM_SYSTEM;
	item->summary = json_string_is(v[TYPE], "compaction");
	item_blocks_decode(v[SUMMARY], &item->content);
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
	item_blocks_decode(v[UUID], &item->id);
	if (json_string_is(v[SUBTYPE], "compact_boundary")) {
		item->role = ITEM_SYSTEM;
		item->summary = true;
		item_blocks_decode(v[CONTENT], &item->content);
		return 1;
	}
	item->role = ITEM_ASSISTANT;
	if (json_string_is(v[TYPE], "user"))
		item->role = tool_slot(t, record) != 0 ? ITEM_TOOL : ITEM_USER;
	else if (!json_string_is(v[TYPE], "assistant"))
		return 0;
	item_blocks_content(item, json_get(v[MESSAGE], "content"), false);
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
	return !item_blocks_blank(buf_str(&item->content));
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

/* A call as the decoder tells it; space: its namespace, raw. */
static int
add_recorded_call(struct transcript *t, const struct part *part,
		  struct str space, struct item *item)
{
	struct call_facts facts = { .name = BUF_INIT, .arguments = BUF_INIT };
	struct item_call *call = item_blocks_call(item);
	struct str arguments;

	t->decoder->call(part, &facts);
	buf_add_str(&call->name, buf_str(&facts.name));
	item_blocks_finish(call, space);
	buf_adds(&item->content, "[tool_call ");
	buf_add_str(&item->content, buf_str(&call->name));
	buf_adds(&item->content, "] ");
	arguments = buf_str(&facts.arguments);
	/* A string of Codex that is not an object is kept verbatim. */
	if (t->decoder == &codex_decoder && json_kind(arguments) == JSON_STRING)
		json_decode(arguments, &item->content);
	else
		buf_add_str(&item->content,
			    arguments.n > 0 ? arguments : STR("{}"));
	buf_release(&facts.name);
	buf_release(&facts.arguments);
	return 1;
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
		item_blocks_content(item, output, true);
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
	item_blocks_content(item, v[1], false);
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
	return !item_blocks_blank(buf_str(&item->content));
}

static int
load_codex(struct transcript *t, uint32_t record, struct str object,
	   struct item *item)
{
	uint32_t seq = first_slot(t, record);
	const struct slot *slot = transcript_slot(t, seq);
	struct str payload = codex_payload(object), type;
	struct part part;

	if (slot->kind == SLOT_CALL) {
		item->role = ITEM_ASSISTANT;
		if (!transcript_read_slot(t, &t->views[0], seq, &part))
			return -1;
		return add_recorded_call(t, &part,
					 json_get(payload, "namespace"), item);
	}
	if (slot->kind == SLOT_RESULT)
		return load_codex_result(t, record, seq, payload, item);
	if (json_string_is(json_get(object, "type"), "compacted")) {
		item->role = ITEM_SYSTEM;
		item->summary = true;
		item_blocks_decode(json_get(payload, "message"),
				   &item->content);
		return 1;
	}
	type = json_get(payload, "type");
	/*
	 * What agents say to each other is not a message of this conversation.
	 */
	if (json_string_is(type, "agent_message") && slot->role == ROLE_CONTEXT)
		return 0;
	return load_codex_message(slot->role, payload, item);
}

/* ---- any other host ---------------------------------------------------- */

static void
load_time(struct item *item, struct str at)
{
	item_blocks_decode(at, &item->created_at);
	item->has_created_at = json_kind(at) == JSON_STRING &&
			       utf8_count(buf_str(&item->created_at)) <=
				       TIME_CHARS;
}

static bool
begins_window(const struct transcript *t, uint32_t record)
{
	size_t low = 0, high = t->n_boundaries, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->boundaries[middle].record < record)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->n_boundaries && t->boundaries[low].record == record;
}

/* A result, by its own name; *part is what it is decoded from. */
static void
add_recorded_result(struct transcript *t, uint32_t seq, const struct part *part,
		    struct item *item)
{
	struct result_facts facts = { .name = BUF_INIT, .path = BUF_INIT };
	struct item_call *call = item_blocks_call(item);
	size_t before = item->content.len;

	t->decoder->result(part, &facts);
	call->id = transcript_slot(t, seq)->call;
	buf_add_str(&call->name, buf_str(&facts.name));
	item_blocks_finish(call, STR(""));
	t->decoder->text(part, &item->content);
	if (item->content.len == before)
		buf_adds(&item->content, "[empty tool result]");
	buf_release(&facts.name);
	buf_release(&facts.path);
}

static void
add_slot(struct transcript *t, uint32_t seq, const struct part *part,
	 struct item *item)
{
	size_t before;

	switch ((enum slot_kind)transcript_slot(t, seq)->kind) {
	case SLOT_TEXT:
		t->decoder->text(part, &item->content);
		break;
	case SLOT_RESULT:
		add_recorded_result(t, seq, part, item);
		break;
	case SLOT_CALL:
		add_recorded_call(t, part, STR(""), item);
		break;
	case SLOT_LONE:
		/* As bashExecution of Pi's: what it printed follows. */
		add_recorded_call(t, part, STR(""), item);
		before = item->content.len;
		buf_addc(&item->content, '\n');
		t->decoder->text(part, &item->content);
		if (item->content.len == before + 1)
			buf_truncate(&item->content, before);
		break;
	}
}

/* The role of an item whose first slot this is. */
static enum item_role
role_of(const struct slot *slot)
{
	static const enum item_role roles[] = {
		[ROLE_USER] = ITEM_USER,
		[ROLE_ASSISTANT] = ITEM_ASSISTANT,
		[ROLE_TOOL] = ITEM_TOOL,
		[ROLE_CONTEXT] = ITEM_DEVELOPER
	};

	return slot->kind == SLOT_CALL ? ITEM_ASSISTANT : roles[slot->role];
}

/* As its decoder tells it, slot by slot. */
static int
load_other(struct transcript *t, uint32_t record, struct str object,
	   struct item *item)
{
	uint32_t first = first_slot(t, record), seq = first;
	struct part part;

	item->role = role_of(transcript_slot(t, first));
	if (t->decoder->identity != NULL)
		t->decoder->identity(object, &item->id);
	for (; seq <= transcript_highest(t) &&
	       transcript_slot(t, seq)->record == record;
	     seq++) {
		size_t before = item->content.len;

		/* It may stand in another record, which is read then. */
		if (!transcript_read_slot(t, &t->views[0], seq, &part))
			return -1;
		if (seq == first)
			load_time(item, part.timestamp);
		if (before > 0)
			buf_addc(&item->content, '\n');
		add_slot(t, seq, &part, item);
		if (before > 0 && item->content.len == before + 1)
			buf_truncate(&item->content, before);
	}
	if (begins_window(t, record)) {
		item->role = ITEM_SYSTEM;
		item->summary = true;
		return 1;
	}
	if (item->role == ITEM_USER || item->role == ITEM_DEVELOPER)
		item->own_control = item_is_control(buf_str(&item->content));
	if (item->own_control)
		item->role = ITEM_DEVELOPER;
	return item->n_calls > 0 || !item_blocks_blank(buf_str(&item->content));
}

/* ---- loading ----------------------------------------------------------- */

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

static int
load(struct transcript *t, uint32_t record, struct item *item)
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
		return load_other(t, record, object, item);
	if (rc > 0)
		load_time(item, view->part.timestamp);
	return rc;
}

int
item_load(struct transcript *t, uint32_t record, struct item *item)
{
	int rc = load(t, record, item);

	if (rc > 0)
		drop_unfit_id(&item->id);
	/* A call that others than the assistant quote is not a tool's (4.3). */
	if (item->role != ITEM_ASSISTANT && item->role != ITEM_TOOL)
		item->n_calls = 0;
	return rc;
}
