#include "lessons/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "lessons/wording.h"

/* One reading, line by line. */
struct reader {
	struct markdown *m;
	const struct limits *limits;
	struct buf item;    /* the item that is open */
	size_t line, start; /* of the text, and where the item begins */
	bool open, crlf;
};

void
markdown_init(struct markdown *m)
{
	*m = (struct markdown){ .errors = BUF_INIT };
}

void
markdown_release(struct markdown *m)
{
	keep_release(&m->keep);
	free(m->items);
	buf_release(&m->errors);
}

static void
error(struct reader *r, size_t line, const char *what)
{
	if (r->m->errors_n++ < MARKDOWN_ERRORS)
		buf_addf(&r->m->errors, "%sline %zu: %s",
			 r->m->errors.len == 0 ? "" : "; ", line, what);
}

static void
close_item(struct reader *r)
{
	struct markdown *m = r->m;
	struct fail fail = FAIL_INIT;
	struct str text;

	if (!r->open)
		return;
	r->open = false;
	while (r->item.len > 0 && (r->item.data[r->item.len - 1] == '\n' ||
				   r->item.data[r->item.len - 1] == '\r'))
		buf_truncate(&r->item, r->item.len - 1);
	if (wording_check("text", buf_str(&r->item), WORDING_TEXT, &text,
			  &fail) != 0 ||
	    wording_check_words("text", text, r->limits->lesson_words, &fail) !=
		    0) {
		error(r, r->start, fail.message.data);
	} else if (m->n == MARKDOWN_ITEMS_MAX) {
		error(r, r->start, "more than 500 items");
	} else {
		XGROW(m->items, m->n + 1, m->cap);
		m->items[m->n++] = keep_str(&m->keep, text);
	}
	fail_release(&fail);
}

/* Bytes of a bullet or a number with the blank behind it; 0: none. */
static size_t
marker(struct str line)
{
	size_t i = 0;

	if (line.n >= 2 && strchr("-*+", line.s[0]) != NULL &&
	    line.s[0] != '\0' && line.s[1] == ' ')
		return 2;
	while (i < line.n && line.s[i] >= '0' && line.s[i] <= '9')
		i++;
	if (i > 0 && i + 1 < line.n && (line.s[i] == '.' || line.s[i] == ')') &&
	    line.s[i + 1] == ' ')
		return i + 2;
	return 0;
}

static bool
is_blank(struct str line)
{
	return wording_trim(line).n == 0;
}

static void
take_line(struct reader *r, struct str line)
{
	size_t n = marker(line);

	if (n > 0) {
		close_item(r);
		r->open = true;
		r->start = r->line;
		buf_reset(&r->item);
		buf_add_str(&r->item, str_from(line, n));
	} else if (r->open && str_starts(line, STR("  "))) {
		buf_addc(&r->item, '\n');
		buf_add_str(&r->item, str_from(line, 2));
	} else if (is_blank(line)) {
		if (r->open)
			buf_addc(&r->item, '\n');
	} else if (r->line != 1 || !str_starts(line, STR("# "))) {
		close_item(r);
		error(r, r->line, "neither an item nor part of one");
	}
}

void
markdown_read(struct markdown *m, struct str text, const struct limits *limits)
{
	struct reader r = { .m = m, .limits = limits, .item = BUF_INIT };
	size_t bad = utf8_valid_prefix(text);
	struct str line;

	if (bad < text.n || str_has(text, '\0')) {
		error(&r, 1, "not text in UTF-8");
		return;
	}
	if (str_starts(text, STR("\xef\xbb\xbf")))
		text = str_from(text, 3);
	line = str_until(text, '\n');
	r.crlf = line.n < text.n && str_ends(line, STR("\r"));
	while (text.n > 0) {
		line = str_cut(&text, '\n');
		if (r.crlf && line.n > 0 && line.s[line.n - 1] == '\r')
			line.n--;
		r.line++;
		take_line(&r, line);
	}
	close_item(&r);
	if (m->n == 0 && m->errors_n == 0)
		error(&r, 1, "no items");
	buf_release(&r.item);
}
