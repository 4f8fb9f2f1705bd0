/* Case-folding search: spec/history.md sections 5.1 and 12, cases.md row 19. */
#include "text/fold.h"

#include "base/utf8.h"
#include "test.h"

/* ---- the table --------------------------------------------------------- */

/*
 * Count and FNV-1a hash were computed from CaseFolding.txt itself, over each
 * code point that folds and what it folds to, as 32 bits little-endian.
 */
static uint64_t
hash_add(uint64_t hash, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++)
		hash = (hash ^ (v >> 8 * i & 0xff)) * 0x100000001b3;
	return hash;
}

static void
test_table(void)
{
	uint64_t hash = 0xcbf29ce484222325;
	uint32_t cp, folded, variants[FOLD_CHAR_VARIANTS];
	unsigned count = 0, n, i;
	bool idempotent = true, listed = true, found;

	for (cp = 0; cp <= 0x10ffff; cp++) {
		folded = fold_char(cp);
		idempotent = idempotent && fold_char(folded) == folded;
		if (folded == cp)
			continue;
		count++;
		hash = hash_add(hash_add(hash, cp), folded);
		n = fold_char_variants(folded, variants);
		for (found = false, i = 0; i < n; i++)
			found = found || variants[i] == cp;
		listed = listed && found;
	}
	is_int(count, 1454, "1,454 code points fold to another");
	ok(hash == 0x7eea48eba006ec1a, "to those that Unicode 15.0.0 lists");
	ok(idempotent, "what is folded stays as it is");
	ok(listed, "each is among the variants of what it folds to");
}

static void
test_chars(void)
{
	static const struct {
		uint32_t from, to;
		const char *name;
	} rows[] = {
		{ 'A', 'a', "A" },
		{ 'Z', 'z', "Z" },
		{ '@', '@', "@" },
		{ '[', '[', "[" },
		{ 0x212a, 'k', "the Kelvin sign is k" },
		{ 0x17f, 's', "the long s is s" },
		{ 0x1e9e, 0xdf, "capital sharp s is sharp s" },
		{ 0xdf, 0xdf, "sharp s is itself" },
		{ 0x130, 0x130, "capital I with dot is itself" },
		{ 0x131, 0x131, "small i without dot is itself" },
		{ 0x3c2, 0x3c3, "final sigma is sigma" },
		{ 0x3a3, 0x3c3, "capital sigma is sigma" },
		{ 0x1f88, 0x1f80, "capital alpha with prosgegrammeni" },
		{ 0xfb01, 0xfb01, "the ligature fi is itself" },
		{ 0x1e921, 0x1e943, "the last row" },
		{ 0x10ffff, 0x10ffff, "the last code point" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(fold_char(rows[i].from), rows[i].to, rows[i].name);
	ok(fold_char_variants(0x3c9, (uint32_t[4]){ 0 }) == 3,
	   "omega, capital omega, ohm sign");
	ok(fold_char_variants(0x130, (uint32_t[4]){ 0 }) == 1,
	   "nothing folds to capital I with dot");
}

/* ---- fixed searches ---------------------------------------------------- */

#define NONE FOLD_NONE

static const struct {
	const char *query, *text;
	size_t at, len; /* bytes */
	const char *name;
} finds[] = {
	{ "ss", "\xc3\x9f", NONE, 0, "history 12: ss on sharp s" },
	{ "\xe1\xba\x9e", "\xc3\x9f", 0, 2, "history 12: its capital on it" },
	{ "i", "\xc4\xb0", NONE, 0, "history 12: i on dotted I" },
	{ "K", "\xe2\x84\xaa", 0, 3, "history 12: K on the Kelvin sign" },
	{ "\xe2\x84\xaa", "ok", 1, 1, "and the other way round" },
	{ "S", "\xc5\xbf", 0, 2, "history 5.1: S on long s" },
	{ "\xcf\x83", "\xcf\x82", 0, 2, "history 5.1: sigma on final sigma" },
	{ "\xce\xa3", "\xcf\x82", 0, 2, "history 5.1: Sigma on final sigma" },
	{ "\xc4\xb1", "I", NONE, 0, "history 5.1: dotless i only itself" },
	{ "\xc4\xb1", "i\xc4\xb1", 1, 2, "which it is" },
	{ "\xc3\xa9", "e\xcc\x81", NONE, 0, "composed is not decomposed" },
	{ "\xc3\x89", "caf\xc3\xa9", 3, 2, "capital e with acute" },
	/* the body of cases.md row 19: two I with dot, capital sharp s, fi */
	{ "ERROR", "\xc4\xb0\xc4\xb0 \xe1\xba\x9e \xef\xac\x81n error here", 14,
	  5, "cases 19: positions are those of the text" },
	{ "\xef\xac\x81n",
	  "\xc4\xb0\xc4\xb0 \xe1\xba\x9e \xef\xac\x81n error here", 9, 4,
	  "cases 19: the ligature is found" },
	{ "fin", "\xc4\xb0\xc4\xb0 \xe1\xba\x9e \xef\xac\x81n error here", NONE,
	  0, "cases 19: but not as two letters" },
	{ "kiss",
	  "a \xe2\x84\xaa"
	  "i\xc5\xbfS b",
	  2, 7, "foreigners in a word" },
	{ "kiss",
	  "kis \xe2\x84\xaa"
	  "iss kiss",
	  4, 6, "before one in ASCII" },
	{ "kiss",
	  "kiss \xe2\x84\xaa"
	  "iss",
	  0, 4, "and behind one" },
	{ "a", "", NONE, 0, "an empty text" },
	{ "ab", "a", NONE, 0, "a text shorter than the query" },
	{ "b\nC", "a\r\nB\nc", 3, 3, "line feeds are characters" },
	{ "(.*)+", "a(.*)+b", 1, 5, "nothing is a pattern" },
	{ "@", "`@", 1, 1, "at sign and grave differ by the case bit only" },
	{ "[", "{[", 1, 1, "so do brackets" },
	{ "\xf0\x90\x90\x80x", "a\xf0\x90\x90\xa8X", 1, 5, "Deseret" },
	{ "na\xc3\xafve caf\xc3\xa9", "a NA\xc3\x8fVE CAF\xc3\x89", 2, 12,
	  "words with accents" },
};

static void
test_finds(void)
{
	struct fold_query *q;
	struct str query;
	size_t i, at, len;

	for (i = 0; i < sizeof(finds) / sizeof(finds[0]); i++) {
		query = str_of(finds[i].query);
		q = fold_query_new(&query, 1);
		len = 0;
		at = fold_find(q, str_of(finds[i].text), &len);
		ok(at == finds[i].at && len == finds[i].len, "%s",
		   finds[i].name);
		fold_query_free(q);
	}
}

static void
test_entries(void)
{
	const struct str two[] = { STR(""), STR("b") };
	const struct str none[] = { STR(""), STR("") };
	const struct str same[] = { STR("abc"), STR("ab"), STR("zz") };
	struct fold_query *q = fold_query_new(two, 2);
	size_t len;

	is_int((long long)fold_find(q, STR("ab"), NULL), 1,
	       "history 12: an empty entry beside another is ignored");
	ok(!fold_query_empty(q), "that query is not empty");
	fold_query_free(q);

	q = fold_query_new(none, 2);
	ok(fold_query_empty(q), "one of empty entries is");
	ok(fold_find(q, STR("ab"), NULL) == FOLD_NONE, "and matches nothing");
	fold_query_free(q);
	q = fold_query_new(NULL, 0);
	ok(fold_query_empty(q), "so is one of no entries");
	fold_query_free(q);
	fold_query_free(NULL);

	q = fold_query_new(same, 3);
	is_int((long long)fold_find(q, STR("xABC"), &len), 1, "one place, two");
	is_int((long long)len, 3, "the length is that of the first given");
	ok(fold_find(q, (struct str){ NULL, 0 }, &len) == FOLD_NONE,
	   "an empty span without memory");
	fold_query_free(q);

	q = fold_query_new(&(struct str){ "b\0C", 3 }, 1);
	is_int((long long)fold_find(q, STR("a\0B\0c"), &len), 2,
	       "history 13, trap 10: NUL is a character");
	fold_query_free(q);
}

/* ---- against the definition -------------------------------------------- */

static const char *const nasty[] = {
	"K",
	"k",
	"\xe2\x84\xaa",
	"\xc5\xbf",
	"s",
	"S",
	"\xc3\x9f",
	"\xe1\xba\x9e",
	"\xc4\xb0",
	"\xc4\xb1",
	"i",
	"I",
	"\xcf\x83",
	"\xcf\x82",
	"\xce\xa3",
	"\xc3\xa9",
	"e\xcc\x81",
	"\xef\xac\x81",
	"",
	"\xf0\x9f\x98\x80",
	"a",
	"A",
	"b",
	"@",
	"`",
	"\xc3\x89",
	"\xe2\x84\xab",
	"\xc3\xa5",
};
#define NASTY (sizeof(nasty) / sizeof(nasty[0]))

/* Up to `most` letters out of `kinds` of the alphabet, from `first` on. */
static size_t
random_text(uint64_t *seed, size_t first, size_t kinds, size_t most, char *out)
{
	size_t k = test_random(seed) % (most + 1), n = 0, length;
	const char *letter;

	while (k-- > 0) {
		letter = nasty[(first + test_random(seed) % kinds) % NASTY];
		length = letter[0] == '\0' ? 1 : strlen(letter);
		memcpy(out + n, letter, length);
		n += length;
	}
	return n;
}

static size_t
naive_length(struct str entry, struct str text)
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
naive_find(const struct str *entries, size_t n, struct str text, size_t *len)
{
	size_t i, k;
	uint32_t cp;

	for (i = 0; i < text.n; i += utf8_decode(text.s + i, text.n - i, &cp))
		for (k = 0; k < n; k++) {
			if (entries[k].n == 0)
				continue;
			*len = naive_length(entries[k], str_from(text, i));
			if (*len != FOLD_NONE)
				return i;
		}
	*len = 0;
	return FOLD_NONE;
}

/* One round; most_entry and most_text in letters, the space for them given. */
static int
round_agrees(uint64_t *seed, size_t most_entry, size_t most_text, char *space)
{
	size_t first = test_random(seed), kinds = 1 + test_random(seed) % 6;
	size_t n = 1 + test_random(seed) % 3, i, got, got_len = 0, want_len;
	struct str entries[3], text;
	struct fold_query *q;
	size_t want;

	for (i = 0; i < n; i++) {
		entries[i].s = space;
		entries[i].n = random_text(seed, first, kinds, most_entry,
					   space);
		space += entries[i].n;
	}
	text = (struct str){ space, random_text(seed, first, kinds, most_text,
						space) };
	q = fold_query_new(entries, n);
	want = naive_find(entries, n, text, &want_len);
	got = fold_find(q, text, &got_len);
	fold_query_free(q);
	if (want != got || want_len != got_len)
		return -1;
	return got != FOLD_NONE;
}

static void
test_against_definition(size_t most_entry, size_t most_text, int rounds)
{
	uint64_t seed = 88172645463325252 + most_text;
	char *space = malloc(4 * (3 * most_entry + most_text) + 1);
	int i, result = 0, found = 0;

	for (i = 0; i < rounds && result >= 0; i++) {
		result = round_agrees(&seed, most_entry, most_text, space);
		found += result > 0;
	}
	ok(result >= 0,
	   "%d random searches of up to %zu letters in %zu (%d) agree with "
	   "the definition",
	   rounds, most_entry, most_text, i);
	ok(found > rounds / 10, "a fair part of them find something (%d)",
	   found);
	free(space);
}

/* ---- hostile ----------------------------------------------------------- */

/* n letters, of which the middle one is another. */
static size_t
fill(char *out, const char *letter, const char *other, size_t n)
{
	size_t i, at = 0;

	for (i = 0; i < n; i++) {
		const char *next = i == n / 2 ? other : letter;

		memcpy(out + at, next, strlen(next));
		at += strlen(next);
	}
	return at;
}

/* Where comparing again and again would take many minutes. */
static void
test_linear(const char *letter, const char *other, size_t n)
{
	char *text = malloc(6 * n), *entry = malloc(4 * n);
	size_t text_n = fill(text, letter, letter, n), at, len = 0;
	size_t entry_n = fill(entry, letter, other, n / 2);
	struct fold_query *q = fold_query_new(&(struct str){ entry, entry_n },
					      1);

	ok(fold_find(q, (struct str){ text, text_n }, NULL) == FOLD_NONE,
	   "half a text of `%s` with one `%s` is not in it", letter, other);
	memcpy(text + text_n, entry, entry_n);
	at = fold_find(q, (struct str){ text, text_n + entry_n }, &len);
	ok(at == text_n && len == entry_n, "but is found behind it");
	fold_query_free(q);
	free(text);
	free(entry);
}

/* From match to match through a text whose other entry is nowhere. */
static void
test_walk(struct str line, struct str a, struct str b, const char *name)
{
	const struct str entries[] = { a, b };
	size_t lines = 100000, n = lines * line.n, i, at, from = 0, found = 0;
	char *text = malloc(n);
	struct fold_query *q = fold_query_new(entries, 2);

	for (i = 0; i < lines; i++)
		memcpy(text + i * line.n, line.s, line.n);
	while ((at = fold_find(q, (struct str){ text + from, n - from },
			       NULL)) != FOLD_NONE) {
		found++;
		from = (from + at) / line.n * line.n + line.n;
	}
	is_int((long long)found, (long long)lines, name);
	fold_query_free(q);
	free(text);
}

int
main(void)
{
	test_table();
	test_chars();
	test_finds();
	test_entries();
	test_against_definition(4, 12, 100000);
	test_against_definition(3, 600, 5000);
	test_against_definition(60, 3000, 1000);
	test_linear("a", "b", 1000000);
	test_linear("k", "x", 1000000);
	test_linear("\xc3\xa9", "\xc3\xa8", 500000);
	test_linear("\xe2\x84\xaa", "\xc5\xbf", 300000);
	test_walk(STR("needle\n"), STR("nowhere at all"), STR("NEEDLE"),
		  "100,000 lines, one entry nowhere");
	test_walk(STR("\xe2\x84\xaa\n"), STR("k"), STR("nowhere"),
		  "100,000 lines, found by the Kelvin sign only");
	return done();
}
