/*
 * Whatever the text, no control character gets through, nothing else changes
 * the length, and a text without any comes out as it is: spec/notes.md
 * section 5.8.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/visible.h"

/* Bytes that escaping adds to the control character at p, 0 if there is none. */
static size_t
growth(const char *p, size_t n, bool body)
{
	uint32_t cp;
	unsigned length = utf8_decode(p, n, &cp);

	if (length == 0)
		abort();
	if ((cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069))
		return 6 - length;
	if (cp >= 0xa0 || (cp >= 0x20 && cp < 0x7f))
		return 0;
	if (body &&
	    (cp == '\n' || cp == '\t' || (cp == '\r' && n > 1 && p[1] == '\n')))
		return 0;
	return 6 - length;
}

static void
check(struct str text, bool body)
{
	struct buf out = BUF_INIT;
	size_t grown = 0, i;

	if (body)
		visible_text(&out, text);
	else
		visible_field(&out, text);
	for (i = 0; i < text.n; i++)
		if (((unsigned char)text.s[i] & 0xc0) != 0x80)
			grown += growth(text.s + i, text.n - i, body);
	if (out.len != text.n + grown)
		abort();
	if (grown == 0 && !str_eq(buf_str(&out), text))
		abort();
	for (i = 0; i < out.len; i++)
		if (((unsigned char)out.data[i] & 0xc0) != 0x80 &&
		    growth(out.data + i, out.len - i, body) != 0)
			abort();
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *copy = malloc(n + (n == 0));
	struct str text = { copy, n };

	if (copy == NULL)
		abort();
	if (n > 0)
		memcpy(copy, p, n);
	if (utf8_valid(text)) {
		check(text, false);
		check(text, true);
	}
	free(copy);
	return 0;
}
