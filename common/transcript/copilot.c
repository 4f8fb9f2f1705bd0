#include "transcript/copilot.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"
#include "base/json_span.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "transcript/blocks.h"
#include "transcript/elements.h"
#include "transcript/index.h"

/*
 * A Copilot CLI transcript is a line of events, in the order in which they
 * were: a rewind cuts the file.  What an event says stands in its `data`.
 */
enum kind {
	NOTHING,
	USER,
	ASSISTANT,
	COMMAND, /* one that the person typed: a call */
	RESULT,
	CONTENT, /* a context text in `content` */
	SYSTEM,	 /* the same, if a developer's */
	SUMMARY, /* of a compaction, which may have failed */
	HANDOFF,
	CLEARED, /* a new window begins, without a slot */
	REWIND
};

static const struct decoder_kind kinds[] = {
	{ "user.message", USER },
	{ "assistant.message", ASSISTANT },
	{ "tool.user_requested", COMMAND },
	{ "tool.execution_complete", RESULT },
	{ "system.notification", CONTENT },
	{ "skill.invoked", CONTENT },
	{ "system.message", SYSTEM },
	{ "session.compaction_complete", SUMMARY },
	{ "session.handoff", HANDOFF },
	{ "session.context_cleared", CLEARED },
	{ "session.snapshot_rewind", REWIND },
	{ NULL, NOTHING },
};

enum { TYPE, DATA, ID, AGENT, COUNT };

static const char *const members[COUNT] = { "type", "data", "id", "agentId" };

/* What an event is; those of sub-agents, in the same file, are nothing. */
static unsigned
classify(const struct json_map *map, const struct str v[])
{
	unsigned kind = decoder_find_kind(kinds, v[TYPE]);

	if (kind == NOTHING ||
	    (json_kind(v[AGENT]) == JSON_STRING && v[AGENT].n > 2) ||
	    json_kind(json_map_get(map, v[DATA], "parentToolCallId")) ==
		    JSON_STRING)
		return NOTHING;
	if (kind == SYSTEM)
		return json_string_is(json_map_get(map, v[DATA], "role"),
				      "developer")
			       ? CONTENT
			       : NOTHING;
	return kind;
}

/* The next element that is an object; false at the end. */
static bool
next_object(struct json_iter *it, struct str *object)
{
	while (json_next_element(it, object))
		if (json_kind(*object) == JSON_OBJECT)
			return true;
	return false;
}

/* ---- indexing ---------------------------------------------------------- */

/* Records from `first` on, up to another one, that were rewound. */
struct retired {
	uint32_t first, end;
};

struct copilot {
	struct retired *retired;
	size_t n, cap;
};

static bool
copilot_recognises(struct str first)
{
	return json_string_is(json_get(first, "type"), "session.start") &&
	       json_kind(json_get(first, "data")) == JSON_OBJECT;
}

/* A session is a directory: <id>/events.jsonl. */
static struct file_name
copilot_file_name(struct str path)
{
	struct str name = path_last(path);
	size_t n = path.n - name.n;

	while (n > 0 && path.s[n - 1] == '/')
		n--;
	return (struct file_name){ .id = path_last((struct str){ path.s, n }) };
}

static struct str
copilot_directory(struct str first)
{
	return json_get(json_get(json_get(first, "data"), "context"), "cwd");
}

/* A scalar in single quotes, with two of them for one. */
static bool
add_single_quoted(struct str text, struct buf *out)
{
	size_t mark = out->len;

	for (size_t i = 1; i < text.n; i++) {
		if (text.s[i] != '\'')
			buf_addc(out, text.s[i]);
		else if (i + 1 < text.n && text.s[i + 1] == '\'')
			buf_addc(out, text.s[i++]);
		else if (i + 1 == text.n)
			return true;
		else
			break;
	}
	buf_truncate(out, mark);
	return false;
}

/* One value of YAML on its line: plain, or in either kind of quotes. */
static bool
add_scalar(struct str text, struct buf *out)
{
	static const char other[] = "|>&*!%@`[]{},#?-:";

	if (text.n == 0 || !utf8_valid(text))
		return false;
	if (text.s[0] == '\'')
		return add_single_quoted(text, out);
	if (text.s[0] == '"') {
		if (json_check(text, 1, 0, NULL) != 0)
			return false;
		json_decode(text, out);
		return true;
	}
	if (strchr(other, text.s[0]) != NULL)
		return false;
	buf_add_str(out, text);
	return true;
}

bool
copilot_given_name(struct str text, struct buf *out)
{
	static const char key[] = "name:";
	struct str line;

	while (text.n > 0) {
		line = str_cut(&text, '\n');
		if (!str_starts(line, str_of(key)))
			continue;
		line = str_from(line, sizeof(key) - 1);
		return add_scalar(elements_trim(line), out);
	}
	return false;
}

static void
copilot_begin(struct transcript *t, struct str first)
{
	(void)first;
	t->host = xcalloc(1, sizeof(struct copilot));
}

static void
copilot_end(struct transcript *t)
{
	struct copilot *copilot = t->host;

	if (copilot == NULL)
		return;
	free(copilot->retired);
	free(copilot);
}

static void
retire(struct transcript *t, uint32_t first, uint32_t end)
{
	struct copilot *copilot = t->host;

	XGROW(copilot->retired, copilot->n + 1, copilot->cap);
	copilot->retired[copilot->n++] = (struct retired){ first, end };
}

/* By the ids of the events, else from one of them on. */
static void
index_rewind(struct transcript *t, struct str data)
{
	static const char *const names[] = { "eventIds", "upToEventId" };
	uint32_t here = (uint32_t)t->n_records, record;
	struct str v[2], id;
	struct json_iter it;

	json_get_many(data, names, v, 2);
	if (json_kind(v[0]) != JSON_ARRAY) {
		record = transcript_find(t, json_text(v[1], &t->scratch[0]));
		if (record != RECORD_NONE)
			retire(t, record, here);
		return;
	}
	it = json_iterate(v[0]);
	while (json_next_element(&it, &id)) {
		record = transcript_find(t, json_text(id, &t->scratch[0]));
		if (record != RECORD_NONE)
			retire(t, record, record + 1);
	}
}

static void
index_call(struct transcript *t, struct str call, const char *name)
{
	const char *const names[] = { "toolCallId", name };
	struct str v[2];

	json_map_get_many(&t->map, call, names, v, 2);
	index_tool(t, SLOT_CALL, json_text(v[0], &t->scratch[0]),
		   json_text(v[1], &t->scratch[1]));
}

/* Adds a text and marks of the media beside it. */
static void
add_with_marks(struct str text, struct str media, struct buf *out)
{
	struct json_iter it = json_iterate(media);
	size_t from = out->len;
	struct str item, type;

	json_decode(text, out);
	while (next_object(&it, &item)) {
		type = json_get(item, "mimeType");
		if (json_kind(type) == JSON_STRING)
			blocks_add_mark(type, out->len > from, out);
	}
}

static void
add_message(struct str data, struct buf *out)
{
	static const char *const names[] = { "content", "attachments" };
	struct str v[2];

	json_get_many(data, names, v, 2);
	add_with_marks(v[0], v[1], out);
}

static void
index_user(struct transcript *t, struct str data)
{
	static const char *const names[] = { "isAutopilotContinuation",
					     "source" };
	struct buf *text = &t->scratch[0];
	struct str v[2];
	bool context;

	json_get_many(data, names, v, 2);
	buf_reset(text);
	add_message(data, text);
	context = json_is_true(v[0]) ||
		  (json_kind(v[1]) == JSON_STRING && v[1].n > 2 &&
		   !json_string_is(v[1], "user")) ||
		  str_starts(buf_str(text), STR("<context_window>"));
	index_text(t, context ? ROLE_CONTEXT : ROLE_USER, text->len == 0);
}

static void
index_assistant(struct transcript *t, struct str data)
{
	static const char *const names[] = { "content", "toolRequests" };
	struct json_iter it;
	struct str v[2], call;

	json_map_get_many(&t->map, data, names, v, 2);
	index_text(t, ROLE_ASSISTANT,
		   json_kind(v[0]) != JSON_STRING || v[0].n == 2);
	it = json_map_iterate(&t->map, v[1]);
	while (next_object(&it, &call))
		index_call(t, call, "name");
}

static bool
begin_record(struct transcript *t, struct str id)
{
	struct str none = { NULL, 0 };

	return index_record(t, json_kind(id) == JSON_STRING
				       ? json_text(id, &t->scratch[0])
				       : none);
}

static bool
copilot_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str v[COUNT], data;
	unsigned kind;

	json_map_get_many(&t->map, record, members, v, COUNT);
	data = v[DATA];
	kind = classify(&t->map, v);
	if (!begin_record(t, v[ID]))
		return true;
	switch (kind) {
	case USER:
		index_user(t, data);
		break;
	case ASSISTANT:
		index_assistant(t, data);
		break;
	case COMMAND:
		index_call(t, data, "toolName");
		break;
	case RESULT:
		index_tool(t, SLOT_RESULT,
			   json_text(json_map_get(&t->map, data, "toolCallId"),
				     &t->scratch[0]),
			   STR(""));
		break;
	case SUMMARY:
		if (json_is_true(json_get(data, "success")))
			index_boundary(t, number, 0);
		__attribute__((fallthrough));
	case CONTENT:
	case HANDOFF:
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	case CLEARED:
		index_boundary(t, number, 0);
		break;
	case REWIND:
		index_rewind(t, data);
		break;
	}
	return true;
}

/* Everything, but for what was rewound. */
static void
copilot_branch(struct transcript *t, uint32_t leaf)
{
	const struct copilot *copilot = t->host;
	int32_t *begun = xcalloc(t->n_records + 1, sizeof(*begun));
	int32_t open = 0;

	(void)leaf;
	for (size_t i = 0; i < copilot->n; i++) {
		begun[copilot->retired[i].first]++;
		begun[copilot->retired[i].end]--;
	}
	for (size_t i = 0; i < t->n_records; i++) {
		open += begun[i];
		if (open == 0)
			t->records[i].flags |= RECORD_BRANCH;
	}
	index_mark_slots(t);
	free(begun);
}

/* ---- facts ------------------------------------------------------------- */

/* What is known of a record is its kind. */
static unsigned
copilot_parts(const struct transcript *t, uint32_t number, struct str record,
	      decoder_add_part *add, void *ctx)
{
	struct str v[COUNT], call;
	struct json_iter it;
	unsigned kind;

	(void)t;
	(void)number;
	json_get_many(record, members, v, COUNT);
	kind = classify(NULL, v);
	add(ctx, v[DATA], STR(""));
	if (kind != ASSISTANT)
		return kind;
	it = json_iterate(json_get(v[DATA], "toolRequests"));
	while (next_object(&it, &call))
		add(ctx, call, STR(""));
	return kind;
}

static void
add_result(struct str data, struct buf *out)
{
	static const char *const names[] = { "content", "binaryResultsForLlm" };
	struct str v[2];

	json_get_many(json_get(data, "result"), names, v, 2);
	if (json_kind(v[0]) != JSON_STRING)
		v[0] = json_get(json_get(data, "error"), "message");
	add_with_marks(v[0], v[1], out);
}

static void
copilot_text(const struct part *part, struct buf *out)
{
	struct str text;

	switch (part->known) {
	case USER:
		add_message(part->span, out);
		break;
	case RESULT:
		add_result(part->span, out);
		break;
	case SUMMARY:
		json_decode(json_get(part->span, "summaryContent"), out);
		break;
	case HANDOFF:
		text = json_get(part->span, "summary");
		json_decode(json_kind(text) == JSON_STRING
				    ? text
				    : json_get(part->span, "context"),
			    out);
		break;
	default:
		json_decode(json_get(part->span, "content"), out);
	}
}

static void
copilot_call(const struct part *part, struct call_facts *out)
{
	decoder_read_call(part->span,
			  part->known == COMMAND ? "toolName" : "name",
			  "arguments", out);
}

/* The path in the first line of a text that the client cut. */
static struct str
saved_to(struct str text)
{
	static const char begin[] = "Output too large to read at once (",
			  middle[] = "). Saved to: ";
	const char *at;

	text = str_until(text, '\n');
	if (!str_starts(text, str_of(begin)))
		return STR("");
	at = memmem(text.s, text.n, middle, sizeof(middle) - 1);
	return at == NULL ? STR("")
			  : str_from(text, (size_t)(at - text.s) +
						   sizeof(middle) - 1);
}

static void
copilot_result(const struct part *part, struct result_facts *out)
{
	static const char *const names[] = { "success", "shellExecution",
					     "toolTelemetry" };
	struct buf text = BUF_INIT;
	struct str v[3], code;
	int64_t status;

	json_get_many(part->span, names, v, 3);
	code = json_get(v[1], "exitCode");
	if ((json_kind(v[0]) == JSON_BOOLEAN && !json_is_true(v[0])) ||
	    (json_kind(code) == JSON_NUMBER &&
	     (!json_to_integer(code, &status) || status != 0)))
		out->status = TOOL_ERROR;
	out->truncated = json_string_is(
		json_get(json_get(v[2], "properties"), "largeOutputHandled"),
		"true");
	if (out->truncated) {
		add_result(part->span, &text);
		buf_add_str(&out->path, saved_to(buf_str(&text)));
	}
	buf_release(&text);
}

/* A fork is a copy with its own id, and the same ids of records. */
static void
copilot_identity(struct str record, struct buf *out)
{
	json_decode(json_get(record, "id"), out);
}

const struct decoder copilot_decoder = {
	.recognises = copilot_recognises,
	.file_name = copilot_file_name,
	/* No session_id: a fork's first record may be another's. */
	.directory = copilot_directory,
	.begin = copilot_begin,
	.end = copilot_end,
	.index = copilot_index,
	.branch = copilot_branch,
	.parts = copilot_parts,
	.text = copilot_text,
	.call = copilot_call,
	.result = copilot_result,
	.identity = copilot_identity,
};
