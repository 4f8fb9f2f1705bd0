/*
 * Properties of lists over many sessions of all hosts: the prefilter changes
 * no byte, and what a wildcard finds is what its sessions find one by one.
 */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "claude_gen.h"
#include "codex_gen.h"
#include "copilot_gen.h"
#include "gemini_gen.h"
#include "history/history_list.h"
#include "pi_gen.h"
#include "qwen_gen.h"
#include "text/fold.h"
#include "tool/result.h"
#include "transcript/hosts.h"

static const struct tool *declared(void);

#define ROUNDS 6
#define QUERIES 60

static const struct place {
	const char *session, *folder, *before, *after;
	void (*make)(struct gen *g, uint64_t seed, unsigned entries);
	const char *host;
} places[] = {
	{ "pi:p1", "pi/a", "2026-03-05T09-00-00-000Z_", "p1.jsonl", gen_pi,
	  "pi" },
	{ "pi:p2", "pi/b", "2026-03-05T09-00-00-000Z_", "p2.jsonl", gen_pi,
	  "pi" },
	{ "pi:p3", "pi", "2026-03-05T09-00-00-000Z_", "p3.jsonl", gen_pi,
	  "pi" },
	{ "claude:c1", "claude/projects/a", "", "c1.jsonl", gen_claude,
	  "claude" },
	{ "claude:c2", "claude/projects/b", "", "c2.jsonl", gen_claude,
	  "claude" },
	{ "codex:x1", "codex/sessions/2026/03/05",
	  "rollout-2026-03-05T09-00-00-", "x1.jsonl", gen_codex, "codex" },
	{ "codex:x2", "codex/archived_sessions", "rollout-2026-03-05T09-00-00-",
	  "x2.jsonl.zst", gen_codex, "codex" },
	{ "copilot:o1", "copilot/session-state/o1", "", "events.jsonl",
	  gen_copilot, "copilot" },
	{ "copilot:o2", "copilot/session-state/o2", "", "events.jsonl",
	  gen_copilot, "copilot" },
	{ "qwen:q1", "qwen/projects/a/chats", "", "q1.jsonl", gen_qwen,
	  "qwen" },
	{ "qwen:q2", "qwen/projects/b/chats", "", "q2.jsonl", gen_qwen,
	  "qwen" },
	{ "gemini:g1", "gemini/.gemini/tmp/a/chats",
	  "session-2026-03-05T09-00-", "g1.jsonl", gen_gemini, "gemini" },
	{ "gemini:g2", "gemini/.gemini/tmp/b/chats",
	  "session-2026-03-05T09-00-", "g2.jsonl", gen_gemini, "gemini" },
};
#define PLACES (sizeof(places) / sizeof(places[0]))

struct round {
	char root[64];
	char roots[6][80];
	struct facts facts;
	uint64_t state;
	struct buf pool; /* the documents of all sessions */
};

static unsigned
pick(struct round *r, unsigned n)
{
	return (unsigned)(test_random(&r->state) >> 33) % n;
}

/* ---- transcripts ------------------------------------------------------- */

/* Ways of writing that a search of raw lines has to see through. */
static const char *const spellings[] = {
	"retry",
	"\\u0072etry",
	"re\\u0054RY",
	"ta\xe2\x84\xaa_list",
	"ta\\u017fk_list",
	"TASK_LIST",
	"ba\\u212ae",
	"mi\\u000axed",
	"512ms and 12 recorded",
	"error: nested calls",
	"a\\u0000nul.c",
	"\\u001b[31mred\\u001b[0m",
	"caf\\u00e9-bar",
	"check\\/out",
	"\\ud83d alone",
	"un\\u006Bnown",
	"\xc5\xbelu\xc5\xa5ou\xc4\x8dk\xc3\xbd k\xc5\xaf\xc5\x88",
	"\\u017DLU\xc5\xa4OU\xc4\x8cK\xc3\x9d",
	"\xd0\xbf\xd1\x82\xd0\xb8\xd1\x86\xd0\xb0 \xd0\x9f\xd0\xa2",
	"stra\xc3\x9f"
	"e STRA\xe1\xba\x9e"
	"E",
	"\xe2\x84\xab \xc3\x85 \xc3\xa5",
	"\xe9\x9b\xa8\xe7\x87\x95",
	"\xf0\x9f\xa6\x85 \\ud83e\\udd85",
	"a->b /* c */ ~#~ d/e\\/f",
	"say \\\"no\\\" (or \\\\not) [x] {y}: 1,2",
	"the quick brown fox of the function",
};

static void
replace(struct round *r, struct buf *file, struct str word,
	const char *const *by, unsigned n_by)
{
	struct buf out = BUF_INIT;
	struct str rest = buf_str(file);
	const char *p;

	while ((p = memmem(rest.s, rest.n, word.s, word.n)) != NULL) {
		size_t n = (size_t)(p - rest.s);

		buf_add_str(&out, (struct str){ rest.s, n });
		buf_adds(&out, by[pick(r, n_by)]);
		rest = str_from(rest, n + word.n);
	}
	buf_add_str(&out, rest);
	buf_release(file);
	*file = out;
}

static void
replace_word(struct round *r, struct buf *file, struct str word)
{
	replace(r, file, word, spellings,
		sizeof(spellings) / sizeof(*spellings));
}

/* Sessions are made alike, and are not forks of each other. */
static void
make_unique(struct round *r, struct buf *file, unsigned number)
{
	char year[8], uuid[32];
	const char *by = year;

	snprintf(year, sizeof(year), "\"%u-", 2030 + number);
	replace(r, file, STR("\"2026-"), &by, 1);
	by = uuid;
	snprintf(uuid, sizeof(uuid), "uuid\":\"%u-", number);
	replace(r, file, STR("uuid\":\""), &by, 1);
	snprintf(uuid, sizeof(uuid), "Uuid\":\"%u-", number);
	replace(r, file, STR("Uuid\":\""), &by, 1);
}

/* Where the file has to tell what its place does. */
static void
make_own(struct round *r, struct buf *file, const struct place *place,
	 unsigned number)
{
	char text[32];
	const char *by = text;

	if (strcmp(place->host, "gemini") == 0) {
		snprintf(text, sizeof(text), "\"sessionId\":\"%s\"",
			 place->session + strlen("gemini:"));
		replace(r, file, STR("\"sessionId\":\"gen\""), &by, 1);
	}
	if (strcmp(place->host, "copilot") == 0) {
		snprintf(text, sizeof(text), "d\":\"%u-0", number);
		replace(r, file, STR("d\":\"0"), &by, 1);
		snprintf(text, sizeof(text), "[\"%u-0", number);
		replace(r, file, STR("[\"0"), &by, 1);
	}
}

/* Pi's records of calls within calls add words of their own. */
static void
add_nested(struct buf *file)
{
	static const char role[] = "\"role\":\"toolResult\",";
	struct buf out = BUF_INIT;
	struct str rest = buf_str(file);
	const char *p;

	while ((p = memmem(rest.s, rest.n, role, sizeof(role) - 1)) != NULL) {
		size_t n = (size_t)(p - rest.s) + sizeof(role) - 1;

		buf_add_str(&out, (struct str){ rest.s, n });
		buf_adds(&out,
			 "\"nestedCalls\":{\"calls\":[{\"id\":\"n1\",\"name\":"
			 "\"task\",\"durationMs\":512,\"arguments\":{\"q\" : "
			 "\"zero\"}},{\"argumentsBytes\":70}],"
			 "\"complete\":true},");
		rest = str_from(rest, n);
	}
	buf_add_str(&out, rest);
	buf_release(file);
	*file = out;
}

static void
add_documents(struct round *r, const struct decoder *decoder, struct str file)
{
	struct transcript t;
	struct event e;

	event_init(&e);
	if (transcript_open(&t, source_memory(file), decoder, NULL) !=
		    TRANSCRIPT_OK ||
	    !transcript_select(&t, STR("")))
		abort();
	for (uint32_t s = 1; s <= transcript_highest(&t); s++)
		if (transcript_is_event(&t, s) && event_load(&t, s, &e) &&
		    e.document.len < 4000)
			buf_add_str(&r->pool, buf_str(&e.document));
	event_release(&e);
	transcript_close(&t);
}

static void
write_file(const char *path, struct buf *file)
{
	struct buf packed = BUF_INIT;
	size_t size = ZSTD_compressBound(file->len);
	FILE *out = fopen(path, "w");

	if (str_ends(str_of(path), STR(".zst"))) {
		packed.len = ZSTD_compress(buf_reserve(&packed, size), size,
					   file->data, file->len, 1);
		buf_release(file);
		*file = packed;
	}
	if (out == NULL || fwrite(file->data, 1, file->len, out) != file->len ||
	    fclose(out) != 0)
		abort();
}

static void
make_session(struct round *r, const struct place *place, unsigned seed)
{
	char path[256];
	struct gen g;

	place->make(&g, seed, 3 + pick(r, 12));
	make_unique(r, &g.file, seed % 100);
	make_own(r, &g.file, place, seed % 100);
	if (strcmp(place->host, "pi") == 0)
		add_nested(&g.file);
	replace_word(r, &g.file, STR("retry"));
	replace_word(r, &g.file, STR("zero"));
	buf_adds(&g.file, "{\"type\":\"torn\",\"retry");
	add_documents(r, hosts_find(str_of(place->host))->decoder,
		      buf_str(&g.file));
	snprintf(path, sizeof(path), "%s/%s/%s%s", r->root, place->folder,
		 place->before, place->after);
	write_file(path, &g.file);
	gen_release(&g);
}

static void
make_folders(const struct round *r, const char *folder)
{
	char path[256];
	int n = snprintf(path, sizeof(path), "%s/", r->root);

	for (const char *p = folder; *p != '\0'; p++) {
		if (*p == '/') {
			path[n] = '\0';
			mkdir(path, 0700);
		}
		path[n++] = *p;
	}
	path[n] = '\0';
	mkdir(path, 0700);
}

static void
begin(struct round *r, unsigned seed)
{
	static const struct {
		const char *name, *variable;
	} hosts[] = {
		{ "pi", "PI_CODING_AGENT_SESSION_DIR" },
		{ "claude", "CLAUDE_CONFIG_DIR" },
		{ "codex", "CODEX_HOME" },
		{ "copilot", "COPILOT_HOME" },
		{ "qwen", "QWEN_HOME" },
		{ "gemini", "GEMINI_CLI_HOME" },
	};

	*r = (struct round){ .state = seed * 77777u + 5, .pool = BUF_INIT };
	snprintf(r->root, sizeof(r->root), "/tmp/wildcard-XXXXXX");
	if (mkdtemp(r->root) == NULL)
		abort();
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		snprintf(r->roots[i], sizeof(r->roots[i]), "%s/%s", r->root,
			 hosts[i].name);
		setenv(hosts[i].variable, r->roots[i], 1);
	}
	for (size_t i = 0; i < PLACES; i++) {
		make_folders(r, places[i].folder);
		make_session(r, &places[i], seed * 100 + (unsigned)i);
	}
}

static int
remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
end(struct round *r)
{
	nftw(r->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	buf_release(&r->pool);
}

/* ---- queries ----------------------------------------------------------- */

#define ENTRIES 3

struct query {
	struct buf text[ENTRIES];
	struct str v[ENTRIES];
	size_t n;
	bool all;
};

/* Some letters in another form that folds alike, and at times one wrong. */
static void
vary(struct round *r, struct buf *b)
{
	struct buf varied = BUF_INIT;
	struct str rest = buf_str(b);
	unsigned wrong = pick(r, 5) == 0 ? pick(r, 12) : UINT32_MAX, n;
	uint32_t cp, forms[FOLD_CHAR_VARIANTS];
	char bytes[4];

	for (unsigned i = 0; rest.n > 0; i++) {
		n = utf8_decode(rest.s, rest.n, &cp);
		rest = str_from(rest, n);
		n = fold_char_variants(fold_char(cp), forms);
		if (pick(r, 3) == 0)
			cp = forms[pick(r, n)];
		if (i == wrong)
			cp = 'a' + pick(r, 26);
		buf_add(&varied, bytes, utf8_encode(cp, bytes));
	}
	buf_release(b);
	*b = varied;
}

/* A piece of some document, or of what documents add. */
static void
make_entry(struct round *r, struct buf *out)
{
	static const char *const fixed[] = {
		"12ms",	    "512m",  "12m",	     "--- output",
		"complete", "512",   "unknown",	     "outp",
		"nowhere",  "nxed",  "\xe2\x84\xaa", "task",
		"\xc5\xbf", "u0001", "bytes)",	     "ning"
	};
	struct str text = buf_str(&r->pool);
	size_t at = pick(r, (unsigned)text.n);
	size_t n = 1 + pick(r, pick(r, 3) == 0 ? 60 : 9);

	if (pick(r, 4) == 0) {
		buf_adds(out, fixed[pick(r, sizeof(fixed) / sizeof(*fixed))]);
		return;
	}
	while (at > 0 && ((unsigned char)text.s[at] & 0xc0) == 0x80)
		at--;
	text = utf8_prefix(str_from(text, at), n);
	/* Parameters hold no NUL. */
	if (memchr(text.s, '\0', text.n) != NULL)
		text = STR("nul.c");
	buf_add_str(out, text);
	vary(r, out);
}

static void
make_query(struct round *r, struct query *q)
{
	*q = (struct query){ .n = pick(r, 3) == 0 ? 1 + pick(r, ENTRIES) : 1,
			     .all = pick(r, 3) == 0 };
	for (size_t i = 0; i < q->n; i++) {
		q->text[i] = (struct buf)BUF_INIT;
		make_entry(r, &q->text[i]);
		q->v[i] = buf_str(&q->text[i]);
	}
}

static void
release_query(struct query *q)
{
	for (size_t i = 0; i < q->n; i++)
		buf_release(&q->text[i]);
}

static void
set_args(struct history_list_args *args, struct query *q, const char *session,
	 unsigned limit)
{
	*args = (struct history_list_args){
		.query = { q->v, q->n, q->n > 0 },
		.from = { .v = -1 },
		.since = { .s = "" },
		.until = { .s = "" },
		.limit = { limit, true },
		.max_chars_per_item = { 20, true },
		.match_all = { q->all, q->all },
		.session = { session, strlen(session), true }
	};
}

static void
list(struct round *r, const struct history_list_args *args, struct page *page)
{
	struct tool_call call = { .tool = declared(),
				  .args = args,
				  .facts = &r->facts };
	struct fail fail = FAIL_INIT;

	if (history_list_run(&call, page, &fail) != 0) {
		printf("# %s\n", fail.message.data);
		abort();
	}
	fail_release(&fail);
}

/* Both surfaces, with or without the prefilter. */
static void
render(struct round *r, const struct history_list_args *args, bool without,
       struct buf *out)
{
	struct page page = { 0 };

	if (without)
		setenv("CTX_NO_PREFILTER", "1", 1);
	list(r, args, &page);
	unsetenv("CTX_NO_PREFILTER");
	result_json(declared(), &page, out);
	buf_addc(out, '\n');
	page_text(&page, out);
	page_release(&page);
}

static bool
same_without(struct round *r, struct query *q, const char *session,
	     unsigned limit)
{
	struct history_list_args args;
	struct buf with = BUF_INIT, without = BUF_INIT;
	bool same;

	set_args(&args, q, session, limit);
	render(r, &args, false, &with);
	render(r, &args, true, &without);
	same = str_eq(buf_str(&with), buf_str(&without));
	if (!same)
		printf("# %s, limit %u, %s\n#    with: %.400s\n# without: "
		       "%.400s\n",
		       session, limit, q->text[0].data, with.data,
		       without.data);
	buf_release(&with);
	buf_release(&without);
	return same;
}

/* ---- one by one -------------------------------------------------------- */

/* Adds `<session> <seq>` of each hit of a session, newest first. */
static void
add_one(struct round *r, struct query *q, const char *session, struct buf *out)
{
	struct history_list_args args;
	bool more = true;

	set_args(&args, q, session, 500);
	while (more) {
		struct page page = { 0 };

		list(r, &args, &page);
		for (size_t i = page.n_shown; i > 0; i--)
			buf_addf(out, "%s %u\n", session,
				 (unsigned)page_row(&page, i - 1)->head.seq);
		more = page.has_older;
		if (more)
			args.before_seq = (struct arg_integer){
				page_row(&page, 0)->head.seq, true
			};
		page_release(&page);
	}
}

static bool
same_as_merged(struct round *r, struct query *q, const struct page *order,
	       unsigned limit)
{
	struct buf merged = BUF_INIT, rows = BUF_INIT;
	struct history_list_args args;
	struct page page = { 0 };
	bool same;

	for (size_t i = 0; i < order->n_shown; i++)
		add_one(r, q, order->rows[i].label, &merged);
	set_args(&args, q, "*", limit);
	list(r, &args, &page);
	for (size_t i = 0; i < page.n_shown; i++)
		buf_addf(&rows, "%s %u\n", page.rows[i].label,
			 (unsigned)page.rows[i].head.seq);
	same = page.n_shown == limit || page.cut_by_size
		       ? str_starts(buf_str(&merged), buf_str(&rows))
		       : str_eq(buf_str(&merged), buf_str(&rows));
	if (!same)
		printf("# %s, limit %u\n", q->text[0].data, limit);
	page_release(&page);
	buf_release(&merged);
	buf_release(&rows);
	return same;
}

static void
check(unsigned seed)
{
	static const char *const wildcards[] = { "*",	      "pi:*",
						 "claude:*",  "codex:*",
						 "copilot:*", "qwen:*",
						 "gemini:*" };
	bool wild = true, single = true, merged = true;
	struct history_list_args args;
	struct query none = { .n = 0 };
	struct page order = { 0 };
	struct round r;

	begin(&r, seed);
	set_args(&args, &none, "*", 100);
	list(&r, &args, &order);
	is_int((long long)order.n_shown, PLACES, "every session gives a row");
	for (unsigned i = 0; i < QUERIES; i++) {
		unsigned limit = 1 + pick(&r, pick(&r, 2) ? 8 : 500);
		struct query q;

		make_query(&r, &q);
		wild = same_without(&r, &q, wildcards[pick(&r, 7)], limit) &&
		       wild;
		single = same_without(&r, &q, places[pick(&r, PLACES)].session,
				      limit) &&
			 single;
		merged = same_as_merged(&r, &q, &order, limit) && merged;
		release_query(&q);
	}
	ok(wild, "%u: wildcards: no byte depends on the prefilter", seed);
	ok(single, "%u: one session: no byte depends on it either", seed);
	ok(merged, "%u: a wildcard finds what its sessions find", seed);
	page_release(&order);
	end(&r);
}

/* With an argument: so many rounds, each of 2 * QUERIES pairs. */
int
main(int argc, char *argv[])
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10)
				   : ROUNDS;

	for (unsigned seed = 1; seed <= rounds; seed++)
		check(seed);
	return done();
}

/* The declaration says what is printed, and so what has to fit. */
int program(int argc, char *argv[]);
#define main program
#include "../../cmd/history-list.c"
#undef main

static const struct tool *
declared(void)
{
	return &tool;
}
