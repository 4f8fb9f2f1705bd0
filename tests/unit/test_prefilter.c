/* What a query is looked for with in raw lines: spec/history.md section 10. */
#include "transcript/hosts.h"

#include <stdio.h>

#include "base/xalloc.h"
#include "test.h"

enum verdict { NO, YES, ALWAYS /* there is no prefilter for this query */ };

#define ZLUTY "\xc5\xbelu\xc5\xa5ou\xc4\x8dk\xc3\xbd" /* yellowish */
#define ZLUTY_UPPER "\xc5\xbdLU\xc5\xa4OU\xc4\x8cK\xc3\x9d"
#define BIRD "\xd0\xbf\xd1\x82\xd0\xb8\xd1\x86\xd0\xb0" /* Cyrillic */
#define BIRD_UPPER "\xd0\x9f\xd0\xa2\xd0\x98\xd0\xa6\xd0\x90"
#define SWIFT "\xe9\x9b\xa8\xe7\x87\x95" /* Han */

static const struct row {
	const char *query, *line;
	enum verdict want;
	const char *name;
} rows[] = {
	{ "checkout", "{\"a\":\"CheckOut\"}", YES, "ASCII case is ignored" },
	{ "checkout", "{\"a\":\"check-out\"}", NO, "nothing like it" },
	{ "no such thing", "no SUCH thing", YES, "a phrase" },
	{ "no such thing", "such a THING has no", NO, "as one text" },
	{ "no such thing", "no\\u0020such thing", YES, "blanks escaped" },
	{ "no, such: thing", "such a THING has no", YES, "pieces anywhere" },
	{ "no, such: thing", "a thing", NO, "but all of them" },
	{ "n1 task", "{\"nestedCalls\":1}", YES,
	  "texts that a document puts side by side" },
	{ "n1 task", "{\"nested\\u0043alls\":1}", YES, "whatever the key" },
	{ "zebra", "{\"nestedCalls\":1}", NO, "no matter to one word" },
	{ "read null", "\"read\":null", YES, "arguments that are a word" },
	{ "read nu", "\"read\":null", YES, "or begin so" },
	{ "read number", "\"read\":number", NO, "or do not" },
	{ "read 12", "read", YES, "that are a number" },
	{ "fal\xc5\xbf"
	  "e zebra fal\xc5\xbf"
	  "e",
	  "FALSE zebra\":false", YES, "in letters that fold alike" },
	{ "Image x/zebra", "x\\/zebra", YES, "a mark and a media type" },
	{ "age x/zebra", "x/zebra", YES, "the end of one" },
	{ "aged x/zebra", "x/zebra", NO, "which this is not" },
	{ "quick  zebra", "quick - zebra", YES, "two blanks" },
	{ " zebra ", "zebra", YES, "blanks at the ends" },
	{ "the quick zebra of the function", "the quick function of the", NO,
	  "the one that is missing decides" },
	{ "a b c d e quick zebra kestrel falcon hobby", "quick zebra kestrel",
	  NO, "the rarest of many" },

	{ ZLUTY, "x" ZLUTY "x", YES, "letters with marks" },
	{ ZLUTY, ZLUTY_UPPER, YES, "in capitals" },
	{ ZLUTY, "zlutoucky", NO, "not without the marks" },
	{ ZLUTY, "\\u017Dlutoucky", YES, "escaped" },
	{ ZLUTY, "\\u00e9", NO, "another that is escaped" },
	{ BIRD, BIRD_UPPER, YES, "letters of another script" },
	{ BIRD_UPPER, BIRD, YES, "the other way round" },
	{ BIRD, "\xd0\xbf\xd1\x82\xd0\xb8\xd1\x86\xd1\x8b", NO,
	  "another word" },
	{ SWIFT, SWIFT, YES, "letters without case" },
	{ SWIFT, "\xe9\x9b\xa8", NO, "the half of them" },
	{ "stra\xc3\x9f"
	  "e",
	  "STRA\xe1\xba\x9e"
	  "E",
	  YES, "a capital whose encoding is longer" },
	{ "\xe1\xba\x9e", "\xc3\x9f", YES, "the other way round" },
	{ "caf\xc3\xa9", "caf\\u00c9", YES, "a letter that is escaped" },
	{ "\xf0\x9f\xa6\x85", "\\ud83e\\udd85", YES, "a pair of halves" },
	{ "a\xef\xbf\xbd", "a\\ud83e", YES, "half of one, which is U+FFFD" },
	{ "zebra", "\\ud83e\\udd85", NO, "which is no matter to others" },

	{ "checkout", "\\u0063heckout", YES, "a letter that is escaped" },
	{ "quiet", "\\u0051", YES, "whatever it is a part of" },
	{ "quiet", "\\u007f", NO, "but not of this" },
	{ "quiet", "\\u001b[0m", NO, "a control character is not a letter" },
	{ "nquiet", "x\\u000Aquiet", YES, "but may come out as \\n" },
	{ "tquiet", "x\\u0009quiet", YES, "or \\t" },
	{ "rquiet", "x\\u000dquiet", YES, "or \\r" },
	{ "bquiet", "x\\u0008quiet", YES, "or \\b" },
	{ "fquiet", "x\\u000cquiet", YES, "or \\f" },
	{ "qnuiet", "x\\u000auiet", NO, "in front only" },
	{ "quiet", "\\u00", NO, "an escape that the line ends in" },
	{ "quiet", "\\u00zz", NO, "one that is none" },

	{ "kit", "\xe2\x84\xaait", YES, "U+212A is a k" },
	{ "kit", "\\u212Ait", YES, "even where it is escaped" },
	{ "\xe2\x84\xaait", "KIT", YES, "the other way round" },
	{ "sit", "\xc5\xbfit", YES, "U+017F is an s" },
	{ "sit", "\\u017Fit", YES, "even where it is escaped" },
	{ "kit", "\xc5\xbfit", NO, "and no k" },

	{ "src/pay.c", "src/pay.c", YES, "a slash" },
	{ "src/pay.c", "SRC\\/pay.c", YES, "that is escaped" },
	{ "src/pay.c", "src\\\\/pay.c", YES, "twice" },
	{ "src/pay.c", "src pay.c", NO, "or not there" },
	{ "/*", "x/*", YES, "punctuation alone" },
	{ "/*", "x*/", NO, "the other way round" },
	{ "~#~", "~#", NO, "a part of it" },
	{ "->", "a->b", YES, "with a dash" },
	{ "->", "a - > b", NO, "apart" },
	{ "say \"quiet\"\n\\end", "say \\\"quiet\\\"\\n\\\\end", YES,
	  "quotes, line feeds and backslashes are between pieces" },
	{ "say \"quiet\"\n\\end", "say quiet", NO, "which are all needed" },
	{ "qz", "aqza", YES, "two letters" },
	{ "q", "abc", NO, "one" },

	{ "\"abc\":17", "abc", YES, "what is not digits alone" },
	{ "123", "x", ALWAYS, "digits may be counts" },
	{ "1 2 3", "x", ALWAYS, "the same" },
	{ "\"", "x", ALWAYS, "JSON's own" },
	{ ", ", "x", ALWAYS, "the same" },
	{ "512ms", "512", ALWAYS, "a duration" },
	{ "1.5MS", "1.5", ALWAYS, "the same" },
	{ "512m", "512", ALWAYS, "the start of one" },
	{ "item", "item", YES, "an m that is none" },
	{ "x512ms", "x512ms", YES, "a number that is none" },
	{ "x512ms", "x512", NO, "and is looked for whole" },
	{ "output", "x", ALWAYS, "a word that documents add" },
	{ "RGUM", "x", ALWAYS, "a part of one" },
	{ "un\xe2\x84\xaanown", "x", ALWAYS, "in other letters" },
	{ "---", "x", ALWAYS, "dashes" },
	{ "(complete", "x", ALWAYS, "with a parenthesis" },
	{ "local_shell", "x", ALWAYS, "a word of a decoder" },
	{ "image", "x", ALWAYS, "what stands for a picture" },
	{ "document", "x", ALWAYS, "or a document" },
	{ "outputs", "outputs", YES, "more than one" },
	{ "outputs", "output", NO, "and less than that" },
	{ "output of make", "Output of MAKE", YES, "in a phrase of others" },
};

static uint32_t
marks_of(const struct prefilter *p, const char *line)
{
	return prefilter_marks(p, str_of(line));
}

static void
check_row(const struct row *row)
{
	struct str query = str_of(row->query);
	struct prefilter *p = hosts_prefilter(&query, 1, false);
	enum verdict got;

	got = p == NULL					  ? ALWAYS
	      : prefilter_fits(p, marks_of(p, row->line)) ? YES
							  : NO;
	ok(got == row->want, "%.*s: %s", (int)strcspn(row->query, "\n"),
	   row->query, row->name);
	prefilter_free(p);
}

static void
check_entries(void)
{
	struct str two[] = { STR("falcon"), STR("hobby") };
	struct str one_bad[] = { STR("falcon"), STR("12") };
	struct str blank[] = { STR(""), STR("falcon") };
	struct str many[64];
	char names[64][8];
	struct prefilter *p = hosts_prefilter(two, 2, false);

	ok(prefilter_fits(p, marks_of(p, "a hobby")), "any entry will do");
	ok(!prefilter_fits(p, marks_of(p, "a bird")), "but one has to");
	prefilter_free(p);
	p = hosts_prefilter(two, 2, true);
	ok(!prefilter_fits(p, marks_of(p, "a hobby")),
	   "all: one is not enough");
	ok(prefilter_fits(p, marks_of(p, "a hobby") | marks_of(p, "a falcon")),
	   "two lines have them together");
	prefilter_free(p);
	ok(hosts_prefilter(one_bad, 2, false) == NULL,
	   "one entry gives all of it up");
	p = hosts_prefilter(one_bad, 2, true);
	ok(p != NULL && !prefilter_fits(p, marks_of(p, "x")),
	   "but where all are needed it is left out");
	prefilter_free(p);
	p = hosts_prefilter(blank, 2, false);
	ok(p != NULL && !prefilter_fits(p, marks_of(p, "x")),
	   "empty entries drop");
	prefilter_free(p);
	ok(prefilter_fits(NULL, 0), "without one all are candidates");

	for (size_t i = 0; i < 64; i++) {
		snprintf(names[i], sizeof(names[i]), "w%zuq", i);
		many[i] = str_of(names[i]);
	}
	p = hosts_prefilter(many, 64, false);
	for (size_t i = 0; i < 64; i++)
		if (!prefilter_fits(p, marks_of(p, names[i])))
			many[i].n = 0;
	ok(many[0].n > 0 && many[40].n > 0 && many[63].n > 0 &&
		   !prefilter_fits(p, marks_of(p, "w64q")),
	   "64 entries");
	prefilter_free(p);
}

/* A match wherever the blocks that are read come to an end. */
static void
check_blocks(const char *what)
{
	size_t n = 3 * PREFILTER_SPACE, bad = 0;
	char *text = xmalloc(n), *space = xmalloc(PREFILTER_SPACE);
	struct str query = STR("falconry");
	struct prefilter *p = hosts_prefilter(&query, 1, false);
	size_t length = strlen(what);
	atomic_bool stop = false;

	memset(text, 'x', n);
	for (size_t at = PREFILTER_SPACE - 20; at < PREFILTER_SPACE + 20;
	     at++) {
		struct source *s;

		memcpy(text + at, what, length);
		s = source_memory((struct str){ text, n });
		bad += prefilter_scan(p, s, space, &stop) != 1;
		source_close(s);
		memset(text + at, 'x', length);
	}
	is_int((long long)bad, 0, what);
	prefilter_free(p);
	free(text);
	free(space);
}

static void
check_scan(void)
{
	char *space = xmalloc(PREFILTER_SPACE);
	struct str query = STR("falconry");
	struct prefilter *p = hosts_prefilter(&query, 1, false);
	struct source *s = source_memory(STR("no bird"));
	atomic_bool stop = false;

	is_int(prefilter_scan(p, s, space, &stop), 0, "a source without");
	source_close(s);
	s = source_memory(STR("falconry"));
	atomic_store(&stop, true);
	is_int(prefilter_scan(p, s, space, &stop), 0, "nobody waits for it");
	source_close(s);
	prefilter_free(p);
	free(space);
}

/* The rarest piece is found first, and the others wherever they stand. */
static void
check_two_scans(void)
{
	size_t n = 3 * PREFILTER_SPACE;
	char *text = xmalloc(n), *space = xmalloc(PREFILTER_SPACE);
	struct str query = STR("retry\nzxq");
	struct prefilter *p = hosts_prefilter(&query, 1, false);
	atomic_bool stop = false;
	struct source *s;

	memset(text, 'o', n);
	memcpy(text + n - 3, "zxq", 3);
	s = source_memory((struct str){ text, n });
	is_int(prefilter_scan(p, s, space, &stop), 0, "one of two pieces");
	memcpy(text, "retry", 5);
	is_int(prefilter_scan(p, s, space, &stop), 1,
	       "the commoner one before the rarer one");
	source_close(s);
	prefilter_free(p);
	free(text);
	free(space);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
	check_entries();
	check_blocks("FALCONRY");
	check_blocks("\\u0041");
	check_scan();
	check_two_scans();
	return done();
}
