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
	BOUNDARY, /* of a compaction, with a context text */
	COMMAND,  /* of the person's, with a context text as well */
	QUEUED,	  /* words that were typed while the host was at work */
	ABSORBED  /* the same, of which nothing else may tell */
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
classify(const struct transcript *t, struct str record, const struct str v[])
{
	static const char *const names[] = { "operation", "reason" };
	struct str w[2];

	if (json_is_true(v[SIDECHAIN]) && !t->agent)
		return NOTHING;
	if (json_string_is(v[TYPE], "user"))
		return USER;
	if (json_string_is(v[TYPE], "assistant"))
		return ASSISTANT;
	if (is_boundary(v))
		return BOUNDARY;
	if (json_string_is(v[TYPE], "system"))
		return json_string_is(v[SUBTYPE], "local_command") ? COMMAND
								   : NOTHING;
	if (json_string_is(v[TYPE], "attachment"))
		return json_string_is(
			       json_get(json_get(record, "attachment"), "type"),
			       "queued_command")
			       ? QUEUED
			       : NOTHING;
	if (!json_string_is(v[TYPE], "queue-operation"))
		return NOTHING;
	json_get_many(record, names, w, 2);
	return json_string_is(w[0], "remove") &&
			       json_string_is(w[1], "absorbed_mid_turn")
		       ? ABSORBED
		       : NOTHING;
}

/* ---- content of a message ---------------------------------------------- */

/* A block that is a call or a result, its members raw. */
struct tool_block {
	struct str span, id, name;
};

/*
 * Words that were absorbed in the middle of a turn, as the queue tells.  Mostly
 * a queued command or a message of the user's says the same: hashes, 0 of what
 * is not recorded.
 */
struct absorbed {
	uint32_t record;
	uint64_t command, text;
};

/* A text of a message of the user's, and the last record that has it. */
struct said {
	uint64_t text; /* first, for hash_find() */
	uint32_t record;
};

struct queue {
	struct absorbed *absorbed;
	size_t n, cap;
	/* Of queued commands: what they come from, and their texts. */
	struct hash_set sources, texts, texts_of_nothing;
	/* Of the user's behind the first that was absorbed. */
	struct said *said;
	struct hash_table said_texts;
	size_t n_said, cap_said;
};

/* What t->host points to until the branch is marked. */
struct claude {
	struct claude_branch branch;
	struct queue queue;
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
read_content(struct claude *host, const struct json_map *map,
	     struct str content, enum slot_kind tools)
{
	const char *const names[] = { "type", "text", "name",
				      tools == SLOT_CALL ? "id"
							 : "tool_use_id" };
	const char *tool = tools == SLOT_CALL ? "tool_use" : "tool_result";
	struct content c = { .empty = true };
	struct json_iter it = json_map_iterate(map, content);
	struct str block, v[4];

	host->n = 0;
	if (json_kind(content) == JSON_STRING) {
		c.is_shown = true;
		add_text(&c, content);
	}
	while (json_next_element(&it, &block)) {
		json_map_get_many(map, block, names, v, 4);
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

static void
claude_identity(struct str record, struct buf *out)
{
	json_decode(json_get(record, "uuid"), out);
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
	free(host->queue.absorbed);
	hash_set_release(&host->queue.sources);
	hash_set_release(&host->queue.texts);
	hash_set_release(&host->queue.texts_of_nothing);
	free(host->queue.said);
	hash_table_release(&host->queue.said_texts);
	free(host->blocks);
	free(host);
	t->host = NULL;
}

/* Where it hangs; a boundary in a sidechain, too: the chain may go through. */
static void
index_place(struct transcript *t, struct str record, const struct str v[])
{
	static const char *const names[] = { "tailUuid", "anchorUuid" };
	struct claude *host = t->host;
	struct claude_boundary boundary = { .logical = v[LOGICAL] };
	struct str segment, w[2];

	if (!is_boundary(v)) {
		claude_branch_place(&host->branch, t, v[PARENT], NULL);
		return;
	}
	segment = json_get(json_get(record, "compactMetadata"),
			   "preservedSegment");
	json_get_many(segment, names, w, 2);
	boundary.keeps = json_kind(segment) == JSON_OBJECT;
	boundary.tail = w[0];
	boundary.anchor = w[1];
	claude_branch_place(&host->branch, t, v[PARENT], &boundary);
}

static bool
begin_record(struct transcript *t, struct str record, const struct str v[])
{
	struct claude *host = t->host;
	struct str none = { NULL, 0 };

	if (json_kind(v[UUID]) != JSON_STRING)
		return index_record(t, none);
	if (!index_record(t, json_text(v[UUID], &t->scratch[0])))
		return false;
	index_place(t, record, v);
	if (json_is_true(v[SIDECHAIN]) && !t->agent)
		index_no_leaf(t);
	else
		claude_branch_link(&host->branch, t);
	return true;
}

static void
set_flags(struct transcript *t, uint32_t flags)
{
	t->records[t->n_records - 1].flags |= flags;
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
	struct str m[2], id;

	json_map_get_many(&t->map, message, names, m, 2);
	id = json_text(m[0], &t->scratch[0]);
	if (json_kind(v[UUID]) == JSON_STRING && id.n > 0)
		claude_branch_answer(&host->branch, t, id);
	set_flags(t, CLAUDE_ASSISTANT);
	index_text(t, ROLE_ASSISTANT,
		   read_content(host, &t->map, m[1], SLOT_CALL).empty);
	index_tools(t, SLOT_CALL);
}

/* first is the text that the content begins with, raw; or empty. */
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

static uint64_t
hash_text(struct transcript *t, struct str content)
{
	struct buf *text = &t->scratch[0];

	buf_reset(text);
	blocks_text(content, &blocks, text);
	return transcript_hash(t, buf_str(text));
}

/* What the user says behind words that were absorbed may be those. */
static void
note_said(struct transcript *t, struct queue *q, struct str content)
{
	struct said said = { .record = (uint32_t)t->n_records - 1 };
	uint32_t known;

	if (q->n == 0)
		return;
	said.text = hash_text(t, content);
	known = hash_find(&q->said_texts, said.text, q->said, sizeof(said));
	if (known != HASH_NONE) {
		q->said[known] = said;
		return;
	}
	XGROW(q->said, q->n_said + 1, q->cap_said);
	q->said[q->n_said] = said;
	hash_add(&q->said_texts, (uint32_t)q->n_said++, q->said, sizeof(said));
}

static void
index_user(struct transcript *t, const struct str v[], struct str message)
{
	struct claude *host = t->host;
	struct str content = json_map_get(&t->map, message, "content");
	struct content c = read_content(host, &t->map, content, SLOT_RESULT);

	set_flags(t, CLAUDE_USER | (c.is_shown ? CLAUDE_TEXT : 0u));
	if (c.is_shown) {
		note_said(t, &host->queue, content);
		index_text(t, find_role(t, v, content, c.first), c.empty);
	}
	index_tools(t, SLOT_RESULT);
}

/* What was typed while the host was at work, and given to it then. */
static void
index_queued(struct transcript *t, struct str record, const struct str v[])
{
	static const char *const names[] = { "prompt", "commandMode",
					     "source_uuid" };
	struct claude *host = t->host;
	struct queue *q = &host->queue;
	enum role role = ROLE_CONTEXT;
	struct str w[3], source;
	uint64_t text;

	json_get_many(json_get(record, "attachment"), names, w, 3);
	source = json_text(w[2], &t->scratch[0]);
	if (source.n > 0)
		hash_set_add(&q->sources, transcript_hash(t, source));
	text = hash_text(t, w[0]);
	hash_set_add(&q->texts, text);
	if (source.n == 0)
		hash_set_add(&q->texts_of_nothing, text);
	if (json_kind(w[1]) != JSON_STRING || json_string_is(w[1], "prompt"))
		role = find_role(t, v, w[0],
				 blocks_first(&t->map, w[0], &blocks));
	index_text(t, role, blocks_empty(&t->map, w[0], &blocks));
	if (json_kind(v[UUID]) != JSON_STRING)
		claude_branch_loose(&host->branch, t);
}

static void
index_absorbed(struct transcript *t, struct str record, const struct str v[])
{
	static const char *const names[] = { "content", "commandUuid" };
	struct claude *host = t->host;
	struct queue *q = &host->queue;
	struct absorbed absorbed = { .record = (uint32_t)t->n_records - 1 };
	struct str w[2], command;

	json_get_many(record, names, w, 2);
	command = json_text(w[1], &t->scratch[0]);
	if (command.n > 0)
		absorbed.command = transcript_hash(t, command);
	absorbed.text = hash_text(t, w[0]);
	XGROW(q->absorbed, q->n + 1, q->cap);
	q->absorbed[q->n++] = absorbed;
	index_text(t,
		   find_role(t, v, w[0], blocks_first(&t->map, w[0], &blocks)),
		   blocks_empty(&t->map, w[0], &blocks));
	if (json_kind(v[UUID]) != JSON_STRING)
		claude_branch_loose(&host->branch, t);
}

static bool
claude_index(struct transcript *t, struct str record, uint64_t number)
{
	struct str v[COUNT];
	enum kind kind;

	json_map_get_many(&t->map, record, members, v, COUNT);
	kind = classify(t, record, v);
	if (!begin_record(t, record, v))
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
		__attribute__((fallthrough));
	case COMMAND:
		/* Whether a context text is empty matters to nobody. */
		index_text(t, ROLE_CONTEXT, false);
		break;
	case QUEUED:
		index_queued(t, record, v);
		break;
	case ABSORBED:
		index_absorbed(t, record, v);
		break;
	}
	return true;
}

static bool
is_mirrored(const struct queue *q, const struct absorbed *a)
{
	uint32_t said = hash_find(&q->said_texts, a->text, q->said,
				  sizeof(*q->said));

	if (a->command != 0 && hash_set_has(&q->sources, a->command))
		return true;
	if (hash_set_has(a->command != 0 ? &q->texts_of_nothing : &q->texts,
			 a->text))
		return true;
	return said != HASH_NONE && q->said[said].record > a->record;
}

static void
claude_branch(struct transcript *t, uint32_t leaf)
{
	const struct claude *host = t->host;

	claude_branch_mark(&host->branch, t, leaf);
	for (size_t i = 0; i < host->queue.n; i++) {
		const struct absorbed *a = &host->queue.absorbed[i];

		if (is_mirrored(&host->queue, a))
			t->slots[t->records[a->record].seq - 1].flags |=
				SLOT_MIRROR;
	}
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
	json_get_many(record, members, v, KIND_COUNT);
	kind = classify(t, record, v);
	known = kind;
	if (kind == BOUNDARY || kind == COMMAND)
		add(ctx, record, STR(""));
	else if (kind == ABSORBED)
		add(ctx, own_span(json_get(record, "content")), STR(""));
	else if (kind == QUEUED)
		add(ctx,
		    own_span(
			    json_get(json_get(record, "attachment"), "prompt")),
		    STR(""));
	if (kind != USER && kind != ASSISTANT)
		return known;
	content = json_get(v[MESSAGE], "content");
	tools = kind == USER ? SLOT_RESULT : SLOT_CALL;
	c = read_content(&found, NULL, content, tools);
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
	if (part->known == BOUNDARY || part->known == COMMAND)
		json_decode(json_get(part->span, "content"), out);
	else if (json_kind(part->span) == JSON_OBJECT)
		blocks_text(json_get(part->span, "content"), &blocks, out);
	else
		blocks_text(part->span, &blocks, out);
}

static void
claude_call(const struct part *part, struct call_facts *out)
{
	decoder_read_call(part->span, "name", "input", out);
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

/* What the user called it, else what the host did. */
static struct str
title(struct str record, unsigned *rank)
{
	static const struct {
		const char *type, *member;
	} named[] = { { "summary", "summary" },
		      { "ai-title", "aiTitle" },
		      { "custom-title", "customTitle" } };
	struct str type = json_get(record, "type");

	for (unsigned i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		*rank = i;
		if (json_string_is(type, named[i].type))
			return json_get(record, named[i].member);
	}
	return (struct str){ NULL, 0 };
}

static const char *const title_words[] = { "summary", "aiTitle", "customTitle",
					   NULL };

const struct decoder claude_decoder = {
	.title = title,
	.title_words = title_words,
	.has_ids = true,
	.recognises = claude_recognises,
	.any = true,
	/* No session_id: a `sessionId` may be that of another file. */
	.identity = claude_identity,
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
