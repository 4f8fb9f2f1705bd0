#include "transcript/blocks.h"

#define IMAGE "[image"
#define DOCUMENT "[document"

const char *const blocks_marks[] = { IMAGE, DOCUMENT, NULL };

/* What a block is to a text. */
struct piece {
	struct str text;  /* raw; s NULL: it is none */
	const char *mark; /* of a picture or a document; or NULL */
};

static struct piece
read_piece(const struct json_map *map, struct str block,
	   const struct blocks_form *form)
{
	static const char *const names[] = { "type", "text" };
	struct str v[2];

	json_map_get_many(map, block, names, v, 2);
	for (const char *const *type = form->texts; *type != NULL; type++)
		if (json_kind(v[1]) == JSON_STRING &&
		    json_string_is(v[0], *type))
			return (struct piece){ .text = v[1] };
	if (form->image != NULL && json_string_is(v[0], form->image))
		return (struct piece){ .mark = IMAGE };
	if (form->document != NULL && json_string_is(v[0], form->document))
		return (struct piece){ .mark = DOCUMENT };
	return (struct piece){ .mark = NULL };
}

/* The next block that adds to a text; false at the end. */
static bool
next_piece(struct json_iter *it, const struct blocks_form *form,
	   struct piece *piece)
{
	struct str block;

	while (json_next_element(it, &block)) {
		*piece = read_piece(it->map, block, form);
		if (piece->text.s != NULL || piece->mark != NULL)
			return true;
	}
	return false;
}

/* Whether it is of the form a/b, of the characters that such names have. */
static bool
is_media_type(struct str s)
{
	size_t slashes = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i];

		if (c == '/' && i > 0 && i + 1 < s.n)
			slashes++;
		else if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
			 (c < '0' || c > '9') &&
			 (c == '\0' || strchr("!#$&^_.+-", c) == NULL))
			return false;
	}
	return slashes == 1;
}

static void
add_mark(const char *mark, struct str type, struct buf *out)
{
	buf_adds(out, mark);
	if (is_media_type(type)) {
		buf_addc(out, ' ');
		buf_add_str(out, type);
	}
	buf_addc(out, ']');
}

void
blocks_add_mark(struct str type, bool after, struct buf *out)
{
	struct buf scratch = BUF_INIT;
	struct str text = json_text(type, &scratch);

	if (after)
		buf_addc(out, '\n');
	add_mark(str_starts(text, STR("image/")) ? IMAGE : DOCUMENT, text, out);
	buf_release(&scratch);
}

void
blocks_add(struct str block, const struct blocks_form *form, bool *any,
	   struct buf *out)
{
	struct piece piece = read_piece(NULL, block, form);
	struct buf scratch = BUF_INIT;

	if (piece.text.s == NULL && piece.mark == NULL)
		return;
	if (*any)
		buf_addc(out, '\n');
	*any = true;
	if (piece.mark == NULL) {
		json_decode(piece.text, out);
		return;
	}
	add_mark(piece.mark, form->media_type(block, &scratch), out);
	buf_release(&scratch);
}

void
blocks_text(struct str content, const struct blocks_form *form, struct buf *out)
{
	struct json_iter it = json_iterate(content);
	struct str block;
	bool any = false;

	if (json_kind(content) == JSON_STRING)
		json_decode(content, out);
	while (json_next_element(&it, &block))
		blocks_add(block, form, &any, out);
}

struct str
blocks_first(const struct json_map *map, struct str content,
	     const struct blocks_form *form)
{
	struct json_iter it = json_map_iterate(map, content);
	struct piece piece;

	if (json_kind(content) == JSON_STRING)
		return content;
	if (!next_piece(&it, form, &piece))
		return (struct str){ NULL, 0 };
	return piece.mark != NULL ? STR("\"[\"") : piece.text;
}

bool
blocks_empty(const struct json_map *map, struct str content,
	     const struct blocks_form *form)
{
	struct json_iter it = json_map_iterate(map, content);
	struct piece piece;

	if (json_kind(content) == JSON_STRING)
		return content.n == 2;
	if (!next_piece(&it, form, &piece))
		return true;
	/* Two are joined by a line feed, so only one can be empty. */
	return piece.mark == NULL && piece.text.n == 2 &&
	       !next_piece(&it, form, &piece);
}

bool
blocks_next(struct json_iter *it, const char *type, struct str *block)
{
	while (json_next_element(it, block))
		if (json_string_is(json_map_get(it->map, *block, "type"), type))
			return true;
	return false;
}
