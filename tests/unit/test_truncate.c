/* The bounded view: spec/output.md section 6.1; P7. */
#include "text/truncate.h"

#include "test.h"
#include "text/sanitize.h"
#include "text/utf8_stream.h"

enum form { TAIL, LINES, HEAD }; /* tail; head of whole lines; head */

static struct str
view_of(struct window_text *w, enum form form, struct truncation *t)
{
	return window_text_view(w, form == LINES, t);
}

static enum truncate_retain
retain_of(enum form form)
{
	return form == TAIL ? TRUNCATE_TAIL : TRUNCATE_HEAD;
}

/* ---- the tables -------------------------------------------------------- */

struct row {
	enum form form;
	const char *text;
	size_t max_bytes, max_lines;
	const char *kept, *by;
	int64_t total_lines, output_lines, output_bytes;
	bool partial, exceeds;
	int64_t last_line_bytes;
	const char *footer; /* with the path /o */
};

#define X20 "xxxxxxxxxxxxxxxxxxxx"

static const struct row rows[] = {
	{ LINES, "a\nb\nc", 100, 2, "a\nb", "lines", 3, 2, 3, false, false, -1,
	  "[Showing lines 1-2 of 3. Use offset=3 to continue.]" },
	{ LINES, "abcd\nefgh\nijkl", 10, 100, "abcd\nefgh", "bytes", 3, 2, 9,
	  false, false, -1,
	  "[Showing lines 1-2 of 3 (10B limit). Use offset=3 to continue.]" },
	{ LINES, "abcdef\nx\ny", 5, 2, "", "bytes", 3, 0, 0, false, true, -1,
	  "[Line 1 is 6B, exceeds 5B limit. Use bash: sed -n '1p' /o | head -c "
	  "5]" },
	{ LINES, "hello\nworld\n", 11, 2, "hello\nworld", "bytes", 2, 2, 11,
	  false, false, -1,
	  "[Showing lines 1-2 of 2 (11B limit). Full output: /o]" },
	{ TAIL, "l1\nl2\nl3\n", 100, 2, "l2\nl3", "lines", 3, 2, 5, false,
	  false, -1, "[Showing lines 2-3 of 3. Full output: /o]" },
	{ TAIL, "a\nb\nc\nlonglonglong", 5, 2, "glong", "bytes", 4, 1, 5, true,
	  false, 12,
	  "[Showing last 5B of line 4 (line is 12B). Full output: /o]" },
	{ TAIL, "éééééé", 5, 9, "éé", "bytes", 1, 1, 4, true, false, 12,
	  "[Showing last 4B of line 1 (line is 12B). Full output: /o]" },
	{ TAIL, "x😀", 3, 1, "", "bytes", 1, 1, 0, true, false, 5,
	  "[Showing last 0B of line 1 (line is 5B). Full output: /o]" },
	{ TAIL, X20 X20 X20 X20 X20 "\n", 10, 5, "xxxxxxxxxx", "bytes", 1, 1,
	  10, true, false, 100,
	  "[Showing last 10B of line 1 (line is 100B). Full output: /o]" },
	{ HEAD, "a\nb\nc", 100, 2, "a\nb\n", "lines", 3, 2, 4, false, false, -1,
	  "[Showing lines 1-2 of 3. Full output: /o]" },
	{ HEAD, "a\nb\nc", 3, 2, "a\nb", "bytes", 3, 2, 3, false, false, -1,
	  "[Showing lines 1-2 of 3 (3B limit). Full output: /o]" },
	{ HEAD, "abcd\nefgh\nijkl", 10, 100, "abcd\nefgh\n", "bytes", 3, 2, 10,
	  false, false, -1,
	  "[Showing lines 1-2 of 3 (10B limit). Full output: /o]" },
	{ HEAD, "abcd\nefgh\nijkl", 7, 100, "abcd\nef", "bytes", 3, 2, 7, true,
	  false, 4,
	  "[Showing lines 1-2 of 3, line 2 cut (7B limit). Full output: /o]" },
	{ HEAD, "abcdef\nx\ny", 5, 2, "abcde", "bytes", 3, 1, 5, true, true, 6,
	  "[Showing first 5B of line 1 of 3 (line is 6B). Full output: /o]" },
	{ HEAD, "hello\nworld\n", 11, 2, "hello\nworld", "bytes", 2, 2, 11,
	  false, false, -1,
	  "[Showing lines 1-2 of 2 (11B limit). Full output: /o]" },
	{ HEAD, "ab😀c", 5, 1, "ab", "bytes", 1, 1, 2, true, true, 7,
	  "[Showing first 2B of line 1 of 1 (line is 7B). Full output: /o]" },
	{ HEAD, "😀", 3, 1, "", "bytes", 1, 0, 0, false, true, -1,
	  "[Showing first 0B of line 1 of 1 (line is 4B). Full output: /o]" },
	/* exactly at a limit nothing is cut */
	{ TAIL, "ab\nc\n", 5, 2, "ab\nc\n", NULL, 2, 2, 5, false, false, -1,
	  NULL },
	{ HEAD, "ab\nc\n", 5, 2, "ab\nc\n", NULL, 2, 2, 5, false, false, -1,
	  NULL },
	{ LINES, "", 1, 1, "", NULL, 0, 0, 0, false, false, -1, NULL },
	{ TAIL, "\n", 1, 1, "\n", NULL, 1, 1, 1, false, false, -1, NULL },
	{ TAIL, "a\r\nb\r\n", 4, 9, "b\r", "bytes", 2, 1, 2, false, false, -1,
	  "[Showing lines 2-2 of 2 (4B limit). Full output: /o]" },
	{ TAIL, "abc\n", 3, 9, "abc", "bytes", 1, 1, 3, false, false, -1,
	  "[Showing lines 1-1 of 1 (3B limit). Full output: /o]" },
	{ TAIL, "\n\n\n", 9, 2, "\n", "lines", 3, 2, 1, false, false, -1,
	  "[Showing lines 2-3 of 3. Full output: /o]" },
};

static void
table(void)
{
	struct buf footer = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct window_text w;
		struct truncation t;
		struct str view;

		window_text_init(&w, retain_of(r->form), r->max_bytes,
				 r->max_lines);
		window_text_add(&w, str_of(r->text));
		view = view_of(&w, r->form, &t);
		is_bytes(view.s, view.n, r->kept, strlen(r->kept),
			 "output 6.1: what is kept");
		ok(t.truncated == (r->by != NULL) &&
			   t.by == (r->by == NULL		  ? -1
				    : strcmp(r->by, "lines") == 0 ? 0
								  : 1),
		   "  and by what");
		ok(t.total_lines == r->total_lines &&
			   t.output_lines == r->output_lines &&
			   t.output_bytes == r->output_bytes &&
			   t.total_bytes == (int64_t)strlen(r->text),
		   "  the numbers");
		ok(t.last_line_partial == r->partial &&
			   t.first_line_exceeds == r->exceeds &&
			   t.last_line_bytes == r->last_line_bytes,
		   "  the line that is cut");
		buf_reset(&footer);
		if (t.truncated)
			truncate_footer(&footer, retain_of(r->form),
					r->form == LINES, &t, STR("/o"));
		is_string(footer.data, r->footer == NULL ? "" : r->footer,
			  "  the footer");
		window_text_release(&w);
	}
	buf_release(&footer);
}

static void
footers(void)
{
	static const struct {
		int64_t bytes;
		const char *want;
	} sizes[] = {
		{ 0, "0B" },
		{ 1023, "1023B" },
		{ 1024, "1.0KB" },
		{ 1280, "1.3KB" },
		{ 51200, "50.0KB" },
		{ 1048575, "1024.0KB" },
		{ 1048576, "1.0MB" },
		{ 1572864, "1.5MB" },
		{ 1074790400, "1025.0MB" },
	};
	struct truncation t = { .truncated = true,
				.by = TRUNCATE_BY_BYTES,
				.total_lines = 9,
				.output_lines = 1,
				.last_line_partial = true,
				.first_line_exceeds = true,
				.max_bytes = 1280 };
	struct buf out = BUF_INIT, want = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		t.output_bytes = 1;
		t.last_line_bytes = sizes[i].bytes;
		buf_reset(&out);
		buf_reset(&want);
		truncate_footer(&out, TRUNCATE_TAIL, false, &t, STR(""));
		buf_addf(&want, "[Showing last 1B of line 9 (line is %s)]",
			 sizes[i].want);
		is_string(out.data, want.data, "output 6.1: a size");
	}
	buf_reset(&out);
	t.first_line_bytes = 2048;
	truncate_footer(&out, TRUNCATE_HEAD, true, &t, STR("/a b'c"));
	is_string(out.data,
		  "[Line 1 is 2.0KB, exceeds 1.3KB limit. Use bash: sed -n "
		  "'1p' '/a b'\\''c' | head -c 1280]",
		  "output 6.1: a path is quoted for the shell");
	buf_reset(&out);
	truncate_footer(&out, TRUNCATE_HEAD, true, &t, STR(""));
	is_string(out.data, "[Line 1 is 2.0KB, exceeds 1.3KB limit.]",
		  "output 6.1: and without a path");
	buf_release(&out);
	buf_release(&want);
}

static void
joins(void)
{
	static const char *const cases[][2] = {
		{ "", "n" },	     { "\n", "\n\nn" },	    { "a", "a\n\nn" },
		{ "a\n", "a\n\nn" }, { "a\n\n", "a\n\nn" }, { "\n\n", "\n\nn" },
	};
	struct buf out = BUF_INIT, note = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		buf_adds(&out, cases[i][0]);
		truncate_join(&out, STR("n"));
		is_string(out.data, cases[i][1],
			  "output 6.1: a note is joined");
	}
	for (i = 0; i < 3000; i++)
		buf_adds(&note, "€€");
	buf_reset(&out);
	truncate_join(&out, buf_str(&note));
	is_int((long long)out.len, 8190,
	       "output 6.1: a note is cut at a character");
	buf_release(&out);
	buf_release(&note);
}

/* ---- random pieces ----------------------------------------------------- */

/*
 * The definition of section 6.1, by the letter, over a text that is there as
 * a whole.
 */
struct reference {
	size_t start, end; /* of the kept text */
	int by;
	int64_t lines, out, last;
	bool partial, exceeds;
};

static struct reference
reference(struct str s, enum form form, size_t max_bytes, size_t max_lines)
{
	size_t begin[600], stop[600], n = 0, i, at = 0, bytes = 0, k = 0;
	struct reference r = { .by = -1, .last = -1 };

	for (i = 0; i < s.n; i++)
		if (s.s[i] == '\n') {
			begin[n] = at;
			stop[n++] = i;
			at = i + 1;
		}
	if (at < s.n) {
		begin[n] = at;
		stop[n++] = s.n;
	}
	r.lines = r.out = (int64_t)n;
	r.end = s.n;
	if (n <= max_lines && s.n <= max_bytes)
		return r;
	if (form == HEAD) {
		for (i = 0, r.by = 1; i < s.n;) {
			size_t next = i + 1, breaks = 0, j;

			while (next < s.n &&
			       ((unsigned char)s.s[next] & 0xc0) == 0x80)
				next++;
			for (j = 0; j < i; j++)
				breaks += s.s[j] == '\n';
			if (breaks == max_lines) {
				r.by = 0;
				break;
			}
			if (next > max_bytes)
				break;
			i = next;
		}
		r.end = i;
		for (k = 0; k < n && begin[k] < i; k++)
			;
		r.out = (int64_t)k;
		r.partial = k > 0 && i < stop[k - 1];
		if (r.partial)
			r.last = (int64_t)(stop[k - 1] - begin[k - 1]);
		r.exceeds = stop[0] > max_bytes;
		return r;
	}
	for (;;) {
		size_t line = form == TAIL ? n - 1 - k : k, cost;

		r.by = 0;
		if (k == max_lines && k < n)
			break;
		r.by = 1;
		if (k == n)
			break;
		cost = stop[line] - begin[line] + (k > 0);
		if (bytes + cost > max_bytes) {
			if (k > 0)
				break;
			r.exceeds = form == LINES;
			r.partial = form == TAIL;
			break;
		}
		bytes += cost;
		k++;
	}
	r.out = (int64_t)k;
	if (form == LINES) {
		r.end = bytes;
		r.exceeds = r.exceeds || stop[0] > max_bytes;
	} else if (r.partial) {
		r.out = 1;
		r.end = stop[n - 1];
		r.start = r.end - max_bytes;
		while (r.start < r.end &&
		       ((unsigned char)s.s[r.start] & 0xc0) == 0x80)
			r.start++;
		r.last = (int64_t)(stop[n - 1] - begin[n - 1]);
	} else {
		r.end = n == 0 || k == 0 ? 0 : stop[n - 1];
		r.start = r.end - bytes;
	}
	return r;
}

static void
random_text(uint64_t *seed, struct buf *out)
{
	static const char *const pieces[] = { "a",    "b\n", "\n",
					      "é",    "😀",   "xy",
					      "\r\n", "€",   "long words" };
	unsigned n = (unsigned)(test_random(seed) >> 40) % 120, i;

	for (i = 0; i < n; i++)
		buf_adds(out, pieces[(test_random(seed) >> 40) % 9]);
}

static unsigned
compare(struct str text, enum form form, size_t max_bytes, size_t max_lines,
	uint64_t *seed)
{
	struct reference r = reference(text, form, max_bytes, max_lines);
	struct buf shown = BUF_INIT;
	struct window_text w;
	struct truncation t;
	struct str view;
	size_t at = 0;
	unsigned wrong = 0;

	window_text_init(&w, retain_of(form), max_bytes, max_lines);
	while (at < text.n) {
		size_t n = 1 + (test_random(seed) >> 40) % 9;

		if (n > text.n - at)
			n = text.n - at;
		while (at + n < text.n &&
		       ((unsigned char)text.s[at + n] & 0xc0) == 0x80)
			n++;
		window_text_add(&w, (struct str){ text.s + at, n });
		at += n;
		view = view_of(&w, form, &t);
		wrong += view.n > max_bytes ||
			 t.output_lines > (int64_t)max_lines;
		/* What a head has shown stays. */
		wrong += form == HEAD && !str_starts(view, buf_str(&shown));
		buf_reset(&shown);
		buf_add_str(&shown, view);
	}
	view = view_of(&w, form, &t);
	wrong += !str_eq(view,
			 (struct str){ text.s + r.start, r.end - r.start });
	wrong += t.by != r.by || t.total_lines != r.lines ||
		 t.output_lines != r.out || t.last_line_partial != r.partial ||
		 t.first_line_exceeds != r.exceeds ||
		 t.last_line_bytes != r.last;
	wrong += w.kept.len > 4 * max_bytes + 64;
	window_text_release(&w);
	buf_release(&shown);
	return wrong;
}

static void
random_pieces(void)
{
	uint64_t seed = 17;
	unsigned i, form, wrong = 0;

	for (i = 0; i < 4000; i++) {
		struct buf text = BUF_INIT;

		random_text(&seed, &text);
		for (form = TAIL; form <= HEAD; form++)
			wrong += compare(buf_str(&text), (enum form)form,
					 1 + (test_random(&seed) >> 40) % 60,
					 1 + (test_random(&seed) >> 40) % 12,
					 &seed);
		buf_release(&text);
	}
	is_int(wrong, 0,
	       "P7: any pieces give the view of the whole, 12,000 times");
}

/* ---- decoding ---------------------------------------------------------- */

static void
decodes(void)
{
	static const char *const cases[][2] = {
		{ "aé😀", "aé😀" },
		{ "\xff", "\xef\xbf\xbd" },
		{ "\xc3", "\xef\xbf\xbd" },
		{ "\xc3(", "\xef\xbf\xbd(" },
		{ "\xe2\x82", "\xef\xbf\xbd" },
		{ "\xe2\x82x", "\xef\xbf\xbdx" },
		{ "\xf0\x9f\x98", "\xef\xbf\xbd" },
		{ "\xf0\x9f\x98\xf0\x9f\x98\x80", "\xef\xbf\xbd😀" },
		{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x90\x80\x80",
		  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xef\xbb\xbfx", "\xef\xbb\xbfx" },
		{ "\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd" },
	};
	struct buf out = BUF_INIT;
	size_t i, step;
	unsigned wrong = 0;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (step = 1; step < 9; step++) {
			const char *p = cases[i][0];
			size_t n = strlen(p), at;
			struct utf8_stream s = { .n = 0 };

			buf_reset(&out);
			for (at = 0; at < n; at += step)
				utf8_stream_add(&s, p + at,
						n - at < step ? n - at : step,
						&out);
			utf8_stream_end(&s, &out);
			wrong += !str_is(buf_str(&out), cases[i][1]);
		}
	is_int(wrong, 0,
	       "output 6.1: what becomes U+FFFD, in pieces of any size");
	buf_release(&out);
}

/* ---- sanitising -------------------------------------------------------- */

static void
sanitises(void)
{
	static const char *const cases[][2] = {
		{ "plain\ttext\n", "plain\ttext\n" },
		{ "\x1b[31mred\x1b[0m", "red" },
		{ "\x1b[1;31", "" },
		{ "\x1b[1;3é", "é" },
		{ "\x1b[31\nm", "\nm" },
		{ "\x1b]0;title\x07x", "x" },
		{ "\x1b]0;title\x1b\\x", "x" },
		{ "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link" },
		{ "\x1b]0;title\nx", "\nx" },
		{ "\x1bPq\x1b\x1b\\x", "x" },
		{ "\x1b_"
		  "a\x1b^b\x07x",
		  "x" },
		{ "\x1b(Bx", "x" },
		{ "\0337x\0338", "x" },
		{ "\x1b", "" },
		{ "\x1b\x1b[0mx", "x" },
		{ "\x1b\nx", "\nx" },
		{ "a\x01\x02\x08\x0b\x0c\x0e\x1fz", "az" },
		{ "a\xef\xbf\xb9\xef\xbf\xba\xef\xbf\xbb"
		  "z",
		  "az" },
		{ "a\xef\xbf\xbd\xef\xbf\xb8z", "a\xef\xbf\xbd\xef\xbf\xb8z" },
		{ "\x7f\xc2\x9b", "\x7f\xc2\x9b" },
		{ "a\r\nb\r\n", "a\nb\n" },
		{ "10%\r20%\r", "10%\n20%" },
		{ "10%\r20%\rdone\n", "10%\n20%\ndone\n" },
		{ "a\r\r\n", "a\n\n" },
		{ "a\r\x1b[0m\nb", "a\nb" },
		{ "a\r\x1b[0mb", "a\nb" },
		{ "a\r\x07"
		  "b",
		  "a\nb" },
		{ "\x1b[\r\n", "\n" },
	};
	struct buf out = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		sanitize(str_of(cases[i][0]), &out);
		is_string(out.data, cases[i][1], "output 6.1: sanitised");
	}
	buf_release(&out);
}

/* What is shown of a text begins what is shown of a longer one. */
static void
only_appends(void)
{
	static const char *const pieces[] = {
		"\x1b", "[",	"]", "3", "m", "\r",	       "\n", "a",
		"\\",	"\x07", "é", "(", "P", "\xef\xbf\xb9", " "
	};
	uint64_t seed = 5;
	unsigned i, k, wrong = 0;

	for (i = 0; i < 3000; i++) {
		struct sanitizer s = { SANITIZE_PLAIN, false, false };
		struct buf text = BUF_INIT, shown = BUF_INIT, whole = BUF_INIT;

		for (k = 0; k < 30; k++) {
			const char *piece =
				pieces[(test_random(&seed) >> 40) % 15];

			buf_adds(&text, piece);
			sanitize_add(&s, str_of(piece), &shown);
			buf_reset(&whole);
			sanitize(buf_str(&text), &whole);
			wrong += !str_eq(buf_str(&shown), buf_str(&whole));
			wrong += strpbrk(whole.data, "\x1b\r\x07") != NULL;
		}
		buf_release(&text);
		buf_release(&shown);
		buf_release(&whole);
	}
	is_int(wrong, 0, "output 6.1: what was shown is only ever added to");
}

int
main(void)
{
	table();
	footers();
	joins();
	random_pieces();
	decodes();
	sanitises();
	only_appends();
	return done();
}
