#include "test.h"

#include "base/utf8.h"
#include "base/xalloc.h"

/* Byte by byte, from the definition: what the fast paths must agree with. */
static size_t
plain_count(struct str s)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += ((unsigned char)s.s[i] & 0xc0) != 0x80;
	return n;
}

static size_t
plain_offset(struct str s, size_t k)
{
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		if (((unsigned char)s.s[i] & 0xc0) != 0x80 && n++ == k)
			return i;
	return s.n;
}

static void
every_code_point_round_trips(void)
{
	uint32_t cp, back;
	char out[4];
	unsigned n, want;
	bool good = true, cut = true;

	for (cp = 0; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		want = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
		n = utf8_encode(cp, out);
		good &= n == want && utf8_decode(out, n, &back) == n &&
			back == cp && utf8_valid((struct str){ out, n });
		if (n > 1)
			cut &= utf8_decode(out, n - 1, &back) == 0;
	}
	ok(good, "every scalar value round-trips at its shortest length");
	ok(cut, "every sequence without its last byte is refused");
}

/* All 2^24 openings: legal ones are what utf8_encode() writes. */
static void
every_short_sequence(void)
{
	uint32_t i, cp, wrong = 0;

	for (i = 0; i < 1U << 24; i++) {
		char s[4] = { (char)(i >> 16), (char)(i >> 8), (char)i,
			      (char)0x80 };
		char again[4];
		unsigned n = utf8_decode(s, 4, &cp);

		if (n > 0 &&
		    ((cp >= 0xd800 && cp <= 0xdfff) || cp > 0x10ffff ||
		     utf8_encode(cp, again) != n || memcmp(s, again, n) != 0))
			wrong++;
	}
	is_int(wrong, 0, "what decodes is exactly what encodes");
}

static void
refused_sequences(void)
{
	static const struct {
		const char *bytes, *name;
	} row[] = {
		{ "\x80", "a lone continuation byte" },
		{ "\xbf", "the last continuation byte" },
		{ "\xc0\x80", "overlong NUL" },
		{ "\xc1\xbf", "overlong DEL" },
		{ "\xe0\x9f\xbf", "overlong three bytes" },
		{ "\xf0\x8f\xbf\xbf", "overlong four bytes" },
		{ "\xed\xa0\x80", "the first surrogate" },
		{ "\xed\xbf\xbf", "the last surrogate" },
		{ "\xf4\x90\x80\x80", "above U+10FFFF" },
		{ "\xf5\x80\x80\x80", "a lead byte that does not exist" },
		{ "\xfe", "0xfe" },
		{ "\xff", "0xff" },
		{ "\xc3(", "a lead byte before ASCII" },
		{ "\xe2\x82", "a truncated sequence" },
		{ "\xe2(\xa1", "a broken second byte" },
		{ "\xf0\x90\x28\x80", "a broken third byte" },
	};
	size_t i, at;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		size_t n = strlen(row[i].bytes);
		uint32_t cp;
		bool good;

		good = utf8_decode(row[i].bytes, n, &cp) == 0;
		/* At every distance from a word's edge. */
		for (at = 0; at < 80; at++) {
			char s[100];

			memset(s, 'a', sizeof(s));
			memcpy(s + at, row[i].bytes, n);
			good &= utf8_valid_prefix(
					(struct str){ s, sizeof(s) }) == at;
			good &= utf8_valid_prefix((struct str){ s, at + n }) ==
				at;
		}
		ok(good, "refuses %s, and says where", row[i].name);
	}
}

static void
positions(void)
{
	struct str s = STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	struct str none = { NULL, 0 };

	ok(utf8_valid(none) && utf8_count(none) == 0 &&
		   utf8_offset(none, 0) == 0 && utf8_prefix(none, 3).n == 0,
	   "the empty span");
	ok(utf8_valid(STR("a\0b")), "NUL is a character");
	is_int((long long)utf8_count(s), 5, "counts code points");
	is_int((long long)utf8_offset(s, 0), 0, "offset 0");
	is_int((long long)utf8_offset(s, 2), 3, "offset 2");
	is_int((long long)utf8_offset(s, 4), 10, "offset 4");
	is_int((long long)utf8_offset(s, 5), 11, "offset at the end");
	is_int((long long)utf8_offset(s, SIZE_MAX), 11, "offset past the end");
	is_int((long long)utf8_prefix(s, 3).n, 6, "prefix of 3");
}

static void
random_texts(void)
{
	uint64_t seed = 20260801;
	char *text = xmalloc(5000);
	size_t round, k, bad = 0;

	for (round = 0; round < 300; round++) {
		size_t n = 0, want = test_random(&seed) % 1200;
		struct str s;

		while (n < want) {
			uint64_t r = test_random(&seed);
			uint32_t cp = (uint32_t)(r >> 32);

			cp = r % 3 == 0	  ? cp % 0x110000
			     : r % 3 == 1 ? cp % 0x800
					  : cp % 0x80;
			if (cp >= 0xd800 && cp <= 0xdfff)
				cp = 0xfffd;
			n += utf8_encode(cp, text + n);
		}
		s = (struct str){ text, n };
		bad += !utf8_valid(s) || utf8_count(s) != plain_count(s);
		for (k = 0; k < 1300; k += 1 + k / 16)
			bad += utf8_offset(s, k) != plain_offset(s, k);
	}
	is_int((long long)bad, 0, "random texts agree with the definition");
	free(text);
}

/*
 * One bad byte, or the end, anywhere in a text that is long enough to be
 * validated many bytes at a time.
 */
static void
faults_in_long_texts(void)
{
	static const char *const letters[] = { "a", "\xc3\xa9", "\xe2\x82\xac",
					       "\xf0\x9f\x98\x80" };
	static const char bytes[] = "\x80\xbf\xc0\xc1\xc3\xe0\xed\xef\xf0\xf4"
				    "\xf5\xff\x9f\xa0\x8f\x90z";
	uint64_t seed = 7;
	size_t bad = 0;

	for (int round = 0; round < 40000; round++) {
		char text[256];
		size_t n = 0, at, size;
		uint32_t cp;

		while (n < 100 + (size_t)round % 100) {
			const char *l = letters[test_random(&seed) % 4];

			memcpy(text + n, l, strlen(l));
			n += strlen(l);
		}
		n -= test_random(&seed) % 3;
		for (int k = round % 3; k > 0; k--)
			text[test_random(&seed) % n] =
				bytes[test_random(&seed) % 17];
		for (at = 0; at < n; at += size) {
			size = utf8_decode(text + at, n - at, &cp);
			if (size == 0)
				break;
		}
		bad += utf8_valid_prefix((struct str){ text, n }) != at;
	}
	is_int((long long)bad, 0, "faults in long texts are found in place");
}

int
main(void)
{
	faults_in_long_texts();
	every_code_point_round_trips();
	every_short_sequence();
	refused_sequences();
	positions();
	random_texts();
	return done();
}
