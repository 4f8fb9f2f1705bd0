/* Control characters on text surfaces: spec/notes.md section 5.8. */
#include "base/visible.h"

#include "test.h"

struct row {
	struct str in;
	const char *field, *text;
	const char *name;
};

static const struct row rows[] = {
	{ { "", 0 }, "", "", "empty" },
	{ { "plain", 5 }, "plain", "plain", "plain" },
	{ { "\0", 1 }, "\\u0000", "\\u0000", "NUL" },
	{ { "\x1b[31mred", 8 },
	  "\\u001b[31mred",
	  "\\u001b[31mred",
	  "an escape sequence" },
	{ { "\x7f", 1 }, "\\u007f", "\\u007f", "DEL" },
	{ { "\xc2\x80\xc2\x9f", 4 },
	  "\\u0080\\u009f",
	  "\\u0080\\u009f",
	  "the ends of C1" },
	{ { "\xc2\xa0\xc2\xbf", 4 },
	  "\xc2\xa0\xc2\xbf",
	  "\xc2\xa0\xc2\xbf",
	  "their neighbours above" },
	{ { "\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9", 12 },
	  "\\u202a\\u202e\\u2066\\u2069",
	  "\\u202a\\u202e\\u2066\\u2069",
	  "the ends of the direction controls" },
	{ { "\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe2\x82\xac",
	    15 },
	  "\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe2\x82\xac",
	  "\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xe2\x82\xac",
	  "their neighbours" },
	{ { "\x1f ~", 3 }, "\\u001f ~", "\\u001f ~", "the ends of ASCII" },
	{ { "\xc3\x80\xe2\x82\xac\xf0\x9f\x98\x80", 9 },
	  "\xc3\x80\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\x80\xe2\x82\xac\xf0\x9f\x98\x80",
	  "other scripts" },
	{ { "a\tb\n", 4 }, "a\\u0009b\\u000a", "a\tb\n", "TAB and LF" },
	{ { "a\r\nb", 4 }, "a\\u000d\\u000ab", "a\r\nb", "CR LF" },
	{ { "a\rb", 3 }, "a\\u000db", "a\\u000db", "a CR alone" },
	{ { "a\r", 2 }, "a\\u000d", "a\\u000d", "a CR at the end" },
	{ { "\r\r\n", 3 },
	  "\\u000d\\u000d\\u000a",
	  "\\u000d\r\n",
	  "only the CR directly before LF" },
	{ { "12345678\x01"
	    "2345678\x02",
	    17 },
	  "12345678\\u00012345678\\u0002",
	  "12345678\\u00012345678\\u0002",
	  "at the edges of words" },
};

/* The rule for one byte, looked at alone: what no shortcut may change. */
static void
naive(struct buf *out, const char *p, size_t n, bool body)
{
	unsigned char c, next;
	size_t i;

	for (i = 0; i < n; i++) {
		c = (unsigned char)p[i];
		next = i + 1 < n ? (unsigned char)p[i + 1] : 0;
		if (c == 0xe2 && i + 2 < n &&
		    ((next == 0x80 && (unsigned char)p[i + 2] >= 0xaa &&
		      (unsigned char)p[i + 2] <= 0xae) ||
		     (next == 0x81 && (unsigned char)p[i + 2] >= 0xa6 &&
		      (unsigned char)p[i + 2] <= 0xa9))) {
			i += 2;
			buf_addf(out, "\\u20%02x",
				 (next == 0x80 ? 0x00 : 0x40) |
					 ((unsigned char)p[i] & 0x3f));
		} else if (c == 0xc2 && next < 0xa0)
			buf_addf(out, "\\u%04x", (unsigned char)p[++i]);
		else if (body && (c == '\n' || c == '\t' ||
				  (c == '\r' && next == '\n')))
			buf_addc(out, (char)c);
		else if (c < 0x20 || c == 0x7f)
			buf_addf(out, "\\u%04x", c);
		else
			buf_addc(out, (char)c);
	}
}

static bool
agrees(const char *p, size_t n, bool body)
{
	struct buf want = BUF_INIT, got = BUF_INIT;
	bool same;

	naive(&want, p, n, body);
	if (body)
		visible_text(&got, (struct str){ p, n });
	else
		visible_field(&got, (struct str){ p, n });
	same = str_eq(buf_str(&want), buf_str(&got));
	buf_release(&want);
	buf_release(&got);
	return same;
}

static void
test_random_texts(void)
{
	static const char *const letters[] = { "a",
					       "b",
					       "\n",
					       "\r",
					       "\t",
					       "\x01",
					       "\x7f",
					       "~",
					       "\xc2\x85",
					       "\xc2\xa9",
					       "word",
					       "longer plain text",
					       "\xe2\x80\xae",
					       "\xe2\x81\xa7",
					       "\xe2\x82\xac" };
	uint64_t seed = 12345;
	char text[40 * 20];
	size_t n, k, i;
	int round;
	bool same = true;

	for (round = 0; round < 20000 && same; round++) {
		k = test_random(&seed) % 40;
		for (n = i = 0; i < k; i++) {
			const char *l = letters[test_random(&seed) % 15];

			memcpy(text + n, l, strlen(l));
			n += strlen(l);
		}
		same = agrees(text, n, true) && agrees(text, n, false);
	}
	ok(same, "20,000 random texts agree with the rule taken byte by byte");
}

static void
test_full(void)
{
	struct buf out;

	buf_init(&out, 10);
	visible_text(&out, STR("0123456789"));
	ok(!out.full, "a text of exactly the room fits");
	visible_text(&out, STR("a"));
	ok(out.full, "one more is too much");
	buf_reset(&out);
	visible_text(&out, STR("01234\x01"));
	ok(out.full, "an escape that goes over the end is too much");
	buf_reset(&out);
	visible_text(&out, STR("0123\x01"));
	is_bytes(out.data, out.len, "0123\\u0001", 10,
		 "one that ends there is not");
	buf_release(&out);
}

int
main(void)
{
	struct buf out = BUF_INIT;
	const struct row *r;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = &rows[i];
		buf_reset(&out);
		visible_field(&out, r->in);
		ok(str_is(buf_str(&out), r->field), "notes 5.8, field: %s",
		   r->name);
		buf_reset(&out);
		visible_text(&out, r->in);
		ok(str_is(buf_str(&out), r->text), "notes 5.8, body: %s",
		   r->name);
	}
	buf_release(&out);
	test_random_texts();
	test_full();
	return done();
}
