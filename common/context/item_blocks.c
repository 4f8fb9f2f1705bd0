#include "context/item_blocks.h"

#include "base/json_span.h"
#include "base/xalloc.h"

bool
item_blocks_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] != ' ' && (s.s[i] < '\t' || s.s[i] > '\r'))
			return false;
	return true;
}

void
item_blocks_decode(struct str value, struct buf *out)
{
	if (json_kind(value) == JSON_STRING)
		json_decode(value, out);
}

/* ---- tools ------------------------------------------------------------- */

struct item_call *
item_blocks_call(struct item *item)
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

void
item_blocks_finish(struct item_call *call, struct str space)
{
	if (call->name.len == 0)
		buf_adds(&call->name, "unknown");
	item_blocks_decode(space, &call->space);
}

/* ---- blocks ------------------------------------------------------------ */

static void
add_call_block(struct item *item, struct str name, struct str arguments,
	       struct str space)
{
	struct item_call *call = item_blocks_call(item);

	item_blocks_decode(name, &call->name);
	item_blocks_finish(call, space);
	buf_adds(&item->content, "[tool_call ");
	buf_add_str(&item->content, buf_str(&call->name));
	buf_adds(&item->content, "] ");
	if (json_kind(arguments) == JSON_NONE)
		buf_adds(&item->content, "{}");
	else
		json_canonical(arguments, &item->content);
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
void
item_blocks_content(struct item *item, struct str content, bool nested)
{
	struct buf *out = &item->content;
	struct json_iter it = json_iterate(content);
	size_t start = out->len, before;
	struct str block;

	item_blocks_decode(content, out);
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

void
item_blocks_result(struct item *item, struct str content)
{
	size_t before = item->content.len;

	item_blocks_content(item, content, true);
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
		item_blocks_decode(v[TEXT], &item->content);
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
			item_blocks_result(item, v[CONTENT]);
		break;
	case BLOCK_IMAGE:
		buf_adds(&item->content, "[image omitted]");
		break;
	case BLOCK_OTHER:
		buf_addc(&item->content, '[');
		item_blocks_decode(v[TYPE], &item->content);
		buf_adds(&item->content, " block omitted]");
		break;
	}
}
/* NOLINTEND(misc-no-recursion) */
