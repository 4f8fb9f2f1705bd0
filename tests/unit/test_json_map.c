#include "test.h"

#include "json_map_same.h"

#include "base/xalloc.h"

static uint64_t seed = 20261201;
static struct json_map map = JSON_MAP_INIT;

static unsigned
pick(unsigned n)
{
	return (unsigned)(test_random(&seed) >> 33) % n;
}

/* In a block of its own size, so that a byte too many is noticed. */
static bool
same(struct str text)
{
	char *copy = xmemdup(text.s, text.n);
	bool is = map_same(&map, (struct str){ copy, text.n });

	free(copy);
	return is;
}

/* ---- texts ------------------------------------------------------------- */

static void
add_space(struct buf *out)
{
	static const char *const spaces[] = { "",   "",	    "",	  " ",
					      "\t", "\r\n", "   " };

	buf_adds(out, spaces[pick(7)]);
}

static void
add_string(struct buf *out)
{
	static const char *const pieces[] = {
		"plain words of some length ",
		"\\n",
		"\\\"",
		"\\\\",
		"\\u00e9",
		"\\ud83d\\ude00",
		"\\ud83d",
		"\\u0000",
		"\xc3\xa9",
		"\xe2\x82\xac",
		"\xf0\x9f\x98\x80",
		"{[,:]}",
		"x",
		"\\\\\\\\\\\\",
		"\\/\\b\\f\\r\\t",
	};

	buf_addc(out, '"');
	for (unsigned n = pick(2) == 0 ? pick(3) : pick(20); n > 0; n--)
		buf_adds(out, pieces[pick(15)]);
	buf_addc(out, '"');
}

static void
add_number(struct buf *out)
{
	static const char *const numbers[] = { "0",	"1",   "-7",  "23",
					       "-0.5",	"1.5", "1e9", "2E-3",
					       "10000", "-0",  "9",   "3.25" };

	buf_adds(out, numbers[pick(12)]);
}

/* Lists of numbers are looked at together. */
static void
add_numbers(struct buf *out)
{
	const char *comma = pick(2) == 0 ? "," : pick(2) == 0 ? ", " : " , ";

	for (unsigned n = pick(80); n > 0; n--) {
		add_number(out);
		buf_adds(out, pick(60) == 0 ? ",\t" : comma);
	}
	add_number(out);
}

static void
add_value(struct buf *out, unsigned depth)
{
	unsigned kind = pick(depth == 0 ? 4 : 8), n;

	switch (kind) {
	case 0:
		add_number(out);
		return;
	case 1:
		buf_adds(out, pick(3) == 0   ? "true"
			      : pick(2) == 0 ? "false"
					     : "null");
		return;
	case 2:
	case 3:
		add_string(out);
		return;
	case 4:
		buf_addc(out, '[');
		add_numbers(out);
		buf_addc(out, ']');
		return;
	default:
		break;
	}
	buf_addc(out, kind == 5 ? '[' : '{');
	n = pick(6);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			buf_addc(out, ',');
		add_space(out);
		if (kind != 5) {
			add_string(out);
			add_space(out);
			buf_addc(out, ':');
			add_space(out);
		}
		add_value(out, depth - 1);
		add_space(out);
	}
	buf_addc(out, kind == 5 ? ']' : '}');
}

static void
change(struct buf *text)
{
	static const char changes[] = "\"\\\x01\x80\xff\xc3 u{}[],:0n\n-.e";

	for (unsigned n = 1 + pick(2); n > 0; n--)
		text->data[pick((unsigned)text->len)] = changes[pick(21)];
	if (pick(8) == 0)
		buf_truncate(text, pick((unsigned)text->len));
}

static void
agrees_with_the_check(void)
{
	struct buf text = BUF_INIT, first = BUF_INIT;
	size_t bad = 0, good = 0;

	for (int round = 0; round < 40000; round++) {
		bool is;

		buf_reset(&text);
		for (unsigned n = pick(JSON_TOKENS_BLOCK); n > 0; n--)
			buf_addc(&text, ' ');
		add_value(&text, 1 + pick(9));
		if (pick(2) == 0)
			change(&text);
		is = same(buf_str(&text));
		if (!is && bad++ == 0)
			buf_add_str(&first, buf_str(&text));
		good += json_map_text(NULL, buf_str(&text));
	}
	if (!is_int((long long)bad, 0,
		    "40,000 texts get the check's verdict and spans"))
		printf("# %.*s\n", (int)first.len, first.data);
	ok(good > 10000 && good < 38000, "%zu of them are good", good);
	buf_release(&first);
	buf_release(&text);
}

/*
 * Tokens are taken in batches of 16 blocks, members that are strings four
 * tokens at once.  Each token in turn is the last of a batch, while those of a
 * batch with more of them lie behind it; and each byte about the seam a fault.
 */
static void
members_on_the_seams(void)
{
	static const char *const members[] = {
		"\"k\":\"v\",", "\"a key\" : \"a value\" , ",
		"\"k\":1,\"s\":\"\",", "\"o\":{\"k\":\"v\",\"l\":\"w\"},"
	};
	const size_t seam = 2 * 16 * JSON_TOKENS_BLOCK;
	struct buf text = BUF_INIT;
	size_t bad = 0;

	for (size_t i = 0; i < 4; i++)
		for (size_t before = 0; before <= 2 * JSON_TOKENS_BLOCK;
		     before++) {
			buf_reset(&text);
			buf_addc(&text, '{');
			for (size_t n = before; n > 0; n--)
				buf_addc(&text, ' ');
			while (text.len < seam / 2)
				buf_adds(&text, "\"\":\"\",");
			while (text.len < seam + 3 * JSON_TOKENS_BLOCK)
				buf_adds(&text, members[i]);
			buf_adds(&text, "\"z\":\"end\"}");
			bad += !same(buf_str(&text));
			for (size_t at = seam - 4; at < seam + 4; at++) {
				char kept = text.data[at];

				text.data[at] = '"';
				bad += !same(buf_str(&text));
				text.data[at] = ',';
				bad += !same(buf_str(&text));
				text.data[at] = kept;
			}
		}
	is_int((long long)bad, 0, "members about the end of a batch");
	buf_release(&text);
}

/* ---- limits ------------------------------------------------------------ */

static void
nests(unsigned depth, bool good)
{
	struct buf text = BUF_INIT;

	for (unsigned i = 0; i < depth; i++)
		buf_addc(&text, '[');
	for (unsigned i = 0; i < depth; i++)
		buf_addc(&text, ']');
	ok(json_map_text(NULL, buf_str(&text)) == good && same(buf_str(&text)),
	   "%u levels", depth);
	buf_release(&text);
}

/* More values than a map has places for, and each of them is found. */
static void
is_bounded(const char *element, unsigned n)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, "{\"a\":[");
	for (unsigned i = 0; i < n; i++) {
		buf_adds(&text, i == 0 ? "" : ",");
		buf_adds(&text, element);
	}
	buf_adds(&text, "],\"z\":{\"last\":true}}");
	ok(same(buf_str(&text)), "%u of %s", n, element);
	ok(json_map_text(&map, buf_str(&text)) && map.cap <= 8192,
	   "its map has %zu places", map.n);
	is_int(json_is_true(json_map_get(
		       &map, json_map_get(&map, buf_str(&text), "z"), "last")),
	       1, "what follows them is found");
	buf_release(&text);
}

/* A map is not asked about what it is not of. */
static void
other_texts(void)
{
	static const char text[] = "{\"a\":{\"b\":1},\"c\":[2]}";
	static const char other[] = "{\"a\":{\"b\":22222},\"c\":[3]}";
	struct str of = { other, sizeof(other) - 1 };
	struct str v;

	(void)json_map_text(&map, (struct str){ text, sizeof(text) - 1 });
	v = json_map_get(&map, of, "c");
	is_bytes(v.s, v.n, "[3]", 3, "of another text");
	v = json_map_get(NULL, of, "a");
	is_bytes(v.s, v.n, "{\"b\":22222}", 11, "without a map");
	ok(!json_map_text(&map, (struct str){ "[1,]", 4 }) && map.n == 0,
	   "no map of what is not JSON");
	ok(!json_map_text(&map, (struct str){ NULL, 0 }), "nor of nothing");
}

int
main(void)
{
	agrees_with_the_check();
	members_on_the_seams();
	nests(6, true);
	nests(JSON_MAP_DEPTH, true);
	nests(JSON_MAP_DEPTH + 1, false);
	is_bounded("7", 100000);
	is_bounded("{\"b\":\"a string that is longer than the shortest ones\"}",
		   20000);
	is_bounded("[[[[[[[[]]]]]]]]", 3000);
	other_texts();
	json_map_release(&map);
	return done();
}
