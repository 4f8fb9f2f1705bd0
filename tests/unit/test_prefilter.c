/* What a query is looked for with in raw lines: spec/history.md section 10. */
#include "transcript/hosts.h"

#include "base/xalloc.h"
#include "test.h"

enum verdict { NO, YES, ALWAYS /* there is no prefilter for this query */ };

static const struct row {
	const char *query, *line;
	enum verdict want;
	const char *name;
} rows[] = {
	{ "checkout", "{\"a\":\"CheckOut\"}", YES, "ASCII case is ignored" },
	{ "checkout", "{\"a\":\"check-out\"}", NO, "nothing like it" },
	{ "no such thing", "a THING", YES, "one run of several is enough" },
	{ "no such thing", "no such", NO, "the longest" },
	{ "caf\xc3\xa9", "caf\\u00e9", YES, "a run ends before non-ASCII" },
	{ "caf\xc3\xa9", "\\u00e9", NO, "which is not looked for" },

	{ "checkout", "\\u0063heckout", YES, "a letter that is escaped" },
	{ "quiet", "\\u007f", YES, "whatever can be" },
	{ "quiet", "\\u001b[0m", NO, "a control character is no letter" },
	{ "nquiet", "x\\u000Aquiet", YES, "but may come out as \\n" },
	{ "tquiet", "x\\u0009quiet", YES, "or \\t" },
	{ "rquiet", "x\\u000dquiet", YES, "or \\r" },
	{ "bquiet", "x\\u0008quiet", YES, "or \\b" },
	{ "fquiet", "x\\u000cquiet", YES, "or \\f" },
	{ "quiet", "\\u00", NO, "an escape that the line ends in" },

	{ "kit", "\xe2\x84\xaait", YES, "U+212A is a k" },
	{ "kit", "\\u212Ait", YES, "also where it is escaped" },
	{ "sit", "\xc5\xbfit", YES, "U+017F is an s" },
	{ "sit", "\\u017Fit", YES, "also where it is escaped" },
	{ "kit", "\xc5\xbfit", NO, "and no k" },
	{ "the kestrel", "kestrel", YES, "a run without either is preferred" },

	{ "\"abc\":17", "abc", YES, "what is no digits alone" },
	{ "123", "x", ALWAYS, "digits may be counts" },
	{ "1 2 3", "x", ALWAYS, "runs that are too short" },
	{ "ab", "x", ALWAYS, "the same" },
	{ "512ms", "512", ALWAYS, "a duration" },
	{ "1.5MS", "1.5", ALWAYS, "the same" },
	{ "512m", "512", ALWAYS, "the start of one" },
	{ "item", "item", YES, "an m that is none" },
	{ "output", "x", ALWAYS, "a word that documents add" },
	{ "RGUM", "x", ALWAYS, "a part of one" },
	{ "---", "x", ALWAYS, "the same" },
	{ "local_shell", "x", ALWAYS, "the same" },
	{ "outputs", "outputs", YES, "more than one" },
	{ "outputs", "output", NO, "and less than that" },
	{ "output of make", "MAKE", YES, "another run of that entry" },
};

static void
check_row(const struct row *row)
{
	struct str query = str_of(row->query);
	struct prefilter *p = hosts_prefilter(&query, 1);
	enum verdict got;

	got = p == NULL				       ? ALWAYS
	      : prefilter_passes(p, str_of(row->line)) ? YES
						       : NO;
	ok(got == row->want, "%s: %s", row->query, row->name);
	prefilter_free(p);
}

static void
check_entries(void)
{
	struct str two[] = { STR("falcon"), STR("hobby") };
	struct str one_bad[] = { STR("falcon"), STR("12") };
	struct str blank[] = { STR(""), STR("falcon") };
	struct prefilter *p = hosts_prefilter(two, 2);

	ok(prefilter_passes(p, STR("a hobby")), "any entry will do");
	ok(!prefilter_passes(p, STR("a bird")), "but one has to");
	prefilter_free(p);
	ok(hosts_prefilter(one_bad, 2) == NULL, "one entry gives all of it up");
	p = hosts_prefilter(blank, 2);
	ok(p != NULL && !prefilter_passes(p, STR("x")), "empty entries drop");
	prefilter_free(p);
	ok(prefilter_passes(NULL, STR("x")), "without one all are candidates");
}

/* A match wherever the blocks that are read come to an end. */
static void
check_blocks(const char *what)
{
	size_t n = 3 * PREFILTER_SPACE, bad = 0;
	char *text = xmalloc(n), *space = xmalloc(PREFILTER_SPACE);
	struct str query = STR("falconry");
	struct prefilter *p = hosts_prefilter(&query, 1);
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
	struct prefilter *p = hosts_prefilter(&query, 1);
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

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&rows[i]);
	check_entries();
	check_blocks("FALCONRY");
	check_blocks("\\u0041");
	check_scan();
	return done();
}
