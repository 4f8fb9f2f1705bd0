/* The read window: spec/notes.md section 5.3, spec/history.md section 6. */
#include "text/window.h"

#include "test.h"

struct row {
	const char *text;
	int64_t offset, limit;
	bool opens;
	size_t at, length, total;
	const char *range;
};

static const struct row rows[] = {
	{ "hello", 0, 100, true, 0, 5, 5, "hello" },
	{ "hello", 0, 2, true, 0, 2, 5, "he" },
	{ "hello", 3, 2, true, 3, 2, 5, "lo" },
	{ "hello", 5, 2, true, 5, 0, 5, "" },
	{ "hello", 6, 2, false, 0, 0, 5, "" },
	{ "hello", -2, 100, true, 3, 2, 5, "lo" },
	{ "hello", -5, 1, true, 0, 1, 5, "h" },
	/* history 12: total 5, offset -9 */
	{ "hello", -9, 100, true, 0, 5, 5, "hello" },
	{ "hello", INT64_MIN, INT64_MAX, true, 0, 5, 5, "hello" },
	{ "hello", INT64_MAX, INT64_MAX, false, 0, 0, 5, "" },
	{ "", 0, 1, true, 0, 0, 0, "" },
	{ "", -1, 1, true, 0, 0, 0, "" },
	{ "", 1, 1, false, 0, 0, 0, "" },
	/* code points, not bytes and not what is drawn: history 13, trap 8 */
	{ "e\xcc\x81", 0, 9, true, 0, 2, 2, "e\xcc\x81" },
	{ "a\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80z", 1, 3, true, 1, 3, 5,
	  "\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "a\xc3\xb6\xe2\x82\xac\xf0\x9f\x98\x80z", -2, 1, true, 3, 1, 5,
	  "\xf0\x9f\x98\x80" },
};

static void
test_rows(void)
{
	struct window w;
	const struct row *r;
	size_t i;
	bool opens;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = &rows[i];
		opens = window_open(&w, str_of(r->text), r->offset, r->limit);
		ok(opens == r->opens && w.total == r->total,
		   "`%s` from %lld opens or not, and says its total", r->text,
		   (long long)r->offset);
		if (!opens)
			continue;
		ok(w.offset == r->at && w.length == r->length &&
			   str_is(w.range, r->range),
		   "`%s` from %lld, at most %lld", r->text,
		   (long long)r->offset, (long long)r->limit);
	}
}

/* Following the offsets joins up to the text: history section 6. */
static void
test_walk(int64_t limit, size_t deliver)
{
	struct str text = STR(
		"x\xc3\xa9\xe2\x82\xac\0\xf0\x9f\x98\x80\n0123456789");
	char joined[64];
	size_t n = 0, k;
	int64_t next = 0;
	struct window w;
	struct str part;

	while (next >= 0 && window_open(&w, text, next, limit)) {
		k = w.length < deliver ? w.length : deliver;
		part = window_prefix(&w, k);
		memcpy(joined + n, part.s, part.n);
		n += part.n;
		next = window_next(&w, k);
	}
	is_bytes(joined, n, text.s, text.n,
		 "windows one after the other join up to the text");
}

static void
test_next(void)
{
	struct window w;

	window_open(&w, STR("hello"), 1, 2);
	is_int(window_next(&w, 2), 3, "goes on after what was delivered");
	is_int(window_next(&w, 1), 2, "even when that is less than asked for");
	window_open(&w, STR("hello"), 1, 4);
	is_int(window_next(&w, 4), -1, "nowhere at the true end");
	is_int(window_next(&w, 3), 4, "one before it is not the end");
	window_open(&w, STR("hello"), 5, 4);
	is_int(window_next(&w, 0), -1, "an empty read at the end is the end");
}

int
main(void)
{
	test_rows();
	test_walk(4, 4);
	test_walk(4, 3);
	test_walk(1, 1);
	test_walk(100, 100);
	test_next();
	return done();
}
