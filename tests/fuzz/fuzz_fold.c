/*
 * Entries and a text, separated by 0xff, which is in no UTF-8: fold_find()
 * finds what comparing at every character finds (spec/history.md section
 * 5.1), and the raw search agrees with it where all is ASCII.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "text/ascii_search.h"
#include "text/fold.h"

#define MOST_ENTRIES 8
#define MOST_BYTES 4096

/* The bytes of text, from its start, that entry matches; or FOLD_NONE. */
static size_t
match_length(struct str entry, struct str text)
{
	size_t i = 0, j = 0;
	uint32_t a, b;

	while (i < entry.n) {
		if (j == text.n)
			return FOLD_NONE;
		i += utf8_decode(entry.s + i, entry.n - i, &a);
		j += utf8_decode(text.s + j, text.n - j, &b);
		if (fold_char(a) != fold_char(b))
			return FOLD_NONE;
	}
	return j;
}

static size_t
find(const struct str *entry, size_t n, struct str text, size_t *len)
{
	size_t i, k;

	for (i = 0; i < text.n; i++) {
		if (((unsigned char)text.s[i] & 0xc0) == 0x80)
			continue;
		for (k = 0; k < n; k++) {
			*len = match_length(entry[k], str_from(text, i));
			if (entry[k].n > 0 && *len != FOLD_NONE)
				return i;
		}
	}
	*len = 0;
	return FOLD_NONE;
}

static void
check(const struct str *entry, size_t n, struct str text)
{
	struct fold_query *q = fold_query_new(entry, n);
	size_t want_len, got_len = 0;
	size_t want = find(entry, n, text, &want_len);

	if (fold_find(q, text, &got_len) != want || got_len != want_len)
		abort();
	fold_query_free(q);
}

static bool
is_ascii(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.s[i] >= 0x80)
			return false;
	return true;
}

static void
check_ascii(struct str entry, struct str text)
{
	struct ascii_needle a;
	size_t ignored;

	if (entry.n == 0 || !is_ascii(entry) || !is_ascii(text))
		return;
	ascii_needle_init(&a, entry);
	if (ascii_search(&a, text.s, text.n) != find(&entry, 1, text, &ignored))
		abort();
	ascii_needle_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *part[MOST_ENTRIES + 1];
	struct str span[MOST_ENTRIES + 1];
	size_t parts = 0, length, i;
	const uint8_t *end;
	bool valid = true;

	if (n > MOST_BYTES || n == 0)
		return 0;
	do {
		end = memchr(p, 0xff, n);
		if (end == NULL || parts == MOST_ENTRIES)
			end = p + n;
		length = (size_t)(end - p);
		part[parts] = malloc(length + (length == 0));
		if (part[parts] == NULL)
			abort();
		memcpy(part[parts], p, length);
		span[parts] = (struct str){ part[parts], length };
		valid = valid && utf8_valid(span[parts]);
		parts++;
		n -= length + (length < n);
		p = end + 1;
	} while (n > 0 && parts <= MOST_ENTRIES);
	if (valid && parts > 1) {
		check(span, parts - 1, span[parts - 1]);
		check_ascii(span[0], span[parts - 1]);
	}
	for (i = 0; i < parts; i++)
		free(part[i]);
	return 0;
}
