/* Raw substring search, ASCII case ignored: spec/history.md section 10. */
#include "text/ascii_search.h"

#include "test.h"

static const struct {
	const char *needle, *text;
	size_t at;
	const char *name;
} rows[] = {
	{ "b", "ab", 1, "one byte" },
	{ "B", "ab", 1, "upper case in the needle" },
	{ "ab", "xAb", 1, "upper case in the text" },
	{ "", "ab", 0, "an empty needle" },
	{ "", "", 0, "an empty needle in nothing" },
	{ "ab", "a", ASCII_NONE, "longer than the text" },
	{ "ab", "", ASCII_NONE, "in nothing" },
	{ "@", "`", ASCII_NONE, "at sign is not grave" },
	{ "`", "@", ASCII_NONE, "grave is not at sign" },
	{ "[", "{", ASCII_NONE, "bracket is not brace" },
	{ "\x7f", "_", ASCII_NONE, "DEL is not underscore" },
	{ "\xe9", "\xc9", ASCII_NONE, "bytes above ASCII have no case" },
	{ "\xff\xfe", "a\xff\xfe", 1, "but are found, whatever they are" },
	{ "aab", "aaaab", 2, "an overlapping start" },
	{ "k", "\xe2\x84\xaa", ASCII_NONE, "the Kelvin sign is not ASCII" },
};

static void
test_rows(void)
{
	struct ascii_needle a;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ascii_needle_init(&a, str_of(rows[i].needle));
		ok(ascii_search(&a, rows[i].text, strlen(rows[i].text)) ==
			   rows[i].at,
		   "%s", rows[i].name);
		ascii_needle_release(&a);
	}
}

static char
small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t
naive(struct str needle, const char *p, size_t n)
{
	size_t i, k;

	for (i = 0; i + needle.n <= n; i++) {
		for (k = 0; k < needle.n; k++)
			if (small(needle.s[k]) != small(p[i + k]))
				break;
		if (k == needle.n)
			return i;
	}
	return ASCII_NONE;
}

static void
fill(uint64_t *seed, char *p, size_t n, size_t kinds)
{
	static const char letters[] = "aAbBzZ @`[{\n_\x7f\0e\xe9";

	while (n-- > 0)
		*p++ = letters[test_random(seed) % kinds];
}

/* The text is a block of its own size: nothing behind it may be read. */
static void
test_random_texts(size_t most_needle, size_t most_text, int rounds)
{
	uint64_t seed = 2463534242 + most_text;
	struct ascii_needle a;
	struct str needle;
	char space[256], *text;
	size_t n, kinds, got, found = 0;
	bool same = true;
	int i;

	for (i = 0; i < rounds && same; i++) {
		kinds = 1 + test_random(&seed) % 17;
		needle.n = 1 + test_random(&seed) % most_needle;
		needle.s = space;
		fill(&seed, space, needle.n, kinds);
		n = test_random(&seed) % (most_text + 1);
		text = malloc(n == 0 ? 1 : n);
		fill(&seed, text, n, kinds);
		ascii_needle_init(&a, needle);
		got = ascii_search(&a, text, n);
		same = got == naive(needle, text, n);
		found += got != ASCII_NONE;
		ascii_needle_release(&a);
		free(text);
	}
	ok(same, "%d random needles of up to %zu in texts of up to %zu", rounds,
	   most_needle, most_text);
	ok(found > (size_t)rounds / 20, "a fair part of them are found (%zu)",
	   found);
}

/* Every place in and around the blocks that the search goes by. */
static void
test_places(void)
{
	struct ascii_needle a;
	char text[200];
	size_t n, at;
	bool same = true;

	ascii_needle_init(&a, STR("Needle"));
	for (n = 6; n <= sizeof(text); n++) {
		for (at = 0; at + 6 <= n; at++) {
			memset(text, 'e', n);
			memcpy(text + at, "nEEDLe", 6);
			same = same && ascii_search(&a, text, n) == at;
			text[at + 3] = 'x';
			same = same && ascii_search(&a, text, n) == ASCII_NONE;
		}
	}
	ok(same, "found at each place of each text up to 200 bytes");
	ascii_needle_release(&a);
}

/* Without the border table this would compare 10^11 bytes. */
static void
test_linear(void)
{
	size_t n = 1000000, i;
	char *text = malloc(n), *needle = malloc(n / 2);
	struct ascii_needle a;

	memset(text, 'a', n);
	memset(needle, 'A', n / 2);
	needle[n / 4] = 'e';
	for (i = 1; i < n; i += 2)
		text[i] = 'e';
	for (i = 1; i < n / 2; i += 2)
		needle[i] = 'e';
	ascii_needle_init(&a, (struct str){ needle, n / 2 });
	ok(ascii_search(&a, text, n) == ASCII_NONE, "nearly everywhere");
	ascii_needle_release(&a);
	needle[n / 4] = 'a';
	memcpy(text + n / 2, needle, n / 2);
	ascii_needle_init(&a, (struct str){ needle, n / 2 });
	ok(ascii_search(&a, text, n) == 0, "everywhere");
	text[n / 2 - 1] = 'x';
	is_int((long long)ascii_search(&a, text, n), (long long)n / 2,
	       "at the very end");
	ascii_needle_release(&a);
	free(text);
	free(needle);
}

int
main(void)
{
	test_rows();
	test_random_texts(3, 40, 20000);
	test_random_texts(3, 400, 20000);
	test_random_texts(100, 600, 20000);
	test_places();
	test_linear();
	return done();
}
