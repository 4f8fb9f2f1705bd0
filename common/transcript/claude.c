#include "transcript/claude.h"

#include <stdlib.h>

#include "base/json_span.h"
#include "base/xalloc.h"
#include "transcript/blocks.h"
#include "transcript/claude_branch.h"
#include "transcript/elements.h"
#include "transcript/index.h"

/*
 * A Claude Code transcript is a log of records of many types.  Those with a
 * uuid form a branch; an answer is recorded a block a record, and results come
 * in messages of the user.
 */
enum kind {
	NOTHING, /* takes no slot */
	USER,
	ASSISTANT,
	BOUNDARY /* of a compaction, with a context text */
};

/* Known of a message of the user: what is recorded beside is the result's. */
#define ONE_RESULT 16u

static struct str
claude_media_type(struct str block, struct buf *scratch)
{
	struct str source = json_get(block, "source");

	return json_text(json_get(source, "media_type"), scratch);
}

static const struct blocks_form blocks = {
	.texts = (const char *const[]){ "text", NULL },
	.image = "image",
	.document = "document",
	.media_type = claude_media_type,
};

/* The members of a record that the index is made from. */
enum { TYPE, SUBTYPE, SIDECHAIN, MESSAGE, KIND_COUNT };
enum { UUID = KIND_COUNT, PARENT, LOGICAL, META, SUMMARY, COUNT };

static const char *const members[COUNT] = {
	[TYPE] = "type",
	[SUBTYPE] = "subtype",
	[SIDECHAIN] = "isSidechain",
	[MESSAGE] = "message",
	[UUID] = "uuid",
	[PARENT] = "parentUuid",
	[LOGICAL] = "logicalParentUuid",
	[META] = "isMeta",
	[SUMMARY] = "isCompactSummary",
};

static bool
is_boundary(const struct str v[])
{
	return json_string_is(v[TYPE], "system") &&
	       json_string_is(v[SUBTYPE], "compact_boundary");
}

/* By the first KIND_COUNT members; sidechains take no slots. */
static enum kind
classify(const struct str v[])
{
	if (json_is_true(v[SIDECHAIN]))
		return NOTHING;
	if (json_string_is(v[TYPE], "user"))
		return USER;
	if (json_string_is(v[TYPE], "assistant"))
		return ASSISTANT;
	if (is_boundary(v))
		return BOUNDARY;
	return NOTHING;
}

/* ---- content of a message ---------------------------------------------- */

/* A block that is a call or a result, its members raw. */
struct tool_block {
	struct str span, id, name;
};

/* What t->host points to until the branch is marked. */
struct claude {
	struct claude_branch branch;
	struct tool_block *blocks; /* of the message being indexed */
	size_t n, cap;
};

/* The rest of it. */
struct content {
	bool is_shown;	  /* a string, or has a block that a user sees */
	bool empty;	  /* the block text is */
	struct str first; /* text, raw; an empty span when there is none */
};

static void
add_text(struct content *c, struct str text)
{
	/* Two are joined by a line feed, so only one can be empty. */
	c->empty = c->first.n == 0 && text.n == 2;
	if (c->first.n == 0)
		c->first = text;
}

/* A picture or a document, whose mark begins with a bracket. */
static void
add_mark(struct content *c)
{
	add_text(c, STR("\"[\""));
}

/* Reads it in one walk; tools is the kind of those blocks to keep. */
static struct content
read_content(struct claude *host, struct str content, enum slot_kind tools)
{
	const char *const names[] = { "type", "text", "name",
				      tools == SLOT_CALL ? "id"
							 : "tool_use_id" };
	const char *tool = tools == SLOT_CALL ? "tool_use" : "tool_result";
	struct content c = { .empty = true };
	struct json_iter it = json_iterate(content);
	struct str block, v[4];

	host->n = 0;
	if (json_kind(content) == JSON_STRING) {
		c.is_shown = true;
		add_text(&c, content);
	}
	while (json_next_element(&it, &block)) {
		json_get_many(block, names, v, 4);
		if (json_string_is(v[0], tool)) {
			XGROW(host->blocks, host->n + 1, host->cap);
			host->blocks[host->n++] =
				(struct tool_block){ block, v[3], v[2] };
		} else if (json_string_is(v[0], "text")) {
			c.is_shown = true;
			if (json_kind(v[1]) == JSON_STRING)
				add_text(&c, v[1]);
		} else if (json_string_is(v[0], "image") ||
			   json_string_is(v[0], "document")) {
			c.is_shown = true;
			add_mark(&c);
		}
	}
	return c;
}

/* ---- what a host says in the user's name ------------------------------- */

/* The elements that a host writes; the list is closed. */
static const char *const element_names[] = { "command-name",
					     "command-message",
					     "command-args",
					     "local-command-stdout",
					     "local-command-stderr",
					     "local-command-caveat",
					     "bash-input",
					     "bash-stdout",
					     "bash-stderr",
					     "system-reminder",
					     "task-notification",
					     "ide_opened_file",
					     "ide_selection",
					     "teammate-message",
					     "user-prompt-submit-hook",
					     NULL };

static const struct elements elements = { .names = element_names };

/* Whether a text of the user, all of it, is one that a host put there. */
static bool
is_context(struct str text)
{
	return str_starts(text, STR("<context_window>")) ||
	       str_is(text, "[Request interrupted by user]") ||
	       str_is(text, "[Request interrupted by user for tool use]") ||
	       elements_only(text, &elements);
}

/* Whether it cannot be, as its first text tells, raw; else it is decoded. */
static bool
is_plain(struct str raw)
{
	/* An escape may stand for either; controls are always escaped. */
	return raw.n > 2 && raw.s[1] != '<' && raw.s[1] != '[' &&
	       raw.s[1] != ' ' && raw.s[1] != '\\';
}

/* ---- indexing ---------------------------------------------------------- */

static bool
claude_recognises(struct str first)
{
	return json_kind(json_get(first, "type")) == JSON_STRING;
}

/* The file's name tells: a `sessionId` may be that of another. */
static struct str
claude_session_id(struct str first, struct buf *scratch)
{
	(void)first;
	(void)scratch;
	return STR("");
}

static struct str
claude_directory(struct str record)
{
	return json_get(record, "cwd");
}

static void
claude_begin(struct transcript *t, struct str first)
{
	struct claude *host = xcalloc(1, sizeof(*host));

	(void)first;
	claude_branch_init(&host->branch);
	t->host = host;
}

static void
claude_end(struct transcript *t)
{
	struct claude *host = t->host;

	if (host == NULL)
		return;
	claude_branch_release(&host->branch);
	free(host->blocks);
	free(host);
	t->host = NULL;
}

/*
 * By `parentUuid`, or by what stands for it when it leads nowhere.  A boundary
 * has two of them, in a sidechain as well: the chain may go through one.
 */
static void
index_place(struct transcript *t, const struct str v[])
{
	const struct claude *host = t->host;
	struct buf *scratch = &t->scratch[0];

	switch (json_kind(v[PARENT])) {
	case JSON_STRING:
		index_parent(t, json_text(v[PARENT], scratch),
			     host->branch.last);
		break;
	case JSON_NULL:
		if (is_boundary(v) && json_kind(v[LOGICAL]) == JSON_STRING)
			index_parent(t, json_text(v[LOGICAL], scratch),
				     RECORD_NONE);
		break;
	default:
		index_parent_record(t, host->branch.last);
	}
}

static bool
begin_record(struct transcript *t, const struct str v[])
{
	struct claude *host = t->host;
	struct str none = { NULL, 0 };

	if (json_kind(v[UUID]) != JSON_STRING)
		return index_record(t, none);
	if (!index_record(t, json_text(v[UUID], &t->scratch[0])))
		return false;
	index_place(t, v);
	if (!json_is_true(v[SIDECHAIN]))
		claude_branch_link(&host->branch, t);
	return true;
}

static void
index_tools(struct transcript *t, enum slot_kind kind)
{
	const struct claude *host = t->host;

	for (size_t i = 0; i < host->n; i++) {
		const struct tool_block *b = &host->blocks[i];

		index_tool(t, kind, json_text(b->id, &t->scratch[0]),
			   kind == SLOT_RESULT
				   ? STR("")
				   : json_text(b->name, &t->scratch[1]));
	}
}

static void
index_assistant(struct transcript *t, const struct str v[], struct str message)
{
	static const char *const names[] = { "id", "content" };
	struct claude *host = t->host;
	struct str m[2];

	json_get_many(message, names, m, 2);
	if (json_kind(v[UUID]) == JSON_STRING && json_kind(m[0]) == JSON_STRING)
		claude_branch_answer(&host->branch, t,
				     json_text(m[0], &t->scratch[0]));
	index_text(t, ROLE_ASSISTANT,
		   read_content(host, m[1], SLOT_CALL).empty);
	index_tools(t, SLOT_CALL);
}

static enum role
find_role(struct transcript *t, const struct str v[], struct str content,
	  struct str first)
{
	struct buf *text = &t->scratch[0];

	if (json_is_true(v[META]) || json_is_true(v[SUMMARY]))
		return ROLE_CONTEXT;
	if (first.n == 0 || is_plain(first))
		return ROLE_USER;
	buf_reset(text);
	blocks_text(content, &blocks, text);
	return is_context(buf_str(text)) ? ROLE_CONTEXT : ROLE_USER;
}

static void
index_user(struct transcript *t, const struct str v[], struct str message)
{
	struct str content = json_get(message, "content");
	struct content c = read_content(t->host, content, SLOT_RESULT);

	if (c.is_shown)
		index_text(t, find_role(t, v, content, c.first), c.empty);
	index_tools(t, SLOT_RESULT);
}

static bool
claude_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str v[COUNT];
	enum kind kind;

	json_get_many(record, members, v, COUNT);
	kind = classify(v);
	if (!begin_record(t, v))
		return true;
	switch (kind) {
	case NOTHING:
		break;
	case USER:
		index_user(t, v, v[MESSAGE]);
		break;
	case ASSISTANT:
		index_assistant(t, v, v[MESSAGE]);
		break;
	case BOUNDARY:
		index_boundary(t, number, 0);
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	}
	return true;
}

static void
claude_branch(struct transcript *t, uint32_t leaf)
{
	const struct claude *host = t->host;

	claude_branch_mark(&host->branch, t, leaf);
	claude_end(t);
}

/* ---- facts ------------------------------------------------------------- */

/*
 * What an own slot is decoded from is the content itself, which is never an
 * object; what a result is decoded from always is.
 */
static struct str
own_span(struct str content)
{
	enum json_kind kind = json_kind(content);

	return kind == JSON_STRING || kind == JSON_ARRAY ? content : STR("");
}

/* What is known of a record is its kind, and ONE_RESULT. */
static unsigned
claude_parts(const struct transcript *t, uint32_t number, struct str record,
	     decoder_add_part *add, void *ctx)
{
	struct str v[KIND_COUNT], content;
	struct claude found = { 0 };
	enum slot_kind tools;
	struct content c;
	unsigned known;
	enum kind kind;

	(void)number;
	(void)t;
	json_get_many(record, members, v, KIND_COUNT);
	kind = classify(v);
	known = kind;
	if (kind == BOUNDARY)
		add(ctx, record, STR(""));
	if (kind != USER && kind != ASSISTANT)
		return known;
	content = json_get(v[MESSAGE], "content");
	tools = kind == USER ? SLOT_RESULT : SLOT_CALL;
	c = read_content(&found, content, tools);
	if (kind == ASSISTANT || c.is_shown)
		add(ctx, own_span(content), STR(""));
	for (size_t i = 0; i < found.n; i++)
		add(ctx, found.blocks[i].span, STR(""));
	if (kind == USER && found.n == 1)
		known |= ONE_RESULT;
	free(found.blocks);
	return known;
}

static void
claude_text(const struct part *part, struct buf *out)
{
	if (part->known == BOUNDARY)
		json_decode(json_get(part->span, "content"), out);
	else if (json_kind(part->span) == JSON_OBJECT)
		blocks_text(json_get(part->span, "content"), &blocks, out);
	else
		blocks_text(part->span, &blocks, out);
}

static void
claude_call(const struct part *part, struct call_facts *out)
{
	static const char *const names[] = { "name", "input" };
	struct str v[2];

	json_get_many(part->span, names, v, 2);
	json_decode(v[0], &out->name);
	if (json_kind(v[1]) != JSON_NONE)
		json_canonical(v[1], &out->arguments);
}

static void
claude_result(const struct part *part, struct result_facts *out)
{
	if (json_is_true(json_get(part->span, "is_error")))
		out->status = TOOL_ERROR;
	if ((part->known & ONE_RESULT) == 0)
		return;
	json_decode(json_get(json_get(part->record, "toolUseResult"),
			     "persistedOutputPath"),
		    &out->path);
	out->truncated = out->path.len > 0;
}

const struct decoder claude_decoder = {
	.has_ids = true,
	.recognises = claude_recognises,
	.any = true,
	.session_id = claude_session_id,
	.directory = claude_directory,
	.later = true,
	.begin = claude_begin,
	.end = claude_end,
	.index = claude_index,
	.branch = claude_branch,
	.parts = claude_parts,
	.text = claude_text,
	.call = claude_call,
	.result = claude_result,
};
