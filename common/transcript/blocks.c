#include "transcript/blocks.h"

static bool
is_one_of(struct str type, const char *const types[])
{
	if (json_kind(type) != JSON_STRING)
		return false;
	while (*types != NULL)
		if (json_string_is(type, *types++))
			return true;
	return false;
}

/* The text of the next text block that has one, raw; false at the end. */
static bool
next_text(struct json_iter *it, const char *const types[], struct str *text)
{
	static const char *const names[] = { "type", "text" };
	struct str block, v[2];

	while (json_next_element(it, &block)) {
		json_get_many(block, names, v, 2);
		if (json_kind(v[1]) != JSON_STRING || !is_one_of(v[0], types))
			continue;
		*text = v[1];
		return true;
	}
	return false;
}

void
blocks_text(struct str content, const char *const types[], struct buf *out)
{
	struct json_iter it;
	struct str text;

	if (json_kind(content) == JSON_STRING) {
		json_decode(content, out);
		return;
	}
	if (json_kind(content) != JSON_ARRAY)
		return;
	it = json_iterate(content);
	if (!next_text(&it, types, &text))
		return;
	json_decode(text, out);
	while (next_text(&it, types, &text)) {
		buf_addc(out, '\n');
		json_decode(text, out);
	}
}

struct str
blocks_first(struct str content, const char *const types[])
{
	struct str text = { NULL, 0 };
	struct json_iter it;

	if (json_kind(content) == JSON_STRING)
		return content;
	if (json_kind(content) != JSON_ARRAY)
		return text;
	it = json_iterate(content);
	return next_text(&it, types, &text) ? text : (struct str){ NULL, 0 };
}

bool
blocks_empty(struct str content, const char *const types[])
{
	struct json_iter it;
	struct str text;

	if (json_kind(content) == JSON_STRING)
		return content.n == 2;
	if (json_kind(content) != JSON_ARRAY)
		return true;
	it = json_iterate(content);
	if (!next_text(&it, types, &text))
		return true;
	/* Two are joined by a line feed, so only one can be empty. */
	return text.n == 2 && !next_text(&it, types, &text);
}

bool
blocks_next(struct json_iter *it, const char *type, struct str *block)
{
	struct str v;

	while (json_next_element(it, block)) {
		v = json_get(*block, "type");
		if (json_kind(v) == JSON_STRING && json_string_is(v, type))
			return true;
	}
	return false;
}
