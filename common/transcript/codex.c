#include "transcript/codex.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/blocks.h"
#include "transcript/codex_text.h"
#include "transcript/index.h"
#include "transcript/lines.h"

/*
 * A rollout is a line of records: an envelope of a time, a type and a payload,
 * or, in a flat one, the bare payloads of response items.
 */
enum kind {
	NOTHING, /* takes no slot */
	USER,
	ASSISTANT,
	CONTEXT,
	CALL, /* with its arguments in `arguments` */
	TOOL_SEARCH,
	CUSTOM_CALL, /* in `input` */
	SHELL_CALL,  /* in `action`, as the next */
	WEB_SEARCH,
	IMAGE, /* nowhere */
	RESULT,
	COMPACTED,
	/* Events: taken when there are no messages among the response items. */
	USER_MESSAGE,
	AGENT_MESSAGE,
	USER_ITEM,
	AGENT_ITEM,
	/* These take no slot. */
	ROLLBACK,
	TOOL_ITEM /* what became of a call */
};

/*
 * The logs of what is said that a rollout may hold, the lesser first: only the
 * greatest one is read (spec/history.md section 3.2).
 */
enum log { LOG_NONE, LOG_ITEMS, LOG_EVENTS, LOG_RESPONSES };

struct rollback {
	uint32_t record;
	uint32_t turns;
};

/* What is kept of a file. */
struct file {
	bool flat;
	enum log log;	/* the greatest seen */
	uint32_t first; /* record */
};

/* What is kept of a rollout besides its index. */
struct codex {
	struct file *files; /* by their numbers in the chain */
	size_t n_files, cap_files;
	struct rollback *rollbacks;
	size_t n, cap;
	/* Calls that an event says have failed, whatever their results say. */
	struct hash_set failed;
};

static const struct blocks_form item_form = {
	.texts = (const char *const[]){ "text", "Text", NULL },
};

/* ---- what a record is -------------------------------------------------- */

struct reading {
	unsigned kind;	  /* enum kind */
	enum log log;	  /* which the record belongs to */
	struct str facts; /* the payload, or the item in it */
};

static const struct decoder_kind response_types[] = {
	{ "function_call", CALL },
	{ "function_call_output", RESULT },
	{ "custom_tool_call", CUSTOM_CALL },
	{ "custom_tool_call_output", RESULT },
	{ "local_shell_call", SHELL_CALL },
	{ "tool_search_call", TOOL_SEARCH },
	{ "tool_search_output", RESULT },
	{ "agent_message", CONTEXT },
	{ "web_search_call", WEB_SEARCH },
	{ "image_generation_call", IMAGE },
	{ NULL, NOTHING },
};

static const struct decoder_kind message_roles[] = {
	{ "user", USER },	  { "assistant", ASSISTANT },
	{ "developer", CONTEXT }, { "system", CONTEXT },
	{ NULL, NOTHING },
};

static const struct decoder_kind event_types[] = {
	{ "user_message", USER_MESSAGE },
	{ "agent_message", AGENT_MESSAGE },
	{ "thread_rolled_back", ROLLBACK },
	{ NULL, NOTHING },
};

static const struct decoder_kind item_types[] = {
	{ "UserMessage", USER_ITEM }, { "AgentMessage", AGENT_ITEM },
	{ "McpToolCall", TOOL_ITEM }, { "CommandExecution", TOOL_ITEM },
	{ "FileChange", TOOL_ITEM },  { NULL, NOTHING },
};

static struct reading
read_response(const struct json_map *map, struct str item)
{
	static const char *const names[] = { "type", "role" };
	struct reading r = { NOTHING, LOG_NONE, item };
	struct str v[2];

	json_map_get_many(map, item, names, v, 2);
	if (!json_string_is(v[0], "message")) {
		r.kind = decoder_find_kind(response_types, v[0]);
		return r;
	}
	r.kind = decoder_find_kind(message_roles, v[1]);
	r.log = LOG_RESPONSES;
	return r;
}

static struct reading
read_event(const struct json_map *map, struct str event)
{
	static const char *const names[] = { "type", "item" };
	struct reading r = { NOTHING, LOG_NONE, event };
	struct str v[2];

	json_map_get_many(map, event, names, v, 2);
	if (json_string_is(v[0], "item_completed")) {
		r.facts = v[1];
		r.kind = decoder_find_kind(item_types,
					   json_map_get(map, v[1], "type"));
		if (r.kind == USER_ITEM || r.kind == AGENT_ITEM)
			r.log = LOG_ITEMS;
		return r;
	}
	r.kind = decoder_find_kind(event_types, v[0]);
	if (r.kind == USER_MESSAGE || r.kind == AGENT_MESSAGE)
		r.log = LOG_EVENTS;
	return r;
}

static struct reading
read_record(const struct file *file, const struct json_map *map,
	    struct str record)
{
	static const char *const names[] = { "type", "payload", "metadata" };
	struct reading nothing = { NOTHING, LOG_NONE, record }, r;
	struct str v[3];

	json_map_get_many(map, record, names, v, 3);
	if (json_kind(v[0]) != JSON_STRING)
		return nothing;
	if (json_string_is(v[0], "response_item")) {
		r = read_response(map, v[1]);
		/* What a compaction wrote down in the assistant's name. */
		if (r.kind == ASSISTANT &&
		    json_is_true(json_get(v[2], "compaction_output")))
			r.kind = CONTEXT;
		return r;
	}
	if (json_string_is(v[0], "event_msg"))
		return read_event(map, v[1]);
	if (json_string_is(v[0], "compacted"))
		return (struct reading){ COMPACTED, LOG_NONE, v[1] };
	if (file->flat && !json_string_is(v[0], "session_meta") &&
	    !json_string_is(v[0], "turn_context"))
		return read_response(map, record);
	return nothing;
}

/* ---- indexing ---------------------------------------------------------- */

static bool
is_flat(struct str first)
{
	static const char *const names[] = { "type", "id", "timestamp" };
	struct str v[3];

	json_get_many(first, names, v, 3);
	return json_kind(v[0]) != JSON_STRING &&
	       json_kind(v[1]) == JSON_STRING && json_kind(v[2]) != JSON_NONE;
}

static bool
codex_recognises(struct str first)
{
	static const char *const names[] = { "type", "payload" };
	struct str v[2];

	json_get_many(first, names, v, 2);
	return (json_string_is(v[0], "session_meta") &&
		json_kind(v[1]) == JSON_OBJECT) ||
	       is_flat(first);
}

/* Whether it is a UUID, in the form that names of files have. */
static bool
is_uuid(struct str s)
{
	static const char form[] = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";

	if (s.n != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (form[i] == '-' ? s.s[i] != '-'
				   : memchr("0123456789abcdefABCDEF", s.s[i],
					    22) == NULL)
			return false;
	return true;
}

/* rollout-YYYY-MM-DDThh-mm-ss-<id>, or -<thread>_<segment>. */
static struct file_name
codex_file_name(struct str path)
{
	static const char form[] = "rollout-0000-00-00T00-00-00-";
	struct file_name name = { .id = { NULL, 0 } };
	struct str stem = decoder_stem(path);
	struct str thread, segment;

	if (!decoder_has_form(stem, form))
		return name;
	name.id = str_from(stem, sizeof(form) - 1);
	segment = name.id;
	thread = str_cut(&segment, '_');
	if (is_uuid(thread) && is_uuid(segment))
		name = (struct file_name){ thread, segment };
	return name;
}

static bool
codex_base(struct str first, struct str *id, uint64_t *bytes)
{
	static const char *const names[] = { "thread_id", "end_byte_offset" };
	struct str v[2];
	int64_t end;

	json_get_many(json_get(json_get(first, "payload"), "history_base"),
		      names, v, 2);
	if (json_kind(v[0]) != JSON_STRING || !json_to_integer(v[1], &end) ||
	    end < 0)
		return false;
	*id = v[0];
	*bytes = (uint64_t)end;
	return true;
}

static struct str
codex_session_id(struct str first, struct buf *scratch)
{
	struct str of = is_flat(first) ? first : json_get(first, "payload");

	return json_text(json_get(of, "id"), scratch);
}

static bool
codex_is_agent(struct str first)
{
	struct str payload = json_get(first, "payload");

	return json_string_is(json_get(payload, "thread_source"), "subagent") ||
	       json_kind(json_get(json_get(payload, "source"), "subagent")) !=
		       JSON_NONE;
}

static struct str
codex_directory(struct str first)
{
	return json_get(json_get(first, "payload"), "cwd");
}

static void
codex_begin(struct transcript *t, struct str first)
{
	struct codex *codex = t->host;

	if (codex == NULL)
		codex = t->host = xcalloc(1, sizeof(*codex));
	/* Files without a record are none that anything is asked of. */
	while (codex->n_files <= t->piece) {
		XGROW(codex->files, codex->n_files + 1, codex->cap_files);
		codex->files[codex->n_files++] =
			(struct file){ .first = (uint32_t)t->n_records };
	}
	codex->files[t->piece].flat = is_flat(first);
}

static void
codex_end(struct transcript *t)
{
	struct codex *codex = t->host;

	if (codex == NULL)
		return;
	free(codex->files);
	hash_set_release(&codex->failed);
	free(codex->rollbacks);
	free(codex);
}

/* Whether the record's log is to be read, as far as one can know by now. */
static bool
follow_log(struct transcript *t, struct file *file, enum log log)
{
	if (log == LOG_NONE)
		return true;
	if (log > file->log && file->log != LOG_NONE)
		index_take_back(t, file->first,
				1u << ROLE_USER | 1u << ROLE_ASSISTANT);
	if (log > file->log)
		file->log = log;
	return log == file->log;
}

/*
 * How many turns are retired: 0 for what is not a number of turns.  All
 * integers are one, however large; a transcript has no more than fit 32 bits.
 */
static uint32_t
count_turns(struct str number)
{
	char copy[64];
	size_t n = number.n < sizeof(copy) ? number.n : sizeof(copy) - 1;
	int64_t turns;

	if (json_kind(number) != JSON_NUMBER)
		return 0;
	if (json_to_integer(number, &turns))
		return turns < 1	    ? 0
		       : turns > UINT32_MAX ? UINT32_MAX
					    : (uint32_t)turns;
	memcpy(copy, number.s, n);
	copy[n] = '\0';
	/* Past 2^53, where json_to_integer() ends. */
	return strtod(copy, NULL) >= 9007199254740992.0 ? UINT32_MAX : 0;
}

static void
add_rollback(const struct transcript *t, struct codex *codex,
	     struct str payload)
{
	uint32_t turns = count_turns(json_get(payload, "num_turns"));

	if (turns == 0)
		return;
	XGROW(codex->rollbacks, codex->n + 1, codex->cap);
	codex->rollbacks[codex->n++] =
		(struct rollback){ (uint32_t)t->n_records - 1, turns };
}

/* What became of a call stands in an event only, which comes before it. */
static void
add_failure(struct transcript *t, struct codex *codex, struct str item)
{
	static const char *const names[] = { "id", "status" };
	struct str v[2], id;

	json_get_many(item, names, v, 2);
	id = json_text(v[0], &t->scratch[0]);
	if (id.n > 0 && (json_string_is(v[1], "failed") ||
			 json_string_is(v[1], "declined")))
		hash_set_add(&codex->failed, transcript_hash(t, id));
}

/* The name of a call; empty when it has none. */
static struct str
call_name(unsigned kind, struct str recorded, struct buf *scratch)
{
	switch (kind) {
	case SHELL_CALL:
		return STR("local_shell");
	case WEB_SEARCH:
		return STR("web_search");
	case IMAGE:
		return STR("image_generation");
	default:
		recorded = json_text(recorded, scratch);
		if (recorded.n == 0 && kind == TOOL_SEARCH)
			return STR("tool_search");
		return recorded;
	}
}

static void
index_call(struct transcript *t, unsigned kind, struct str item)
{
	static const char *const names[] = { "call_id", "name" };
	struct str v[2], id = STR("");

	json_map_get_many(&t->map, item, names, v, 2);
	if (kind != WEB_SEARCH && kind != IMAGE)
		id = json_text(v[0], &t->scratch[0]);
	index_tool(t, SLOT_CALL, id, call_name(kind, v[1], &t->scratch[1]));
}

static void
index_user(struct transcript *t, struct str item)
{
	bool empty;

	if (codex_text_is_context(&t->map, item, &empty, &t->scratch[0]))
		index_text(t, ROLE_CONTEXT, false);
	else
		index_text(t, ROLE_USER, empty);
}

static bool
string_is_empty(struct str value)
{
	return json_kind(value) != JSON_STRING || value.n == 2;
}

/* One record takes one slot at most. */
static void
index_slot(struct transcript *t, const struct reading *r)
{
	switch (r->kind) {
	case USER:
		index_user(t, r->facts);
		break;
	case ASSISTANT:
		index_text(
			t, ROLE_ASSISTANT,
			blocks_empty(&t->map,
				     json_map_get(&t->map, r->facts, "content"),
				     &codex_form));
		break;
	case CONTEXT:
	case COMPACTED:
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	case USER_MESSAGE:
	case AGENT_MESSAGE:
		index_text(t,
			   r->kind == USER_MESSAGE ? ROLE_USER : ROLE_ASSISTANT,
			   string_is_empty(
				   json_map_get(&t->map, r->facts, "message")));
		break;
	case USER_ITEM:
	case AGENT_ITEM:
		index_text(
			t, r->kind == USER_ITEM ? ROLE_USER : ROLE_ASSISTANT,
			blocks_empty(&t->map,
				     json_map_get(&t->map, r->facts, "content"),
				     &item_form));
		break;
	case RESULT:
		index_tool(t, SLOT_RESULT,
			   json_text(json_map_get(&t->map, r->facts, "call_id"),
				     &t->scratch[0]),
			   json_text(json_map_get(&t->map, r->facts, "name"),
				     &t->scratch[1]));
		break;
	case NOTHING:
	case ROLLBACK:
	case TOOL_ITEM:
		break;
	default:
		index_call(t, r->kind, r->facts);
	}
}

static bool
codex_index(struct transcript *t, struct str record, uint64_t number)
{
	struct codex *codex = t->host;
	struct file *file = &codex->files[t->piece];
	struct reading r = read_record(file, &t->map, record);

	if (!index_record(t, (struct str){ NULL, 0 }))
		return true;
	if (!follow_log(t, file, r.log))
		return true;
	if (r.kind == COMPACTED)
		index_boundary(t, number, 0);
	else if (r.kind == ROLLBACK)
		add_rollback(t, codex, r.facts);
	else if (r.kind == TOOL_ITEM)
		add_failure(t, codex, r.facts);
	index_slot(t, &r);
	return true;
}

/* ---- the branch -------------------------------------------------------- */

/* The slots that no rollback has retired, and the users' among them. */
struct active {
	uint32_t *slots; /* ascending along the way */
	uint32_t *users; /* ascending, numbers in slots */
	uint32_t n, n_users;
};

static void
roll_back(struct active *a, uint32_t turns)
{
	if (a->n_users == 0)
		return;
	a->n_users -= turns < a->n_users ? turns : a->n_users;
	a->n = a->users[a->n_users];
}

/* Goes through the slots and rollbacks of some records. */
static void
follow_records(const struct transcript *t, struct active *a, uint32_t from,
	       uint32_t end)
{
	const struct codex *codex = t->host;
	size_t next = 0;

	while (next < codex->n && codex->rollbacks[next].record < from)
		next++;
	for (uint32_t r = from; r < end; r++) {
		uint32_t i = t->records[r].seq - 1;

		if (next < codex->n && codex->rollbacks[next].record == r)
			roll_back(a, codex->rollbacks[next++].turns);
		if (i >= t->n_slots || t->slots[i].record != r)
			continue;
		if (t->slots[i].role == ROLE_USER)
			a->users[a->n_users++] = a->n;
		a->slots[a->n++] = i;
	}
}

static void
mark_failures(struct transcript *t, const struct codex *codex)
{
	for (size_t i = 0; i < t->n_slots && codex->failed.n > 0; i++)
		if (t->slots[i].kind == SLOT_RESULT &&
		    hash_set_has(&codex->failed, t->slots[i].call))
			t->slots[i].flags |= SLOT_FAILED;
}

static void
codex_branch(struct transcript *t, uint32_t leaf)
{
	const struct codex *codex = t->host;
	struct active a = { 0 };

	(void)leaf; /* records have no ids */
	a.slots = xmalloc(t->n_slots * sizeof(*a.slots));
	a.users = xmalloc(t->n_slots * sizeof(*a.users));
	if (t->chain == NULL)
		follow_records(t, &a, 0, (uint32_t)t->n_records);
	for (size_t i = 0; t->chain != NULL && i < t->chain->n_way; i++) {
		size_t piece = t->chain->way[i];

		follow_records(
			t, &a, transcript_behind(t, piece, 0),
			transcript_behind(t, piece, t->chain->v[piece].cut));
	}
	for (uint32_t i = 0; i < a.n; i++)
		t->slots[a.slots[i]].flags |= SLOT_BRANCH;
	free(a.slots);
	free(a.users);
	mark_failures(t, codex);
}

/* ---- contents ---------------------------------------------------------- */

static unsigned
codex_parts(const struct transcript *t, uint32_t number, struct str record,
	    decoder_add_part *add, void *ctx)
{
	const struct codex *codex = t->host;
	struct reading r = read_record(
		&codex->files[transcript_piece(t, number)], NULL, record);

	if (r.kind != NOTHING && r.kind != ROLLBACK && r.kind != TOOL_ITEM)
		add(ctx, r.facts, STR(""));
	return r.kind;
}

static void
codex_text(const struct part *part, struct buf *out)
{
	switch (part->known) {
	case USER:
		codex_text_of_user(part->span, out);
		break;
	case RESULT:
		codex_text_of_output(json_get(part->span, "output"), out);
		break;
	case COMPACTED:
	case USER_MESSAGE:
	case AGENT_MESSAGE:
		json_decode(json_get(part->span, "message"), out);
		break;
	case USER_ITEM:
	case AGENT_ITEM:
		blocks_text(json_get(part->span, "content"), &item_form, out);
		break;
	default:
		blocks_text(json_get(part->span, "content"), &codex_form, out);
	}
}

/* Arguments that are a string which is one object are that object. */
static void
add_arguments(struct str value, struct buf *out)
{
	struct buf decoded = BUF_INIT;
	struct str object;

	if (json_kind(value) == JSON_STRING) {
		json_decode(value, &decoded);
		if (lines_parse(buf_str(&decoded), &object))
			value = object;
	}
	json_canonical(value, out);
	buf_release(&decoded);
}

static const char *
arguments_member(unsigned kind)
{
	switch (kind) {
	case CUSTOM_CALL:
		return "input";
	case SHELL_CALL:
	case WEB_SEARCH:
		return "action";
	default:
		return "arguments";
	}
}

static void
codex_call(const struct part *part, struct call_facts *out)
{
	unsigned kind = part->known;
	const char *const names[] = { "name", arguments_member(kind),
				      "status" };
	enum { NAME, ARGUMENTS, STATUS, COUNT };
	struct str v[COUNT];
	struct buf scratch = BUF_INIT;

	json_get_many(part->span, names, v, COUNT);
	buf_add_str(&out->name, call_name(kind, v[NAME], &scratch));
	buf_release(&scratch);
	if (json_kind(v[ARGUMENTS]) != JSON_NONE) {
		if (kind == CALL || kind == TOOL_SEARCH)
			add_arguments(v[ARGUMENTS], &out->arguments);
		else if (kind != IMAGE)
			json_canonical(v[ARGUMENTS], &out->arguments);
	}
	if (kind != WEB_SEARCH && kind != IMAGE)
		return;
	if (json_string_is(v[STATUS], "completed"))
		out->status = TOOL_OK;
	else if (json_string_is(v[STATUS], "failed"))
		out->status = TOOL_ERROR;
}

static void
codex_result(const struct part *part, struct result_facts *out)
{
	/* Of a result without a call, as the text of a goal is. */
	json_decode(json_get(part->span, "name"), &out->name);
	if (codex_text_tells_failure(json_get(part->span, "output")))
		out->status = TOOL_ERROR;
}

static const char *const words[] = { "local_shell", "web_search", "tool_search",
				     "image_generation", NULL };

const struct decoder codex_decoder = {
	.words = words,
	.recognises = codex_recognises,
	.file_name = codex_file_name,
	.base = codex_base,
	.session_id = codex_session_id,
	.is_agent = codex_is_agent,
	.directory = codex_directory,
	.begin = codex_begin,
	.end = codex_end,
	.index = codex_index,
	.branch = codex_branch,
	.parts = codex_parts,
	.text = codex_text,
	.call = codex_call,
	.result = codex_result,
};
