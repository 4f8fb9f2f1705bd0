/*
 * The title of any body is valid UTF-8, one line, trimmed, and no longer than
 * it may be; only a body without a character that is seen has none.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "notes/shelf.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static bool
is_blank(char c)
{
	return memchr(" \t\n\v\f\r", c, 6) != NULL;
}

static bool
has_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_blank(s.s[i]))
			return true;
	return false;
}

static void
must(bool holds)
{
	if (!holds)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct buf title = BUF_INIT;
	char *copy = xmalloc(n);
	struct str body = { copy, n };

	if (n > 0)
		memcpy(copy, p, n);
	shelf_title(&title, body);
	must(utf8_valid(buf_str(&title)));
	must(utf8_count(buf_str(&title)) <= SHELF_TITLE_CHARS + 1);
	must(memchr(title.data, '\n', title.len) == NULL);
	must((title.len > 0) == has_text(body));
	must(title.len == 0 || !is_blank(title.data[0]));
	buf_release(&title);
	free(copy);
	return 0;
}
