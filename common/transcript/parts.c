#include "transcript/parts.h"

#include <string.h>

#include "transcript/blocks.h"

#define FILES_BEGIN "\n--- Content from referenced files ---"
#define FILES_END "\n--- End of content ---"

struct piece {
	struct str text;  /* raw; s NULL: it has none */
	struct str media; /* type of a picture or a document, raw; likewise */
};

static struct piece
read_part(struct str part)
{
	static const char *const names[] = { "text", "thought", "inlineData",
					     "fileData" };
	struct piece piece = { { NULL, 0 }, { NULL, 0 } };
	struct str v[4];

	if (json_kind(part) == JSON_STRING) {
		piece.text = part;
		return piece;
	}
	json_get_many(part, names, v, 4);
	if (json_kind(v[0]) == JSON_STRING && !json_is_true(v[1]))
		piece.text = v[0];
	for (int i = 2; i < 4 && piece.media.s == NULL; i++) {
		struct str type = json_get(v[i], "mimeType");

		if (json_kind(type) == JSON_STRING)
			piece.media = type;
	}
	return piece;
}

/* What a text says without what hooks put in; false: it is nothing else. */
static bool
without_hooks(struct str *text, const struct parts_hooks *hooks)
{
	struct str rest = *text;

	if (elements_only(*text, &hooks->alone))
		return false;
	while (elements_skip(&rest, &hooks->first) &&
	       str_starts(rest, STR("\n\n"))) {
		rest = str_from(rest, 2);
		*text = rest;
	}
	return true;
}

/* Adds a text; hooks as in parts_text().  False: it was left out. */
static bool
add_text(struct str raw, const struct parts_hooks *hooks, bool *any,
	 struct buf *out)
{
	struct buf scratch = BUF_INIT;
	struct str text = json_text(raw, &scratch);
	bool kept = hooks == NULL || without_hooks(&text, hooks);

	if (kept) {
		if (*any)
			buf_addc(out, '\n');
		*any = true;
		buf_add_str(out, text);
	}
	buf_release(&scratch);
	return kept;
}

bool
parts_text(struct str content, const struct parts_hooks *hooks, struct buf *out)
{
	struct json_iter it = json_iterate(content);
	bool any = false, dropped = false, files = false;
	struct str part;

	if (json_kind(content) == JSON_STRING)
		return add_text(content, hooks, &any, out);
	while (json_next_element(&it, &part)) {
		struct piece piece = read_part(part);

		if (piece.text.s != NULL && files) {
			if (json_string_is(piece.text, FILES_END))
				files = false;
		} else if (piece.text.s != NULL) {
			if (json_string_is(piece.text, FILES_BEGIN))
				files = true;
			else if (!add_text(piece.text, hooks, &any, out))
				dropped = true;
		}
		if (piece.media.s != NULL) {
			blocks_add_mark(piece.media, any, out);
			any = true;
		}
	}
	return any || !dropped;
}

bool
parts_has_any(struct str content)
{
	static const char *const names[] = { "text", "inlineData", "fileData" };
	struct json_iter it = json_iterate(content);
	struct str part, v[3];

	while (json_next_element(&it, &part)) {
		json_get_many(part, names, v, 3);
		if (json_kind(v[0]) == JSON_STRING ||
		    json_kind(v[1]) == JSON_OBJECT ||
		    json_kind(v[2]) == JSON_OBJECT)
			return true;
	}
	return false;
}

void
parts_add_marks(struct str array, size_t from, struct buf *out)
{
	struct json_iter it = json_iterate(array);
	struct str part;

	while (json_next_element(&it, &part)) {
		struct piece piece = read_part(part);

		if (piece.media.s != NULL)
			blocks_add_mark(piece.media, out->len > from, out);
	}
}

void
parts_response_text(struct str response, struct buf *out)
{
	static const char *const names[] = { "output", "error" };
	size_t from = out->len;
	struct str v[2];

	json_get_many(json_get(response, "response"), names, v, 2);
	json_decode(json_kind(v[0]) == JSON_STRING ? v[0] : v[1], out);
	parts_add_marks(json_get(response, "parts"), from, out);
}

/* ---- what a result tells ----------------------------------------------- */

#define EXIT_CODE "Exit Code: "
#define EXIT_LINES 10

/* Whether a line says that a command ended with another status than 0. */
static bool
is_failure(struct str line)
{
	bool other = false;
	size_t i = sizeof(EXIT_CODE) - 1;

	if (!str_starts(line, STR(EXIT_CODE)) || i == line.n)
		return false;
	if (line.s[i] == '-' && i + 1 < line.n)
		i++;
	for (; i < line.n; i++) {
		if (line.s[i] < '0' || line.s[i] > '9')
			return false;
		other = other || line.s[i] != '0';
	}
	return other;
}

static bool
command_failed(struct str text)
{
	size_t end = text.n;

	for (unsigned lines = 0; lines < EXIT_LINES; lines++) {
		const char *at = end == 0 ? NULL : memrchr(text.s, '\n', end);
		size_t begin = at == NULL ? 0 : (size_t)(at - text.s) + 1;
		struct str line = { text.s + begin, end - begin };

		if (is_failure(line))
			return true;
		if (begin == 0)
			break;
		end = begin - 1;
	}
	return false;
}

/* The path behind the beginning, up to the end of its line; or empty. */
static struct str
path_behind(struct str text, const char *beginning)
{
	struct str line;
	size_t i = 0;

	for (const char *p = beginning; *p != '\0'; p++) {
		size_t start = i;

		if (*p != '#') {
			if (i == text.n || text.s[i] != *p)
				return STR("");
			i++;
			continue;
		}
		while (i < text.n && ((text.s[i] >= '0' && text.s[i] <= '9') ||
				      (text.s[i] == ',' && i > start)))
			i++;
		if (i == start)
			return STR("");
	}
	text = str_from(text, i);
	line = str_until(text, '\n');
	return line.n < text.n ? line : STR("");
}

void
parts_read_result(struct str text, struct str tool, const char *beginning,
		  struct result_facts *out)
{
	struct str path = path_behind(text, beginning);

	if (path.n > 0) {
		out->truncated = true;
		buf_add_str(&out->path, path);
	}
	if (str_is(tool, "run_shell_command") && command_failed(text))
		out->status = TOOL_ERROR;
}
