/*
 * A thread of Codex in its directory: whatever is appended to it, wherever it
 * is rewound to, forked, archived and compressed, its seqs stay what they were
 * (spec/history.md 2.5, 3.2).
 */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "codex_gen.h"
#include "sessions/session.h"
#include "transcript/event.h"

#define ROUNDS 12
#define DAY "sessions/2026/03/05"
#define THREAD "01900000-0000-7000-8000-00000000000a"
#define FORK "01900000-0000-7000-8000-00000000000b"
#define SEGMENT(n) "01900000-0000-7000-8000-0000000001" n

/* What a session reads as, slot by slot. */
struct reading {
	uint32_t highest;
	struct buf kinds; /* what a slot is, on whatever branch */
	struct buf flags;
	struct buf text; /* of all messages on the branch, ... */
	size_t *ends;	 /* ... and where each slot's ends */
};

static char home[64]; /* CODEX_HOME */

/* ---- files ------------------------------------------------------------- */

static void
path_of(char path[256], const char *folder, const char *name, const char *end)
{
	snprintf(path, 256, "%s/%s/rollout-2026-03-05T09-00-00-%s.jsonl%s",
		 home, folder, name, end);
}

static void
put(const char *path, struct str bytes)
{
	FILE *out = fopen(path, "w");

	if (out == NULL || fwrite(bytes.s, 1, bytes.n, out) != bytes.n ||
	    fclose(out) != 0)
		abort();
}

static void
begin(void)
{
	static const char *const folders[] = { "",
					       "/sessions",
					       "/sessions/2026",
					       "/sessions/2026/03",
					       ("/" DAY),
					       "/archived_sessions" };
	char path[256];

	snprintf(home, sizeof(home), "/tmp/threads-XXXXXX");
	if (mkdtemp(home) == NULL)
		abort();
	setenv("CODEX_HOME", home, 1);
	for (size_t i = 1; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%s%s", home, folders[i]);
		if (mkdir(path, 0700) != 0)
			abort();
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

/*
 * What is said in a thread or a segment, with items: one log all along.  The
 * header says which thread it is, and what it continues.
 */
static void
say(struct buf *out, unsigned seed, const char *base, size_t end)
{
	static const char message[] =
		"\"response_item\",\"payload\":{\"type\":\"message\"";
	struct gen g;
	struct str rest;

	for (;; seed += 1000) {
		gen_codex(&g, seed, 8);
		rest = buf_str(&g.file);
		if (memmem(rest.s, rest.n, message, sizeof(message) - 1) !=
		    NULL)
			break;
		gen_release(&g);
	}
	rest = str_from(
		rest,
		(size_t)((const char *)memchr(rest.s, '\n', rest.n) - rest.s) +
			1);
	buf_adds(out, "{\"type\":\"session_meta\",\"payload\":{\"id\":\"" THREAD
		      "\"");
	if (base != NULL)
		buf_addf(out,
			 ",\"history_base\":{\"thread_id\":\"%s\","
			 "\"end_byte_offset\":%zu}",
			 base, end);
	buf_adds(out, "}}\n");
	buf_add_str(out, rest);
	/* What comes next is not part of a torn line. */
	buf_addc(out, '\n');
	gen_release(&g);
}

/* ---- what is read ------------------------------------------------------ */

static void
reading_release(struct reading *r)
{
	buf_release(&r->kinds);
	buf_release(&r->flags);
	buf_release(&r->text);
	free(r->ends);
}

/* Calls get their results later, messages are whole at once. */
static void
add_slot(struct reading *r, struct transcript *t, uint32_t seq)
{
	const struct slot *slot = transcript_slot(t, seq);
	struct event e;

	buf_addc(&r->kinds, (char)('a' + slot->kind * 8 + slot->role));
	buf_addc(&r->flags, (char)slot->flags);
	event_init(&e);
	if (transcript_is_event(t, seq) && event_load(t, seq, &e) &&
	    e.role != ROLE_TOOL)
		buf_add_str(&r->text, buf_str(&e.document));
	event_release(&e);
	r->ends[seq] = r->text.len;
}

static bool
read_session(const char *selector, struct reading *r)
{
	struct session s = SESSION_INIT;
	struct facts facts = { 0 };
	struct fail fail = FAIL_INIT;
	bool opened = session_open(&s, &facts, str_of(selector), NULL, &fail) ==
		      0;

	*r = (struct reading){ .kinds = BUF_INIT,
			       .flags = BUF_INIT,
			       .text = BUF_INIT };
	if (opened) {
		r->highest = transcript_highest(&s.transcript);
		r->ends = xcalloc(r->highest + 1, sizeof(*r->ends));
		for (uint32_t i = 1; i <= r->highest; i++)
			add_slot(r, &s.transcript, i);
	} else {
		printf("# %s: %s\n", selector, fail.message.data);
	}
	session_release(&s);
	fail_release(&fail);
	return opened;
}

static struct str
text_of(const struct reading *r, uint32_t seq)
{
	return (struct str){ r->text.data + r->ends[seq - 1],
			     r->ends[seq] - r->ends[seq - 1] };
}

static bool
is_on_branch(const struct reading *r, uint32_t seq)
{
	return (r->flags.data[seq - 1] & SLOT_BRANCH) != 0;
}

/* Whether every slot of a is in b what it was, where it is on both branches. */
static bool
is_kept(const struct reading *a, const struct reading *b)
{
	if (a->highest > b->highest ||
	    memcmp(a->kinds.data, b->kinds.data, a->highest) != 0)
		return false;
	for (uint32_t i = 1; i <= a->highest; i++)
		if (is_on_branch(a, i) && is_on_branch(b, i) &&
		    !str_eq(text_of(a, i), text_of(b, i)))
			return false;
	return true;
}

static bool
is_same(const struct reading *a, const struct reading *b)
{
	return str_eq(buf_str(&a->kinds), buf_str(&b->kinds)) &&
	       str_eq(buf_str(&a->flags), buf_str(&b->flags)) &&
	       str_eq(buf_str(&a->text), buf_str(&b->text));
}

/* Reads it anew: what there was must be kept, or be all that there is. */
static bool
goes_on(const char *selector, struct reading *r, bool same)
{
	struct reading now;
	bool good = read_session(selector, &now) &&
		    (same ? is_same(r, &now) : is_kept(r, &now));

	reading_release(r);
	*r = now;
	return good;
}

/* ---- what is done to it ------------------------------------------------ */

static void
compress(const char *name, struct str text)
{
	char plain[256], packed[256];
	size_t size = ZSTD_compressBound(text.n);
	char *bytes = xmalloc(size);

	path_of(plain, DAY, name, "");
	path_of(packed, DAY, name, ".zst");
	put(packed, (struct str){ bytes, ZSTD_compress(bytes, size, text.s,
						       text.n, 1) });
	unlink(plain);
	free(bytes);
}

static void
archive(const char *name, const char *end)
{
	char from[256], to[256];

	path_of(from, DAY, name, end);
	path_of(to, "archived_sessions", name, end);
	if (rename(from, to) != 0)
		abort();
}

static void
check(unsigned seed)
{
	struct gen dice = { .state = seed * 7919u + 3 };
	struct buf first = BUF_INIT, more = BUF_INIT;
	struct reading thread, fork;
	char path[256];

	begin();
	say(&first, seed, NULL, 0);
	path_of(path, DAY, THREAD, "");
	put(path, buf_str(&first));
	ok(read_session("codex:" THREAD, &thread), "%u: a thread is there",
	   seed);

	say(&first, seed + 100, NULL, 0);
	put(path, buf_str(&first));
	ok(goes_on("codex:" THREAD, &thread, false), "%u: appended to", seed);

	say(&more, seed + 200, THREAD, gen_pick(&dice, (unsigned)first.len));
	path_of(path, DAY, THREAD "_" SEGMENT("01"), "");
	put(path, buf_str(&more));
	ok(goes_on("codex:" THREAD, &thread, false), "%u: rewound", seed);

	path_of(path, DAY, FORK, "");
	buf_reset(&more);
	say(&more, seed + 300, SEGMENT("01"), gen_pick(&dice, 2000));
	put(path, buf_str(&more));
	ok(read_session("codex:" FORK, &fork), "%u: forked", seed);

	path_of(path, DAY, THREAD "_" SEGMENT("02"), "");
	buf_reset(&more);
	say(&more, seed + 400, gen_pick(&dice, 2) ? THREAD : SEGMENT("01"),
	    gen_pick(&dice, 3000));
	put(path, buf_str(&more));
	ok(goes_on("codex:" THREAD, &thread, false), "%u: rewound again", seed);
	ok(goes_on("codex:" FORK, &fork, true), "%u: its fork is as it was",
	   seed);

	compress(THREAD, buf_str(&first));
	ok(goes_on("codex:" THREAD, &thread, true), "%u: compressed", seed);
	archive(THREAD, ".zst");
	archive(THREAD "_" SEGMENT("01"), "");
	ok(goes_on("codex:" THREAD, &thread, true), "%u: archived in part",
	   seed);
	archive(THREAD "_" SEGMENT("02"), "");
	ok(goes_on("codex:" THREAD, &thread, true), "%u: archived", seed);
	ok(goes_on("codex:" FORK, &fork, true), "%u: and its fork stays", seed);

	nftw(home, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	reading_release(&thread);
	reading_release(&fork);
	buf_release(&first);
	buf_release(&more);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= ROUNDS; seed++)
		check(seed);
	return done();
}
