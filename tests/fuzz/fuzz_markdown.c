/*
 * A list of lessons: whatever it is, items are legal texts; and items that are
 * written as lessons-export writes them are read as they were.
 */
#include <stdint.h>
#include <stdlib.h>

#include "lessons/markdown.h"
#include "lessons/wording.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
write_items(const struct markdown *m, struct buf *out)
{
	size_t i, k;

	for (i = 0; i < m->n; i++) {
		buf_adds(out, "- ");
		for (k = 0; k < m->items[i].n; k++) {
			buf_addc(out, m->items[i].s[k]);
			if (m->items[i].s[k] == '\n')
				buf_adds(out, "  ");
		}
		buf_addc(out, '\n');
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const struct limits limits = { .lesson_words = 1200 };
	struct markdown first, second;
	struct buf text = BUF_INIT;
	size_t i;

	markdown_init(&first);
	markdown_init(&second);
	markdown_read(&first, (struct str){ (const char *)p, n }, &limits);
	for (i = 0; i < first.n; i++)
		if (!wording_legal(first.items[i], WORDING_TEXT))
			abort();
	write_items(&first, &text);
	markdown_read(&second, buf_str(&text), &limits);
	/* A CR at the end of the first line would be that of its line end. */
	if (first.n > 0 && memchr(text.data, '\r', text.len) == NULL) {
		if (first.n != second.n)
			abort();
		for (i = 0; i < first.n; i++)
			if (!str_eq(first.items[i], second.items[i]))
				abort();
	}
	markdown_release(&first);
	markdown_release(&second);
	buf_release(&text);
	return 0;
}
