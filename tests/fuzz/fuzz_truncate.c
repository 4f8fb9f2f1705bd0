/*
 * Bytes in pieces: the first three choose the limits and the size of pieces.
 * Decoded text is valid; each view keeps to the limits and is what one piece
 * would have given; what a head shows, and what sanitising shows of it, is
 * only ever added to.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "text/sanitize.h"
#include "text/truncate.h"
#include "text/utf8_stream.h"

static void
require(bool holds)
{
	if (!holds)
		abort();
}

static void
same(const struct window_text *a, const struct window_text *b, bool whole)
{
	struct truncation t, u;
	struct str x = window_text_view(a, whole, &t);
	struct str y = window_text_view(b, whole, &u);

	require(str_eq(x, y) && t.by == u.by &&
		t.total_lines == u.total_lines &&
		t.output_lines == u.output_lines &&
		t.last_line_partial == u.last_line_partial &&
		t.first_line_exceeds == u.first_line_exceeds &&
		t.last_line_bytes == u.last_line_bytes);
	require(x.n <= a->max_bytes &&
		t.output_lines <= (int64_t)a->max_lines && utf8_valid(x));
}

/* A head that grows. */
static void
grows(const struct window_text *w, struct buf *shown)
{
	struct buf now = BUF_INIT;
	struct truncation t;

	sanitize(window_text_view(w, false, &t), &now);
	require(str_starts(buf_str(&now), buf_str(shown)));
	buf_reset(shown);
	buf_add_str(shown, buf_str(&now));
	buf_release(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct window_text w[2], one[2];
	struct utf8_stream s = { .n = 0 }, whole = { .n = 0 };
	struct buf text = BUF_INIT, all = BUF_INIT, shown = BUF_INIT;
	size_t step, at;
	int i;

	if (n < 3)
		return 0;
	for (i = 0; i < 2; i++) {
		window_text_init(&w[i], (enum truncate_retain)i, 1 + p[0],
				 1 + p[1] % 32);
		window_text_init(&one[i], (enum truncate_retain)i, 1 + p[0],
				 1 + p[1] % 32);
	}
	step = 1 + p[2] % 64;
	p += 3;
	n -= 3;
	for (at = 0; at <= n; at += step) {
		buf_reset(&text);
		utf8_stream_add(&s, (const char *)p + at,
				n - at < step ? n - at : step, &text);
		if (at + step > n)
			utf8_stream_end(&s, &text);
		require(utf8_valid(buf_str(&text)));
		for (i = 0; i < 2; i++)
			window_text_add(&w[i], buf_str(&text));
		grows(&w[1], &shown);
	}
	utf8_stream_add(&whole, (const char *)p, n, &all);
	utf8_stream_end(&whole, &all);
	for (i = 0; i < 2; i++) {
		window_text_add(&one[i], buf_str(&all));
		same(&w[i], &one[i], false);
		same(&w[i], &one[i], true);
		window_text_release(&w[i]);
		window_text_release(&one[i]);
	}
	buf_release(&text);
	buf_release(&all);
	buf_release(&shown);
	return 0;
}
