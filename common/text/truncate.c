#include "text/truncate.h"

#include <inttypes.h>

#include "base/word.h"

/*
 * More than a view can need: its bytes, the LF before and after it, and one
 * character more on either side.
 */
#define SLACK 16

/* ---- the text ---------------------------------------------------------- */

void
window_text_init(struct window_text *w, enum truncate_retain retain,
		 size_t max_bytes, size_t max_lines)
{
	*w = (struct window_text){ .retain = retain,
				   .max_bytes = max_bytes,
				   .max_lines = max_lines,
				   .kept = BUF_INIT };
}

void
window_text_release(struct window_text *w)
{
	buf_release(&w->kept);
}

static uint64_t
count_breaks(struct str s)
{
	uint64_t n = 0;
	size_t i = 0;

	for (; s.n - i >= WORD_BYTES; i += WORD_BYTES) {
		uint64_t w = word_load(s.s + i) ^ WORD_ONES * '\n';
		/* Bit 7 of each byte that is not 0: no borrow between them. */
		uint64_t other = ((w & ~WORD_HIGHS) + ~WORD_HIGHS) | w;

		n += word_sum((~other & WORD_HIGHS) >> 7);
	}
	for (; i < s.n; i++)
		n += s.s[i] == '\n';
	return n;
}

static void
count_lines(struct window_text *w, struct str text)
{
	const char *last = memrchr(text.s, '\n', text.n), *before;

	if (!w->first_done) {
		w->first += str_until(text, '\n').n;
		w->first_done = last != NULL;
	}
	if (last == NULL) {
		w->open += text.n;
		return;
	}
	w->breaks += count_breaks(text);
	before = memrchr(text.s, '\n', (size_t)(last - text.s));
	w->last = before == NULL ? w->open + (uint64_t)(last - text.s)
				 : (uint64_t)(last - before - 1);
	w->open = (uint64_t)(text.s + text.n - last - 1);
}

/* How far the line goes that stands where a head ends. */
static void
count_past(struct window_text *w, struct str text)
{
	size_t n;

	if (w->past_done || w->bytes + text.n <= w->max_bytes)
		return;
	if (w->bytes < w->max_bytes)
		text = str_from(text, w->max_bytes - (size_t)w->bytes);
	n = str_until(text, '\n').n;
	w->past += n;
	w->past_done = n < text.n;
}

/* Keeps twice max_bytes at least, and whole characters. */
static void
keep_tail(struct window_text *w, struct str text)
{
	size_t least = 2 * w->max_bytes + SLACK, drop;

	if (text.n >= least) {
		size_t from = text.n - least;

		while (from > 0 && ((unsigned char)text.s[from] & 0xc0) == 0x80)
			from--;
		buf_reset(&w->kept);
		w->cut = false;
		text = str_from(text, from);
	}
	if (w->kept.len + text.n > 2 * least) {
		drop = w->kept.len + text.n - least;
		if (drop > w->kept.len)
			drop = w->kept.len;
		while (drop > 0 && drop < w->kept.len &&
		       ((unsigned char)w->kept.data[drop] & 0xc0) == 0x80)
			drop--;
		w->cut = false; /* so much is kept that it shows */
		memmove(w->kept.data, w->kept.data + drop, w->kept.len - drop);
		buf_truncate(&w->kept, w->kept.len - drop);
	}
	buf_add_str(&w->kept, text);
}

static void
keep_head(struct window_text *w, struct str text)
{
	size_t room = w->max_bytes + SLACK - w->kept.len;

	buf_add(&w->kept, text.s, text.n < room ? text.n : room);
}

void
window_text_add(struct window_text *w, struct str text)
{
	if (text.n == 0)
		return;
	count_lines(w, text);
	count_past(w, text);
	w->bytes += text.n;
	if (w->retain == TRUNCATE_HEAD)
		keep_head(w, text);
	else
		keep_tail(w, text);
}

/*
 * Of a head only what is shown matters, and whether the first character left
 * out is an LF; any other is as good as one that did not fit.
 */
static void
resume_head(struct window_text *w, struct str shown, const struct truncation *t,
	    bool complete)
{
	const char *lf = memrchr(shown.s, '\n', shown.n);
	size_t line = lf == NULL ? 0 : (size_t)(lf - shown.s) + 1;

	if (t->by == TRUNCATE_BY_BYTES && t->last_line_partial) {
		buf_adds(&w->kept, "\xf0\x9f\x98\x80");
		w->past = (uint64_t)t->last_line_bytes + line - w->max_bytes;
	} else if (t->by == TRUNCATE_BY_BYTES && t->first_line_exceeds) {
		buf_adds(&w->kept, "\xf0\x9f\x98\x80");
	} else if (t->by == TRUNCATE_BY_BYTES) {
		buf_addc(&w->kept, '\n');
	}
	w->past_done = complete || t->total_lines > t->output_lines;
	w->first = t->first_line_exceeds ? w->max_bytes + 1 : 0;
	w->first_done = complete || t->total_lines > 1;
}

void
window_text_resume(struct window_text *w, struct str shown,
		   const struct truncation *t, bool complete)
{
	const char *lf = memrchr(shown.s, '\n', shown.n);
	uint64_t last =
		t->last_line_partial
			? (uint64_t)t->last_line_bytes
			: shown.n -
				  (lf == NULL ? 0 : (size_t)(lf - shown.s) + 1);

	w->bytes = (uint64_t)t->total_bytes;
	w->breaks = (uint64_t)t->total_lines - !complete;
	w->last = last;
	w->open = complete ? 0 : last > 0 ? last : 1;
	buf_add_str(&w->kept, shown);
	if (w->retain == TRUNCATE_HEAD) {
		resume_head(w, shown, t, complete);
		return;
	}
	w->cut = t->last_line_partial;
	if (complete)
		buf_addc(&w->kept, '\n');
}

/* ---- the view ---------------------------------------------------------- */

static bool
ends_with_break(const struct window_text *w)
{
	return w->breaks > 0 && w->open == 0;
}

static uint64_t
lines(const struct window_text *w)
{
	return w->breaks + (w->open > 0);
}

bool
window_text_truncated(const struct window_text *w)
{
	return w->bytes > w->max_bytes || lines(w) > w->max_lines;
}

bool
window_text_crosses(const struct window_text *w, struct str text)
{
	uint64_t breaks = w->breaks + count_breaks(text);
	bool open = text.n > 0 ? text.s[text.n - 1] != '\n' : w->open > 0;

	return w->bytes + text.n > w->max_bytes || breaks + open > w->max_lines;
}

/* Whole lines from the end; of one that is too long its last bytes. */
static struct str
view_tail(const struct window_text *w, struct truncation *t)
{
	struct str s = buf_str(&w->kept);
	size_t start, bytes = 0;
	uint64_t n = 0, all = lines(w);

	if (ends_with_break(w))
		s.n--;
	start = s.n + 1; /* of what is kept; its LF is one before */
	for (;;) {
		const char *lf;
		size_t from, cost;

		if (n == w->max_lines && n < all) {
			t->by = TRUNCATE_BY_LINES;
			break;
		}
		t->by = TRUNCATE_BY_BYTES;
		if (n == all || start == 0)
			break;
		lf = memrchr(s.s, '\n', start - 1);
		from = lf == NULL ? 0 : (size_t)(lf - s.s) + 1;
		cost = start - 1 - from + (n > 0);
		if (bytes + cost > w->max_bytes || (lf == NULL && w->cut)) {
			if (n > 0)
				break;
			t->last_line_partial = true;
			t->last_line_bytes = (int64_t)(w->open > 0 ? w->open
								   : w->last);
			start = s.n > w->max_bytes ? s.n - w->max_bytes : 0;
			while (start < s.n &&
			       ((unsigned char)s.s[start] & 0xc0) == 0x80)
				start++;
			n = 1;
			break;
		}
		bytes += cost;
		start = from;
		n++;
	}
	t->output_lines = (int64_t)n;
	return n == 0 ? (struct str){ s.s, 0 } : str_from(s, start);
}

/* Whole characters from the start, and nothing that was shown is taken back. */
static struct str
view_head(const struct window_text *w, struct truncation *t)
{
	struct str s = buf_str(&w->kept);
	const char *p = s.s, *lf = NULL, *line = s.s;
	size_t end = s.n < w->max_bytes ? s.n : w->max_bytes;
	uint64_t n;

	for (n = 0; n < w->max_lines; n++) {
		lf = memchr(p, '\n', (size_t)(s.s + end - p));
		if (lf == NULL)
			break;
		line = p = lf + 1;
	}
	if (lf != NULL) /* as many lines as may be */
		end = (size_t)(p - s.s);
	while (end > 0 && ((unsigned char)s.s[end] & 0xc0) == 0x80)
		end--;
	t->by = lf != NULL ? TRUNCATE_BY_LINES : TRUNCATE_BY_BYTES;
	t->output_lines = (int64_t)n + (s.s + end > line);
	t->last_line_partial = s.s + end > line && s.s[end] != '\n';
	if (t->last_line_partial)
		t->last_line_bytes = s.s + w->max_bytes - line +
				     (int64_t)w->past;
	return (struct str){ s.s, end };
}

/* Whole lines from the start. */
static struct str
view_head_lines(const struct window_text *w, struct truncation *t)
{
	struct str s = buf_str(&w->kept);
	size_t bytes = 0, from = 0, end;
	uint64_t n = 0, all = lines(w);

	for (;;) {
		size_t cost;

		if (n == w->max_lines && n < all) {
			t->by = TRUNCATE_BY_LINES;
			break;
		}
		t->by = TRUNCATE_BY_BYTES;
		if (n == all)
			break;
		end = from + str_until(str_from(s, from), '\n').n;
		cost = end - from + (n > 0);
		if (bytes + cost > w->max_bytes)
			break;
		bytes += cost;
		from = end + 1;
		n++;
	}
	t->output_lines = (int64_t)n;
	return (struct str){ s.s, bytes };
}

struct str
window_text_view(const struct window_text *w, bool whole_lines,
		 struct truncation *t)
{
	struct str view = buf_str(&w->kept);

	*t = (struct truncation){ .truncated = window_text_truncated(w),
				  .by = -1,
				  .total_lines = (int64_t)lines(w),
				  .total_bytes = (int64_t)w->bytes,
				  .output_lines = (int64_t)lines(w),
				  .max_lines = (int64_t)w->max_lines,
				  .max_bytes = (int64_t)w->max_bytes,
				  .last_line_bytes = -1,
				  .first_line_bytes = (int64_t)w->first };
	if (t->truncated && w->retain == TRUNCATE_TAIL)
		view = view_tail(w, t);
	else if (t->truncated)
		view = whole_lines ? view_head_lines(w, t) : view_head(w, t);
	if (t->truncated && w->retain == TRUNCATE_HEAD)
		t->first_line_exceeds = w->first > w->max_bytes;
	t->output_bytes = (int64_t)view.n;
	return view;
}

/* ---- words ------------------------------------------------------------- */

/* 12B, 1.3KB, 2.0MB: rounded half up, in integers. */
static void
add_size(struct buf *out, int64_t n)
{
	int64_t unit = n < 1048576 ? 1024 : 1048576, tenths;

	if (n < 1024) {
		buf_addf(out, "%" PRId64 "B", n);
		return;
	}
	tenths = (20 * n + unit) / (2 * unit);
	buf_addf(out, "%" PRId64 ".%" PRId64 "%s", tenths / 10, tenths % 10,
		 unit == 1024 ? "KB" : "MB");
}

static void
add_limit(struct buf *out, const struct truncation *t)
{
	buf_adds(out, " (");
	add_size(out, t->max_bytes);
	buf_adds(out, " limit)");
}

/* A word for the shell. */
static void
add_quoted(struct buf *out, struct str path)
{
	bool plain = path.n > 0;

	for (size_t i = 0; plain && i < path.n; i++) {
		char c = path.s[i];

		plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') ||
			(c != '\0' && strchr("_./-", c) != NULL);
	}
	if (plain) {
		buf_add_str(out, path);
		return;
	}
	buf_addc(out, '\'');
	for (size_t i = 0; i < path.n; i++)
		if (path.s[i] == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, path.s[i]);
	buf_addc(out, '\'');
}

/* `. Full output: path]`, or without one `]`. */
static void
add_end(struct buf *out, struct str path)
{
	if (path.n > 0) {
		buf_adds(out, ". Full output: ");
		buf_add_str(out, path);
	}
	buf_addc(out, ']');
}

static void
footer_tail(struct buf *out, const struct truncation *t, struct str path)
{
	if (t->last_line_partial) {
		buf_adds(out, "[Showing last ");
		add_size(out, t->output_bytes);
		buf_addf(out, " of line %" PRId64 " (line is ", t->total_lines);
		add_size(out, t->last_line_bytes);
		buf_addc(out, ')');
	} else {
		buf_addf(out,
			 "[Showing lines %" PRId64 "-%" PRId64 " of %" PRId64,
			 t->total_lines - t->output_lines + 1, t->total_lines,
			 t->total_lines);
		if (t->by == TRUNCATE_BY_BYTES)
			add_limit(out, t);
	}
	add_end(out, path);
}

static void
footer_head(struct buf *out, const struct truncation *t, struct str path)
{
	if (t->first_line_exceeds) {
		buf_adds(out, "[Showing first ");
		add_size(out, t->output_bytes);
		buf_addf(out, " of line 1 of %" PRId64 " (line is ",
			 t->total_lines);
		add_size(out, t->first_line_bytes);
		buf_addc(out, ')');
	} else {
		buf_addf(out, "[Showing lines 1-%" PRId64 " of %" PRId64,
			 t->output_lines, t->total_lines);
		if (t->last_line_partial)
			buf_addf(out, ", line %" PRId64 " cut",
				 t->output_lines);
		if (t->by == TRUNCATE_BY_BYTES)
			add_limit(out, t);
	}
	add_end(out, path);
}

/* A head of whole lines tells how to go on. */
static void
footer_head_lines(struct buf *out, const struct truncation *t, struct str path)
{
	if (t->first_line_exceeds) {
		buf_adds(out, "[Line 1 is ");
		add_size(out, t->first_line_bytes);
		buf_adds(out, ", exceeds ");
		add_size(out, t->max_bytes);
		buf_adds(out, " limit.");
		if (path.n > 0) {
			buf_adds(out, " Use bash: sed -n '1p' ");
			add_quoted(out, path);
			buf_addf(out, " | head -c %" PRId64, t->max_bytes);
		}
		buf_addc(out, ']');
		return;
	}
	buf_addf(out, "[Showing lines 1-%" PRId64 " of %" PRId64,
		 t->output_lines, t->total_lines);
	if (t->by == TRUNCATE_BY_BYTES)
		add_limit(out, t);
	if (t->output_lines == t->total_lines)
		add_end(out, path);
	else
		buf_addf(out, ". Use offset=%" PRId64 " to continue.]",
			 t->output_lines + 1);
}

void
truncate_footer(struct buf *out, enum truncate_retain retain, bool whole_lines,
		const struct truncation *t, struct str path)
{
	if (retain == TRUNCATE_TAIL)
		footer_tail(out, t, path);
	else if (whole_lines)
		footer_head_lines(out, t, path);
	else
		footer_head(out, t, path);
}

void
truncate_join(struct buf *out, struct str note)
{
	size_t n = out->len;

	if (n > 0 && out->data[n - 1] != '\n')
		buf_adds(out, "\n\n");
	else if (n == 1 || (n > 1 && out->data[n - 2] != '\n'))
		buf_addc(out, '\n');
	if (note.n > TRUNCATE_NOTE_BYTES) {
		note.n = TRUNCATE_NOTE_BYTES;
		while (note.n > 0 &&
		       ((unsigned char)note.s[note.n] & 0xc0) == 0x80)
			note.n--;
	}
	buf_add_str(out, note);
}
